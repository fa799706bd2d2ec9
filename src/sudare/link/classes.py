"""What the joined rows tell of a person, by visibility class and by who looks.

A joined row shows which parties hold the person, so a person hides among those of her own class:
a class is the people whom just these parties hold. ε_S is the sum of its members' ε.

Claim    for a class of n people, under replacing one person's values (not her membership):
         outsider        whoever has the published rows and knows all other people's values: the
                         tightest valid bound for n shuffled reports of the members' items.
         honest          a member organisation that deleted its randomised rows, about the others'
                         columns: the lesser of the others' local ε and the outsider's.
         kept            a member organisation that kept them: the others' local ε, unamplified.
Source   accounting/shuffle; paper 000, Theorem 4, corrected (docs/link-accounting.md, with the
         derivations and why the others' ε alone is never amplified).
Needs    reports of one class shuffled among themselves; one row a person; `sizes` as the collector
         saw them, dummies included: a dummy's report hides as any other does.
Gaps     membership itself is not protected unless there are dummies (dummies.py). Coalitions: k
         organisations that kept their rows see the ε of the columns of all others in the class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from sudare.accounting.shuffle import theorem
from sudare.accounting.shuffle.amplify import OUTSIDE_CONDITION, Amplified, amplified
from sudare.accounting.shuffle.law import Law, product
from sudare.link.compile import LinkJob
from sudare.local.amplify import law_of_job

# Why the paper's figure does not hold for a class: fewer people than its n.
FEWER_PEOPLE = "n"
# Floating point moves an ε by less than this; it is moved to the safe side.
_SLACK = 1e-12
Adversary = Literal["outsider", "honest", "kept"]
ADVERSARIES: tuple[Adversary, ...] = ("outsider", "honest", "kept")


@dataclass(frozen=True)
class Class:
    """The people whom just these parties hold."""

    members: tuple[str, ...]
    n: int
    epsilon: dict[str, Fraction]

    @property
    def total(self) -> Fraction:
        return sum(self.epsilon.values(), Fraction(0))


@dataclass(frozen=True)
class Seen:
    """(ε, δ) of a person towards one adversary; `viewer` is an organisation, None an outsider."""

    adversary: Adversary
    viewer: str | None
    epsilon: float
    delta: float

    def to_dict(self) -> dict[str, Any]:
        return {"viewer": self.viewer, "epsilon": self.epsilon, "delta": self.delta}


@dataclass(frozen=True)
class Theorem:
    """The paper's Theorem 4 with n = min(n_p): its ε, None outside its condition, and why it does
    not hold for a class, if it does not."""

    n: int
    epsilon: float | None
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "epsilon": self.epsilon,
            "holds": self.reason is None,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class ClassRow:
    """One class with all that is said of it."""

    whose: Class
    shuffled: Amplified
    seen: tuple[Seen, ...]
    theorem4: Theorem

    def worst(self, adversary: Adversary) -> Seen:
        """Towards the viewer who sees most."""
        own = [each for each in self.seen if each.adversary == adversary]
        return max(own, key=lambda each: each.epsilon)

    def to_dict(self) -> dict[str, Any]:
        bounds = self.shuffled
        return {
            "members": list(self.whose.members),
            "n": self.whose.n,
            "epsilon0": float(self.whose.total),
            "epsilon0_by_party": {name: float(each) for name, each in self.whose.epsilon.items()},
            "bounds": {
                "theorem4": bounds.theorem4,
                "clones": bounds.clones,
                "blanket": bounds.blanket,
            },
            "reasons": dict(bounds.reasons),
            **{
                kind: {
                    **self.worst(kind).to_dict(),
                    "viewers": [s.to_dict() for s in self.seen if s.adversary == kind and s.viewer],
                }
                for kind in ADVERSARIES
            },
            "theorem4": self.theorem4.to_dict(),
        }


@dataclass(frozen=True)
class ClassAccount:
    """All classes that have members. The guarantee for everybody is that of the worst."""

    delta: float
    rows: tuple[ClassRow, ...]

    def worst(self, adversary: Adversary) -> Seen | None:
        """None where nobody was joined or sent."""
        found = [row.worst(adversary) for row in self.rows]
        return max(found, key=lambda each: each.epsilon, default=None)

    def to_dict(self) -> dict[str, Any]:
        worst = {kind: self.worst(kind) for kind in ADVERSARIES}
        return {
            "delta": self.delta,
            "neighbours": "replace-one",
            "classes": [row.to_dict() for row in self.rows],
            "worst": {k: None if each is None else each.to_dict() for k, each in worst.items()},
        }


def account_classes(
    job: LinkJob, sizes: Mapping[frozenset[str], int], delta: float
) -> ClassAccount:
    """What everybody sees, given how many people each class has."""
    epsilons, laws = job.epsilons(), {n: law_of_job(each) for n, each in job.jobs.items()}
    held = {name: sum(n for who, n in sizes.items() if name in who) for name in epsilons}
    least = min(held.values())
    closed = theorem.epsilon_of(least, float(sum(epsilons.values())), delta) if least else None
    rows = []
    for members in _in_order(job, sizes):
        own = Class(members, sizes[frozenset(members)], {n: epsilons[n] for n in members})
        bounds = amplified(own.n, _above(own.total), delta, _law([laws[n] for n in members]))
        rows.append(ClassRow(own, bounds, _seen(job, own, bounds), _theorem(own, least, closed)))
    return ClassAccount(delta, tuple(rows))


def _in_order(job: LinkJob, sizes: Mapping[frozenset[str], int]) -> list[tuple[str, ...]]:
    """Classes with members, the largest sets of parties first, then in ring order."""
    names = job.plan.names
    found = [tuple(n for n in names if n in who) for who, count in sizes.items() if count > 0]
    return sorted(found, key=lambda who: (-len(who), [names.index(n) for n in who]))


def _law(laws: list[Law | None]) -> Law | None:
    """Parties randomise independently; one law that is not known hides the whole."""
    known = [law for law in laws if law is not None]
    return product(known) if len(known) == len(laws) else None


def _seen(job: LinkJob, own: Class, bounds: Amplified) -> tuple[Seen, ...]:
    outside = bounds.epsilon, bounds.delta
    found = [Seen("outsider", None, *outside)]
    if len(own.members) == 1:
        # No other organisation holds these people: all others are outsiders to them.
        return (*found, Seen("honest", None, *outside), Seen("kept", None, *outside))
    for name in own.members:
        others = _above(own.total - own.epsilon[name])
        # Who collects sees its own rows' pseudonyms, so it can find them while it joins.
        is_less = others <= bounds.epsilon or name == job.plan.collector
        honest = (others, 0.0) if is_less else outside
        found += [Seen("honest", name, *honest), Seen("kept", name, others, 0.0)]
    return tuple(found)


def _theorem(own: Class, least: int, closed: float | None) -> Theorem:
    if closed is None:
        return Theorem(least, None, OUTSIDE_CONDITION)
    return Theorem(least, closed, FEWER_PEOPLE if own.n < least else None)


def _above(epsilon: Fraction) -> float:
    return float(epsilon) * (1 + _SLACK)
