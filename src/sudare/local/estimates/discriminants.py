"""Two classes from means and covariances alone.

logistic    the log odds of two classes whose columns are normal with one covariance are linear:
            β = W⁻¹δ with δ the difference of the classes' means and W = Σ − π(1−π)δδ'. Exact for
            such columns, an approximation for others.
svm         least squares on ±1 instead of the hinge: the same direction as Fisher's discriminant.
            An approximation for all.

Source   Anderson 1958 (discriminants); Suykens, Vandewalle 1999 (least-squares SVM).
Gaps     accuracies assume normal columns.
"""

from __future__ import annotations

import numpy as np

from sudare.local.estimates.channels import Scores
from sudare.local.estimates.figures import normal
from sudare.local.estimates.jackknife import REACH, debiased, spread
from sudare.local.estimates.problem import Problem

# Coefficients (R × d), intercept (R) and score (R), in units of x, and the score's error.
Fit = tuple[Scores, Scores, Scores, float]
# Noise can make columns seem to explain all and more; the log odds would have no end.
_MOST_EXPLAINED = 0.98


def logistic(found: Problem) -> Fit:
    """The log odds of x = 1 against x = −1 for the target. W⁻¹δ is Σ⁻¹δ/(1 − R²), by the formula of
    Sherman and Morrison."""
    share, weight = classes(found)
    plain = found.solved()
    left = 1 - np.clip(found.explained(plain), 0, _MOST_EXPLAINED)
    scale = 1 / (2 * weight * left)
    slopes, odds = plain * scale[:, np.newaxis], np.log(share / (1 - share))
    apart, middle = _apart(found)
    intercept = odds - (slopes * middle).sum(axis=1)
    # The sign does not change with the scale, whose noise would only add to that of the slopes.
    return slopes, intercept, *_accuracy(found, plain, apart, odds / scale)


def machine(found: Problem) -> Fit:
    """Least squares on ±1; its sign is the class."""
    slopes = found.solved()
    intercept = found.target_mean - (slopes * found.means).sum(axis=1)
    apart, middle = _apart(found)
    # The border lies where the fitted value is zero: this far from the middle of the classes.
    shift = intercept + (slopes * middle).sum(axis=1)
    return slopes, intercept, *_accuracy(found, slopes, apart, shift)


def _apart(found: Problem) -> tuple[Scores, Scores]:
    """δ, from one class's mean to the other's, and the point midway."""
    share, weight = classes(found)
    apart = found.along / (2 * weight[:, np.newaxis])
    return apart, found.means + (0.5 - share)[:, np.newaxis] * apart


def classes(found: Problem) -> tuple[Scores, Scores]:
    """The share π of the second class, and π(1−π). Means of noise can lie beyond what is possible;
    a class has at least one in a thousand."""
    share = np.clip((found.target_mean + 1) / 2, 1e-3, 1 - 1e-3)
    return share, share * (1 - share)


def _accuracy(found: Problem, slopes: Scores, apart: Scores, shift: Scores) -> tuple[Scores, float]:
    """How often the sign of slopes·x + intercept names the class, for normal columns, and the error
    of that: `shift` is its value midway between the classes."""
    share, weight = classes(found)
    within = found.covariances - weight[:, np.newaxis, np.newaxis] * (
        apart[:, :, np.newaxis] * apart[:, np.newaxis, :]
    )
    spread_of = np.einsum("ri,rij,rj->r", slopes, within, slopes)
    along = (slopes * apart).sum(axis=1)
    # The noise in the slopes widens what they give and does not help.
    along = along - along[0] + max(0.0, float(debiased(along)))
    rates, wider = (
        _rates(share, along, shift, np.maximum(spread_of, 0) + more)
        for more in (0.0, REACH * float(spread(spread_of)))
    )
    # Where noise leaves no spread within the classes, every replicate is always right. How far off
    # that may be is seen with as much spread as cannot be ruled out.
    return rates, max(float(spread(rates)), float(rates[0] - wider[0]) / REACH)


def _rates(share: Scores, along: Scores, shift: Scores, spread_of: Scores) -> Scores:
    """The shares of both classes that lie on their own side."""
    wide = np.sqrt(np.maximum(spread_of, 1e-12))
    found: Scores = share * normal((along / 2 + shift) / wide)
    found += (1 - share) * normal((along / 2 - shift) / wide)
    return found
