"""What the test on people held out found of exact statistics, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from sudare.facts.nearness import LIMIT
from sudare.report.both import Both
from sudare.report.synthesized_words import said


def sentences(told: Mapping[str, Any] | None) -> tuple[Both, ...]:
    """`told` is what statistics carry of the test; a file may carry anything, or nothing."""
    if not told:
        return (said("near_unknown"),)
    if told.get("accepted"):
        return (said("near_accepted"),)
    return (*_tested(told), *_reduced(told))


def _tested(told: Mapping[str, Any]) -> tuple[Both, ...]:
    nearer, guessed = told.get("nearer"), told.get("guessed")
    if not _is_bounded(nearer):
        return (said("near_unknown"),)
    first = said("near_tested", value=nearer["value"], high=nearer["high"], limit=LIMIT)
    if not _is_bounded(guessed):
        return (first,)
    return first, said("near_guessed", value=guessed["value"], high=guessed["high"])


def _is_bounded(share: object) -> TypeGuard[Mapping[str, float]]:
    return isinstance(share, Mapping) and all(
        isinstance(share.get(key), float) for key in ("value", "high")
    )


def _reduced(told: Mapping[str, Any]) -> tuple[Both, ...]:
    if not told.get("reduced"):
        return ()
    more = []
    if not told.get("tables_of_numbers"):
        more.append(said("near_moments"))
    if told.get("pairs"):
        more.append(said("near_pairs", pairs=told["pairs"]))
    joined = Both("".join(each.en for each in more), "".join(each.ja for each in more))
    return (said("near_reduced", more=joined),)
