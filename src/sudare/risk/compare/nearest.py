"""How near synthetic rows come to real ones, against how near real rows come to each other.

Symbols  Reference rows are real; control rows are real too and not among them: the holdout that
         the synthesiser never saw, or the other half of the real rows. If synthetic rows are
         nearer to the reference than control rows are, they may be copies: `ratio` compares the
         5th percentiles of both distances, and is about 1 for rows of the same population.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.compared import Nearest
from sudare.facts.microdata import Microdata, NumberColumn
from sudare.randomness.bits import RandomBits
from sudare.risk.compare.distance import nearest_distances, points_of
from sudare.risk.compare.features import codes_of
from sudare.risk.compare.rates import share
from sudare.risk.compare.sampling import halves, some

MOST_ROWS = 2_000
MOST_REFERENCE = 20_000


def nearest(
    real: Microdata, synthetic: Microdata, holdout: Microdata | None, bits: RandomBits
) -> Nearest:
    """Identical rows in all of both tables; distances of a sample."""
    if holdout is None:
        reference, control = halves(real, MOST_REFERENCE, bits)
    else:
        reference, control = some(real, MOST_REFERENCE, bits), holdout
    made, control = some(synthetic, MOST_ROWS, bits), some(control, MOST_ROWS, bits)
    here, there, aside = points_of([reference, made, control])
    synthetic_far, control_far = nearest_distances(there, here), nearest_distances(aside, here)
    low, low2 = (float(np.percentile(each, 5)) for each in (synthetic_far, control_far))
    return Nearest(
        (made.rows, control.rows),
        reference.rows,
        float(is_among(synthetic, real).mean()),
        share(int(is_among(made, reference).sum()), made.rows),
        share(int(is_among(control, reference).sum()), control.rows),
        (low, low2),
        (float(np.median(synthetic_far)), float(np.median(control_far))),
        low / low2 if low2 > 0 else None,
    )


def is_among(rows: Microdata, others: Microdata) -> NDArray[np.bool_]:
    """Whether a row occurs among the others, every value the same."""
    joint = np.zeros(rows.rows + others.rows, np.int64)
    for name in rows.names:
        if isinstance(rows[name], NumberColumn):
            values = np.concatenate([rows[name].values, others[name].values])  # type: ignore[union-attr]
        else:
            values = np.concatenate(codes_of([rows, others], name)[1])
        found, codes = np.unique(values, return_inverse=True)
        # Renumbered after every column, so that the product stays within 64 bits.
        _, joint = np.unique(joint * len(found) + codes, return_inverse=True)
    known = np.zeros(int(joint.max()) + 1, bool)
    known[joint[rows.rows :]] = True
    return np.asarray(known[joint[: rows.rows]], np.bool_)
