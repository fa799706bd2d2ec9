"""Whether synthetic rows come with a formal guarantee, in plain words: that of their statistics.

Claim    rows made from statistics have the guarantee of those statistics, and no better one.
Source   post-processing; the guarantee itself is worded as in report/guarantee.py.
Needs    the guarantee that the statistics carry. Exact statistics carry none; protected ones
         that do not say how strongly are treated as if they carried none.
Gaps     a statistics file is believed: who edits its guarantee edits what is said here.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sudare.facts.address import is_address
from sudare.facts.statistics import Origin
from sudare.facts.synthesized import Synthesized
from sudare.report import nearness
from sudare.report.both import Both, both, each
from sudare.report.guarantee import promised
from sudare.report.numbers import format_share
from sudare.report.randomized_texts import shuffle_lines
from sudare.report.synthesized_words import said

_NUMBER = (int, float)


@dataclass(frozen=True)
class Promise:
    """The first sentence, what explains it, and the command of the private route, if offered."""

    headline: Both
    sentences: tuple[Both, ...]
    is_given: bool
    command: str | None = None


def promise_of(facts: Synthesized) -> Promise:
    """What the page says first."""
    if facts.origin == "exact":
        told = (said("none_means"), *nearness.sentences(facts.nearness), said("private_route"))
        return Promise(said("none"), told, False, private_command(facts.source))
    stated = facts.guarantee
    if stated is None or not is_stated(stated, facts.origin):
        return Promise(said("unstated"), (), False)
    if facts.origin == "randomized":
        return _randomized(stated)
    return _private(facts, stated)


def headline(facts: Synthesized) -> Both:
    return promise_of(facts).headline


def is_stated(guarantee: Mapping[str, Any], origin: Origin) -> bool:
    """Whether it says all that a sentence needs; a file may hold anything."""
    needed = ["epsilon", "neighbours", "unit"]
    if origin == "private":
        needed.append("max_rows_per_unit")
    known = all(guarantee.get(key) is not None for key in needed)
    return (
        known
        and isinstance(guarantee["epsilon"], _NUMBER)
        and isinstance(guarantee.get("delta") or 0, _NUMBER)
        and guarantee["neighbours"] in ("add-remove", "replace-one")
    )


def _private(facts: Synthesized, stated: Mapping[str, Any]) -> Promise:
    first = said(
        "private",
        epsilon=format_share(stated["epsilon"]),
        delta=format_share(stated.get("delta") or 0),
        unit=_unit(stated),
        neighbours=stated["neighbours"],
    )
    worded = [
        Both(*pair) for pair in zip(*(promised(stated, x) for x in ("en", "ja")), strict=True)
    ]
    release, entry = facts.source.get("release"), facts.source.get("ledger_entry")
    cited = (said("cited", release=release, entry=entry),) if release and entry else ()
    return Promise(first, (*worded, said("processed"), *cited), True)


def _randomized(stated: Mapping[str, Any]) -> Promise:
    first = said("randomized", epsilon=format_share(stated["epsilon"]), unit=_unit(stated))
    return Promise(first, (_mixed(stated.get("shuffle")), said("processed")), True)


def _mixed(shuffle: object) -> Both:
    """What shuffling makes of the local ε, where that is known."""
    keys = ("n", "epsilon", "delta")
    if isinstance(shuffle, dict) and all(isinstance(shuffle.get(key), _NUMBER) for key in keys):
        return each(lambda language: shuffle_lines({"shuffle": shuffle}, language)[0])
    return said("local_only")


def _unit(stated: Mapping[str, Any]) -> Both:
    return both("unit_row" if stated["unit"] == "row" else "unit_column", unit=stated["unit"])


def private_command(source: Mapping[str, Any]) -> str:
    """What to type; the file's name is all that is known of where it lies."""
    name = str(source.get("source", ""))
    shown = name if "." in name or is_address(name) else "people.csv"
    return f"sudare synthesize {shlex.quote(shown)} --epsilon 1 -o synthetic.csv"
