"""A secure computation between organisations: sentences for a terminal, and its page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.link_secure_words import said
from sudare.report.link_statistics import hybrid_sentences, sections
from sudare.report.sets_section import Card, Section, render
from sudare.report.texts import Language


def secure_sentences(told: dict[str, Any]) -> Iterator[Both]:
    """What was computed, at which price, and what is not protected."""
    names = ", ".join(party["name"] for party in told["parties"])
    yield said("computed", names=names, epsilon=f"{told['epsilon']:.3g}", rows=told["rows"])
    for word in told["warnings"]:
        yield said(f"warning_{word}")
    yield from hybrid_sentences(told)
    yield said("classes")
    for role in ("collector", "helper"):
        if told[role]["is_party"]:
            yield said("is_party", name=told[role]["name"])
    if told["helper"]["deleted"] and all(party["deleted"] for party in told["parties"]):
        yield said("all_deleted")


def help_lines(told: dict[str, Any], language: Language) -> list[str]:
    """What the helper did."""
    first = said(
        "helped_again" if told["again"] else "helped", party=told["party"], session=told["session"]
    )
    ended = said("help_deleted" if told["confirmed"] else "help_unconfirmed", log=told["log"])
    return [first[language], ended[language]]


def secure_page(told: dict[str, Any], statistics: dict[str, Any], language: Language) -> str:
    """The page, first shown in `language`."""
    count = len(told["parties"])
    return render(
        said("title"),
        said("lead", session=told["session"], count=count, rows=told["rows"]),
        said("note", collector=told["collector"]["name"], helper=told["helper"]["name"],
             dealer=told["dealer"]),
        _cards(told),
        [_who(told), *sections(statistics, told["costs"]), _deleted(told), _facts(told)],
        language,
    )  # fmt: skip


def _cards(told: dict[str, Any]) -> list[Card]:
    found = [
        Card(f"{told['epsilon']:.3g}", said("card_epsilon")),
        Card(f"{told['rows']:,}", said("card_rows")),
    ]
    if told["costs"] is not None:
        found.append(Card(f"{told['costs']['whole']['total']:.3g}", said("card_total")))
    return found


def _who(told: dict[str, Any]) -> Section:
    header = tuple(said(key) for key in ("organisation", "rows", "spent", "attributes"))
    rows = tuple(
        (
            plain(f"{party['name']} ({', '.join(party['columns'])})"),
            plain(f"{party['rows']:,}"),
            plain(f"{party['spent']['epsilon']:.3g}"),
            plain(f"{party['attributes_epsilon']:.3g}"),
        )
        for party in told["parties"]
    )
    return Section(said("head_who"), tuple(secure_sentences(told)), header=header, rows=rows)


def _deleted(told: dict[str, Any]) -> Section:
    signed = [(each["name"], each["deleted"]) for each in (*told["parties"], told["helper"])]
    facts = tuple((plain(name), plain(found["head"])) for name, found in signed if found)
    return Section(said("head_deleted"), facts=facts)


def _facts(told: dict[str, Any]) -> Section:
    facts = (
        (said("collector"), plain(told["collector"]["name"])),
        (said("helper"), plain(told["helper"]["name"])),
        (said("dealer"), plain(told["dealer"])),
        (said("pseudonyms"), plain(told["pseudonyms"])),
        (said("plan"), plain(told["plan_sha256"])),
        *((said("file"), plain(digest)) for digest in told["sha256"].values()),
        (said("log_head"), plain(told["log_head"])),
        (said("created"), plain(f"{told['created']}, {told['software']}")),
    )
    return Section(said("head_facts"), facts=facts)
