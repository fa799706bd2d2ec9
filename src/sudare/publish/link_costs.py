"""What a session costs each organisation's people: the join, the own central release, and both."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sudare.facts.link_plan import LinkPlan
from sudare.link.all_local import central_epsilon


def costs(plan: LinkPlan, joined: dict[str, Fraction], whole: Fraction) -> dict[str, Any] | None:
    """By organisation and for a person whom all hold, under replace-one; `joined` is each one's ε
    in the join and `whole` theirs together. None where nobody releases anything of its own."""
    own = {party.name: central_epsilon(party) for party in plan.parties}
    if not any(own.values()):
        return None
    found = {name: _sum(joined[name], own[name]) for name in plan.names}
    return {"parties": found, "whole": _sum(whole, sum(own.values(), Fraction(0)))}


def central_of(plan: LinkPlan, name: str, told: dict[str, Any]) -> dict[str, Any] | None:
    """The own release of an organisation as the certificate names it."""
    party, sent = plan.party(name), told.get("central")
    if party.central is None or sent is None:
        return None
    return {
        "epsilon": float(central_epsilon(party)),
        "release": sent["id"],
        "spent": sent["spent"],
        "guarantee": sent["guarantee"],
    }


def signed(statement: dict[str, Any] | None) -> dict[str, Any] | None:
    """A signed word of deletion, without the certificate that vouches for it."""
    if statement is None:
        return None
    return {"head": statement["head"], "signature": statement["signature"]}


def _sum(joined: Fraction, central: Fraction) -> dict[str, float]:
    return {"joined": float(joined), "central": float(central), "total": float(joined + central)}
