"""Wide records made long again: a row for every person and period in which something is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.drawn import Drawn
from sudare.facts.panel import PRESENCE, PRESENT, PanelFacts
from sudare.facts.statistics import Floats, Marginal, Statistics


def long_rows(wide: Drawn, facts: PanelFacts) -> Drawn:
    """Person (numbered from 1), time (the first of its period) and the columns under their names;
    rows stand by person and then by time."""
    missing = {column: _stacked(facts, column, wide.is_missing) for column in facts.varying}
    there = ~np.logical_and.reduce(list(missing.values()))
    for place in range(facts.periods):
        shown = wide.codes.get(facts.presence(place))
        if shown is not None:
            there[:, place] &= shown == PRESENCE.index(PRESENT)
    person, period = np.nonzero(there)
    values: dict[str, NDArray[np.float64]] = {
        facts.person: (person + 1).astype(np.float64),
        facts.time: np.array(facts.starts, np.float64)[period],
    }
    codes: dict[str, NDArray[np.int64]] = {}
    for name in facts.fixed:
        if name in wide.values:
            values[name] = wide.values[name][person]
        else:
            codes[name] = wide.codes[name][person]
    for name in facts.varying:
        if facts.wide(name, 0) in wide.values:
            values[name] = _stacked(facts, name, wide.values.__getitem__)[there]
        else:
            codes[name] = _stacked(facts, name, wide.codes.__getitem__)[there]
    gaps = {name: table[there] for name, table in missing.items() if table[there].any()}
    gaps |= {name: wide.missing[name][person] for name in facts.fixed if name in wide.missing}
    return Drawn(len(person), values, codes, gaps)


def _stacked(facts: PanelFacts, column: str, of: Callable[[str], NDArray[Any]]) -> NDArray[Any]:
    """Persons × periods."""
    return np.array([of(facts.wide(column, period)) for period in range(facts.periods)]).T


def long_marginals(statistics: Statistics) -> tuple[Marginal, ...]:
    """What a writer, or a rule, needs to know of the long columns: types, labels, bounds. Person
    and time come first; the counts of a varying column are those of all periods together."""
    assert statistics.panel is not None
    facts = PanelFacts.from_dict(statistics.panel)
    persons = max(int(statistics.rows), 1)
    nothing, one = np.zeros(1), np.zeros(1, np.int64)
    person = Marginal(facts.person, "integer", nothing, one, starts=(1,), high=persons)
    kind = "date" if facts.is_date else "integer"
    time = Marginal(facts.time, kind, nothing, one, starts=(facts.starts[0],), high=facts.last)
    fixed = tuple(statistics.marginal(name) for name in facts.fixed)
    varying = tuple(_pooled(statistics, facts, name) for name in facts.varying)
    return (person, time, *fixed, *varying)


def _pooled(statistics: Statistics, facts: PanelFacts, name: str) -> Marginal:
    parts = [statistics.marginal(facts.wide(name, period)) for period in range(facts.periods)]
    # Levels of a number that begin at the same place in every period; all that rules cut at do.
    starts: tuple[int, ...] = ()
    if parts[0].is_number:
        starts = tuple(sorted(set.intersection(*(set(each.level_starts()) for each in parts))))
        counts = np.sum([_gathered(each, starts) for each in parts], axis=0)
    else:
        counts = np.sum([each.counts for each in parts], axis=0)
    return replace(
        parts[0],
        name=name,
        counts=counts,
        level_of=np.arange(len(counts), dtype=np.int64),
        missing=float(sum(each.missing for each in parts)),
        may_miss=any(each.may_miss for each in parts),
        starts=starts,
        means=None,
    )


def _gathered(each: Marginal, starts: tuple[int, ...]) -> Floats:
    """A period's counts in these intervals, at whose ends some of its bins end too."""
    places = np.searchsorted(np.array(starts), np.array(each.starts), side="right") - 1
    return np.bincount(places, each.counts, len(starts)).astype(np.float64)
