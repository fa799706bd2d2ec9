"""Sample and aggregate: one private number for each output of a function of random blocks.

Claim    the released numbers are ε-DP (with `smooth` and a δ, (ε, δ)-DP) under the schema's
         neighbour relation, whatever the function is.
Source   Nissim, Raskhodnikova, Smith 2007, Section 4; Mohan et al. 2012 (GUPT); Smith 2011.
Derivation
         Couple the two runs as engines/sandbox/blocks.py does: one unit changes the rows of at most
         one block. A block's answer depends on its rows alone (the sandbox), so at most one of the
         n vectors of answers is replaced, n being public. Each output's n places are then n values
         of which one is replaced, and its method keeps its share of ε for that; all outputs of the
         block may change together, so shares add up. Averaging over the coupled keys keeps the
         bound, since it holds for every pair of keys.
Needs    a deterministic or independently random function a block; declared ranges and steps.
Gaps     those of the sandbox: docs/aggregate.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.accounting.compose import plan_cost
from sudare.facts.block_plan import BlockPlan, Output
from sudare.facts.cost import Cost
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent, SmoothEvent
from sudare.facts.relation import Relation
from sudare.facts.release import Answer, Clip
from sudare.facts.schema import Schema
from sudare.queries.blocks_median import Median
from sudare.queries.blocks_smooth import laplace_median, student_median
from sudare.queries.blocks_way import Way
from sudare.queries.blocks_winsorized import Winsorized
from sudare.randomness.bits import RandomBits

_Maker = Callable[[Relation, int, int, Fraction], Way]
_WAYS: dict[str, _Maker] = {"median": Median, "winsorized": Winsorized, "smooth": student_median}


@dataclass(frozen=True)
class PricedBlocks:
    """A plan that the schema allows: a method an output, what it costs, how wrong it will be."""

    plan: BlockPlan
    ways: tuple[Way, ...]
    cost: Cost

    def forecasts(self) -> list[float]:
        """The 95 % error of every output, in its own units."""
        pairs = zip(self.ways, self.plan.outputs, strict=True)
        return [way.forecast() * float(output.step) for way, output in pairs]

    def release(
        self, places: NDArray[np.int64], program: str, bits: RandomBits
    ) -> tuple[Answer, ...]:
        """One answer an output; `places` has a row a block and a column an output."""
        share = self.cost.epsilon / len(self.ways)
        return tuple(
            self._answer(output, way, places[:, number], program, share, bits)
            for number, (output, way) in enumerate(zip(self.plan.outputs, self.ways, strict=True))
        )

    def _answer(
        self,
        output: Output,
        way: Way,
        places: NDArray[np.int64],
        program: str,
        share: float,
        bits: RandomBits,
    ) -> Answer:
        found, plan = way.release(places, bits), self.plan
        kept = {} if found.kept is None else {"kept": [output.value(end) for end in found.kept]}
        return Answer(
            query=f"{output.name}: {way.name} of {program} over {plan.blocks} blocks",
            function="aggregate",
            value=output.value(found.place),
            error95=found.error * float(output.step),
            epsilon=share,
            drowned=("",) if found.drowned else (),
            clips=(Clip(output.name, _shown(output.low), _shown(output.high)),),
            columns=(output.name,),
            noise=tuple(way.noise()),
            details={
                "method": way.name,
                "blocks": plan.blocks,
                "inputs": list(plan.columns),
                "step": float(output.step),
                "seconds": float(plan.seconds),
                "memory": plan.memory,
                "program_sha256": plan.program,
                **kept,
                **found.told,
            },
        )


def compile_blocks(plan: BlockPlan, schema: Schema) -> PricedBlocks:
    """Check the columns, choose the methods and price them; reads no data."""
    for name in plan.columns:
        _check(schema, name)
    share = plan.epsilon / len(plan.outputs)
    relation = schema.table.neighbours
    ways = tuple(_way(plan, output, relation, share) for output in plan.outputs)
    events: list[PrivacyEvent] = [event for way in ways for event in way.events()]
    # Only noise that needs a δ takes one; the rest is pure.
    taken = sum((e.delta for e in events if isinstance(e, SmoothEvent)), Fraction(0))
    return PricedBlocks(plan, ways, plan_cost(events, taken))


def _way(plan: BlockPlan, output: Output, relation: Relation, share: Fraction) -> Way:
    """The wanted method, or the one of the least forecast, which plan and schema alone decide."""
    makers = _WAYS if plan.method == "auto" else {plan.method: _WAYS[plan.method]}
    ways = [make(relation, output.span, plan.blocks, share) for make in makers.values()]
    if plan.delta > 0 and share < 1 and plan.method in ("auto", "smooth"):
        delta = plan.delta / len(plan.outputs)
        ways.append(laplace_median(relation, output.span, plan.blocks, share, delta))
    return min(ways, key=lambda way: way.forecast())


def _check(schema: Schema, name: str) -> None:
    column = schema.column(name)
    if name == schema.table.unit or column.type in ("key", "text"):
        raise InvalidPlan(
            f"Column '{name}' names people or is free text, and is not handed to functions.",
            "Choose numbers, dates, booleans and categories.",
        )
    if column.type == "category":
        schema.domain(name)
    else:
        schema.grid(name)


def _shown(bound: Fraction) -> str:
    return f"{float(bound):.15g}"
