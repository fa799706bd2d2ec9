"""Which kinds of people can exist at all, given a set of parts.

Claim    A cell outside `cells` is empty in every consistent data set, and, if `finished`,
         "everyone like D has v" is certain iff all cells of D without v are outside `cells`.
Source   The cells of D without v hold 0 people in every data set iff each of them does.
Symbols  cells -> some consistent data set has a person there; seats[p] -> person p may be there.
Needs    "infeasible" of CP-SAT, and for large programs the bounds of `relaxation`, are proofs.
Gaps     none known: stopped early, it calls too many cells possible, never too few.

One data set shows many cells to be possible at once, so the search asks again and again for a data
set that fills as many new cells as it can, and ends when none fills even one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.risk.tables.deadline import Deadline
from sudare.risk.tables.filling import Filling
from sudare.risk.tables.grid import Cells
from sudare.risk.tables.linear import Ints, Linear
from sudare.risk.tables.parts import Limits, PersonLimits
from sudare.risk.tables.program import Program


@dataclass(frozen=True)
class Possible:
    """Where people can be; `consistent` is None where neither a data set nor its absence is known.

    Cells that are not decided count as possible; then `finished` is False.
    """

    program: Program
    consistent: bool | None
    cells: Cells
    seats: tuple[Cells, ...]
    finished: bool
    witnesses: tuple[Ints, ...]


def find_possible(
    size: int, limits: Sequence[Limits], persons: Sequence[PersonLimits], deadline: Deadline
) -> Possible:
    """Search until nothing new is possible, or the deadline is over."""
    linear = Linear(size, limits, persons)
    filling = Filling(Program(linear), deadline)
    targets = {*range(linear.number), *(n for seats in linear.seats for n in seats.values())}
    undecided = filling.settle(targets)
    possible = filling.seen | undecided
    return Possible(
        filling.program,
        filling.consistent,
        _cells(linear, possible),
        tuple(_seat_cells(linear, seats, possible) for seats in linear.seats),
        not undecided,
        tuple(filling.witnesses),
    )


def _cells(linear: Linear, marked: set[int]) -> Cells:
    found = np.zeros(linear.number, dtype=np.bool_)
    found[[n for n in marked if n < linear.number]] = True
    return found[linear.class_of]


def _seat_cells(linear: Linear, seats: dict[int, int], marked: set[int]) -> Cells:
    found = np.zeros(linear.number, dtype=np.bool_)
    found[[k for k, n in seats.items() if n in marked]] = True
    return found[linear.class_of]
