"""Statistics of a join as sections of its page: figures with their errors, what they cost, and the
hybrid way beside the all-local one."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from sudare.facts.estimated import Estimated
from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.estimates import sections as estimates_sections
from sudare.report.estimates_texts import said as estimates_said
from sudare.report.link_secure_words import said
from sudare.report.sets_section import Section

_MOST_ROWS = 100


def sections(statistics: dict[str, Any], costs: dict[str, Any] | None) -> list[Section]:
    """Everything that the statistics file tells."""
    found = Estimated.from_dict(statistics["estimated"])
    kind = "errors_secure" if found.guarantee.get("kind") == "secure" else "errors_hybrid"
    listed = [Section(said("head_statistics"), (said(kind),))]
    # The first one speaks of randomised rows alone, and covariances that were computed securely
    # are published as they were found.
    dropped = estimates_said("matrix_about") if kind == "errors_secure" else None
    for each in estimates_sections(found)[1:]:
        heading = each.heading or said("head_statistics")
        sentences = tuple(line for line in each.sentences if line != dropped)
        listed.append(Section(heading, sentences, header=each.header, rows=each.rows))
    if costs is not None:
        listed.insert(0, _costs(costs))
    if statistics["compared"]:
        listed.append(_compared(statistics["compared"]))
    return listed


def central_sentence(own: dict[str, Any]) -> Both:
    """What an organisation released of its own columns."""
    return said("central", epsilon=f"{own['spent']['epsilon']:.3g}", release=own["release"])


def hybrid_sentences(told: dict[str, Any]) -> list[Both]:
    """What own releases mean for a session, where there are some."""
    if told["costs"] is None:
        return []
    names = ", ".join(party["name"] for party in told["parties"] if party["central"])
    whole = {key: f"{value:.3g}" for key, value in told["costs"]["whole"].items()}
    return [said("hybrid", names=names), said("costs", **whole)]


def _costs(costs: dict[str, Any]) -> Section:
    keys = ("organisation", "joined_epsilon", "central_epsilon", "total_epsilon")
    named = [(plain(name), each) for name, each in costs["parties"].items()]
    rows = tuple(
        (name, *(plain(f"{each[key]:.3g}") for key in ("joined", "central", "total")))
        for name, each in [*named, (said("whole"), costs["whole"])]
    )
    return Section(said("head_costs"), header=tuple(said(key) for key in keys), rows=rows)


def _compared(compared: Sequence[dict[str, Any]]) -> Section:
    told = [each for each in compared if each["ratio"] is not None]
    medians = {
        block: _median([each["ratio"] for each in told if each["block"] == block])
        for block in ("own", "cross")
    }
    keys = ("pair", "block", "all_local", "way", "ratio")
    rows = tuple(
        (
            plain(" × ".join(each["columns"])),
            said(each["block"]),
            *(plain(_number(each[key])) for key in ("all_local", "hybrid", "ratio")),
        )
        for each in compared[:_MOST_ROWS]
    )
    sentences = (said("compared_about"), said("compared_median", **medians))
    header = tuple(said(key) for key in keys)
    return Section(said("head_compared"), sentences, header=header, rows=rows)


def _median(ratios: Sequence[float]) -> str:
    return f"{median(ratios):.2g}" if ratios else "–"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
