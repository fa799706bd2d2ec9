"""Released baskets in words for a terminal, and their certificate.

Claim    `certificate` holds what was chosen before the data was read, the number of records, the
         digest of the released file and figures of the verifier; no item, no utility, no wish.
Gaps     The number of rules tested depends on who calls what sensitive, as one sum over everybody.
         The highest confidence left is not in the certificate: its two counts would single out
         the rule in the released file, and with it an item that somebody calls sensitive.
"""

from __future__ import annotations

from typing import Any

from sudare.report import sets_promise
from sudare.report.both import Both
from sudare.report.numbers import format_percent
from sudare.report.sets_cost import gap
from sudare.report.sets_page import done, notices
from sudare.report.sets_words import said
from sudare.report.texts import LANGUAGES, Language

_CHOSEN = (
    "model",
    "method",
    "mode",
    "rho",
    "max_knowledge",
    "eps",
    "delta",
    "k",
    "base_rate",
    "random",
)
_FIGURES = {"rho": ("tested", "deepest"), "km": ("tested", "deepest", "fewest"), "sampled": ()}
_SHARE = ("known", "drawn", "successful", "at_least", "at_most")


def lines(result: dict[str, Any], language: Language) -> list[str]:
    """A few sentences: what was kept, the promise, the verifier's word, and what it cost."""
    found = [*done(result), sets_promise.promise(result), sets_promise.no_epsilon()]
    found += [sets_promise.verdict(result), *sets_promise.figures(result), *_cost(result)]
    return [each[language] for each in (*found, *notices(result))]


def _cost(result: dict[str, Any]) -> list[Both]:
    found = [said("mining", **result["mining"])]
    if result["util1"] is not None:
        util1, util2 = format_percent(result["util1"]), result["util2"]
        found.insert(0, said("utility", util1=util1, util2=util2))
    if result["loss"] is not None:
        found.append(said("loss", loss=format_percent(result["loss"])))
    if result["optimum"] is not None:
        found.append(gap(result))
    return found


def certificate(result: dict[str, Any]) -> dict[str, Any]:
    """What may be published beside the released file."""
    said_not = sets_promise.not_promised(result)
    return {
        "guarantee": "syntactic",
        **{key: result[key] for key in _CHOSEN},
        "records": result["records"],
        "sha256": result["sha256"],
        "verified": _verified(result),
        "promise": {language: sets_promise.promise(result)[language] for language in LANGUAGES},
        "not_promised": {language: [each[language] for each in said_not] for language in LANGUAGES},
    }


def _verified(result: dict[str, Any]) -> dict[str, Any]:
    found = result["verified"]
    told: dict[str, Any] = {key: found[key] for key in _FIGURES[result["model"]]}
    if result["model"] == "sampled":
        told["shares"] = [{key: each[key] for key in _SHARE} for each in found["shares"]]
    return told
