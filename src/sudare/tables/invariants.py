"""Public margins that a schema declares: they hold exactly and carry no protection.

Claim    a margin that the schema states as a public number is used in post-processing only; no
         count of the data goes into it, so it costs nothing.
Needs    numbers that are public from elsewhere. Whoever declares a secret total gives it away by
         declaring it, and the certificate says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.cube import TOTAL, Array, Dimension, Margin, every_margin
from sudare.facts.errors import InvalidPlan
from sudare.facts.schema import Invariant, Schema


@dataclass(frozen=True)
class Known:
    """A public margin of this table: its numbers and the components that they settle."""

    name: str
    source: str
    margin: Margin
    counts: NDArray[np.int64]
    mask: Array


def known_margin(schema: Schema, dimensions: Sequence[Dimension]) -> Known | None:
    """The declared invariant that this table has as a margin, if any; one at most."""
    fitting = [
        found
        for name, invariant in schema.invariants.items()
        if (found := _known(name, invariant, dimensions)) is not None
    ]
    if len(fitting) > 1:
        raise InvalidPlan(
            "Several declared invariants are margins of this table.",
            "Keep the finest one in the schema; its sums follow.",
        )
    return fitting[0] if fitting else None


def _known(name: str, invariant: Invariant, dimensions: Sequence[Dimension]) -> Known | None:
    places = {
        dimension.level_name(level): (axis, level)
        for axis, dimension in enumerate(dimensions)
        for level in range(1, dimension.depth + 1)
    }
    if len(invariant.by) > 1:
        raise InvalidPlan(
            f"Invariant '{name}' has more than one dimension.", "Declare it by one column or level."
        )
    if any(each not in places for each in invariant.by):
        return None
    margin = [0] * len(dimensions)
    labels: tuple[str, ...] = (TOTAL,)
    shape = [1] * len(dimensions)
    for each in invariant.by:
        axis, level = places[each]
        margin[axis] = level
        labels = dimensions[axis].labels(level)
        shape[axis] = len(labels)
    if set(invariant.counts) != set(labels):
        raise InvalidPlan(
            f"Invariant '{name}' does not give one count for each label of its margin.",
            "List every label once, or total = N where by is empty.",
        )
    counts = np.array([invariant.counts[label] for label in labels], dtype=np.int64)
    mask = np.zeros([each.depth + 1 for each in dimensions], dtype=bool)
    for place in every_margin(dimensions):
        mask[place] = all(b <= a for a, b in zip(margin, place, strict=True))
    return Known(name, invariant.source, tuple(margin), counts.reshape(shape), mask)
