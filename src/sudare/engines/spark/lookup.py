"""Codes of the few groups of a query by looking through an array, instead of by a join.

Claim    the query answers as before, for code tables whose codes are 0, 1, 2, ...; others stay
         joined. A join is planned, built and sent to every worker; for a few thousand groups that
         takes longer than looking through the labels.
"""

from __future__ import annotations

from sqlglot import exp

from sudare.engines.spark.texts import call
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql


def inlined(query: exp.Select) -> exp.Select:
    """`query` with the code tables joined at its top level looked up instead; it is used up."""
    joins = query.args.get("joins") or []
    found = {join.alias_or_name: code for join in joins if (code := _code(join)) is not None}
    query.set("joins", [join for join in joins if join.alias_or_name not in found])
    for column in list(query.find_all(exp.Column)):
        if column.name == "code" and column.table in found:
            column.replace(found[column.table].copy())
    return query


def _code(join: exp.Join) -> Sql | None:
    """The place of the joined value among the labels, NULL if it is none of them."""
    if not isinstance(join.this, exp.Values):
        return None
    labels, codes = zip(*(row.expressions for row in join.this.expressions), strict=True)
    if [int(code.name) for code in codes] != list(range(len(codes))):
        return None
    array = call("ARRAY", *(label.copy() for label in labels))
    place = call("ARRAY_POSITION", array, join.args["on"].this.copy())
    known = exp.Nullif(this=place, expression=sql.integer(0))
    return exp.paren(exp.Sub(this=known, expression=sql.integer(1)), copy=False)
