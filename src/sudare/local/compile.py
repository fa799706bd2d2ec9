"""From a plan and a schema to what every person reports, what it costs and how good it will be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sudare.facts.errors import InvalidPlan
from sudare.facts.events import LocalEvent
from sudare.facts.local_plan import LocalPlan, Statistic
from sudare.facts.randomized import Item, Randomized
from sudare.facts.relation import Relation
from sudare.facts.schema import Schema
from sudare.local.forecast import forecast
from sudare.local.items import Way, columns_of, domains_of
from sudare.local.ways import Ways, default_statistics


@dataclass(frozen=True)
class Candidate:
    """A way to spend ε and √n times the expected standard error of each statistic."""

    way: Way
    errors: dict[Statistic, float]
    score: float = math.inf


@dataclass(frozen=True)
class LocalJob:
    """A plan that the schema allows. `considered` is sorted, the chosen way first."""

    plan: LocalPlan
    facts: Randomized
    statistics: tuple[Statistic, ...]
    considered: tuple[Candidate, ...]

    @property
    def way(self) -> Way:
        return self.considered[0].way

    def event(self) -> LocalEvent:
        """What a person's row tells, whoever looks at it: at most the plan's ε, and less where
        retention probabilities do not use it up."""
        return LocalEvent(Relation.REPLACE_ONE, row_epsilon(self.facts))

    def reasons(self) -> list[dict[str, Any]]:
        """The best of each kind of way, for whoever wants to know why."""
        found: dict[tuple[str, str | None], dict[str, Any]] = {}
        for each in self.considered:
            place = (each.way.budget, each.way.mechanism)
            if place not in found:
                found[place] = {
                    "budget": each.way.budget,
                    "mechanism": "+".join(dict.fromkeys(i.mechanism for i in each.way.items)),
                    "report": each.way.asked,
                    "of": len(each.way.items),
                    "errors": dict(each.errors),
                    "score": None if math.isinf(each.score) else each.score,
                }
        return list(found.values())


def compile_local(plan: LocalPlan, schema: Schema) -> LocalJob:
    """Check the plan, try every way to spend ε that it allows, take the best. Reads no data."""
    check_table(schema)
    names = columns_of(schema, plan)
    domains = domains_of(schema, names)
    statistics = plan.statistics or default_statistics(domains)
    ways = Ways(plan, domains, statistics, plan.epsilon)
    found = [_candidate(way, statistics) for way in ways.all()]
    if not found:
        raise InvalidPlan(
            "There is no way to spend ε as the plan asks.",
            "Leave --budget, --report or --mechanism out, or name more columns.",
        )
    considered = tuple(sorted(_scored(found, statistics), key=lambda c: c.score))
    best = considered[0].way
    facts = Randomized(
        table=schema.table.name,
        epsilon=float(_dearest(best.items, best.asked)),
        asked=best.asked,
        items=best.items,
        domains=domains,
        shuffled=plan.shuffle,
    )
    _check_names(facts)
    return LocalJob(plan, facts, statistics, considered)


def check_table(schema: Schema) -> None:
    """Reports are rows, and how many there are is seen."""
    if schema.table.neighbours is not Relation.REPLACE_ONE:
        raise InvalidPlan(
            "Randomised rows show how many rows there are, which add-remove keeps secret.",
            'Set neighbours = "replace-one" under [table]; the number of rows is then public.',
        )
    if schema.table.rows_per_unit > 1:
        raise InvalidPlan(
            "Randomised rows show how many rows there are, and with that a person's share of them.",
            "Bring the table to one row a person first, or set max_rows_per_unit = 1.",
        )


def _check_names(facts: Randomized) -> None:
    """Items are columns of the file, so no two may have one name."""
    names = [item.name for item in facts.items]
    if len(set(names)) != len(names):
        raise InvalidPlan(
            "A column has the name that a square, a product, a cell or bins of others would have.",
            "Rename it in schema and data, or leave it out with --columns.",
        )


def _candidate(way: Way, statistics: tuple[Statistic, ...]) -> Candidate:
    errors = {name: forecast(way, name) for name in statistics}
    return Candidate(way, {name: error for name, error in errors.items() if error is not None})


def _scored(found: list[Candidate], statistics: tuple[Statistic, ...]) -> list[Candidate]:
    """The errors against the best of each statistic, added up; a way that does not tell one of
    them comes after all that do."""
    told = [name for name in statistics if any(name in each.errors for each in found)]
    least = {name: min(c.errors[name] for c in found if name in c.errors) for name in told}
    return [
        Candidate(
            each.way,
            each.errors,
            math.inf
            if any(name not in each.errors for name in told)
            else sum(each.errors[name] / least[name] for name in told),
        )
        for each in found
    ]


def row_epsilon(facts: Randomized) -> Fraction:
    """The ε of one row as the items stand: the dearest choice of what is reported."""
    return _dearest(facts.items, facts.asked)


def _dearest(items: Sequence[Item], asked: int) -> Fraction:
    dearest = sorted((item.exact_epsilon for item in items), reverse=True)[:asked]
    return sum(dearest, Fraction(0))
