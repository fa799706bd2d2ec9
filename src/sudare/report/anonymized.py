"""What `anonymize records` did and what its file still discloses, as parts of a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sudare.report.anonymized_texts import said
from sudare.report.records_risk import Part, sensitive_part


def parts(found: dict[str, Any], quasi: Sequence[str]) -> list[Part]:
    """Everything that is said, in order."""
    listed = [_done(found, quasi)]
    records = found["published"]
    for name, about in found["diversity"].items():
        listed.append(sensitive_part(said("still", column=name), about, records, said("zero")))
    if found["composition"] is not None:
        listed.append(_composition(found["composition"], quasi))
    return listed


def _done(found: dict[str, Any], quasi: Sequence[str]) -> Part:
    about = found["anonymity"]
    sentences = [
        said("no_guarantee"),
        said(
            "done",
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
    if found["search"] is not None:
        sentences.append(said("levels", levels=_levels(quasi, found["search"]["levels"])))
        sentences.append(said("search", **found["search"]))
    return Part(None, tuple(sentences))


def _levels(quasi: Sequence[str], levels: Sequence[str]) -> str:
    pairs = zip(quasi, levels, strict=True)
    return ", ".join(name if name == level else f"{name} → {level}" for name, level in pairs)


def _composition(about: dict[str, Any], quasi: Sequence[str]) -> Part:
    sentences = [said("second", levels=_levels(quasi, about["levels"]))]
    for name, found in about["columns"].items():
        sentences.append(
            said(
                "together",
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
