"""Do synthetic rows join two lists of the same people?

One list holds the first, third, … column of each person, the other the rest. A person counts as
linked if the synthetic row that is nearest by one list is the nearest by the other too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.facts.compared import Attack
from sudare.risk.compare.distance import Points, distances, in_blocks
from sudare.risk.compare.rates import risk, share


def linkage(attack: tuple[Points, Points], control: tuple[Points, Points]) -> Attack:
    """The attack and its control, each on victims through rows."""
    success, other = (share(linked(*each), each[0].rows) for each in (attack, control))
    return Attack("linkage", None, attack[0].rows, success, other, None, risk(success, other))


def linked(victims: Points, through: Points) -> int:
    """How many victims are linked."""
    every = range(len(victims.columns))
    return sum(
        int((_nearest(block, through, every[::2]) == _nearest(block, through, every[1::2])).sum())
        for block in in_blocks(victims)
    )


def _nearest(block: Points, through: Points, columns: Sequence[int]) -> NDArray[np.int64]:
    return np.asarray(distances(block, through, columns).argmin(axis=1), np.int64)
