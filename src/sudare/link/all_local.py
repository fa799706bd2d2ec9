"""What organisations would report if all of their ε went to reports: the other way that a hybrid
result is compared with."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sudare.facts.link_plan import LinkPlan, Party
from sudare.facts.randomized import Randomized
from sudare.facts.relation import Relation
from sudare.link.compile import compile_link


def central_epsilon(party: Party) -> Fraction:
    """What the own release costs a person, under replace-one as reports are counted."""
    times = 2 if party.schema.table.neighbours == Relation.ADD_REMOVE else 1
    return (party.central or Fraction(0)) * times


def all_local(plan: LinkPlan, spent: dict[str, Fraction]) -> tuple[Randomized, ...]:
    """By organisation, under joined names; `spent` is each one's ε in the join."""
    parties = tuple(
        replace(party, epsilon=spent[party.name] + central_epsilon(party), central=None)
        for party in plan.parties
    )
    whole = sum((party.epsilon for party in parties), Fraction(0))
    other = replace(
        plan, job="randomize", parties=parties, epsilon=whole, k=None, helper=None,
        joined_rows=None, dummies=None, statistics=(),
    )  # fmt: skip
    job = compile_link(other)
    return tuple(job.joined_facts((name,)) for name in plan.names)
