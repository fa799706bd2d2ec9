"""The summary that a manager reads: one light a topic, and the figures it rests on.

Green means that an analyst would hardly notice the difference, or that the attack wins nothing
beyond its control; red that the synthetic rows should not be used, or not leave, as they are. The
limits are conventions, listed in docs/compare.md; they prove nothing about privacy.
"""

from __future__ import annotations

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
    crosses, moments = measures.crosses, measures.moments
    values = measures.rows[1] * max(len(measures.crosses.marginals), 1)
    found = [
        _judged("single", crosses.one_way_tv, tv=crosses.one_way_tv),
        _judged(
            "moments",
            max(moments.max_mean_scaled, moments.max_cov_scaled),
            mean=moments.max_mean_scaled,
            cov=moments.max_cov_scaled,
        ),
        _judged("pairs", crosses.two_way_tv, tv=crosses.two_way_tv, worst=crosses.max_two_way_tv),
        _judged("ranks", measures.ranks.ave_spearman, difference=measures.ranks.ave_spearman),
        _judged("outside", sum(outside.values()) / values, count=float(sum(outside.values()))),
        _judged("telling", told.auc_boosting.value, auc=told.auc_boosting.value),
    ]
    if regression is not None:
        overlap = regression.mean_overlap
        found.append(_judged("regression", 1 - overlap, overlap=overlap))
    if learning is not None:
        found.append(_learning(learning))
    return (*found, _nearest(nearest), *_attacks(attacks))


def _judged(topic: str, value: float, **figures: float | None) -> Verdict:
    return Verdict(topic, light(value, LIMITS[topic]), figures)


def _learning(found: Learning) -> Verdict:
    score = found.scores[0]
    real, synthetic = score.real.value, score.synthetic.value
    return _judged("learning", real - synthetic, real=real, synthetic=synthetic, blind=score.blind)


def _nearest(found: Nearest) -> Verdict:
    """Red where synthetic rows are copies, surely more often than control rows, or far nearer."""
    excess = found.identical_nearby.low - found.identical_control.high
    ratio = 1.0 if found.ratio is None else found.ratio
    shade = "green" if excess <= 0 and ratio >= 0.8 else "amber"
    if excess > 0.05 or ratio < 0.5:
        shade = "red"
    return Verdict("nearest", shade, {"identical": found.identical, "ratio": found.ratio})


def _attacks(found: Attacks) -> list[Verdict]:
    listed = []
    if found.membership is None:
        listed.append(Verdict("membership", "grey", {"auc": None}))
    else:
        area = found.membership.auc
        listed.append(Verdict("membership", light(area.low, MEMBERSHIP), {"auc": area.value}))
    if found.linkage is not None:
        listed.append(_attack("linkage", found.linkage))
    if found.inference:
        worst = max(found.inference, key=lambda each: each.risk.low)
        listed.append(_attack("inference", worst))
    return listed


def _attack(topic: str, found: Attack) -> Verdict:
    figures: dict[str, float | None] = {
        "risk": found.risk.value,
        "success": found.success.value,
        "control": found.control.value,
    }
    return Verdict(topic, light(found.risk.low, RISK), figures)
