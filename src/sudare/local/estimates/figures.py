"""Replicates become figures: value, standard error, interval, and whether it says anything."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
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
    and `slack`, and what is published lies on the same side."""
    raw, error = float(values[0]), float(spread(values)) if error is None else error
    if not (math.isfinite(raw) and math.isfinite(error)):
        return UNTOLD
    # From an impossible number the interval would reach too little, or nothing, of what can be.
    centre, reach = _within(raw, low, high), REACH * error
    value = centre if published is None else _within(published, low, high)
    ends = (min(value, max(centre - reach, low)), max(value, min(centre + reach, high)))
    return Figure(
        value=value,
        raw=raw,
        standard_error=error,
        interval95=ends,
        trivial=trivial,
        distinguishable=abs(centre - trivial) > reach + slack
        and (centre - trivial) * (value - trivial) > 0,
    )


def in_units(found: Figure, domain: NumberDomain) -> Figure:
    """A mean of x as the column writes it; a date as a date."""
    if found.value is None:
        return found
    raw, error = cast(float, found.raw), cast(float, found.standard_error)
    ends = cast(tuple[float, float], found.interval95)
    return Figure(
        value=own_units(cast(float, found.value), domain),
        raw=domain.middle + domain.half * raw,
        standard_error=domain.half * error,
        interval95=(own_units(ends[0], domain, math.floor), own_units(ends[1], domain, math.ceil)),
        trivial=own_units(cast(float, found.trivial), domain),
        distinguishable=found.distinguishable,
    )


def own_units(x: float, domain: NumberDomain, whole: Callable[[float], int] = round) -> float | str:
    """x as the column writes it; `whole` makes a day of a part of one."""
    value = domain.middle + domain.half * x
    if domain.type != "date":
        return value
    return (_EPOCH + dt.timedelta(days=whole(value))).isoformat()


def _within(value: float, low: float, high: float) -> float:
    # A limit that is written as a whole number must not make the result one, which is shown so.
    return float(min(max(value, low), high))


def score(
    published: Scores, raw: Scores, errors: Scores, trivial: Scores | float, untold: int = 0
) -> Score:
    """The mean absolute error to expect of published numbers and of the trivial guess.

    Both are means over what the truth may be: a normal deviation of each number from the trivial
    guess, as large as the raw numbers and their errors allow, and then the raw number itself. Of
    numbers that are `untold` nothing but the trivial guess is left; it is taken to be as wrong
    there as it is for the others, since nothing else is known of them.
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
    guess, share = float(np.mean(theirs)), untold / (untold + away.size)
    whole = (1 - share) * float(np.mean(ours)) + share * guess
    return Score(whole, guess, _are_told_apart(away, errors))


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
