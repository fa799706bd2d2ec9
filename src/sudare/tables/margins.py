"""Which margins are wanted, and how much each one matters."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sudare.facts.cube import TOTAL, Dimension, Margin, every_margin, finest
from sudare.facts.errors import InvalidPlan


def wanted_margins(text: str, dimensions: Sequence[Dimension]) -> tuple[Margin, ...]:
    """The table itself, always, and the margins that `text` asks for: all, none, a number of
    dimensions (1: every margin of at most one dimension), or a list "sex,region; age_band"."""
    every = every_margin(dimensions)
    bare = text.strip().lower()
    top = finest(dimensions)
    if bare == "all":
        return tuple(every)
    if bare == "none":
        return (top,)
    if bare.isdecimal() and len(bare) < 3:
        count = int(bare)
        return tuple(m for m in every if sum(level > 0 for level in m) <= count or m == top)
    named = {_margin(part, dimensions) for part in text.split(";") if part.strip()}
    if not named:
        raise InvalidPlan(
            "--margins names nothing.", 'Write all, none, 1, 2 or "sex,region; age_band".'
        )
    return tuple(margin for margin in every if margin in named or margin == top)


def weights_of(
    weights: Sequence[tuple[str, Fraction]],
    wanted: Sequence[Margin],
    dimensions: Sequence[Dimension],
) -> dict[Margin, float]:
    """1 for every wanted margin, unless it is said otherwise; 0 means shown but not cared for."""
    found = dict.fromkeys(wanted, 1.0)
    for name, weight in weights:
        margin = _margin(name, dimensions)
        if margin not in found:
            raise InvalidPlan(f"Margin '{name}' has a weight but is not asked for.", "Add it.")
        found[margin] = float(weight)
    if not any(found.values()):
        raise InvalidPlan("Every margin has weight 0.", "Give at least one a weight above 0.")
    return found


def _margin(text: str, dimensions: Sequence[Dimension]) -> Margin:
    """sex,region → the level of each dimension; "total" is the sum of everything."""
    names = [part.strip() for part in text.split(",")]
    levels = [0] * len(dimensions)
    if names == [TOTAL]:
        return tuple(levels)
    for name in names:
        places = [
            (axis, level)
            for axis, dimension in enumerate(dimensions)
            for level in range(1, dimension.depth + 1)
            if dimension.level_name(level) == name
        ]
        if not places:
            known = [d.level_name(n) for d in dimensions for n in range(1, d.depth + 1)]
            raise InvalidPlan(
                f"'{name}' is no dimension or level of this table.", f"Known: {', '.join(known)}."
            )
        axis, level = places[0]
        if levels[axis]:
            raise InvalidPlan(
                f"A margin names '{name}' beside another level of the same dimension.",
                "Name one level a dimension.",
            )
        levels[axis] = level
    return tuple(levels)
