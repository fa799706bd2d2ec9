"""The hybrid way beside the all-local one: the standard error of every covariance.

The hybrid way's errors are those that it states. The all-local way's are predicted (by
reported_errors.py) for organisations that spend all of their ε on reports, with the means and
variances that the hybrid way found: reports of two organisations are independent, so that n times
the variance of a covariance c across them is the product of what their means have, and c² over the
share of people who report both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sudare.facts.estimated import Estimated
from sudare.facts.randomized import NumberDomain, Randomized
from sudare.link.reported_errors import Reported, Spread


@dataclass(frozen=True)
class Compared:
    """One entry in the columns' own units; None where a way does not tell it."""

    columns: tuple[str, str]
    block: Literal["own", "cross"]
    all_local: float | None
    hybrid: float | None

    @property
    def ratio(self) -> float | None:
        """Below 1 where the hybrid way is better."""
        if self.hybrid is None or not self.all_local:
            return None
        return self.hybrid / self.all_local


def compare(found: Estimated, ways: Sequence[Randomized]) -> tuple[Compared, ...]:
    """Every entry of the hybrid covariances on and above the diagonal. `ways` is what each
    organisation would report, by joined names, if all of its ε went to reports."""
    if found.covariance is None:
        return ()
    names = found.covariance.columns
    parties = [Reported(facts, _spreads(found, facts)) for facts in ways]
    of = {name: party for party in parties for name in party.numbers}
    rows = []
    for i, one in enumerate(names):
        for j, two in enumerate(names[i:], start=i):
            entry = found.covariance.entries[i][j]
            block: Literal["own", "cross"] = "own" if of.get(one) is of.get(two) else "cross"
            local = _predicted(of, one, two, entry.raw or 0.0, found.rows)
            rows.append(Compared((one, two), block, local, entry.standard_error))
    return tuple(rows)


def _spreads(found: Estimated, facts: Randomized) -> dict[str, Spread]:
    """Means and variances in units of x, of the numbers for which both are told."""
    assert found.covariance is not None
    means = {mean.column: mean.mean.raw for mean in found.means}
    made = {}
    for place, name in enumerate(found.covariance.columns):
        domain, mean = facts.domains.get(name), means.get(name)
        variance = found.covariance.entries[place][place].value
        if isinstance(domain, NumberDomain) and isinstance(variance, float) and mean is not None:
            x = min(max((mean - domain.middle) / domain.half, -1.0), 1.0)
            # No spread around a mean of x is wider than all at the two ends.
            made[name] = Spread(x, min(variance / domain.half**2, 1 - x * x))
    return made


def _predicted(of: dict[str, Reported], one: str, two: str, raw: float, rows: int) -> float | None:
    if one not in of or two not in of or rows < 1:
        return None
    a, b = of[one], of[two]
    unit = _half(a, one) * _half(b, two)
    if one == two:
        whole = a.variance(one)
    elif a is b:
        whole = a.covariance(one, two, raw / unit)
    else:
        whole = _across(a, one, b, two, raw / unit)
    return None if whole is None else unit * math.sqrt(whole / rows)


def _across(a: Reported, one: str, b: Reported, two: str, raw: float) -> float | None:
    first, second = a.mean(one), b.mean(two)
    if first is None or second is None:
        return None
    square = min(raw**2, a.numbers[one].variance * b.numbers[two].variance)
    return first * second + square / (a.share(one) * b.share(two))


def _half(party: Reported, name: str) -> float:
    domain = party.facts.domains[name]
    assert isinstance(domain, NumberDomain)
    return domain.half
