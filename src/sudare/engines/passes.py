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


def in_passes(requests: Sequence[MomentsRequest], ask: Ask) -> list[Moments]:
    """One answer a request; requests that differ in monomials alone share a pass."""
    monomials: dict[Shape, dict[tuple[int, ...], None]] = {}
    for request in requests:
        wanted = monomials.setdefault(shape_of(request), {})
        wanted.update(dict.fromkeys(request.monomials))
    found = {shape: ask(shape, tuple(wanted)) for shape, wanted in monomials.items()}
    return [
        dense(request, tuple(monomials[shape]), found[shape])
        for request in requests
        for shape in (shape_of(request),)
    ]
