"""Replicates become figures: value, standard error, interval, and whether it says anything."""

from __future__ import annotations

import datetime as dt
import math
from typing import cast

import numpy as np

from sudare.facts.estimated import Figure, Score
from sudare.facts.randomized import NumberDomain
from sudare.local.estimates.channels import Scores
from sudare.local.estimates.jackknife import REACH, spread

_EPOCH = dt.date(1970, 1, 1)
UNTOLD = Figure(None)
# 99 % of a standard normal variable lie below.
_NINETY_NINE = 2.3263


def figure(
    values: Scores,
    *,
    published: float | None = None,
    trivial: float = 0.0,
    low: float = -math.inf,
    high: float = math.inf,
    slack: float = 0.0,
    error: float | None = None,
) -> Figure:
    """A number from its replicates, which tell its error unless that is known; it lies between
    `low` and `high`. It is distinguishable if it is away from `trivial` by more than its 95 % reach
    and `slack`."""
    raw, error = float(values[0]), float(spread(values)) if error is None else error
    if not (math.isfinite(raw) and math.isfinite(error)):
        return UNTOLD
    ends = (_within(raw - REACH * error, low, high), _within(raw + REACH * error, low, high))
    return Figure(
        value=_within(raw if published is None else published, low, high),
        raw=raw,
        standard_error=error,
        interval95=ends,
        trivial=trivial,
        distinguishable=abs(raw - trivial) > REACH * error + slack,
    )


def in_units(found: Figure, domain: NumberDomain) -> Figure:
    """A mean of x as the column writes it; a date as a date."""
    if found.value is None:
        return found
    raw, error = cast(float, found.raw), cast(float, found.standard_error)
    low, high = (own_units(cast(float, end), domain) for end in found.interval95 or (0.0, 0.0))
    return Figure(
        value=own_units(cast(float, found.value), domain),
        raw=domain.middle + domain.half * raw,
        standard_error=domain.half * error,
        interval95=(low, high),
        trivial=own_units(cast(float, found.trivial), domain),
        distinguishable=found.distinguishable,
    )


def own_units(x: float, domain: NumberDomain) -> float | str:
    """x as the column writes it."""
    value = domain.middle + domain.half * x
    if domain.type != "date":
        return value
    return (_EPOCH + dt.timedelta(days=round(value))).isoformat()


def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def score(published: Scores, raw: Scores, errors: Scores, trivial: Scores | float) -> Score:
    """The mean absolute error to expect of published numbers and of the trivial guess.

    Both are means over what the truth may be: a normal deviation of each number from the trivial
    guess, as large as the raw numbers and their errors allow, and then the raw number itself.
    """
    away, noise = raw - trivial, errors**2
    sure = max(0.0, float(np.mean(away**2 - noise)))
    doubt = float(np.sqrt(2 * np.sum((noise + sure) ** 2)) / max(away.size, 1))
    spread_of_truth = sure + doubt
    with np.errstate(invalid="ignore"):
        kept = np.nan_to_num(spread_of_truth / (spread_of_truth + noise), nan=1.0)
    deviation = np.sqrt(kept) * errors
    ours = _folded(published - trivial - kept * away, deviation)
    theirs = _folded(kept * away, deviation)
    return Score(float(np.mean(ours)), float(np.mean(theirs)), _are_told_apart(away, errors))


def _are_told_apart(away: Scores, errors: Scores) -> bool:
    """Whether the squares of all deviations, in standard errors, add up to more than 99 % of such
    sums of noise do: the χ² quantile of Wilson and Hilferty 1931."""
    known = errors > 0
    count = int(known.sum())
    if count < away.size and (away[~known] != 0).any():
        return True
    if not count:
        return False
    spread_of = 2 / (9 * count)
    limit = count * (1 - spread_of + _NINETY_NINE * math.sqrt(spread_of)) ** 3
    return bool(np.sum((away[known] / errors[known]) ** 2) > limit)


def _folded(mean: Scores, deviation: Scores) -> Scores:
    """The mean size of a normal variable."""
    # Beyond 40 deviations from zero it is the size of the mean, to every digit.
    z = np.clip(mean / np.maximum(deviation, 1e-150), -40, 40)
    body = deviation * math.sqrt(2 / math.pi) * np.exp(-(z**2) / 2)
    found: Scores = body + mean * (2 * normal(z) - 1)
    return found


def normal(z: Scores) -> Scores:
    """The standard normal distribution function."""
    halves = [math.erfc(-float(each) / math.sqrt(2)) / 2 for each in np.ravel(z)]
    return np.array(halves, np.float64).reshape(np.shape(z))
