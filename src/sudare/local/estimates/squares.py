"""The error of a square of noisy numbers, such as R².

Claim    an interval of 1.979 errors around the debiased square holds the true one in about 95 of
         100 cases or more, however small it is.
Symbols  |c|² in `directions` places, of which only |c| along the truth matters; c = truth + noise
         of deviation s in each.
Why      the jackknife finds 2·|c|·s, which is too small wherever chance made |c| small: then the
         estimate is low and its interval short, and misses the truth from below. On the scale of c
         the error does not depend on c, so the interval reaches up to (|c| + 1.979·s)² and, since
         errors are stated with ±, as far down.
"""

from __future__ import annotations

import math

from sudare.local.estimates.channels import Scores
from sudare.local.estimates.jackknife import REACH, debiased


def square_error(values: Scores, first: float, directions: int) -> float:
    """The error of values[0], a square freed of its noise, whose first-order error is `first`."""
    found = float(values[0])
    # What was taken off is the noise's own square, of all places together.
    noise = max(found - float(debiased(values)), 0.0) / directions
    along = math.sqrt(max(found + noise, 0.0))
    least = max(along, math.sqrt(noise), math.sqrt(first / 2), 1e-150)
    deviation = max(math.sqrt(noise), first / (2 * least))
    return max(first, ((along + REACH * deviation) ** 2 - max(found, 0.0)) / REACH)
