"""Algorithm 5, DeCoding: from numbers back to labels.

Source   Algorithm 5, with line 11 after the if and the else: as printed, only rows below the
         threshold would be given a label at all.
Symbols  c_j is the j-th coded column of a category with v labels, l = v − 1; c̄ of line 3 is the
         mean of all c_j over all rows: (share of everything but c_1) / l.
Choice   "threshold" is the paper's: the largest c_j if it is at least c̄, else c_1. "argmax" gives
         c_1 its own number, 1 − Σ c_j, and takes the largest of all v, which comes nearer to the
         histogram. A boolean is a category with the labels 0 and 1.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from sudare.facts.statistics import Floats
from sudare.synthesis.paper.coding import CodedCategory, Ints, Layout

Decoding = Literal["threshold", "argmax"]


def thresholds(layout: Layout, means: Floats) -> dict[str, float]:
    """c̄ of every category, from the column means of Z."""
    return {each.name: float(means[each.places].mean()) for each in layout.categories}


def decoded_flag(column: Floats, mean: float, how: Decoding) -> Floats:
    """A boolean, whose only coded column is the number itself."""
    return (column >= (mean if how == "threshold" else 0.5)).astype(np.float64)


def decoded(each: CodedCategory, rows: Floats, threshold: float, how: Decoding) -> Ints:
    """The levels of one category in some rows of Z."""
    columns = rows[:, each.places]
    best = columns.argmax(axis=1)
    largest = columns[np.arange(len(columns)), best]
    least = threshold if how == "threshold" else 1.0 - columns.sum(axis=1)
    found: Ints = each.levels[np.where(largest >= least, best + 1, 0)]
    return found
