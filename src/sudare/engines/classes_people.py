"""Classes of people, as queries over coded records: who has a row in a class is in it, once.

Claim    every answer is over distinct (class, person): several rows of a person in one class are
         one member, and a person whose rows differ is a member of several classes. What counts
         people over classes counts each of them once.
Symbols  members -> the distinct (class, person); size -> the members of a class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sudare.engines.sql import nodes as sql

# The column of the person's code beside the columns of a file, which are called c0, c1, …
PERSON = "person"


@dataclass(frozen=True)
class People:
    """The queries over classes by some columns of a table of cells."""

    table: str
    columns: tuple[str, ...]

    def members(self) -> exp.Select:
        """Every (class, person) once."""
        return sql.select(*self._names(), sql.column(PERSON)).from_(self.table).distinct()

    def numbered_members(self) -> exp.Select:
        """The same with the number of the class, from 1, in the order of the columns."""
        owner = sql.named(numbered(self._names()), "owner")
        found = sql.select(owner, sql.column(PERSON)).from_(self.members().subquery("m"))
        return found.order_by("1", "2")

    def classes(self, total: str) -> exp.Select:
        """Every class with its size."""
        found = sql.select(*self._names(), sql.named(sql.count(), total))
        found = found.from_(self.members().subquery("m"))
        return found.group_by(*self._names()) if self.columns else found

    def sizes(self) -> exp.Select:
        """How many classes there are of each size, ascending."""
        size = sql.column("size")
        found = sql.select(size, sql.count()).from_(self.classes("size").subquery("g"))
        return found.group_by(size.copy()).order_by("1")

    def smallest(self) -> exp.Select:
        """How many people have their smallest class at each size, ascending."""
        least = sql.named(exp.Min(this=sql.column("size")), "least")
        each = sql.select(least).from_(self._sized().subquery("s")).group_by(sql.column(PERSON))
        size = sql.column("least")
        found = sql.select(size, sql.count()).from_(each.subquery("p"))
        return found.group_by(size.copy()).order_by("1")

    def below(self, k: int) -> exp.Select:
        """How many people have a row in a class of fewer than k."""
        people = exp.Count(this=exp.Distinct(expressions=[sql.column(PERSON)]))
        found = sql.select(people).from_(self._sized().subquery("s"))
        return found.where(sql.less(sql.column("size"), sql.integer(k)))

    def spread(self, value: str) -> exp.Select:
        """For every class and value: the class's number, the value, a number of values, and how
        many people who have the value in the class have so many values there."""
        names, person, shown = self._names(), sql.column(PERSON), sql.column(value)
        once = sql.select(*names, sql.named(shown, "value"), person).from_(self.table).distinct()
        values = exp.Window(this=sql.count(), partition_by=[*self._names(), person.copy()])
        each = sql.select(*self._names(), sql.column("value"), sql.named(values, "held"))
        by = ("value", "held")
        counted = sql.select(*self._names(), *map(sql.column, by), sql.named(sql.count(), "people"))
        counted = counted.from_(each.from_(once.subquery("o")).subquery("w"))
        counted = counted.group_by(*self._names(), *map(sql.column, by))
        owner = sql.named(numbered(self._names()), "owner")
        found = sql.select(owner, *map(sql.column, (*by, "people")))
        return found.from_(counted.subquery("g")).order_by("1", "2", "3")

    def matches(self, other: str, few: int) -> exp.Select:
        """All people; and those of whom no row, some row exactly one, fewer than `few`, or one to
        one has matches in the classes of another file."""
        there, here = sql.column("size", other), sql.column("size", "mine")
        on = exp.and_(
            *(sql.equal(sql.column(name, "mine"), sql.column(name, other)) for name in self.columns)
        )
        one = sql.equal(there, sql.integer(1))
        alone = exp.and_(one.copy(), sql.equal(here, sql.integer(1)))
        tests = [one, sql.less(there, sql.integer(few)), alone]
        flags = [
            sql.named(
                exp.Max(this=sql.when((test, sql.integer(1)), otherwise=sql.integer(0))), name
            )
            for test, name in zip(tests, ("one", "few", "both"), strict=True)
        ]
        some = sql.named(exp.Count(this=there.copy()), "some")
        each = sql.select(some, *flags).from_(self._sized().subquery("mine"))
        each = each.join(other, on=on, join_type="left").group_by(sql.column(PERSON, "mine"))
        none = sql.when((sql.equal(sql.column("some"), sql.integer(0)), sql.integer(1)))
        shown: list[sql.Sql] = [exp.Count(this=none)]
        shown += [sql.total(sql.column(name)) for name in ("one", "few", "both")]
        return sql.select(sql.count(), *shown).from_(each.subquery("p"))

    def _sized(self) -> exp.Select:
        """Every (class, person) with the size of the class."""
        size = exp.Window(this=sql.count(), partition_by=self._names())
        shown = [*self._names(), sql.column(PERSON), sql.named(size, "size")]
        return sql.select(*shown).from_(self.members().subquery("m"))

    def _names(self) -> list[sql.Sql]:
        return [sql.column(name) for name in self.columns]


def numbered(names: Sequence[sql.Sql]) -> sql.Sql:
    """The number of a class in the order of its columns, from 1; without columns there is one."""
    if not names:
        return sql.integer(1)
    order = exp.Order(expressions=[exp.Ordered(this=name.copy()) for name in names])
    return exp.Window(this=exp.Anonymous(this="DENSE_RANK"), order=order)
