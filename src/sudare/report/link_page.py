"""The page about a join: who took part, what is seen by whom, who signed its deletion."""

from __future__ import annotations

from typing import Any

from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.link import epsilon_text, hidden, sentences
from sudare.report.link_words import said
from sudare.report.sets_section import Card, Section, render
from sudare.report.texts import Language


def page(told: dict[str, Any], language: Language) -> str:
    """The page, first shown in `language`."""
    count = len(told["parties"])
    return render(
        said("title"),
        said("lead", session=told["session"], count=count, rows=told["rows"]),
        said("note"),
        _cards(told),
        [_who(told), _seen(told), _deleted(told), _facts(told)],
        language,
    )


def _cards(told: dict[str, Any]) -> list[Card]:
    worst = told["account"]["worst"]
    found = [Card(epsilon_text(told["epsilon"]), said("local"))]
    for kind in ("outsider", "honest", "kept"):
        if worst[kind] is not None:
            found.append(Card(epsilon_text(worst[kind]["epsilon"]), said(f"to_{kind}")))
    return found


def _who(told: dict[str, Any]) -> Section:
    header = tuple(said(key) for key in ("organisation", "columns", "rows", "spent"))
    rows = tuple(
        (
            plain(party["name"]),
            plain(", ".join(party["columns"])),
            plain(f"{party['rows']:,}"),
            plain(epsilon_text(party["spent"]["epsilon"])),
        )
        for party in told["parties"]
    )
    return Section(said("head_who"), tuple(sentences(told)), header=header, rows=rows)


def _seen(told: dict[str, Any]) -> Section:
    keys = ("class", "people", "local", "to_outsider", "to_honest", "to_kept", "theorem4")
    rows = tuple(_class(each) for each in told["account"]["classes"])
    told_first = (said("seen"), said("theorem"), hidden(told))
    return Section(
        said("head_seen"), told_first, header=tuple(said(key) for key in keys), rows=rows
    )


def _class(each: dict[str, Any]) -> tuple[Both, ...]:
    found = each["theorem4"]
    paper = "–" if found["epsilon"] is None else epsilon_text(found["epsilon"])
    return (
        plain(" + ".join(each["members"])),
        plain(f"{each['n']:,}"),
        plain(epsilon_text(each["epsilon0"])),
        *(plain(epsilon_text(each[kind]["epsilon"])) for kind in ("outsider", "honest", "kept")),
        plain(paper if found["holds"] else f"{paper} ✗"),
    )


def _deleted(told: dict[str, Any]) -> Section:
    rows = tuple(
        (
            plain(party["name"]),
            plain(party["deleted"]["head"]),
            plain(party["deleted"]["signature"]),
        )
        for party in told["parties"]
        if party["deleted"]
    )
    header = said("organisation"), said("log_head"), said("signature")
    return Section(said("head_deleted"), header=header, rows=rows)


def _facts(told: dict[str, Any]) -> Section:
    files = [(said("file"), plain(f"{digest}")) for digest in told["sha256"].values()]
    facts = (
        (said("collector"), plain(told["collector"]["name"])),
        (said("pseudonyms"), plain(told["pseudonyms"])),
        (said("plan"), plain(told["plan_sha256"])),
        *files,
        (said("log_head"), plain(told["log_head"])),
        (said("created"), plain(f"{told['created']}, {told['software']}")),
    )
    return Section(said("head_facts"), facts=facts)
