"""Released baskets in words for a terminal, and their certificate.

Claim    `certificate` holds what was chosen before the data was read, the number of records, the
         digest of the released file and the verifier's word; no item, no utility, no wish. Of its
         figures only those are there that can be had from the released file alone: how many rules
         were tested, the highest confidence left and how many drawn attackers succeed all depend
         on who calls what sensitive. The owner's page has them.
Gaps     none known.
"""

from __future__ import annotations

import json
from typing import Any

from sudare.report import sets_promise
from sudare.report.both import Both
from sudare.report.numbers import format_percent
from sudare.report.sets_cost import gap, nats
from sudare.report.sets_page import done, notices, page
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
# k^m-anonymity is a property of the released file alone, so its figures are no secret.
_FIGURES = {"rho": (), "km": ("tested", "deepest", "fewest"), "sampled": ()}
_SHARE = ("known", "drawn")


def lines(result: dict[str, Any], language: Language) -> list[str]:
    """A few sentences: what was kept, the promise, the verifier's word, and what it cost."""
    found = [*done(result), sets_promise.promise(result), sets_promise.no_epsilon()]
    found += [sets_promise.verdict(result), *sets_promise.figures(result), *_cost(result)]
    return [each[language] for each in (*found, *notices(result))]


def _cost(result: dict[str, Any]) -> list[Both]:
    found = [said("mining", **result["mining"])]
    if result["util1"] is not None:
        util1 = format_percent(result["util1"])
        found.insert(0, said("utility", util1=util1, util2=nats(result)))
    if result["loss"] is not None:
        found.append(said("loss", loss=format_percent(result["loss"])))
    if result["optimum"] is not None:
        found.append(gap(result))
    return found


def texts_beside(result: dict[str, Any], language: Language) -> tuple[str, str]:
    """The certificate and the owner's report, which belong beside the released file."""
    text = json.dumps(certificate(result), ensure_ascii=False, indent=2, allow_nan=False)
    return f"{text}\n", page(result, language)


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
    told: dict[str, Any] = {"passed": True}
    told |= {key: found[key] for key in _FIGURES[result["model"]]}
    if result["model"] == "sampled":
        told["shares"] = [{key: each[key] for key in _SHARE} for each in found["shares"]]
    return told
