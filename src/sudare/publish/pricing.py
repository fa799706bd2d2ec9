"""What a plan costs and how wrong its answers will be, from plan and schema alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from sudare.facts.cost import Cost
from sudare.facts.errors import InvalidPlan
from sudare.facts.limits import MOST_CHOICES, MOST_LEARNED, MOST_NUMBERS
from sudare.facts.plan import Plan
from sudare.facts.schema import Schema
from sudare.queries.allocate import Allocation, allocate, least_epsilon
from sudare.queries.compile import compile_question
from sudare.queries.measurement import ASSUMED_ROWS, Forecast, Measurement

_LEARNING = frozenset({"kmeans", "pca", "linear", "ridge", "logistic", "mst"})


@dataclass(frozen=True)
class Priced:
    """A plan that the schema allows, with its shares, cost and forecasts."""

    plan: Plan
    measurements: tuple[Measurement, ...]
    allocation: Allocation
    forecasts: tuple[Forecast, ...]
    rows: int
    rows_are_declared: bool

    @property
    def cost(self) -> Cost:
        return self.allocation.cost


def price(schema: Schema, plan: Plan) -> Priced:
    """Check every question, share the total out, forecast the errors. Reads no data."""
    measurements = _measurements(schema, plan)
    if any(measurement.query.error is not None for measurement in measurements):
        raise InvalidPlan(
            "A wanted error (±) belongs to `sudare plan`, which finds the ε for it.",
            "Take it out of the question, or run `sudare plan` first.",
        )
    return _priced(schema, plan, measurements)


def _measurements(schema: Schema, plan: Plan) -> tuple[Measurement, ...]:
    """All questions, if what they ask for together can be computed in a reasonable time."""
    schema.require_confirmed()
    found = tuple(compile_question(text, schema) for text in plan.questions)
    numbers = sum(each.numbers for each in found)
    if numbers > MOST_NUMBERS:
        raise InvalidPlan(
            f"The plan makes {numbers:,} noisy numbers; one plan makes at most {MOST_NUMBERS:,}.",
            "Group by fewer columns, or ask for less at a time.",
        )
    learned = sum(each.query.function in _LEARNING for each in found)
    if learned > MOST_LEARNED:
        raise InvalidPlan(
            f"The plan has {learned:,} questions that learn from the table; one plan has at most "
            f"{MOST_LEARNED}.",
            "Make several plans: kmeans, logistic and mst take several passes each.",
        )
    choices = sum(each.chosen_groups for each in found)
    if choices > MOST_CHOICES:
        raise InvalidPlan(
            f"The plan chooses a value privately in {choices:,} groups; one plan does so in at "
            f"most {MOST_CHOICES:,}.",
            "Group by fewer columns: medians and quantiles take longer than counts and sums.",
        )
    return found


def _priced(schema: Schema, plan: Plan, measurements: tuple[Measurement, ...]) -> Priced:
    allocation = allocate(measurements, plan)
    forecasts = tuple(
        measurement.forecast(share)
        for measurement, share in zip(measurements, allocation.shares, strict=True)
    )
    declared = schema.table.public_rows or schema.table.expected_rows
    return Priced(
        plan, measurements, allocation, forecasts, declared or ASSUMED_ROWS, declared is not None
    )


def find_epsilon(
    schema: Schema, plan: Plan, error: Fraction | None, relative: Fraction | None
) -> Priced:
    """The plan with the least ε for each question's wanted error (`± 5`, `± 5%`, or the common
    `error` or `relative`)."""
    measurements = _measurements(schema, plan)
    shared = [_wanted_epsilon(m, plan, error, relative) for m in measurements]
    priced_questions = tuple(
        replace(m.query, epsilon=epsilon) if epsilon else m.query
        for m, epsilon in zip(measurements, shared, strict=True)
    )
    for measurement, query in zip(measurements, priced_questions, strict=True):
        measurement.query = query
    return _priced(schema, replace(plan, epsilon=None), measurements)


def _wanted_epsilon(
    measurement: Measurement, plan: Plan, error: Fraction | None, relative: Fraction | None
) -> Fraction:
    query = measurement.query
    if measurement.own_epsilon is not None:
        return Fraction(0)
    if query.error is not None:
        return least_epsilon(measurement, plan, float(query.error), query.error_is_relative)
    if error is not None:
        return least_epsilon(measurement, plan, float(error), False)
    if relative is not None:
        return least_epsilon(measurement, plan, float(relative), True)
    raise InvalidPlan(
        f"No wanted error is given for {query.text}.",
        'Write "mean(age) ± 0.5" or "mean(age) ± 2%", or add --error or --relative.',
    )
