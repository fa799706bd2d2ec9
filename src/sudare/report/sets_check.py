"""What baskets give away before a release, as lines for a terminal and as the owner's page.

Records appear by number and items by name, never both together: who is exposed is told, and what
can be inferred, but not of whom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.numbers import format_percent
from sudare.report.sets_charts import shares as shares_chart
from sudare.report.sets_check_words import said
from sudare.report.sets_page import notices
from sudare.report.sets_section import Card, Drawing, Section, render
from sudare.report.sets_words import said as said_of_sets
from sudare.report.texts import Language
from sudare.report.words import padded

MOST_LINES = 10
_LONGEST = 60
Rows = tuple[tuple[Both, ...], ...]


def lines(result: dict[str, Any], language: Language) -> list[str]:
    """Everything that is told, with the first rows of every table."""
    found: list[str] = []
    for section in _sections(result, is_drawn=False):
        found += ["", section.heading[language]] if found else []
        found += [sentence[language] for sentence in section.sentences]
        found += _table(section, language)
    return found


def _table(section: Section, language: Language) -> list[str]:
    if not section.rows:
        return []
    head = [each[language] for each in section.header]
    rows = [[_shown(cell[language]) for cell in row] for row in section.rows[:MOST_LINES]]
    return ["  " + line for line in padded([head, *rows], indent=2)]


def _shown(text: str) -> str:
    """A cell without what a terminal would obey, and not wider than it."""
    clean = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return clean if len(clean) <= _LONGEST else clean[: _LONGEST - 1] + "…"


def page(result: dict[str, Any], language: Language) -> str:
    """The page, first shown in `language`."""
    counts = {key: result[key] for key in ("records", "items", "occurrences")}
    cards = list(_cards(result))
    found = list(_sections(result, is_drawn=True))
    return render(said("title"), said("lead", **counts), said("owner"), cards, found, language)


def _cards(result: dict[str, Any]) -> Iterator[Card]:
    exposed, records = result["exposed_records"], result["records"]
    yield Card(f"{exposed:,}", said("card_exposed", records=records))
    if result["shares"]:
        worst = max(result["shares"], key=lambda each: each["share"])
        yield Card(format_percent(worst["share"]), said("card_share", known=worst["known"]))
    if result["rules"]:
        highest = max(each["together"] / each["alone"] for each in result["rules"])
        yield Card(format_percent(highest), said("card_worst"))


def _sections(result: dict[str, Any], *, is_drawn: bool) -> Iterator[Section]:
    yield Section(said_of_sets("head_summary"), tuple(_overview(result, is_drawn)))
    yield _shares(result["shares"], is_drawn)
    for key, rows in (
        ("rules", _rules(result["rules"])),
        ("people", _people(result["people"])),
        ("causes", _causes(result["causes"])),
    ):
        if rows:
            header = tuple(said(name) for name in _HEADERS[key])
            yield Section(said(f"head_{key}"), (said(key),), header=header, rows=rows)
    if told := notices(result):
        yield Section(said_of_sets("head_notices"), tuple(told))


_HEADERS = {
    "rules": ("rule", "confidence", "together", "alone", "people_exposed"),
    "people": ("record", "attackers"),
    "causes": ("item", "inferred", "knowing"),
}


def _overview(result: dict[str, Any], is_page: bool) -> Iterator[Both]:
    exposed, records = result["exposed_records"], result["records"]
    # Those who know one item are always counted, however many they are.
    known = max(result["looked_at_all_up_to"], 1)
    if not is_page:
        counts = {key: result[key] for key in ("records", "items", "occurrences")}
        yield said("lead", **counts)
    yield said("attacker", rho=result["rho"])
    if exposed:
        share = format_percent(exposed / records)
        yield said("exposed", exposed=exposed, records=records, share=share, known=known)
    else:
        yield said("safe", known=known)
    if any(not each["is_exact"] for each in result["shares"]):
        yield said("drawn", known=known)
    if exposed:
        yield said("advice")
    yield said("syntactic")
    if not is_page:
        yield said("owner")


def _shares(found: Sequence[dict[str, Any]], is_drawn: bool) -> Section:
    rows = tuple(
        (
            plain(f"{each['known']:,}"),
            plain(f"{each['attackers']:,}"),
            plain(format_percent(each["share"])),
            said("exact") if each["is_exact"] else plain(_interval(each)),
        )
        for each in found
    )
    header = tuple(said(key) for key in ("known", "attackers", "share", "interval"))
    is_drawn = is_drawn and bool(found)
    drawings = (Drawing(shares_chart(found), said("caption_shares")),) if is_drawn else ()
    return Section(
        said("head_shares"), (said("shares"),), drawings=drawings, header=header, rows=rows
    )


def _interval(each: dict[str, Any]) -> str:
    return f"{format_percent(each['low'])} – {format_percent(each['high'])}"


def _rules(found: Sequence[dict[str, Any]]) -> Rows:
    return tuple(
        (
            plain(f"{', '.join(each['known'])} → {each['inferred']}"),
            plain(format_percent(each["together"] / each["alone"])),
            *(plain(f"{each[key]:,}") for key in ("together", "alone", "exposed")),
        )
        for each in found
    )


def _people(found: Sequence[dict[str, Any]]) -> Rows:
    return tuple((plain(f"{each['record']}"), plain(f"{each['attackers']:,}")) for each in found)


def _causes(found: Sequence[dict[str, Any]]) -> Rows:
    return tuple(
        (plain(each["item"]), *(plain(f"{each[key]:,}") for key in ("inferred", "known")))
        for each in found
    )
