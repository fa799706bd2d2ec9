"""Who computes, who helps and who deals, and what each of them could learn.

Collector and helper hold the two shares of everything; the dealer knows the masks under which they
exchange them. Each of the three alone sees noise; any two of them together see the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sudare.facts.errors import InvalidPlan


@dataclass(frozen=True)
class Roles:
    """Three different names; helper and dealer may be organisations, and so may the collector."""

    collector: str
    helper: str
    dealer: str


def roles_of(organisations: Sequence[str], collector: str, helper: str | None) -> Roles:
    """The dealer is the first organisation in ring order that neither collects nor helps."""
    if helper is None or helper == collector:
        raise InvalidPlan(
            "A secure computation needs a helper that is not the collector.",
            'Name one that would not collude with it: helper = "…"; it may be an organisation.',
        )
    free = [name for name in organisations if name not in (collector, helper)]
    if not free:
        raise InvalidPlan(
            "Nobody is left to deal the masks of the secure computation.",
            "Collector, helper and dealer are three: let a third host collect or help.",
        )
    return Roles(collector, helper, free[0])
