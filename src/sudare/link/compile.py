"""From a plan to what every party reports, what that costs it, and the facts of the joined file.

Claim    a row of a class holds the reports of all its members' items and nothing else; it is
         ε-LDP in the person's joined record, ε the sum of the members' own, because each party
         randomises its columns with fresh bits of its own.
Needs    one row a person in every party's table (publish keeps one for each key).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from sudare.accounting.compose import plan_cost
from sudare.facts.cost import Cost
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import LocalEvent
from sudare.facts.link_plan import LinkPlan
from sudare.facts.randomized import Item, Randomized
from sudare.link.dummies import dummy_law
from sudare.link.pk import attribute_epsilon, pk_job
from sudare.link.ways import party_job
from sudare.local.compile import LocalJob


@dataclass(frozen=True)
class LinkJob:
    """A plan that the schemas allow. `shown` has every party's columns as the joined file names
    them: under "party.column" where two parties have a column of one name."""

    plan: LinkPlan
    jobs: dict[str, LocalJob]
    shown: dict[str, dict[str, str]] = field(repr=False)

    def party_facts(self, name: str) -> Randomized:
        """What a party's randomizer needs, under the party's own names."""
        self.plan.party(name)
        return self.jobs[name].facts

    def event(self, name: str) -> LocalEvent:
        """What one row of a party tells, whoever looks at it."""
        self.plan.party(name)
        return self.jobs[name].event()

    def cost(self, name: str) -> Cost:
        """What the party's ledger is charged for taking part."""
        return plan_cost([self.event(name)], Fraction(0))

    def epsilons(self) -> dict[str, Fraction]:
        """The ε of a row, by party."""
        return {name: job.event().epsilon for name, job in self.jobs.items()}

    def item_names(self, name: str) -> dict[str, str]:
        """A party's items as the joined file names them."""
        facts = self.party_facts(name)
        return {item.name: self._renamed(name, item).name for item in facts.items}

    def joined_facts(
        self, members: Sequence[str] | None = None, guarantee: dict[str, Any] | None = None
    ) -> Randomized:
        """The facts of the file of one class: of the people whom just these parties hold, all of
        them if none are named."""
        names = [name for name in self.plan.names if members is None or name in members]
        parts = {name: self.party_facts(name) for name in names}
        items = [self._renamed(name, item) for name in names for item in parts[name].items]
        domains = {
            self.shown[name][column]: domain
            for name in names
            for column, domain in parts[name].domains.items()
        }
        own = sum((self.event(name).epsilon for name in names), Fraction(0))
        return Randomized(
            table=self.plan.session,
            epsilon=float(own),
            asked=sum(part.asked for part in parts.values()),
            items=tuple(items),
            domains=domains,
            shuffled=True,
            guarantee=guarantee or {},
            dummies=self.expected_dummies(),
        )

    def expected_dummies(self) -> float:
        """How many rows of every class are expected to be made up."""
        wanted = self.plan.dummies
        return 0.0 if wanted is None else float(dummy_law(wanted.epsilon, wanted.delta).shift)

    def _renamed(self, party: str, item: Item) -> Item:
        columns = tuple(self.shown[party][column] for column in item.columns)
        if columns == item.columns:
            return item
        if len(columns) == 1:
            # "age", "age²" and "age (bins)" all begin with their column.
            return replace(
                item, name=columns[0] + item.name[len(item.columns[0]) :], columns=columns
            )
        joint = {"cell": "+"}.get(item.kind, "×")
        return replace(item, name=joint.join(columns), columns=columns)


def compile_link(plan: LinkPlan) -> LinkJob:
    """Check the plan against the schemas and choose every party's way. Reads no data."""
    if plan.job == "secure":
        raise InvalidPlan(
            "A secure computation publishes no records, so there are no reports to plan.",
            'Its statistics have a plan of their own; records need job = "randomize" or "pk".',
        )
    if plan.job == "pk":
        each = attribute_epsilon(plan)
        jobs = {party.name: pk_job(plan, party, each) for party in plan.parties}
    else:
        jobs = {party.name: party_job(plan, party) for party in plan.parties}
    found = LinkJob(plan, jobs, shown_columns(plan))
    names = [item.name for item in found.joined_facts().items]
    if len(set(names)) != len(names):
        raise InvalidPlan(
            "Two items of the joined file would have one name.",
            "Rename a column in schema and data, or leave it out of columns.",
        )
    return found


def shown_columns(plan: LinkPlan) -> dict[str, dict[str, str]]:
    """Every party's columns as the result names them."""
    owners = Counter(column for party in plan.parties for column in party.columns)
    return {
        party.name: {
            column: column if owners[column] == 1 else f"{party.name}.{column}"
            for column in party.columns
        }
        for party in plan.parties
    }
