"""Who sends which stream to whom.

Stream "i-h" holds the rows of organisation i after h organisations have raised their points, i
itself first. With N organisations it goes from (i + h − 1) mod N to (i + h) mod N, and "i-N" to the
collector. With a shared salt the owner sends "i-N" to the collector at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from sudare.facts.link_plan import LinkPlan


@dataclass(frozen=True)
class Leg:
    """One stream between two hosts; `receiver` None is the collector."""

    owner: str
    number: int
    place: int
    sender: str
    receiver: str | None

    @property
    def stream(self) -> str:
        return f"{self.place}-{self.number}"


def legs(plan: LinkPlan) -> tuple[Leg, ...]:
    """All streams of a session."""
    names, count = plan.names, len(plan.names)
    first = count if plan.pseudonyms == "salt" else 1
    found = []
    for place, owner in enumerate(names):
        for number in range(first, count + 1):
            # With a salt nobody relays: the owner is the one who sends.
            back = 0 if plan.pseudonyms == "salt" else number - 1
            sender = names[(place + back) % count]
            receiver = None if number == count else names[(place + number) % count]
            found.append(Leg(owner, number, place, sender, receiver))
    return tuple(found)


def own_leg(plan: LinkPlan, name: str) -> Leg:
    """The stream in which an organisation's own rows leave it."""
    return next(leg for leg in legs(plan) if leg.owner == name and leg.sender == name)


def laid_stream(plan: LinkPlan, name: str) -> str:
    """Where an organisation lays its own rows before they are paid for and sent. Where the next one
    fetches they may not yet lie where it looks."""
    leg = own_leg(plan, name)
    is_fetched = leg.receiver is not None and plan.party(leg.receiver).address is None
    return "own" if is_fetched else leg.stream


def relayed(plan: LinkPlan, name: str) -> tuple[tuple[Leg, Leg], ...]:
    """The streams that an organisation takes and sends on: (in, out)."""
    every = legs(plan)
    return tuple(
        (
            taken,
            next(
                out for out in every if (out.place, out.number) == (taken.place, taken.number + 1)
            ),
        )
        for taken in every
        if taken.receiver == name
    )


def last_legs(plan: LinkPlan) -> tuple[Leg, ...]:
    """The streams that reach the collector."""
    return tuple(leg for leg in legs(plan) if leg.receiver is None)
