"""What `anonymize records` did and what its file still discloses, as parts of a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sudare._version import VERSION
from sudare.facts.certificate import Statement
from sudare.report.anonymized_texts import said
from sudare.report.records_risk import Part, sensitive_part
from sudare.report.texts import LANGUAGES


def statement(
    found: dict[str, Any], quasi: Sequence[str], sensitive: Sequence[str], created: str
) -> Statement:
    """What may be published beside the file. The report is no part of it: it says what the file
    discloses all the same."""
    demand = {key: found["demand"][key] for key in ("k", "diversity", "closeness")}
    return Statement(
        "anonymize",
        created,
        {"kind": "syntactic", "unit": found["unit"], **demand},
        {"software": f"sudare {VERSION}"},
        {
            "published": found["published"],
            "quasi": list(quasi),
            "sensitive": list(sensitive),
            "not_promised": {language: [said("no_guarantee")[language]] for language in LANGUAGES},
        },
    )


def parts(found: dict[str, Any], quasi: Sequence[str]) -> list[Part]:
    """Everything that is said, in order."""
    people = found["people"] is not None
    listed = [_done(found, quasi, people)]
    units = found["anonymity"]["records"]
    for name, about in found["diversity"].items():
        heading = said("still", column=name)
        listed.append(sensitive_part(heading, about, units, people, said("zero")))
    if found["composition"] is not None:
        listed.append(_composition(found["composition"], quasi, people))
    return listed


def _done(found: dict[str, Any], quasi: Sequence[str], people: bool) -> Part:
    about = found["anonymity"]
    sentences = [
        said("no_guarantee"),
        said(
            "done",
            people=people,
            published=found["published"],
            records=found["records"],
            classes=about["classes"],
            k=about["k"],
            average=found["average_class"],
        ),
        said(
            "suppressed",
            starred=found["starred_records"],
            values=found["starred_values"],
            dropped=found["dropped"],
        ),
        said("loss", loss=found["loss"], discernibility=found["discernibility"]),
    ]
    if people:
        sentences.insert(2, said("people", people=True, unit=found["unit"], **found["people"]))
    if found["search"] is not None:
        sentences.append(said("levels", levels=_levels(quasi, found["search"]["levels"])))
        sentences.append(said("search", **found["search"]))
    return Part(None, tuple(sentences))


def _levels(quasi: Sequence[str], levels: Sequence[str]) -> str:
    pairs = zip(quasi, levels, strict=True)
    return ", ".join(name if name == level else f"{name} → {level}" for name, level in pairs)


def _composition(about: dict[str, Any], quasi: Sequence[str], people: bool) -> Part:
    sentences = [said("second", levels=_levels(quasi, about["levels"]))]
    for name, found in about["columns"].items():
        sentences.append(
            said(
                "together",
                people=people,
                column=name,
                first=found["first"],
                second=found["second"],
                together=found["together"],
                narrowed=found["narrowed"],
                records=about["records"],
                smallest=found["smallest_joint"],
            )
        )
    return Part(said("composition"), (*sentences, said("compose")))
