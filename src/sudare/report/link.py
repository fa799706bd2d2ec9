"""A join between organisations, in a few sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sudare.report.both import Both
from sudare.report.link_secure import secure_sentences
from sudare.report.link_secure_words import said as secure_said
from sudare.report.link_statistics import central_sentence, hybrid_sentences
from sudare.report.link_words import said
from sudare.report.texts import Language


def lines(told: dict[str, Any], language: Language) -> list[str]:
    """What was joined and what it tells, for a terminal."""
    return [each[language] for each in sentences(told)]


def part_lines(told: dict[str, Any], language: Language) -> list[str]:
    """What an organisation did."""
    epsilon = epsilon_text((told["spent"] or {}).get("epsilon"))
    kind = "part_again" if told["again"] else "part"
    first = said(kind, party=told["party"], rows=told["rows"] or 0, session=told["session"],
                 epsilon=epsilon)  # fmt: skip
    ended = said("part_deleted" if told["confirmed"] else "part_unconfirmed", log=told["log"])
    own = told.get("central")
    central = [] if own is None else [central_sentence(own)[language]]
    found = told.get("own")
    left_out = [] if found is None else [said("part_own", **found)[language]]
    return [first[language], *left_out, *central, ended[language]]


def sentences(told: dict[str, Any]) -> Iterator[Both]:
    if told["job"] == "secure":
        yield from secure_sentences(told)
        return
    names = ", ".join(party["name"] for party in told["parties"])
    yield said("joined", rows=told["rows"], names=names, epsilon=epsilon_text(told["epsilon"]))
    if told["dummies"] is not None:
        yield said("with_dummies")
    for word in told["warnings"]:
        yield said(f"warning_{word}")
    # A certificate that was read from its file has its keys in the order of their letters.
    for kind in ("outsider", "honest", "kept"):
        seen = told["account"]["worst"][kind]
        if seen is not None:
            yield said(kind, epsilon=epsilon_text(seen["epsilon"]), delta=f"{seen['delta']:g}")
    yield from alone(told)
    yield from hybrid_sentences(told)
    if told["collector"]["is_party"]:
        yield said("is_party", name=told["collector"]["name"])
    yield hidden(told)
    for each in told["k"] or ():
        members = " + ".join(each["members"])
        yield said("k_kept" if each["kept"] else "k_missed", members=members, k=f"{each['k']:.1f}")
    if all(party["deleted"] for party in told["parties"]):
        yield said("all_deleted")


def warning_lines(told: dict[str, Any], language: Language) -> list[str]:
    known = secure_said if told["job"] == "secure" else said
    return [known(f"warning_{word}")[language] for word in told["warnings"]]


def again_line(told: dict[str, Any], language: Language) -> str:
    return said("collected_again", session=told["session"])[language]


def written_lines(paths: Iterable[Path], language: Language) -> list[str]:
    return [said("wrote", path=path)[language] for path in paths]


def alone(told: dict[str, Any]) -> list[Both]:
    """That own releases are not in the figures by adversary, where there are some."""
    if told["costs"] is None:
        return []
    return [said("alone", central=f"{told['costs']['whole']['central']:.3g}")]


def hidden(told: dict[str, Any]) -> Both:
    """Whether the sizes of classes are hidden, and who is in them."""
    found = told["dummies"]
    if found is None:
        return said("membership")
    member = found["membership"]
    return said("dummies", epsilon=epsilon_text(found["sizes"]["epsilon"]),
                delta=f"{found['sizes']['delta']:.2g}",
                member_epsilon=epsilon_text(member["epsilon"]),
                member_delta=f"{member['delta']:.2g}",
                count=found["expected_each_class"])  # fmt: skip


def epsilon_text(epsilon: float | None) -> str:
    return "–" if epsilon is None else f"{epsilon:.3g}"
