"""How near synthetic rows come to real ones, and what attackers win."""

from __future__ import annotations

from sudare.facts.compared import Attack, Attacks, Nearest
from sudare.report.both import Both
from sudare.report.compared_section import Section, between, plain
from sudare.report.compared_texts import said


def nearest(found: Nearest) -> Section:
    """Distances of synthetic rows, and of real rows held aside."""
    about = said(
        "nearest_about",
        synthetic=found.rows[0],
        control=found.rows[1],
        reference=found.reference_rows,
        identical=between(found.identical_nearby, ".2%"),
        same=between(found.identical_control, ".2%"),
    )
    header = said("distance"), said("synthetic"), said("control_rows")
    rows = tuple(
        (said(name), *(plain(f"{value:.4g}") for value in pair))
        for name, pair in (("percentile5", found.percentile5), ("median", found.median))
    )
    return Section("nearest", (about,), header, rows)


def attacks(found: Attacks, holdout_rows: int) -> Section:
    """Every attack beside its control."""
    sentences = [
        said(f"control_{found.control}", rows=holdout_rows),
        said("attack_about", reference=found.reference_rows),
    ]
    if found.membership is None:
        sentences.append(said("topic_membership_none"))
    else:
        member = found.membership
        sentences.append(
            said(
                "membership_about",
                auc=between(member.auc),
                one=member.found_at_1,
                ten=member.found_at_10,
            )
        )
    header = tuple(said(key) for key in ("attack", "success", "control", "blind", "risk"))
    listed = [*([found.linkage] if found.linkage else ()), *found.inference]
    return Section("attacks", tuple(sentences), header, tuple(map(_row, listed)))


def _row(attack: Attack) -> tuple[Both, ...]:
    return (
        said(f"attack_{attack.kind}", column=attack.column),
        plain(between(attack.success, ".1%")),
        plain(between(attack.control, ".1%")),
        plain("–" if attack.blind is None else f"{attack.blind:.1%}"),
        plain(between(attack.risk, ".1%")),
    )
