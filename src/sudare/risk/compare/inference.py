"""What is one column of a person whose other columns are known?

The guess is the value of the synthetic row that is nearest in all other columns. It is right if it
is the same label, or a number within 5 % of the range of the real rows. The blind guess knows
nothing of the person: the value that is right most often among the rows looked through.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.facts.compared import Attack
from sudare.risk.compare.distance import (
    Points,
    Singles,
    column_distance,
    distances,
    in_blocks,
)
from sudare.risk.compare.rates import risk, share

NEAR = 0.05


def inference(
    names: Sequence[str], attack: tuple[Points, Points], control: tuple[Points, Points]
) -> tuple[Attack, ...]:
    """One attack a column, each with its control."""
    right, right2 = rightly_guessed(*attack), rightly_guessed(*control)
    trials, trials2 = attack[0].rows, control[0].rows
    found = []
    for place, name in enumerate(names):
        success = share(int(right[place]), trials)
        other = share(int(right2[place]), trials2)
        blind = _blind(attack, place)
        found.append(Attack("inference", name, trials, success, other, blind, risk(success, other)))
    return tuple(found)


def rightly_guessed(victims: Points, through: Points) -> NDArray[np.int64]:
    """For each column how many victims are guessed rightly."""
    count = len(victims.columns)
    right = np.zeros(count, np.int64)
    for block in in_blocks(victims):
        total = distances(block, through, range(count)) * np.float32(count)
        for column in range(count):
            own = column_distance(block, through, column)
            place = (total - own).argmin(axis=1)
            truth = block.columns[column]
            guess = through.columns[column][place]
            right[column] += int(_is_right(truth, guess, victims.are_labels[column]).sum())
    return right


def _is_right(truth: Singles, guess: Singles, is_label: bool) -> NDArray[np.bool_]:
    near = truth == guess if is_label else np.abs(truth - guess) <= NEAR
    return np.asarray(near | (np.isnan(truth) & np.isnan(guess)), np.bool_)


def _blind(attack: tuple[Points, Points], column: int) -> float:
    victims, through = (each.columns[column] for each in attack)
    is_label = attack[0].are_labels[column]
    guess = _most_often_right(through, is_label)
    return float(_is_right(victims, np.full_like(victims, guess), is_label).mean())


def _most_often_right(values: Singles, is_label: bool) -> float:
    present = np.sort(values[~np.isnan(values)])
    if 2 * len(present) < len(values):
        return float("nan")
    reach = 0.0 if is_label else NEAR
    first = np.searchsorted(present, present - np.float32(reach), side="left")
    last = np.searchsorted(present, present + np.float32(reach), side="right")
    return float(present[np.argmax(last - first)])
