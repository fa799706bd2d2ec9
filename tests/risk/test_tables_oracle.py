"""The solver against all data sets of tiny populations: claims, intervals, contradictions."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from risk.tables_oracle import DataSet, TinyRow, TinyWorld, countable, statements, tallies
from sudare.facts.disclosure import Certain, Interval, TableCheck
from sudare.facts.errors import InvalidTables
from sudare.risk.tables import filling, intervals
from sudare.risk.tables.background import Background, TableFacts
from sudare.risk.tables.check import check_tables
from sudare.risk.tables.deadline import Deadline
from sudare.risk.tables.grid import Grid
from sudare.risk.tables.parts import make_limits
from sudare.risk.tables.possible import find_possible
from sudare.risk.tables.published import Published, Row
from support.tiers import examples

NAMES = ("a", "b", "c")
DOMAINS = (("0", "1"), ("0", "1"), ("0", "1", "2"))
GROUP = {"low": ("0", "1")}


@st.composite
def worlds(draw: st.DrawFn) -> tuple[TinyWorld, list[Published]]:
    """A tiny truth with tables counted from it; now and then a count is wrong."""
    people = draw(st.lists(st.tuples(*map(st.sampled_from, DOMAINS)), min_size=1, max_size=4))
    shown, tiny = [], []
    for number in range(draw(st.integers(1, 3))):
        table, rows = draw(tables(people))
        shown.append(Published(f"table{number}", *table))
        tiny.append(rows)
    slack = draw(st.integers(0, 1))
    persons = draw(st.lists(st.sampled_from(people), max_size=2)) if draw(st.booleans()) else []
    described = []
    for person in persons if len(persons) <= len(people) else []:
        hidden = draw(st.sets(st.integers(0, 2), min_size=1))
        described.append(
            tuple(
                frozenset(DOMAINS[a]) if a in hidden else frozenset({person[a]}) for a in range(3)
            )
        )
    population = (len(people) - slack, len(people) + slack)
    return TinyWorld(DOMAINS, tuple(tiny), population, tuple(described)), shown


@st.composite
def tables(draw: st.DrawFn, people: list[tuple[str, ...]]):  # type: ignore[no-untyped-def]
    axes = draw(st.sampled_from([(0,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]))
    texts = [("0", "1", "*")] * 2 + [("0", "1", "2", "low", "*")]
    every = list(product(*(texts[a] for a in axes)))
    cells = draw(st.lists(st.sampled_from(every), min_size=1, max_size=4, unique=True))
    rows = [TinyRow(_allowed(dict(zip(axes, cell, strict=True))), 0, None) for cell in cells]
    tally = draw(st.sampled_from(list(tallies(tuple(people), tuple(rows)))))
    counts = [draw(_count(n)) for n in tally]
    shown = tuple(Row(c, n, at) for at, (c, n) in enumerate(zip(cells, counts, strict=True), 1))
    limited = tuple(TinyRow(r.allowed, n.low, n.high) for r, n in zip(rows, counts, strict=True))
    return (tuple(NAMES[a] for a in axes), shown), limited


def _allowed(cell: dict[int, str]) -> tuple[frozenset[str], ...]:
    texts = [cell.get(axis, "*") for axis in range(3)]
    return tuple(
        frozenset(domain if text == "*" else GROUP.get(text, (text,)))
        for domain, text in zip(DOMAINS, texts, strict=True)
    )


def _count(true: int) -> st.SearchStrategy[Interval]:
    exact = st.just(Interval(true, true))
    return st.one_of(
        exact,
        exact,
        exact,
        st.just(Interval(0, None)),
        st.just(Interval(0, true + 1)),
        st.integers(0, 3).map(lambda n: Interval(n, n)),
    )


def checked(world: TinyWorld, shown: list[Published], narrow: int = 1) -> TableCheck:
    background = Background(
        population=Interval(*world.population),
        sensitive=("c",),
        attributes=dict(zip(NAMES, DOMAINS, strict=True)),
        groups={"c": GROUP},
        persons={
            f"p{n}": {name: tuple(sorted(v)) for name, v in zip(NAMES, who, strict=True)}
            for n, who in enumerate(world.persons)
        },
    )
    facts = {table.name: TableFacts() for table in shown}
    return check_tables(background, shown, facts, narrow, Deadline(60))


def said(found: TableCheck, person: str | None) -> set[object]:
    return {
        (
            () if person else tuple((NAMES.index(a), v) for a, v in each.who),
            NAMES.index(each.attribute),
            each.value,
            each.excluded,
        )
        for each in (*found.certain, *found.excluded)
        if each.person == person
    }


def people_in(each: Certain, people: DataSet) -> int:
    return sum(all(p[NAMES.index(a)] == v for a, v in each.who) for p in people)


@examples(25, derandomize=True)
@given(worlds())
def test_the_solver_agrees_with_all_data_sets(given_: tuple[TinyWorld, list[Published]]) -> None:
    agrees(*given_)


@pytest.mark.integration
@examples(25, derandomize=True)
@given(worlds())
def test_the_path_of_large_programs_agrees_too(given_: tuple[TinyWorld, list[Published]]) -> None:
    """Fractions first, then whole numbers near them: forced for programs of any size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filling, "SMALL", -1)
        patch.setattr(intervals, "SMALL", -1)
        agrees(*given_)


@pytest.mark.slow
@examples(300, derandomize=True)
@given(worlds())
def test_the_solver_agrees_many_times(given_: tuple[TinyWorld, list[Published]]) -> None:
    agrees(*given_)


def agrees(world: TinyWorld, shown: list[Published]) -> None:
    fitting = world.consistent()
    if not fitting:
        with pytest.raises(InvalidTables, match="contradict"):
            checked(world, shown)
        return
    found = checked(world, shown)
    assert found.finished
    assert found.refined
    everyone = {person for people in fitting for person in people}
    before = TinyWorld(DOMAINS, (), world.population, world.persons)
    free = {person for people in before.consistent() for person in people}
    wanted = statements(DOMAINS, everyone, 2, (0, 1)) - statements(DOMAINS, free, 2, (0, 1))
    assert said(found, None) == wanted
    for n in range(len(world.persons)):
        seats = {seating[n] for people in fitting for seating in world.seatings(people)}
        earlier = {s[n] for people in before.consistent() for s in before.seatings(people)}
        wanted = statements(DOMAINS, seats, 2, ()) - statements(DOMAINS, earlier, 2, ())
        assert said(found, f"p{n}") == wanted
    for each in (*found.certain, *found.excluded):
        if each.person is None:
            counts = [people_in(each, people) for people in fitting]
            assert each.people == Interval(min(counts), max(counts))
    check_narrow(found, world, fitting)


def check_narrow(
    found: TableCheck, world: TinyWorld, fitting: list[tuple[tuple[str, ...], ...]]
) -> None:
    """Each withheld count that is listed has exactly the interval of all data sets."""
    for each in found.narrow:
        if each.table is None:
            fits = [
                sum(all(p[NAMES.index(a)] == v for a, v in each.who) for p in people)
                for people in fitting
            ]
        else:
            assert each.row is not None
            table = world.tables[int(each.table.removeprefix("table"))]
            fits = [t[each.row - 1] for people in fitting for t in tallies(people, table)]
        assert each.count == Interval(min(fits), max(fits))


def test_the_oracle_counts_each_person_once() -> None:
    """The reading of overlapping rows, by hand: one woman who failed fits both rows."""
    female, male = ("f", "fail"), ("m", "fail")
    rows = (
        TinyRow((frozenset("f"), frozenset({"fail"})), 1, 1),
        TinyRow((frozenset("fm"), frozenset({"fail"})), 1, 1),
    )
    assert countable((female, male), rows)
    assert countable((female, female), rows)
    assert not countable((female,), rows)
    assert not countable((male, male), rows)


TWO = (("0", "1"), ("0", "1"))
WITHHELD = (0, None)
COUNTS = ((0, 0), (1, 1), (2, 2), (0, 1), WITHHELD)


@pytest.mark.parametrize("overlap", [True, False])
def test_without_a_population_nothing_is_bounded_by_accident(overlap: bool) -> None:
    """All small counts of two tables, against populations large enough to show what can be."""
    grid = Grid(dict(zip("ab", TWO, strict=True)))
    second = "*" if overlap else "1"
    for one, two, three in product(COUNTS, repeat=3):
        rows = (Row(("0",), Interval(*one), 1), Row((second,), Interval(*two), 2))
        shown = [
            Published("t0", ("a",), rows),
            Published("t1", ("b",), (Row(("1",), Interval(*three), 1),)),
        ]
        any_, last = frozenset("01"), frozenset("01" if overlap else "1")
        first = (TinyRow((frozenset("0"), any_), *one), TinyRow((last, any_), *two))
        world = TinyWorld(TWO, (first, (TinyRow((any_, frozenset("1")), *three),)), (0, 6))
        facts = {table.name: TableFacts() for table in shown}
        limits = make_limits(grid, Background(), shown, facts)
        found = find_possible(grid.size, limits, [], Deadline(60))
        fitting = world.consistent()
        assert bool(found.consistent) == bool(fitting)
        everyone = {person for people in fitting for person in people}
        wanted = [person in everyone for person in product(*TWO)]
        assert found.cells.tolist() == wanted, (one, two, three)
