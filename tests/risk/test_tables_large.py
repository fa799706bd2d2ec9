"""A five-way release of 10,000 people: right, and honest about being stopped."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.disclosure import Certain, Interval, TableCheck
from sudare.risk.tables.background import Background, TableFacts
from sudare.risk.tables.check import check_tables
from sudare.risk.tables.deadline import Deadline
from sudare.risk.tables.published import Published, Row

PEOPLE = 10_000
SHAPE = (2, 4, 5, 4, 3)
NAMES = tuple("abcde")
VALUES = {name: tuple(map(str, range(size))) for name, size in zip(NAMES, SHAPE, strict=True)}


def truth() -> NDArray[np.int64]:
    """A skewed table of counts with some empty cells, the same on every run."""
    weights = np.ones(SHAPE)
    for axis, size in enumerate(SHAPE):
        share = 1.0 / np.arange(1, size + 1) ** 1.5
        weights *= share.reshape([-1 if a == axis else 1 for a in range(5)])
    counts = np.floor(weights / weights.sum() * PEOPLE).astype(np.int64)
    counts[0, 0, 0, 0, 0] += PEOPLE - counts.sum()
    return counts


def margins(counts: NDArray[np.int64], order: int) -> list[Published]:
    tables = []
    for axes in combinations(range(5), order):
        others = tuple(a for a in range(5) if a not in axes)
        cells = enumerate(np.ndenumerate(counts.sum(axis=others)), 1)
        rows = [Row(tuple(map(str, at)), Interval(int(n), int(n)), i) for i, (at, n) in cells]
        names = tuple(NAMES[a] for a in axes)
        tables.append(Published("".join(names), names, tuple(rows)))
    return tables


def check(tables: list[Published], seconds: float) -> TableCheck:
    background = Background(
        population=Interval(PEOPLE, PEOPLE), sensitive=("e",), attributes=VALUES
    )
    facts = {table.name: TableFacts() for table in tables}
    return check_tables(background, tables, facts, 1, Deadline(seconds))


def holds(counts: NDArray[np.int64], each: Certain) -> bool:
    """Whether a finding is true of the data set that the tables were made from."""
    at = tuple(
        int(dict(each.who)[name]) if name in dict(each.who) else slice(None) for name in NAMES[:4]
    )
    by_value = counts[at].reshape(-1, SHAPE[4]).sum(axis=0)
    people = int(by_value.sum())
    assert each.people is not None
    assert each.people.low <= people <= (each.people.high or PEOPLE)
    has = int(by_value[int(each.value)])
    return has == 0 if each.excluded else has == people


def test_what_is_certain_is_true() -> None:
    """Four-way margins of a table with empty cells: much of it can be worked out."""
    counts = truth()
    found = check(margins(counts, 4), 30.0)
    assert found.certain
    assert all(holds(counts, each) for each in (*found.certain, *found.excluded))
    assert found.population == Interval(PEOPLE, PEOPLE)


def test_being_stopped_is_said_and_nothing_is_made_up() -> None:
    counts = truth()
    found = check(margins(counts, 3), 0.05)
    assert not found.finished
    assert all(holds(counts, each) for each in (*found.certain, *found.excluded))


def test_one_way_margins_of_many_people_give_nothing_away() -> None:
    found = check(margins(truth(), 1), 30.0)
    assert found.finished
    assert found.certain == found.excluded == ()
