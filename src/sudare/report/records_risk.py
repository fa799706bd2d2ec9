"""What `check records` found, as lines for a terminal and as a page; one source for both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sudare.report.both import Both
from sudare.report.columns import fitted, screen_width
from sudare.report.records_texts import TEXTS, filled, said
from sudare.report.texts import Language

MOST_COMBINATIONS = 10
_INDENT = "  "


@dataclass(frozen=True)
class Part:
    """A heading (none for the first part), sentences, and a table of texts."""

    heading: Both | None
    sentences: tuple[Both, ...] = ()
    header: tuple[Both, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def parts(found: dict[str, Any]) -> list[Part]:
    """Everything that is said, in order."""
    people = found["unit"] != "row"
    listed = [_overview(found, people), _sizes(found["anonymity"], people)]
    listed += [_sensitive(name, found, people) for name in found["sensitive"]]
    listed += _combinations(found, people)
    if found["population"] is not None:
        listed.append(_population(found["population"]))
    if found["linkage"] is not None:
        listed.append(_linkage(found["linkage"], people))
    return listed


def lines(found: list[Part], language: Language) -> Iterator[str]:
    """The parts as text for a terminal."""
    for part in found:
        if part.heading is not None:
            yield ""
            yield part.heading[language]
        yield from (sentence[language] for sentence in part.sentences)
        if part.rows:
            table = [[head[language] for head in part.header], *part.rows]
            width = screen_width() - len(_INDENT)
            yield from (_INDENT + line for line in fitted(table, width, to_right=False))


def _overview(found: dict[str, Any], people: bool) -> Part:
    about = found["anonymity"]
    _, records, share = about["below"][0]
    sentences = [
        said("k", people=people, **(about | {"quasi": ", ".join(found["quasi"])})),
        said("alone", people=people, records=records, share=share),
        *(
            said("below", people=people, limit=each[0], records=each[1], share=each[2])
            for each in about["below"][1:]
        ),
        said("average", people=people, risk=about["average_risk"]),
    ]
    if people:
        about_people = {"unit": found["unit"], "rows": found["rows"], "people": about["records"]}
        sentences.insert(0, counted(**about_people))
    if found["unique_rows"]:
        shown = ", ".join(map(str, found["unique_rows"]))
        more = ", …" if records > len(found["unique_rows"]) else ""
        sentences.append(said("rows", rows=shown + more))
    if not found["cleaned"]:
        sentences.append(said("raw"))
    return Part(None, (*sentences, said("syntactic"), said("steward")))


def counted(unit: str, rows: int, people: int) -> Both:
    """That people are counted, and by which column."""
    return filled(TEXTS["counted"], True, {"unit": unit, "rows": rows, "people": people})


def _sizes(about: dict[str, Any], people: bool) -> Part:
    rows = [
        (_span(each["low"], each["high"]), f"{each['classes']:,}", f"{each['records']:,}")
        for each in about["ranges"]
    ]
    header = said("size"), said("classes"), said("records", people=people)
    return Part(said("sizes"), (), header, tuple(rows))


def _span(low: int, high: int | None) -> str:
    if high is None:
        return f"{low}+"
    return str(low) if low == high else f"{low}–{high}"


def _sensitive(name: str, found: dict[str, Any], people: bool) -> Part:
    units, heading = found["anonymity"]["records"], said("sensitive", column=name)
    return sensitive_part(heading, found["diversity"][name], units, people)


def sensitive_part(
    heading: Both, about: dict[str, Any], records: int, people: bool, zero: Both | None = None
) -> Part:
    """What the classes say of one sensitive column; `zero` is added where values are ruled out."""
    distance = said("ordered" if about["ordered"] else "equal")
    measures = Both(
        said("diversity", **(about | {"distance": distance.en})).en,
        said("diversity", **(about | {"distance": distance.ja})).ja,
    )
    shares = {key: (about[key], about[key] / records) for key in ("certain", "nearly", "excluded")}
    sentences = [
        measures,
        *(said("recursive", wanted=each[0], least=each[1]) for each in about["recursive"]),
        _share("certain", shares, people, classes=about["certain_classes"]),
        _share("nearly", shares, people),
        _share("excluded", shares, people, zeros=about["zero_cells"]),
        *([zero] if zero is not None and about["excluded"] else []),
        said(
            "guess",
            best=about["best_guess"],
            blind=about["blind_guess"],
            ratio=about["greatest_ratio"],
        ),
    ]
    return Part(heading, tuple(sentences))


def _share(key: str, shares: dict[str, tuple[int, float]], people: bool, **more: object) -> Both:
    records, share = shares[key]
    return said(key, people=people, records=records, share=share, **more)


def _combinations(found: dict[str, Any], people: bool) -> Iterator[Part]:
    about, records = found["combinations"], found["anonymity"]["records"]
    exposing = [each for each in about["worst"] if each["few"]]
    worst = sorted(
        exposing, key=lambda each: (-each["uniques"], -each["few"], len(each["columns"]))
    )
    header = said("alone_head"), said("few_head", people=people)
    yield Part(
        said("combinations"),
        (said("work", counted=about["counted"], skipped=about["skipped"]),),
        (said("columns"), *header),
        tuple(_counted(each, records) for each in worst[:MOST_COMBINATIONS]),
    )
    if about["without"]:
        rows = tuple(_counted(each, records) for each in about["without"])
        yield Part(said("without", people=people), (), (said("left_out"), *header), rows)


def _counted(each: dict[str, Any], records: int) -> tuple[str, str, str]:
    numbers = (f"{each[key]:,} ({each[key] / records:.1%})" for key in ("uniques", "few"))
    return (", ".join(each["columns"]), *numbers)  # type: ignore[return-value]


def _population(about: dict[str, Any]) -> Part:
    fraction = about["sampling_fraction"]
    if fraction == 1:
        return Part(said("population"), (said("whole"),))
    if about["sample_uniques"] and about["binomial_share"] is None:
        return Part(said("population"), (said("several"),))
    pitman = said("pitman_none")
    if about["alpha"] is not None:
        pitman = said(
            "pitman",
            alpha=about["alpha"],
            theta=about["theta"],
            fraction=f"{100 * fraction:.3g} %",
            size=about["size"],
            uniques=about["pitman_uniques"],
            share=about["pitman_share"],
        )
    if about["binomial_share"] is None:
        return Part(said("population"), (pitman,))
    binomial = said("binomial", share=about["binomial_share"])
    return Part(said("population"), (pitman, binomial, said("models")))


def _linkage(about: dict[str, Any], people: bool) -> Part:
    sentence = said(
        "matches",
        people=people,
        columns=", ".join(about["columns"]),
        one=about["one"],
        records=about["records"],
        share=about["one"] / about["records"],
        other=about["other_records"],
        both=about["both_unique"],
        few=about["few"],
        none=about["none"],
    )
    return Part(said("linkage"), (sentence,))
