"""Requests brought together into passes over the rows; the same for every engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sudare.engines.dense import dense
from sudare.engines.sql.moments import Shape, shape_of
from sudare.facts.aggregate import Moments, MomentsRequest

Monomials = tuple[tuple[int, ...], ...]
# Runs the query of `moments_query` for a shape and its monomials.
Ask = Callable[[Shape, Monomials], list[tuple[Any, ...]]]


def together(parts: Sequence[Moments]) -> Moments:
    """The moments of several portions of the rows as those of all of them."""
    rows = zip(*(part.rows for part in parts), strict=True)
    return Moments(tuple(tuple(map(sum, zip(*group, strict=True))) for group in rows))


def passes_of(requests: Sequence[MomentsRequest]) -> dict[Shape, Monomials]:
    """What to ask: requests that differ in monomials alone share a pass."""
    monomials: dict[Shape, dict[tuple[int, ...], None]] = {}
    for request in requests:
        wanted = monomials.setdefault(shape_of(request), {})
        wanted.update(dict.fromkeys(request.measures))
    # Sorting is stable: the count comes first, the others stay as they were asked for.
    return {shape: tuple(sorted(wanted, key=bool)) for shape, wanted in monomials.items()}


def in_passes(requests: Sequence[MomentsRequest], ask: Ask) -> list[Moments]:
    """One answer a request, in as few passes as there are shapes."""
    monomials = passes_of(requests)
    found = {shape: ask(shape, wanted) for shape, wanted in monomials.items()}
    return [
        dense(request, monomials[shape], found[shape])
        for request in requests
        for shape in (shape_of(request),)
    ]
