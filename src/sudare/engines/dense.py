"""The groups that a query found, laid out over all groups that the schema declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sudare.facts.aggregate import Moments, MomentsRequest


def dense(
    request: MomentsRequest,
    monomials: Sequence[tuple[int, ...]],
    found: Sequence[tuple[Any, ...]],
) -> Moments:
    """Zeros for groups without rows; `found` has the codes and one measure a monomial."""
    width = len(request.axes)
    places = [width + monomials.index(each) for each in request.measures]
    groups = [(0,) * len(places)] * request.groups
    for row in found:
        group = _group(request, row[:width])
        if group is not None:
            groups[group] = tuple(int(row[place] or 0) for place in places)
    return Moments(tuple(groups))


def _group(request: MomentsRequest, codes: tuple[int | None, ...]) -> int | None:
    """Row-major place of a group; None if a row lacks the value of an axis."""
    group = 0
    for axis, code in zip(request.axes, codes, strict=True):
        if code is None:
            return None
        group = group * axis.size + int(code)
    return group
