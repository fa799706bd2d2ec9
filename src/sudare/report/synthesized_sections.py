"""What is told of synthetic rows after their guarantee: statistics used, moments, pairs, rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from math import comb

from sudare.facts.closeness import Closeness
from sudare.facts.synthesized import MomentGap, Synthesized
from sudare.report import closeness
from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.synthesized_words import said

MOST_PAIRS = 30


@dataclass(frozen=True)
class Section:
    """A heading, sentences, points of a list, a text to paste, and a table."""

    heading: Both
    sentences: tuple[Both, ...] = ()
    points: tuple[Both, ...] = ()
    code: str | None = None
    header: tuple[Both, ...] = ()
    rows: tuple[tuple[Both, ...], ...] = ()


def sections(facts: Synthesized) -> Iterator[Section]:
    """All of the page between its first card and its pictures."""
    yield from _noise(facts)
    yield _used(facts)
    yield from _close(facts)
    yield _made(facts)
    yield _moments(facts)
    yield from _pairs(facts)
    yield _rules(facts)
    if facts.origin == "exact" and facts.proposals:
        blocks = "\n".join(facts.proposals)
        yield Section(said("head_proposals"), (said("proposals"),), code=blocks)


def _noise(facts: Synthesized) -> Iterator[Section]:
    rows = tuple(
        tuple(plain(str(each.get(key, "–"))) for key in ("mechanism", "scale", "sensitivity"))
        for each in facts.source.get("measured", ())
    )
    if rows:
        header = said("noise_of"), said("noise_scale"), said("noise_sensitivity")
        yield Section(said("head_noise"), header=header, rows=rows)


def _used(facts: Synthesized) -> Section:
    used = facts.used
    names, moments, tables = used["histograms"], used["moments"], used["two_way_tables"]
    points = [
        said("used_rows", rows=used["rows"]),
        said("used_histograms", count=len(names), names=names_of(names)),
    ]
    if tables and len(tables) == comb(len(names), 2):
        points.append(said("used_all_tables", count=len(tables)))
    elif tables:
        points.append(said("used_tables", count=len(tables), pairs=pairs_of(tables)))
    if moments:
        points.append(said("used_moments", count=len(moments), names=names_of(moments)))
    if used["conditional_sums"]:
        points.append(said("used_sums", count=used["conditional_sums"]))
    told = [said("used_only")]
    untold = facts.source.get("untold")
    if untold:
        told.append(said("untold", names=names_of(untold)))
    return Section(said("head_used"), tuple(told), tuple(points))


def _close(facts: Synthesized) -> Iterator[Section]:
    """How close exact statistics come to a person: one card for all that was found."""
    if facts.closeness is None:
        return
    first, *rest = closeness.parts(Closeness.from_dict(facts.closeness))
    assert first.heading is not None
    points = tuple(_joined(part.sentences) for part in rest)
    yield Section(first.heading, first.sentences, points)


def _joined(sentences: Sequence[Both]) -> Both:
    return Both(" ".join(each.en for each in sentences), "".join(each.ja for each in sentences))


def _made(facts: Synthesized) -> Section:
    if facts.mode == "default":
        told = [said(f"mode_default_{facts.preserve}")]
        if facts.before is not None:
            told.append(said("matched"))
    else:
        told = [said(f"mode_{facts.mode}"), said("leaves")]
    panel = facts.panel
    if panel is not None:
        periods = len(panel["starts"])
        names = {name: panel[name] for name in ("person", "time", "lags")}
        told.append(said("panel", periods=periods, **names))
    return Section(said("head_made"), tuple(told))


def _moments(facts: Synthesized) -> Section:
    gaps = [("as_drawn", facts.drawn), ("before", facts.before), ("after", facts.after)]
    if facts.mode != "default":
        gaps = [("as_written", facts.after)]
    known = [(said(name), gap) for name, gap in gaps if gap is not None]
    if not known:
        return Section(said("head_moments"), (said("moments_none"),))
    told = [said("moments_gap")] if facts.mode == "default" else []
    if facts.rounded and facts.mode == "default":
        told.append(said("moments_rounded", names=names_of(facts.rounded)))
    if facts.origin != "exact":
        told.append(said("moments_estimated"))
    rows = tuple(
        (said(f"gap_{each.name}"), *(plain(f"{getattr(gap, each.name):.3g}") for _, gap in known))
        for each in fields(MomentGap)
    )
    header = (said("measure"), *(name for name, _ in known))
    return Section(said("head_moments"), tuple(told), header=header, rows=rows)


def _pairs(facts: Synthesized) -> Iterator[Section]:
    told = []
    if facts.two_way is not None:
        told.append(said(f"two_way_{facts.two_way_of}", tv=facts.two_way))
        if facts.origin != "exact":
            told.append(said("two_way_noisy"))
    kept, lost = len(facts.recovered), len(facts.lost)
    if facts.origin != "exact" and kept + lost:
        told += [*_recovered(facts, kept + lost), *_lost(facts, kept + lost)]
    if told:
        yield Section(said("head_pairs"), tuple(told))


def _recovered(facts: Synthesized, every: int) -> Iterator[Both]:
    count = len(facts.recovered)
    if count:
        yield said("recovered", count=count, all=every, pairs=pairs_of(facts.recovered))
    else:
        yield said("recovered_none")


def _lost(facts: Synthesized, every: int) -> Iterator[Both]:
    count = len(facts.lost)
    if count:
        yield said("lost", count=count, all=every, pairs=pairs_of(facts.lost))


def rules_kept(facts: Synthesized) -> Both:
    """How many rules there are and how often they are broken."""
    if not facts.rules:
        return said("rules_none")
    broken = sum(each.broken for each in facts.rules)
    if broken:
        return said("rules_broken", count=len(facts.rules), broken=broken)
    return said("rules_kept", count=len(facts.rules))


def clashes(facts: Synthesized) -> list[Both]:
    """Rules that the rows behind the statistics break themselves."""
    return [said("clash", rule=rule, percent=100 * share) for rule, share in facts.clashes]


def _rules(facts: Synthesized) -> Section:
    told = [rules_kept(facts)]
    told += clashes(facts)
    if facts.exclusive:
        told.append(said("exclusive", pairs=pairs_of(facts.exclusive)))
    rows = tuple((plain(each.rule), plain(f"{each.broken:,}")) for each in facts.rules)
    return Section(
        said("head_rules"), tuple(told), header=(said("rule"), said("broken")), rows=rows
    )


def names_of(names: Sequence[str]) -> Both:
    return Both(", ".join(names), "、".join(names))


def pairs_of(pairs: Sequence[Sequence[str]]) -> Both:
    """Pairs as a list, the first of them where there are many."""
    shown = names_of([" × ".join(pair) for pair in pairs[:MOST_PAIRS]])
    rest = len(pairs) - MOST_PAIRS
    return shown if rest <= 0 else said("used_more", shown=shown, count=rest)
