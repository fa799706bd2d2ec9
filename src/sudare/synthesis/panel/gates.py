"""Whether a person has a row in a period decides all its columns together.

Inside a component columns are independent, so each would be missing for itself. Instead presence is
drawn first; where there is no row every varying column is missing, and where there is one a column
is missing with the chance that its component leaves over, and never where the tables show that it
never is. If M and A are a component's chances of a missing value and of no row, that chance is
(M − A) / (1 − A).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sudare.facts.panel import PanelFacts
from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.randomness.bits import RandomBits
from sudare.synthesis.drawing import Ints, draw_components, draw_levels, spread
from sudare.synthesis.mixture import Mixture
from sudare.synthesis.records import Codes, Forbidden, possible_records
from sudare.synthesis.rules.rules import Rules

_ABSENT = 0
_CLEAR = 3.0


class PanelForbidden(Forbidden):
    """Rows exchange values only if both have a row in the period, or neither has."""

    def __init__(self, statistics: Statistics, rules: Rules, facts: PanelFacts) -> None:
        super().__init__(statistics, rules)
        self.gates = gates_of(facts, statistics)

    def alike(
        self, codes: Mapping[str, Ints], column: str, one: Ints, two: Ints
    ) -> NDArray[np.bool_]:
        gate = self.gates.get(column)
        if gate is None:
            return super().alike(codes, column, one, two)
        found: NDArray[np.bool_] = codes[gate][one] == codes[gate][two]
        return found


def gates_of(facts: PanelFacts, statistics: Statistics) -> dict[str, str]:
    """The column of presence of every varying column, where there is one that noise has left with
    two levels."""
    names = {each.name for each in statistics.marginals if each.levels > 1}
    return {
        name: facts.presence(place[1])
        for name in statistics.names
        if (place := facts.places.get(name)) and place[0] and facts.presence(place[1]) in names
    }


def draw_wide(
    mixture: Mixture,
    statistics: Statistics,
    forbidden: Forbidden,
    gates: Mapping[str, str],
    rows: int,
    bits: RandomBits,
) -> Codes:
    """Level codes of every wide column."""
    components = draw_components(mixture.weights, rows, bits)
    codes: Codes = {}
    # A period's presence stands before its columns.
    for place, (name, each) in enumerate(zip(statistics.names, statistics.marginals, strict=True)):
        gate = gates.get(name)
        if gate is None or not each.may_miss:
            codes[name] = draw_levels(mixture, place, components, bits)
            continue
        absent = mixture.column(statistics.names.index(gate))[:, _ABSENT].astype(np.float64)
        chances = mixture.column(place).astype(np.float64)
        there = np.flatnonzero(codes[gate] != _ABSENT)
        codes[name] = np.full(rows, each.present_levels, np.int64)
        if len(there):
            within = _with_missing(chances, absent, _left_over(each, gate, statistics))
            codes[name][there] = spread(within, components[there], bits)
    return possible_records(codes, components, statistics, forbidden, bits)


def _left_over(each: Marginal, gate: str, statistics: Statistics) -> bool:
    """Whether the column is ever missing in a row that is there, as far as noise lets it show."""
    table = statistics.crosses.get((gate, each.name))
    noise = statistics.noise.get((gate, each.name), 0.0)
    return table is None or float(table[1 - _ABSENT, -1]) > _CLEAR * noise


def _with_missing(chances: Floats, absent: Floats, left: bool) -> Floats:
    """The chances in a row that is there; the last level is that of missing values."""
    found = chances.copy()
    found[:, -1] = np.maximum(chances[:, -1] - absent, 0.0) if left else 0.0
    # A component in which the value is always missing says nothing of it: the others do.
    empty = found.sum(axis=1) <= 1e-9
    found[empty] = chances.mean(axis=0)
    found[empty, -1] = 0.0
    return found
