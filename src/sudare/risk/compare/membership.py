"""Who was in the data? Whoever is nearer to a synthetic row, says this attack.

Source   Distances to the nearest synthetic row as the score: Chen, Yu, Zhang, Fritz 2020 (CCS).
Needs    a holdout of the same population that the synthesiser never saw.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.compared import Membership
from sudare.risk.compare.distance import Points, Singles, nearest_distances
from sudare.risk.compare.rates import auc


def membership(members: Points, others: Points, synthetic: Points) -> Membership:
    """The area under the curve, and the members found among few false ones."""
    near, near2 = nearest_distances(members, synthetic), nearest_distances(others, synthetic)
    is_member = np.repeat([True, False], [len(near), len(near2)])
    return Membership(
        (len(near), len(near2)),
        auc(-np.concatenate([near, near2]), is_member),
        found_at(near, near2, 0.01),
        found_at(near, near2, 0.1),
    )


def found_at(members: Singles, others: Singles, most: float) -> float:
    """The largest share of members within a distance within which at most so many others are."""
    steps = np.unique(np.concatenate([members, others]))
    false = np.searchsorted(np.sort(others), steps, side="right") / max(len(others), 1)
    true = np.searchsorted(np.sort(members), steps, side="right") / max(len(members), 1)
    return float(true[false <= most].max(initial=0.0))
