"""What suppression cost, and what was suppressed for which reason: sections of the owner's page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.numbers import format_percent
from sudare.report.sets_charts import ranks, scatter
from sudare.report.sets_section import Drawing, Section
from sudare.report.sets_words import said


def sections(result: dict[str, Any]) -> Iterator[Section]:
    """From the measures of utility to the gap from the optimum."""
    yield Section(said("head_utility"), facts=tuple(_measures(result)))
    yield _mining(result["mining"])
    if any(result["frequencies"]["before"]):
        yield _frequencies(result)
    yield _why(result)
    if result["method"] == "generalization":
        yield _coarse(result["generalized"])
    elif result["most_suppressed"]:
        yield _most(result["most_suppressed"])
    if result["optimum"] is not None:
        yield Section(said("head_optimum"), (gap(result),))


def gap(result: dict[str, Any]) -> Both:
    """How far the release is from the fewest suppressions."""
    found = result["optimum"]
    own = result["occurrences"] - result["released"]
    if found["proved"]:
        return said("optimum", suppressed=found["suppressed"], own=own, gap=f"{found['gap']:.1%}")
    above = (own - found["at_least"]) / max(found["at_least"], 1)
    return said(
        "optimum_open",
        suppressed=found["suppressed"],
        at_least=found["at_least"],
        own=own,
        gap=f"{above:.1%}",
    )


def _measures(result: dict[str, Any]) -> Iterator[tuple[Both, Both]]:
    if result["util1"] is not None:
        yield plain("util1"), said("util1_means", value=format_percent(result["util1"]))
        yield plain("util2"), said("util2_means", value=nats(result))
    yield plain("util_mining"), said("mining_means", value=result["mining"]["distance"])
    if result["loss"] is not None:
        yield plain("NCP"), said("loss_means", value=format_percent(result["loss"]))


def nats(result: dict[str, Any]) -> str:
    """util2; where nothing is left there are no frequencies to compare."""
    return "–" if result["util2"] is None else f"{result['util2']:.4f}"


def _mining(found: dict[str, Any]) -> Section:
    before, after, common = found["before"], found["after"], found["common"]
    counts = {
        "rules_before": before,
        "rules_after": after,
        "rules_common": common,
        "rules_lost": before - common,
        "rules_new": after - common,
    }
    rows = tuple((said(key), plain(f"{count:,}")) for key, count in counts.items())
    header = said("head_mining"), said("rules")
    return Section(said("head_mining"), (said("mining", **found),), header=header, rows=rows)


def _frequencies(result: dict[str, Any]) -> Section:
    before, after = result["frequencies"]["before"], result["frequencies"]["after"]
    gone = sum(1 for old, new in zip(before, after, strict=True) if old and not new)
    told = [said("gone", gone=gone, items=len(before))]
    if result["method"] == "generalization":
        told.append(said("coarse_gone"))
    drawings = (
        Drawing(ranks(before, after), said("caption_ranks"), (said("before"), said("after"))),
        Drawing(scatter(before, after), said("caption_scatter")),
    )
    return Section(said("head_frequencies"), tuple(told), drawings=drawings)


def _why(result: dict[str, Any]) -> Section:
    if result["model"] == "km":
        is_coarse = result["method"] == "generalization"
        return Section(said("head_why"), (said("why_coarse" if is_coarse else "why_km"),))
    told = said("why_rho"), said("put_back", walks=result["walks"], put_back=result["put_back"])
    rows = tuple(
        (
            plain(f"{each['known']:,}{'+' if each['or_more'] else ''}"),
            *(plain(f"{each[key]:,}") for key in ("inferred", "knowing")),
        )
        for each in result["steps"]
    )
    header = said("known_items"), said("inferred_out"), said("knowing_out")
    return Section(said("head_why"), told, header=header, rows=rows)


def _coarse(found: list[dict[str, Any]]) -> Section:
    rows = tuple((plain(each["item"]), plain(f"{each['items']:,}")) for each in found)
    return Section(said("head_coarse"), header=(said("name"), said("under")), rows=rows)


def _most(found: list[dict[str, Any]]) -> Section:
    rows = tuple(
        (
            plain(each["item"]),
            plain(f"{each['before']:,}"),
            plain(f"{each['after']:,}"),
            plain(format_percent(1 - each["after"] / each["before"]) if each["before"] else "–"),
        )
        for each in found
    )
    header = tuple(said(key) for key in ("item", "before", "after", "lost"))
    return Section(said("head_most"), header=header, rows=rows)
