"""Tiny populations, all of their data sets written out: what the solver must agree with.

A data set is a tuple of people, each a tuple of value numbers. Nothing here is shared with the
code under test: rows are matched person by person, and each way to count a person is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations, product

Person = tuple[str, ...]
DataSet = tuple[Person, ...]


@dataclass(frozen=True)
class TinyRow:
    """For each attribute the values it allows; how many people, from and to."""

    allowed: tuple[frozenset[str], ...]
    low: int
    high: int | None

    def fits(self, person: Person) -> bool:
        return all(value in values for value, values in zip(person, self.allowed, strict=True))


@dataclass(frozen=True)
class TinyWorld:
    """Domains, tables (lists of rows), how many people there are, and who is known to be there."""

    domains: tuple[tuple[str, ...], ...]
    tables: tuple[tuple[TinyRow, ...], ...]
    population: tuple[int, int]
    persons: tuple[tuple[frozenset[str], ...], ...] = ()

    def everything(self) -> Iterator[DataSet]:
        people = list(product(*self.domains))
        for size in range(self.population[0], self.population[1] + 1):
            yield from combinations_with_replacement(people, size)

    def consistent(self) -> list[DataSet]:
        return [
            each
            for each in self.everything()
            if all(countable(each, table) for table in self.tables)
            and next(self.seatings(each), None) is not None
        ]

    def seatings(self, people: DataSet) -> Iterator[tuple[Person, ...]]:
        """Every way to say which of the people the named persons are."""
        for seats in permutations(people, len(self.persons)):
            if all(
                TinyRow(who, 0, None).fits(p) for who, p in zip(self.persons, seats, strict=True)
            ):
                yield seats


def countable(people: DataSet, table: tuple[TinyRow, ...]) -> bool:
    """Whether the rows' counts come out if each person is counted in one row that she fits."""
    return next(tallies(people, table), None) is not None


def tallies(people: DataSet, table: tuple[TinyRow, ...]) -> Iterator[list[int]]:
    """The counts of the rows, for each way to count everybody that fits the intervals."""
    choices = [[n for n, row in enumerate(table) if row.fits(person)] for person in people]
    for chosen in product(*(choice for choice in choices if choice)):
        tally = [chosen.count(n) for n in range(len(table))]
        if all(
            row.low <= count and (row.high is None or count <= row.high)
            for row, count in zip(table, tally, strict=True)
        ):
            yield tally


Who = tuple[tuple[int, str], ...]
Statement = tuple[Who, int, str, bool]


def statements(
    domains: tuple[tuple[str, ...], ...], people: set[Person], target: int, known: tuple[int, ...]
) -> set[Statement]:
    """All shortest statements (who, attribute, value, excluded) true of every possible person."""
    left: dict[Who, set[str]] = {}
    for length in range(len(known) + 1):
        for axes in combinations(known, length):
            for values in product(*(domains[a] for a in axes)):
                who = tuple(zip(axes, values, strict=True))
                left[who] = {p[target] for p in people if all(p[a] == v for a, v in who)}
    found: set[Statement] = set()
    for who, values in left.items():
        shorter = [left[s] for n in range(len(who)) for s in combinations(who, n)]
        if len(values) == 1 and not any(len(each) == 1 for each in shorter):
            found.add((who, target, next(iter(values)), False))
        if len(values) > 1:
            for value in set(domains[target]) - values:
                if not any(value not in each for each in shorter):
                    found.add((who, target, value, True))
    return found
