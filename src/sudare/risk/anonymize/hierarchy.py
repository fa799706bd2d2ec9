"""How a column can be made coarser, step by step, and what each step loses.

Claim    the loss of a step is the normalized certainty penalty (NCP): the mean over records of
         (v − 1)/(m − 1), where v of the column's m values that occur fall together with the
         record's own. It is 0 where nothing is merged and 1 for "*", and never falls on the way up.
Source   Xu, Wang, Pei, Wang, Shi, Fu 2006 (NCP), over values instead of widths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.facts.coded import Integers

STAR = "*"


@dataclass(frozen=True)
class Step:
    """One level: the group of each code, and the published label of each group."""

    name: str
    groups: Integers
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Hierarchy:
    """The levels of one column, finest first; the last one is "*" for everybody."""

    column: str
    steps: tuple[Step, ...]

    @property
    def height(self) -> int:
        return len(self.steps) - 1


def hierarchy(
    column: str, labels: Sequence[str], coarser: Sequence[tuple[str, Sequence[str]]]
) -> Hierarchy:
    """Levels from the label of each code at each of them, finer levels first. Each level is made
    a coarsening of the one below by merging whatever shares a label there."""
    steps = [Step(column, np.arange(len(labels)), tuple(labels))]
    for name, own in coarser:
        steps.append(_step(name, own))
    steps.append(Step(STAR, np.zeros(len(labels), np.int64), (STAR,)))
    return Hierarchy(column, tuple(steps))


def is_coarser(fine: Step, coarse: Step) -> bool:
    """Whether values that are together in one level stay together in the other."""
    pairs = np.unique(np.stack([fine.groups, coarse.groups]), axis=1)
    return len(np.unique(pairs[0])) == int(pairs.shape[1])


def losses(levels: Hierarchy, counts: Integers) -> list[float]:
    """The NCP of each level; `counts` has the records of each code."""
    total = int(counts.sum())
    occurring = counts > 0
    values = int(occurring.sum())
    found = []
    for step in levels.steps:
        together = np.bincount(step.groups[occurring], minlength=len(step.labels))
        lost = int((counts * (together[step.groups] - 1)).sum())
        found.append(round(lost / (total * (values - 1)), 12) if values > 1 else 0.0)
    return found


def _step(name: str, labels: Sequence[str]) -> Step:
    distinct = list(dict.fromkeys(labels))
    places = {label: place for place, label in enumerate(distinct)}
    return Step(name, np.array([places[label] for label in labels], np.int64), tuple(distinct))
