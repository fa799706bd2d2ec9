"""The primitives' trees in PostgreSQL's words.

Claim    `render` gives SQL that says what the tree says in DuckDB, for the trees that sql/ builds,
         and that no value can make fail.
Needs    columns as view.py shows them, the session of link.py. TRY_CAST is a plain cast, because
         the trees cast nothing but numbers between bounds, and dates; text is parsed by the view.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from sudare.engines.postgres.parsing import call
from sudare.engines.postgres.writing import text_of
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql

# PostgreSQL ends a query whose product or quotient is too small for a double. Below this a number
# counts as zero where it would become smaller still, which moves no index (see parsing.py).
_TINY = 1e-200


def render(tree: Sql) -> str:
    """The SQL of a tree; the tree is used up."""
    # Children before their parents, and no node that was put in here is looked at again.
    for node in reversed(list(tree.walk(bfs=False))):
        rewrite = _REWRITES.get(type(node))
        written = rewrite(node) if rewrite is not None else None
        if written is not None:
            node.replace(written)
    return tree.sql("postgres", copy=False)


def _try_cast(node: exp.TryCast) -> Sql:
    plain = exp.Cast(this=node.this.copy(), to=node.to.copy())
    return _cast(plain) or plain


def _cast(node: exp.Cast) -> Sql | None:
    kind, given = node.to.this, node.this.type
    if kind in (exp.DType.INT128, exp.DType.DECIMAL) and node.to != exp.DataType.build("DECIMAL"):
        # Without digits a NUMERIC holds every number.
        return sql.cast(node.this.copy(), "DECIMAL")
    if kind is not exp.DType.TEXT:
        return None
    if given is None:
        return _in_bytes(node) if isinstance(node.this, exp.Column) else None
    value = node.this.copy()
    value.type = None
    return text_of(value, given.this)


def _in_bytes(text: exp.Cast) -> Sql:
    """Equal to itself alone, whatever the collation of the column, and sorted without a language,
    which is faster."""
    return exp.Collate(this=text.copy(), expression=exp.to_identifier("C", quoted=True))


def _clip(node: exp.Case) -> Sql | None:
    """CASE WHEN x BETWEEN low AND high THEN x WHEN x < low THEN low WHEN high < x THEN high END by
    two functions of BIGINT that take NULL to NULL: faster, and the same steps for every row."""
    found = [(branch.this, branch.args["true"]) for branch in node.args["ifs"]]
    inside, value = found[0]
    if not isinstance(inside, exp.Between) or not isinstance(value, exp.Column):
        return None
    low, high = inside.args["low"], inside.args["high"]
    clip = [
        (sql.between(value, low, high), value),
        (sql.less(value, low), low),
        (sql.less(high, value), high),
    ]
    if found != clip or node.args.get("default") is not None:
        return None
    return call("INT8LARGER", call("INT8SMALLER", value, high), low)


def _scaled(node: exp.Mul | exp.Div) -> Sql | None:
    """A product or quotient by a constant that makes doubles smaller."""
    factor = _constant(node.expression)
    if factor is None or (factor >= 1 if isinstance(node, exp.Mul) else factor <= 1):
        return None
    is_tiny = sql.less(exp.Abs(this=node.this.copy()), sql.real(_TINY))
    value = sql.when((is_tiny, sql.real(0.0)), otherwise=node.this.copy())
    return type(node)(this=value, expression=node.expression.copy(), typed=True)


def _constant(node: Sql) -> float | None:
    if not isinstance(node, exp.Cast) or node.to.this is not exp.DType.DOUBLE:
        return None
    return float(node.this.name) if isinstance(node.this, exp.Literal) else None


def _whole_quotient(node: exp.IntDiv) -> Sql:
    """Of BIGINT by "/", of longer numbers by DIV."""
    casts = node.this.find_all(exp.Cast)
    if any(cast.to.this is exp.DType.DECIMAL for cast in casts):
        return call("DIV", node.this, node.expression)
    return exp.Div(this=node.this.copy(), expression=node.expression.copy(), typed=True)


def _among(node: exp.In) -> Sql | None:
    """x IN (SELECT …) as EXISTS: NOT IN is not planned as a join, and takes for ever."""
    if node.args.get("query") is None:
        return None
    names = exp.TableAlias(this=exp.to_identifier("q"), columns=[exp.to_identifier("w")])
    found = exp.Subquery(this=node.args["query"].this.copy(), alias=names)
    same = exp.EQ(this=sql.column("w", "q"), expression=node.this.copy())
    return exp.Exists(this=sql.select(sql.integer(1)).from_(found).where(same))


def _digest(node: exp.SHA2) -> Sql:
    """The bytes themselves; they have the order of their hexadecimal text."""
    return call("SHA256", call("CONVERT_TO", node.this, sql.text("UTF8")))


def _days(node: exp.DateDiff) -> Sql:
    return exp.paren(exp.Sub(this=node.this.copy(), expression=node.expression.copy()), copy=False)


_REWRITES: dict[type[exp.Expr], Callable[..., Sql | None]] = {
    exp.TryCast: _try_cast,
    exp.Cast: _cast,
    exp.Case: _clip,
    exp.Mul: _scaled,
    exp.Div: _scaled,
    exp.IntDiv: _whole_quotient,
    exp.In: _among,
    exp.SHA2: _digest,
    exp.DateDiff: _days,
}
