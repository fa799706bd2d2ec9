"""Groups over declared domains: `by (...)` and `histogram(...)`, with their labels."""

from __future__ import annotations

import datetime as dt
import itertools
from decimal import Decimal, localcontext
from fractions import Fraction

from sudare.facts.aggregate import Axis, CutsAxis, UniformAxis, ValuesAxis
from sudare.facts.errors import InvalidPlan
from sudare.facts.grid import Grid
from sudare.facts.limits import MOST_CUTS
from sudare.facts.query import Query
from sudare.facts.schema import EPOCH, Column, Schema

# An integer column serves as groups of its own only while that stays a table one can read.
MOST_INTEGER_GROUPS = 1000
MOST_CELLS = 1_000_000
Labelled = tuple[Axis, tuple[str, ...]]


def group_axis(name: str, schema: Schema) -> Labelled:
    """One axis of `by (...)`: a category, a boolean, or an integer of few values."""
    column = schema.column(name)
    if column.type == "category":
        labels = schema.domain(name)
        return ValuesAxis(name, column.values, column.other is not None), labels
    if column.type == "boolean":
        return UniformAxis(name, 0, 2, 2), ("false", "true")
    if column.type == "integer":
        grid = schema.grid(name)
        if grid.span < MOST_INTEGER_GROUPS:
            labels = tuple(str(v) for v in range(grid.low, grid.high + 1))
            return UniformAxis(name, grid.low, grid.span + 1, grid.span + 1), labels
    raise InvalidPlan(
        f"Column '{name}' ({column.type}) has no short list of groups.",
        f"Group by a category, or cut it: histogram({name}, bins=10).",
    )


def histogram_axis(query: Query, schema: Schema) -> Labelled:
    """The axis of a histogram: declared values, equal bins, or given edges."""
    name = query.columns[0]
    column = schema.column(name)
    if query.bins is None and not query.edges:
        return group_axis(name, schema)
    if column.type in ("category", "boolean", "text", "key"):
        raise InvalidPlan(
            f"Column '{name}' is {column.type}; bins and edges are for numbers and dates.",
            f"Ask histogram({name}).",
        )
    grid = schema.grid(name)
    low, high = _ends(column, grid)
    edges = _inner_edges(query, low, high)
    cuts = tuple(grid.first_index(edge) for edge in edges)
    if len(set(cuts)) != len(cuts) or any(not grid.low < cut <= grid.high for cut in cuts):
        raise InvalidPlan(
            f"histogram({name}) has a bin that no value can fall into.",
            "Use fewer bins, or edges between min and max.",
        )
    is_uniform = query.bins is not None and _is_uniform(cuts, grid, query.bins)
    if not is_uniform and len(cuts) > MOST_CUTS:
        raise InvalidPlan(
            f"histogram({name}) has {len(cuts) + 1:,} bins that are not of one width on the "
            f"column's grid; at most {MOST_CUTS:,} can be.",
            "Use fewer bins, or a number of them that divides the range evenly.",
        )
    labels = _interval_labels([low, *edges, high], column)
    if query.bins is not None and is_uniform:
        return UniformAxis(name, grid.low, grid.span, query.bins), labels
    return CutsAxis(name, cuts), labels


def _ends(column: Column, grid: Grid) -> tuple[Fraction, Fraction]:
    """The declared bounds as exact numbers (days for dates)."""
    if column.type == "date":
        return Fraction(grid.low), Fraction(grid.high)
    return Fraction(str(column.min)), Fraction(str(column.max))


def _inner_edges(query: Query, low: Fraction, high: Fraction) -> list[Fraction]:
    if query.bins is not None:
        width = (high - low) / query.bins
        return [low + width * place for place in range(1, query.bins)]
    inner = [edge for edge in query.edges if edge not in (low, high)]
    if inner != sorted(set(inner)) or any(not low < edge < high for edge in inner):
        raise InvalidPlan(
            "edges must ascend and lie between min and max.",
            "Example: histogram(age, edges=(15, 65)).",
        )
    return inner


def _is_uniform(cuts: tuple[int, ...], grid: Grid, bins: int) -> bool:
    """Whether the formula of UniformAxis gives exactly these cuts."""
    return all(
        cut == grid.low + -(-place * grid.span // bins) for place, cut in enumerate(cuts, start=1)
    )


def _interval_labels(edges: list[Fraction], column: Column) -> tuple[str, ...]:
    shown = _shown_edges(edges, column)
    last = len(shown) - 2
    return tuple(
        f"[{left}, {right}{']' if place == last else ')'}"
        for place, (left, right) in enumerate(itertools.pairwise(shown))
    )


def _shown_edges(edges: list[Fraction], column: Column) -> list[str]:
    """Edges in as few digits as tell them apart."""
    for digits in (10, 15, 17, 40):
        shown = [_edge(edge, column, digits) for edge in edges]
        if len(set(shown)) == len(shown):
            break
    return shown


def _edge(edge: Fraction, column: Column, digits: int) -> str:
    if column.type == "date":
        return (EPOCH + dt.timedelta(days=int(-(-edge // 1)))).isoformat()
    if edge.denominator == 1:
        return str(edge.numerator)
    with localcontext(prec=digits):
        return f"{Decimal(edge.numerator) / Decimal(edge.denominator):f}".rstrip("0")


def combined(parts: list[Labelled]) -> tuple[tuple[Axis, ...], tuple[str, ...]]:
    """All axes, and one label a cell ("F, north"), the last axis fastest."""
    axes = tuple(axis for axis, _ in parts)
    cells = 1
    for axis in axes:
        cells *= axis.size
    if cells > MOST_CELLS:
        raise InvalidPlan(
            f"The table has {cells:,} cells; ask answers at most {MOST_CELLS:,}.",
            "Group by fewer columns.",
        )
    quoted = [tuple(_quoted(v, len(parts) > 1) for v in labels) for _, labels in parts]
    return axes, tuple(", ".join(cell) for cell in itertools.product(*quoted))


def _quoted(label: str, joined: bool) -> str:
    """Labels with a comma are quoted where they are joined, so that no two cells collide."""
    return (
        '"' + label.replace('"', '""') + '"' if joined and ("," in label or '"' in label) else label
    )
