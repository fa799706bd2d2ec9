"""The primitives' trees in Spark's words.

Claim    `render` gives SQL that says what the tree says in DuckDB, for the trees that sql/ builds,
         and that no value can make fail.
Needs    columns as shown.py shows them, and the settings of session.py. Whole numbers are read in
         DECIMAL(38, 0) where DuckDB has 128 bits: no value of the trees passes 2^124 < 10^38 (two
         indices of at most 2^62, or a plan's product, which `queries` keeps below 2^87), and a
         number in text that does is NULL here, which the trees take for "beyond the bounds". Sums
         of them are split before; see exact.py.
Gaps     some texts differ from DuckDB's: of powers of two where Java's last digit of 17 leads to
         another one of 16, and of decimals with all digits behind the point (DuckDB writes .5). Of
         a unit named by one of these the two engines may keep different rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from sqlglot import exp
from sqlglot.dialects.spark import Spark
from sqlglot.generators.spark import SparkGenerator

from sudare.engines.spark import texts
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql

# Signs that are written by number in a literal: a quote, a backslash, a "$" that Spark could take
# for a variable, and all that are not ASCII.
_SIGNS = re.compile(r"[^ -~]|['\\\\$]")
# Repetitions of one sign class, which never have to give back what they took.
_LOOP = re.compile(r"(?<=[\]0])[+*]")


def render(tree: Sql) -> str:
    """The SQL of a tree; the tree is used up."""
    # Children before their parents, and no node that was put in here is looked at again.
    for node in reversed(list(tree.walk(bfs=False))):
        rewrite = _REWRITES.get(type(node))
        written = rewrite(node) if rewrite is not None else None
        if written is not None and written is not node:
            node.replace(written)
    return tree.sql(_ExactSpark, copy=False)


def _literal(text: str) -> str:
    return "'" + _SIGNS.sub(lambda found: f"\\U{ord(found[0]):08x}", text) + "'"


def _cast(node: exp.Cast) -> Sql | None:
    kind, given = node.to.this, node.this.type
    if kind is exp.DType.INT128:
        return type(node)(this=node.this.copy(), to=exp.DataType.build("DECIMAL(38, 0)"))
    if given is None:
        return None
    write = _MARKED.get((given.this, kind))
    if write is None:
        return None
    value = node.this.copy()
    value.type = None
    return write(value)


def _rounded(value: Sql) -> Sql:
    """A cast alone would cut. It cannot fail, because the trees round nothing but indices, of at
    most 2^62; a cast that may fail is slower (docs/decisions/0005-engines.md)."""
    return sql.cast(texts.call("RINT", value), "BIGINT")


def _match(node: exp.RegexpLike) -> Sql:
    """Java's "$" also stands before a last line end, and its loops go back step by step, which
    takes for ever on a long text; those that cannot go back say so with a "+"."""
    pattern = _LOOP.sub(r"\g<0>+", node.expression.name).replace("$", r"\z")
    return exp.RegexpLike(this=node.this.copy(), expression=sql.text(pattern))


def _trim(node: exp.Trim) -> Sql:
    end = node.args.get("position") or "BOTH"
    return exp.Trim(this=node.this.copy(), expression=node.expression.copy(), position=end)


def _strip(node: exp.Case) -> Sql | None:
    """A trim where a blank stands at an end is a trim; Java finds the blank more slowly."""
    found = node.args["ifs"]
    trim = found[0].args["true"]
    is_strip = len(found) == 1 and isinstance(trim, exp.Trim)
    return trim.copy() if is_strip and trim.this == node.args.get("default") else None


def _days(node: exp.DateDiff) -> Sql:
    """Days since 1970-01-01, which is what the trees ask for."""
    return texts.call("UNIX_DATE", node.this.copy())


def _barrier(node: exp.CTE) -> Sql | None:
    """Rows that are to be written down are instead made by a generator, a row from a row. Spark
    puts no expression from below a generator into a filter above it, so each is computed once."""
    if not node.args.get("materialized"):
        return None
    query, names = node.this, [column.alias_or_name for column in node.this.expressions]
    fields = [
        part
        for column, name in zip(query.expressions, names, strict=True)
        for part in (sql.text(name), column.unalias().copy())
    ]
    whole = texts.call("ARRAY", texts.call("NAMED_STRUCT", *fields))
    query.set("expressions", [sql.named(whole, "whole")])
    view = exp.Lateral(
        this=texts.call("INLINE", sql.column("whole")),
        view=True,
        alias=exp.TableAlias(
            this=exp.to_identifier("o"), columns=[exp.to_identifier(name) for name in names]
        ),
    )
    opened = sql.select(*(sql.column(name, "o") for name in names))
    opened = opened.from_(query.subquery("w", copy=False), copy=False)
    opened.set("laterals", [view])
    return exp.CTE(this=opened, alias=node.args["alias"].copy())


# Casts from types that the trees have marked.
_MARKED = {
    (exp.DType.DOUBLE, exp.DType.TEXT): texts.of_double,
    (exp.DType.DATE, exp.DType.TEXT): texts.of_date,
    (exp.DType.DOUBLE, exp.DType.BIGINT): _rounded,
}
_REWRITES: dict[type[exp.Expr], Callable[..., Sql | None]] = {
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.RegexpLike: _match,
    exp.Trim: _trim,
    exp.Case: _strip,
    exp.DateDiff: _days,
    exp.CTE: _barrier,
}


class _Generator(SparkGenerator):
    TRANSFORMS: ClassVar = {
        **SparkGenerator.TRANSFORMS,
        exp.TryCast: lambda self, node: self.trycast_sql(node),
        exp.Literal: lambda self, node: _literal(node.this) if node.is_string else node.this,
    }


class _ExactSpark(Spark):
    """Spark's dialect, but casts that may not fail stay apart from those that may, and every
    sign of a literal is that sign."""

    Generator = _Generator
