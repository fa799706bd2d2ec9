"""The page about a join: who took part, what is seen by whom, who signed its deletion."""

from __future__ import annotations

from typing import Any

from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.link import alone, epsilon_text, hidden, sentences
from sudare.report.link_charts import KINDS, class_bars
from sudare.report.link_secure import secure_page
from sudare.report.link_statistics import sections
from sudare.report.link_words import said
from sudare.report.sets_section import Card, Drawing, Section, render
from sudare.report.texts import Language


def page(told: dict[str, Any], language: Language, statistics: dict[str, Any] | None = None) -> str:
    """The page, first shown in `language`; `statistics` is what the statistics file holds, where
    there is one."""
    if told["job"] == "secure" and statistics is not None:
        return secure_page(told, statistics, language)
    more = [] if statistics is None else sections(statistics, told["costs"])
    count = len(told["parties"])
    return render(
        said("title"),
        said("lead", session=told["session"], count=count, rows=told["rows"]),
        hidden(told),
        _cards(told),
        [_who(told), _seen(told), *more, _deleted(told), _facts(told)],
        language,
    )


def _cards(told: dict[str, Any]) -> list[Card]:
    worst = told["account"]["worst"]
    found = [Card(epsilon_text(told["epsilon"]), said("card_local"))]
    for kind in KINDS:
        if worst[kind] is not None:
            found.append(Card(epsilon_text(worst[kind]["epsilon"]), said(f"card_{kind}")))
    if told["costs"] is not None:
        total = told["costs"]["whole"]["total"]
        found.append(Card(epsilon_text(total), said("card_total")))
    return found


def _who(told: dict[str, Any]) -> Section:
    header = tuple(said(key) for key in ("organisation", "rows", "spent"))
    rows = tuple(
        (
            plain(f"{party['name']} ({', '.join(party['columns'])})"),
            plain(f"{party['rows']:,}"),
            plain(epsilon_text(party["spent"]["epsilon"])),
        )
        for party in told["parties"]
    )
    # What is not protected stands at the top of the page already.
    told_here = (each for each in sentences(told) if each != hidden(told))
    return Section(said("head_who"), (said("note"), *told_here), header=header, rows=rows)


def _seen(told: dict[str, Any]) -> Section:
    people = "people" if told["dummies"] is None else "people_dummies"
    keys = ("class", people, "local", "to_outsider", "to_honest", "to_kept", "theorem4")
    classes = told["account"]["classes"]
    drawings = tuple(
        Drawing(class_bars(classes, kind), said(f"drawn_{kind}")) for kind in KINDS if classes
    )
    return Section(
        said("head_seen"),
        (said("seen"), *alone(told), said("theorem")),
        drawings=drawings,
        header=tuple(said(key) for key in keys),
        rows=tuple(_class(each) for each in classes),
    )


def _class(each: dict[str, Any]) -> tuple[Both, ...]:
    found = each["theorem4"]
    paper = "–" if found["epsilon"] is None else epsilon_text(found["epsilon"])
    return (
        plain(" + ".join(each["members"])),
        plain(f"{each['n']:,}"),
        plain(epsilon_text(each["epsilon0"])),
        *(plain(epsilon_text(each[kind]["epsilon"])) for kind in KINDS),
        plain(paper) if found["holds"] else _not_held(paper, found["reason"]),
    )


def _not_held(paper: str, reason: str) -> Both:
    why = said("theorem_n" if reason == "n" else "theorem_condition")
    return Both(f"{paper} ✗ ({why.en})", f"{paper} ✗（{why.ja}）")


def _deleted(told: dict[str, Any]) -> Section:
    facts = tuple(
        (plain(party["name"]), plain(party["deleted"]["head"]))
        for party in told["parties"]
        if party["deleted"]
    )
    return Section(said("head_deleted"), (said("deleted_heads"),), facts=facts)


def _facts(told: dict[str, Any]) -> Section:
    files = [
        (said("file_of", name=name) if name else said("file"), plain(digest))
        for name, digest in told["sha256"].items()
    ]
    facts = (
        (said("collector"), plain(told["collector"]["name"])),
        (said("pseudonyms"), plain(told["pseudonyms"])),
        (said("plan"), plain(told["plan_sha256"])),
        *files,
        (said("log_head"), plain(told["log_head"])),
        (said("created"), plain(f"{told['created']}, {told['software']}")),
    )
    return Section(said("head_facts"), facts=facts)
