"""What released baskets promise, what they do not, and what the verifier found.

The sentences come from the model's parameters and the verifier's figures; wishes (who calls what
sensitive) and values of the data are not among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.numbers import format_percent
from sudare.report.sets_promise_words import said
from sudare.report.sets_section import Section
from sudare.report.texts import Language


def promise(result: dict[str, Any]) -> Both:
    """The promise, in one sentence."""
    rho, m = result["rho"], result["max_knowledge"]
    if result["model"] == "km":
        return said("km", k=result["k"], m=m, others=result["k"] - 1)
    if result["model"] == "sampled":
        found = said("sampled", rho=rho, m=m, eps=result["eps"], delta=result["delta"])
        return _sought(found) if result["mode"] == "paper" else found
    return said("rho", rho=rho) if m is None else said("rho_m", rho=rho, m=m)


def _sought(promise: Both) -> Both:
    """The paper's own way of sampling aims at its promise, but its proof has a gap."""
    return Both(said("sought", promise=promise.en).en, said("sought", promise=promise.ja).ja)


def explained(result: dict[str, Any]) -> list[Both]:
    """The promise with what its words mean."""
    found = [promise(result)]
    if result["model"] != "km":
        found.append(said("confidence"))
    if result["base_rate"]:
        found.append(said("with_base"))
    return found


def not_promised(result: dict[str, Any]) -> list[Both]:
    """What a reader might take for promised."""
    return list(_not_promised(result))


def _not_promised(result: dict[str, Any]) -> Iterator[Both]:
    is_km = result["model"] == "km"
    yield no_epsilon()
    if result["model"] == "sampled":
        yield said("share_epsilon")
        if result["mode"] == "paper":
            yield said("literal")
    yield said("only_items")
    if result["max_knowledge"] is not None:
        yield said("only_m", m=result["max_knowledge"])
    yield said("homogeneous") if is_km else said("below_rho")
    if not is_km and not result["base_rate"]:
        yield said("base_rate")
    yield said("minimality")
    if result["random"]:
        yield said("by_lot")
    elif result["model"] == "rho" and result["mode"] == "default":
        yield said("not_by_lot")
    yield said("composition")


def no_epsilon() -> Both:
    """The first thing that is not promised."""
    return said("no_epsilon")


def verdict(result: dict[str, Any]) -> Both:
    """The verifier's word, in one sentence."""
    key = {"rho": "separate", "km": "separate_km", "sampled": "separate_sampled"}[result["model"]]
    return said(key)


def figures(result: dict[str, Any]) -> list[Both]:
    """What the verifier counted, for the owner."""
    found = result["verified"]
    if result["model"] == "sampled":
        return [said("audit"), said("exact_too")]
    counted = {"tested": found["tested"], "deepest": found["deepest"]}
    if result["model"] == "km":
        if found["fewest"] is None:
            return [said("empty_km")]
        return [said("tested_km", **counted), said("fewest", fewest=found["fewest"], k=result["k"])]
    top, bottom = found["confidence"] or (0, 1)
    if top == 0:
        return [said("tested", **counted), said("none_left")]
    share = format_percent(top / bottom)
    highest = said("highest", top=top, bottom=bottom, share=share, rho=result["rho"])
    return [said("tested", **counted), highest]


def released_lines(result: dict[str, Any], language: Language) -> list[str]:
    """The verdict on a release for the terminal; a failed one has raised before."""
    told = (promise(result), verdict(result), *figures(result))
    return [each[language] for each in told]


def sections(result: dict[str, Any]) -> Iterator[Section]:
    """The promise, its limits, and the verifier's certificate."""
    yield Section(said("head_promise"), tuple(explained(result)))
    # Where nobody was asked what is sensitive, there is nothing to keep secret.
    wishes = (said("wishes"),) if result["model"] != "km" else ()
    yield Section(said("head_not"), points=(*not_promised(result), *wishes))
    header, rows = _audited(result)
    told = (verdict(result), *figures(result))
    yield Section(said("head_verified"), told, header=header, rows=rows)


def _audited(result: dict[str, Any]) -> tuple[tuple[Both, ...], tuple[tuple[Both, ...], ...]]:
    """The attackers that the audit of a sampled promise drew."""
    if result["model"] != "sampled":
        return (), ()
    rows = tuple(
        (
            plain(f"{each['known']:,}"),
            plain(f"{each['drawn']:,}"),
            plain(f"{each['successful']:,}"),
            plain(format_percent(each["at_most"])),
        )
        for each in result["verified"]["shares"]
    )
    return tuple(said(key) for key in ("known", "drawn", "successful", "at_most")), rows


def model_name(result: dict[str, Any]) -> Both:
    return said(f"model_{result['model']}")
