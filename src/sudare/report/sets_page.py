"""The owner's page about released baskets: what they promise, what it cost, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sudare.report import sets_promise
from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.numbers import format_percent
from sudare.report.sets_cost import sections as cost_sections
from sudare.report.sets_section import Card, Section, render
from sudare.report.sets_words import said
from sudare.report.texts import Language

_NOTICES = (
    "undecodable",
    "duplicates",
    "unnamed",
    "with_comma",
    "unknown_items",
    "unknown_users",
)


def page(result: dict[str, Any], language: Language) -> str:
    """The page, first shown in `language`."""
    is_coarse = result["method"] == "generalization"
    counts = {key: result[key] for key in ("records", "items", "occurrences")}
    return render(
        said("title_generalized" if is_coarse else "title"),
        said("lead", **counts),
        said("owner"),
        list(_cards(result)),
        list(_sections(result)),
        language,
    )


def done(result: dict[str, Any]) -> list[Both]:
    """What is left, and whether it was chosen in the paper's way."""
    is_empty = result["method"] != "generalization" and not result["released"]
    found = [_kept(result), *([said("nothing_left")] if is_empty else [])]
    return [*found, *([said("paper_mode")] if result["mode"] == "paper" else [])]


def _kept(result: dict[str, Any]) -> Both:
    """What is left, in one sentence."""
    is_coarse = result["method"] == "generalization"
    if is_coarse and result["occurrences"] and not result["released"]:
        return said("all_gone", **{key: result[key] for key in ("occurrences", "records", "k")})
    if is_coarse:
        keys = ("items", "records", "released", "occurrences", "changed")
        counts = {key: result[key] for key in keys}
        return said("generalized", names=len(result["generalized"]), **counts)
    keys = ("released", "occurrences", "records", "changed", "emptied")
    return said("kept", share=kept_share(result), **{key: result[key] for key in keys})


def kept_share(result: dict[str, Any]) -> str:
    """The share of occurrences that is left; of nothing, nothing was lost."""
    return (
        format_percent(result["released"] / result["occurrences"]) if result["occurrences"] else "–"
    )


def notices(result: dict[str, Any]) -> list[Both]:
    """What the input had that its owner may not expect."""
    found = result["notices"]
    return [said(key, count=found[key]) for key in _NOTICES if found.get(key)]


def _cards(result: dict[str, Any]) -> Iterator[Card]:
    yield Card(kept_share(result), said("card_kept"))
    is_coarse = result["method"] == "generalization"
    is_merged = is_coarse and result["released"] > 0
    changed = said("card_merged" if is_merged else "card_changed", records=result["records"])
    yield Card(f"{result['changed']:,}", changed)
    if not is_coarse:
        yield Card(f"{result['emptied']:,}", said("card_emptied"))
    found = result["mining"]
    yield Card(f"{found['common']:,}", said("card_rules", before=found["before"]))
    yield _safety(result)


def _safety(result: dict[str, Any]) -> Card:
    """How near the release comes to what is forbidden."""
    found = result["verified"]
    if result["model"] == "km":
        fewest = "–" if found["fewest"] is None else f"{found['fewest']:,}"
        return Card(fewest, said("card_fewest", k=result["k"]))
    if result["model"] == "sampled":
        worst = max((each["at_most"] for each in found["shares"]), default=0.0)
        return Card(format_percent(worst), said("card_share", eps=result["eps"]))
    top, bottom = found["confidence"] or (0, 1)
    return Card(format_percent(top / bottom), said("card_confidence", rho=result["rho"]))


def _sections(result: dict[str, Any]) -> Iterator[Section]:
    yield Section(said("head_summary"), tuple(done(result)))
    yield from sets_promise.sections(result)
    yield from cost_sections(result)
    if told := notices(result):
        yield Section(said("head_notices"), tuple(told))
    yield Section(said("head_file"), facts=tuple(_facts(result)))


def _facts(result: dict[str, Any]) -> Iterator[tuple[Both, Both]]:
    yield said("fact_sha256"), plain(result["sha256"])
    yield said("fact_records"), plain(f"{result['records']:,}")
    yield said("fact_model"), sets_promise.model_name(result)
    m = result["max_knowledge"]
    yield said("fact_m"), said("unbounded") if m is None else plain(f"{m:,}")
    for name, key in (("ρ", "rho"), ("ε", "eps"), ("δ", "delta"), ("k", "k")):
        if result[key] is not None:
            yield plain(name), plain(str(result[key]))
    if result["model"] == "rho" and result["mode"] == "default":
        yield said("fact_random"), said("yes" if result["random"] else "no")
    taken = [result["seconds"].get(key, 0.0) for key in ("read", "suppress", "verify")]
    yield said("fact_seconds"), plain(", ".join(f"{each:.2f}" for each in taken))
