"""The primitives' trees in PostgreSQL's words.

Claim    `render` gives SQL that says what the tree says in DuckDB, for the trees that sql/ builds,
         and that no value can make fail.
Needs    columns as view.py shows them, the session of link.py. TRY_CAST is a plain cast, because
         the trees cast nothing but numbers between bounds, and dates; text is parsed by the view.
         A cast from double to integer rounds, from a middle to the even number.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from sqlglot import exp

from sudare.engines.postgres.parsing import call
from sudare.engines.postgres.writing import text_of
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql

# PostgreSQL ends a query whose product or quotient is too small for a double. Below this a number
# counts as zero where it would become smaller still, which moves no index (see parsing.py).
_TINY = 1e-200
# Indices below this in size may be INT, whose sum is a BIGINT that wraps; sums.py says when.
NARROW = 2**22
_Branches = list[tuple[Sql, Sql]]


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
    if kind is exp.DType.BIGINT and _is_short_index(node.this):
        return sql.cast(node.this.this.copy(), "BIGINT")
    if kind is not exp.DType.TEXT:
        return None
    if given is None:
        return _in_bytes(node) if isinstance(node.this, exp.Column) else None
    value = node.this.copy()
    value.type = None
    return text_of(value, given.this)


def _is_short_index(node: Sql) -> bool:
    """Whether this is what `_clip_real` makes of a clip in 32 bits; 64 are to be had at once."""
    is_short = isinstance(node, exp.Cast) and node.to.this is exp.DType.INT
    return is_short and isinstance(node.this, exp.Mul | exp.Div)


def _in_bytes(text: exp.Cast) -> Sql:
    """Equal to itself alone, whatever the collation of the column, and sorted without a language,
    which is faster."""
    return exp.Collate(this=text.copy(), expression=exp.to_identifier("C", quoted=True))


def _clip(node: exp.Case) -> Sql | None:
    """The clips of sql/clean.py by functions that take NULL to NULL: faster, and the same steps
    for every row."""
    branches = [(branch.this, branch.args["true"]) for branch in node.args["ifs"]]
    inside = branches[0][0]
    if not isinstance(inside, exp.Between) or node.args.get("default") is not None:
        return None
    return _clip_integer(inside, branches) or _clip_real(inside, branches)


def _clip_integer(inside: exp.Between, branches: _Branches) -> Sql | None:
    """CASE WHEN x BETWEEN low AND high THEN x WHEN x < low THEN low WHEN high < x THEN high END of
    integers; in 32 bits if the column has no more and the bounds are narrow."""
    value, low, high = inside.this, inside.args["low"], inside.args["high"]
    clip = [
        (inside, value),
        (sql.less(value, low), low),
        (sql.less(high, value), high),
    ]
    if branches != clip or not isinstance(value, exp.Column):
        return None
    kind = branches[0][1].type
    is_short = kind is not None and kind.this is exp.DType.INT and _are_narrow(low, high)
    name = "INT4" if is_short else "INT8"
    return call(f"{name}LARGER", call(f"{name}SMALLER", value, high), low)


def _clip_real(inside: exp.Between, branches: _Branches) -> Sql | None:
    """CASE WHEN x BETWEEN low AND high THEN x / step WHEN x < low THEN first WHEN x <= infinity
    THEN last END of doubles, where first and last are low / step and high / step, rounded. NaN is
    taken out first, because these functions sort it above all numbers."""
    value, (_, index), *outside = inside.this, *branches
    scaled = index.this
    if not isinstance(index, exp.Cast) or not isinstance(scaled, exp.Mul | exp.Div):
        return None
    first, last = (end for _, end in outside)
    low, high = (_constant(inside.args[end]) for end in ("low", "high"))
    if low is None or high is None:
        return None
    number: Sql = exp.Nullif(this=value.copy(), expression=sql.real(math.nan))
    if _shrinks(scaled):
        number = _not_tiny(value, number)
        low, high = (0.0 if abs(end) < _TINY else end for end in (low, high))
    clipped = call("FLOAT8LARGER", call("FLOAT8SMALLER", number, sql.real(high)), sql.real(low))
    whole = type(scaled)(this=clipped, expression=scaled.expression.copy(), typed=True)
    return sql.cast(whole, "INT" if _are_narrow(first, last) else "BIGINT")


def _are_narrow(*bounds: Sql) -> bool:
    return all(abs(int(bound.sql())) < NARROW for bound in bounds)


def _scaled(node: exp.Mul | exp.Div) -> Sql | None:
    """A product or quotient by a constant that makes doubles smaller."""
    if not _shrinks(node):
        return None
    value = _not_tiny(node.this, node.this)
    return type(node)(this=value, expression=node.expression.copy(), typed=True)


def _shrinks(node: exp.Mul | exp.Div) -> bool:
    factor = _constant(node.expression)
    return factor is not None and (factor < 1 if isinstance(node, exp.Mul) else factor > 1)


def _not_tiny(value: Sql, number: Sql) -> Sql:
    is_tiny = sql.less(exp.Abs(this=value.copy()), sql.real(_TINY))
    return sql.when((is_tiny, sql.real(0.0)), otherwise=number.copy())


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
