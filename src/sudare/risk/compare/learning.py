"""Train on synthetic rows, test on real ones; beside it, train on real ones.

The same gradient-boosted trees are trained on as many rows of either table and tested on the same
real rows: those of a holdout that the synthesiser never saw, if there is one, else a third of the
real rows, which the model of the real rows is not trained on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.facts.compared import Estimate, Learning, Score
from sudare.facts.microdata import Floats, Microdata
from sudare.randomness.bits import RandomBits
from sudare.risk.compare.features import for_trees
from sudare.risk.compare.rates import Z95, auc, share
from sudare.risk.compare.sampling import fresh_state, some
from sudare.risk.compare.target import class_codes, is_number, number_values, with_target
from sudare.risk.compare.trees import class_chances, numbers

MOST_ROWS = 30_000
_LEAST = 6


def learning(
    real: Microdata,
    synthetic: Microdata,
    holdout: Microdata | None,
    target: str,
    bits: RandomBits,
) -> Learning | None:
    """The scores of both models; None where there are too few rows or no other column."""
    names = [name for name in real.names if name != target]
    known, made = with_target(real, target), with_target(synthetic, target)
    train, test = _split(known, None if holdout is None else with_target(holdout, target), bits)
    rows = min(train.rows, made.rows)
    if not names or rows < _LEAST or test.rows < _LEAST:
        return None
    tables = some(train, rows, bits), some(made, rows, bits), test
    scores = (_of_number if is_number(real, target) else _of_class)(tables, names, target, bits)
    return Learning(target, (train.rows, rows), test.rows, holdout is not None, scores)


def _split(
    real: Microdata, holdout: Microdata | None, bits: RandomBits
) -> tuple[Microdata, Microdata]:
    mixed = some(real, MOST_ROWS, bits)
    if holdout is not None:
        return mixed, some(holdout, MOST_ROWS // 2, bits)
    cut = mixed.rows // 3
    return mixed.taken(np.arange(cut, mixed.rows)), mixed.taken(np.arange(cut))


def _of_number(
    tables: Sequence[Microdata], names: Sequence[str], target: str, bits: RandomBits
) -> tuple[Score, ...]:
    are_labels, features = for_trees(tables, names)
    truth = [number_values(table, target) for table in tables]
    state = fresh_state(bits)
    found = [
        numbers(are_labels, state, features[side], truth[side], features[2]) for side in (0, 1)
    ]
    return (Score("r2", r_squared(truth[2], found[0]), r_squared(truth[2], found[1]), 0.0),)


def r_squared(truth: Floats, found: Floats) -> Estimate:
    """The share of the variance that is explained; its interval is that of a mean of squares."""
    spread = float(((truth - truth.mean()) ** 2).mean())
    if spread == 0:
        return Estimate(0.0, 0.0, 0.0)
    losses = (truth - found) ** 2 / spread
    half = Z95 * float(losses.std()) / math.sqrt(len(losses))
    value = 1 - float(losses.mean())
    return Estimate(value, value - half, value + half)


def _of_class(
    tables: Sequence[Microdata], names: Sequence[str], target: str, bits: RandomBits
) -> tuple[Score, ...]:
    are_labels, features = for_trees(tables, names)
    labels, truth = class_codes(tables, target)
    state = fresh_state(bits)
    found = [
        class_chances(are_labels, state, features[side], truth[side], features[2], len(labels))
        for side in (0, 1)
    ]
    right = [int((each.argmax(axis=1) == truth[2]).sum()) for each in found]
    common = int(np.bincount(truth[0]).argmax())
    rows = len(truth[2])
    accuracy = Score(
        "accuracy", share(right[0], rows), share(right[1], rows), float((truth[2] == common).mean())
    )
    areas = [_area(each, truth[2]) for each in found]
    return accuracy, Score("auc", areas[0], areas[1], 0.5)


def _area(chances: Floats, truth: NDArray[np.int64]) -> Estimate:
    """The area under the curve of two classes; the mean over classes, each against the rest,
    weighted by their rows, of more."""
    counts = np.bincount(truth, minlength=chances.shape[1])
    present = [int(each) for each in np.flatnonzero(counts)]
    if len(present) == 2:
        return auc(chances[:, present[1]], truth == present[1])
    areas = [auc(chances[:, each], truth == each) for each in present]
    weights = counts[present] / max(counts.sum(), 1)
    middle, low, high = (
        float(sum(w * getattr(area, end) for w, area in zip(weights, areas, strict=True)))
        for end in ("value", "low", "high")
    )
    return Estimate(middle, low, high)
