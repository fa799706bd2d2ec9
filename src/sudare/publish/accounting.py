"""What shuffling gives, ready for text or JSON: no data, no ledger, no cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sudare.accounting.shuffle import catalog, theorem
from sudare.accounting.shuffle.amplify import Amplified
from sudare.accounting.shuffle.groups import Group, account, largest_each, visible_groups
from sudare.facts.errors import UsageError

MECHANISMS = catalog.NAMES
# A report of more than this is not accounted for: its law would take long to write down.
MOST_ATTRIBUTES = 1000


@dataclass(frozen=True)
class People:
    """Who shuffles: n people of so many attributes, or the three groups of two organisations."""

    n: int | None = None
    attributes: int = 1
    joined: int | None = None
    a_only: int | None = None
    b_only: int | None = None
    attributes_a: int | None = None
    attributes_b: int | None = None

    @property
    def whole(self) -> int:
        """The attributes that a total ε₀ is for: with two organisations, those of both."""
        if self.n is not None:
            return self.attributes
        return (self.attributes_a or 0) + (self.attributes_b or 0)

    def groups(self) -> tuple[Group, ...]:
        counts = (self.joined, self.a_only, self.b_only)
        if all(count is None for count in counts):
            if self.n is None:
                raise UsageError(
                    "Nobody shuffles: the number of people is missing.",
                    "Add --n 30162, or the groups: --joined 20000 --a-only 5000 --b-only 3000.",
                )
            return (Group("all", self.n, self.attributes),)
        if self.n is not None:
            raise UsageError(
                "--n and groups of people are both given.",
                "--n is for one organisation; --joined, --a-only and --b-only are for two.",
            )
        if self.attributes_a is None or self.attributes_b is None:
            raise UsageError(
                "The groups need to know who reports how many attributes.",
                "Add --attributes-a 3 --attributes-b 3.",
            )
        joined, a_only, b_only = (count or 0 for count in counts)
        found = visible_groups(joined, a_only, b_only, self.attributes_a, self.attributes_b)
        if not found:
            raise UsageError("All groups are empty.", "Say how many people they have.")
        return found


@dataclass(frozen=True)
class Budget:
    """ε₀ to be amplified, or the central ε to be reached; and the δ."""

    delta: float
    epsilon0: float | None = None
    epsilon: float | None = None
    per_attribute: bool = False
    delta0: float = 0.0


def account_shuffle(
    people: People, budget: Budget, mechanism: str, values: int | None
) -> dict[str, Any]:
    """The central (ε, δ) after shuffling, by every bound, or the ε₀ that a wanted ε allows, with
    the same. With groups, ε and the bounds are those of the worst; ε₀, n and attributes those of
    all together."""
    _check(budget, mechanism, values)
    groups = people.groups()
    if people.whole > MOST_ATTRIBUTES:
        raise UsageError(
            f"A report has at most {MOST_ATTRIBUTES} attributes.", "Account for fewer together."
        )
    chosen = catalog.Mechanism(mechanism, values)
    if budget.epsilon0 is not None:
        each = budget.epsilon0 / (1 if budget.per_attribute else people.whole)
    else:
        assert budget.epsilon is not None
        each = largest_each(groups, chosen, budget.epsilon, budget.delta)
    found = [(group, account(group, chosen, each, budget.delta, budget.delta0)) for group in groups]
    worst, most = max(found, key=lambda pair: pair[1].epsilon)
    return {
        **_shown(most),
        "n": sum(group.n for group in groups),
        "mechanism": mechanism,
        "values": values,
        "attributes": people.whole,
        "epsilon0": each * people.whole,
        "epsilon0_by_theorem4": _by_theorem(groups, budget),
        "epsilon0_per_attribute": each,
        "delta0": budget.delta0,
        "wanted_epsilon": budget.epsilon,
        "neighbours": "replace-one",
        "worst_group": None if people.n is not None else worst.name,
        "groups": [] if people.n is not None else [_group(*pair) for pair in found],
    }


def _by_theorem(groups: tuple[Group, ...], budget: Budget) -> float | None:
    """What the paper's theorem alone allows a report, where an ε is wanted of one group."""
    if budget.epsilon is None or len(groups) != 1 or budget.delta <= 0:
        return None
    return theorem.largest_epsilon0(groups[0].n, budget.epsilon, budget.delta)


def _group(group: Group, found: Amplified) -> dict[str, Any]:
    return {
        "group": group.name,
        "n": group.n,
        "attributes": group.attributes,
        "epsilon0": found.epsilon0,
        **_shown(found),
    }


def _shown(found: Amplified) -> dict[str, Any]:
    return {
        "epsilon": found.epsilon,
        "delta": found.delta,
        "bounds": {
            "theorem4": found.theorem4,
            "clones": found.clones,
            "blanket": found.blanket,
        },
        "reasons": dict(found.reasons),
    }


def _check(budget: Budget, mechanism: str, values: int | None) -> None:
    if (budget.epsilon0 is None) == (budget.epsilon is None):
        raise UsageError(
            "Name one of --epsilon0 and --epsilon.",
            "--epsilon0 holds for a report before shuffling; --epsilon is what is wanted after it.",
        )
    if mechanism not in MECHANISMS:
        raise UsageError(
            f"There is no mechanism '{mechanism}'.", f"Known: {', '.join(MECHANISMS)}."
        )
    if mechanism in catalog.NEEDS_VALUES and values is None:
        raise UsageError(
            f"Mechanism '{mechanism}' is for categories: say how many values there are.",
            "Add --values 10.",
        )
    if budget.delta0 > budget.delta:
        raise UsageError(
            "--delta0 is above --delta.", "What fails locally fails after shuffling too."
        )
    if budget.delta0 and budget.epsilon is not None:
        raise UsageError(
            "--delta0 goes with --epsilon0.", "The way back is computed for δ0 = 0 alone."
        )
