"""The summary that a manager reads: one light a topic, and the figures it rests on.

Green means that an analyst would hardly notice the difference, or that the attack wins nothing
beyond its control; grey that nothing, or too little, was measured to say so; red that the synthetic
rows should not be used, or not leave, as they are. The limits are conventions, listed in
docs/compare.md; they prove nothing about privacy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from sudare.facts.compared import (
    Attack,
    Attacks,
    Discriminator,
    Learning,
    Measures,
    Nearest,
    Regression,
    Verdict,
)

# Topic -> (up to here green, up to here amber).
LIMITS = {
    "single": (0.02, 0.05),
    "moments": (0.02, 0.1),
    "pairs": (0.05, 0.1),
    "ranks": (0.02, 0.05),
    "telling": (0.6, 0.75),
    "regression": (0.5, 0.75),
    "learning": (0.02, 0.05),
    "outside": (0.0, 0.0001),
}
# A model that surely names the synthetic row less often than this is misled by near copies.
BELOW = 0.4
# Rows that a regression needs for each of its terms, people that an attack or a look at distances
# needs, and the half-width of a difference of scores: with less nothing is called good.
ROWS_A_TERM = 10
FEWEST = 50
UNSURE = 0.1
# A lower bound of a risk up to the first is green, up to the second amber.
RISK = (0.02, 0.1)
MEMBERSHIP = (0.52, 0.6)


def light(value: float, limits: tuple[float, float]) -> str:
    """Green, amber or red for a figure that is good when small."""
    return "green" if value <= limits[0] else "amber" if value <= limits[1] else "red"


def verdicts(
    measures: Measures,
    outside: dict[str, int],
    told: Discriminator,
    regression: Regression | None,
    learning: Learning | None,
    nearest: Nearest,
    attacks: Attacks,
) -> tuple[Verdict, ...]:
    """Likeness first, then what the rows give away."""
    found = [*_measured(measures, outside), _telling(told)]
    if regression is not None:
        found.append(_regression(regression))
    if learning is not None:
        found.append(_learning(learning))
    return (*found, _nearest(nearest), *_attacks(attacks))


def _measured(measures: Measures, outside: dict[str, int]) -> Iterator[Verdict]:
    """What all rows say, of columns and pairs where there are any."""
    crosses, moments, ranks = measures.crosses, measures.moments, measures.ranks
    values = measures.rows[1] * max(len(crosses.marginals), 1)
    yield _judged("single", crosses.one_way_tv, len(crosses.marginals) > 0, tv=crosses.one_way_tv)
    yield _judged(
        "moments",
        max(moments.max_mean_scaled, moments.max_cov_scaled),
        len(moments.columns) > 0,
        mean=moments.max_mean_scaled,
        cov=moments.max_cov_scaled,
    )
    is_paired = len(crosses.pairs) > 0
    yield _judged(
        "pairs", crosses.two_way_tv, is_paired, tv=crosses.two_way_tv, worst=crosses.max_two_way_tv
    )
    # A column in which all are the same has no rank.
    varying = sum(len(each.labels) > 1 for each in crosses.marginals)
    yield _judged("ranks", ranks.ave_spearman, varying > 1, difference=ranks.ave_spearman)
    count = float(sum(outside.values()))
    yield _judged("outside", count / values, len(moments.columns) > 0, count=count)


def _judged(topic: str, value: float, has_evidence: bool, **figures: float | None) -> Verdict:
    """Grey, and no figure, where there was nothing to measure."""
    if not has_evidence:
        return Verdict(topic, "grey", dict.fromkeys(figures))
    return Verdict(topic, light(value, LIMITS[topic]), figures)


def _telling(found: Discriminator) -> Verdict:
    """Both ways: a model that is wrong nearly always has met rows that are copies of each other.
    Green only where the interval leaves no room beyond amber."""
    area = found.auc_boosting
    shade = light(max(area.value, 1 - area.value), LIMITS["telling"])
    if area.high < BELOW:
        shade = "red"
    best, most = LIMITS["telling"]
    if shade == "green" and not (1 - most <= area.low and area.high <= most):
        shade = "grey"
    topic = "telling_below" if area.high < 0.5 and area.value < 1 - best else "telling"
    return Verdict(topic, shade, {"auc": area.value})


def _regression(found: Regression) -> Verdict:
    """Intervals of few rows are wide and overlap whatever the rows are."""
    overlap = found.mean_overlap
    shade = light(1 - overlap, LIMITS["regression"])
    terms = len(found.coefficients) + 1
    if shade == "green" and min(found.rows) < ROWS_A_TERM * terms:
        shade = "grey"
    return Verdict("regression", shade, {"overlap": overlap})


def _learning(found: Learning) -> Verdict:
    """Nothing was measured where the model of the real rows learnt nothing either, or where chance
    alone could make the difference."""
    score = found.scores[0]
    real, synthetic = score.real.value, score.synthetic.value
    shade = light(real - synthetic, LIMITS["learning"])
    halves = ((each.high - each.low) / 2 for each in (score.real, score.synthetic))
    if shade == "green" and (score.real.low <= score.blind or math.hypot(*halves) > UNSURE):
        shade = "grey"
    return Verdict("learning", shade, {"real": real, "synthetic": synthetic, "blind": score.blind})


def _nearest(found: Nearest) -> Verdict:
    """Red where synthetic rows are copies, surely more often than control rows, or far nearer."""
    excess = found.identical_nearby.low - found.identical_control.high
    ratio = 1.0 if found.ratio is None else found.ratio
    shade = "green" if excess <= 0 and ratio >= 0.8 else "amber"
    if excess > 0.05 or ratio < 0.5:
        shade = "red"
    # Where so many real rows are alike that there is no ratio, distances are no evidence.
    if shade == "green" and (found.ratio is None or min(found.rows) < FEWEST):
        shade = "grey"
    return Verdict("nearest", shade, {"identical": found.identical, "ratio": found.ratio})


def _attacks(found: Attacks) -> list[Verdict]:
    """One line a kind of attack, also of those that could not be tried."""
    if found.membership is None:
        listed = [Verdict("membership", "grey", {"auc": None})]
    else:
        area = found.membership.auc
        shade = light(area.low, MEMBERSHIP)
        # Few people leave an interval in which everything has room.
        shade = "grey" if shade == "green" and area.high > MEMBERSHIP[1] else shade
        listed = [Verdict("membership", shade, {"auc": area.value})]
    linked = [found.linkage] if found.linkage is not None else []
    return [*listed, _attack("linkage", linked), _attack("inference", list(found.inference))]


def _attack(topic: str, tried: Sequence[Attack]) -> Verdict:
    """The attack that surely won most; grey where none was tried, on too few people, or where the
    control leaves nothing to win."""
    if not tried:
        return Verdict(topic, "grey", {"risk": None, "success": None, "control": None})
    found = max(tried, key=lambda each: each.risk.low)
    figures: dict[str, float | None] = {
        "risk": found.risk.value,
        "success": found.success.value,
        "control": found.control.value,
    }
    shade = light(found.risk.low, RISK)
    counted = any(each.attacks >= FEWEST and each.control.value < 1 for each in tried)
    return Verdict(topic, "grey" if shade == "green" and not counted else shade, figures)
