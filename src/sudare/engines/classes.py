"""Classes of records that agree on some columns, counted by DuckDB over codes.

The records are coded once (classes_read.py); records that agree on all columns become one row of
the table `cells` with their number. Every question is then a GROUP BY over `cells`, and only
counts leave: how many classes of which size, how a sensitive column is spread over classes, how
many records match another file. Columns of generalized codes can be added beside the plain ones,
so that a step of a generalization is a GROUP BY too.

Where a column says whose record each is, its code stands beside the others, and classes count
people: whoever has a row in a class is in it once (classes_people.py). A record without a value
there is nobody known, and all such records count as one person: they might be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import numpy as np
import pyarrow as pa
from sqlglot import exp

from sudare.engines.border import gave_up, guarded
from sudare.engines.classes_code import Coded
from sudare.engines.classes_people import PERSON, People, numbered
from sudare.engines.classes_read import read_coded
from sudare.engines.connection import connect
from sudare.engines.sql import nodes as sql
from sudare.facts.coded import (
    ClassSizes,
    CodedColumn,
    Integers,
    Matches,
    Members,
    Reals,
    Spread,
    Whole,
)
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.schema import Schema

_FRAME, _CODED, _CELLS, _MERGED, _OTHER = "frame", "coded", "cells", "merged", "other"
_COUNT = "n"


class ClassSource:
    """The coded records of one file. `people` has the code of the person of each record, and is
    None where every record is somebody else's; `units` is how many people there are."""

    def __init__(self, coded: Sequence[Coded], people: Integers | None = None) -> None:
        self.columns: dict[str, CodedColumn] = {each.column.name: each.column for each in coded}
        self.rows = len(coded[0].codes)
        self.people = people
        self._coded = {each.column.name: each for each in coded}
        self._names = {name: f"c{place}" for place, name in enumerate(self.columns)}
        self._merged: frozenset[str] | None = None
        self._connection = connect()
        arrays, names = [each.codes for each in coded], list(self._names.values())
        if people is not None:
            arrays, names = [*arrays, pa.array(people)], [*names, PERSON]
        self._load(_CODED, pa.table(arrays, names=names))
        by = [sql.column(name) for name in names]
        cells = sql.select(*by, sql.named(sql.count(), _COUNT)).from_(_CODED)
        self._create(_CELLS, cells.group_by(*(each.copy() for each in by)))
        counts = (
            np.ones(1, np.int64) if people is None else np.unique(people, return_counts=True)[1]
        )
        self.units = self.rows if people is None else len(counts)
        self._most_rows = int(counts.max())

    def merge(self, columns: Sequence[str]) -> None:
        """Count the classes by these columns once; those by some of them are counted from there."""
        who = self._people(columns)
        self._create(_MERGED, self._classes(columns, "n") if who is None else who.members())
        self._merged = frozenset(columns)

    def sizes(self, columns: Sequence[str]) -> ClassSizes:
        """How many classes of each size the records fall into by these columns."""
        who = self._people(columns)
        if who is not None:
            sizes, classes = self._arrays(who.sizes())
            smallest, people = self._arrays(who.smallest())
            units = np.zeros_like(sizes)
            units[np.searchsorted(sizes, smallest)] = people
            return ClassSizes(sizes, classes, units, self._most_rows)
        size, classes_of_size = sql.column("size"), sql.count()
        query = sql.select(size, classes_of_size).from_(self._classes(columns).subquery("g"))
        found = self._fetch(query.group_by(size.copy()).order_by(size.copy()))
        sizes, classes = (np.array(each, np.int64) for each in zip(*found, strict=True))
        return ClassSizes.of_rows(sizes, classes)

    def spread(self, columns: Sequence[str], sensitive: str) -> Spread:
        """How the values of a sensitive column are spread over the classes."""
        about = self.columns[sensitive]
        if self.people is not None:
            who = People(_CELLS, tuple(map(self._alias, columns)))
            held = self._held(who, sensitive)
            return Spread(*held[:3], about.size, about.ordered, held[3], self._members(who),
                          self._whole(sensitive))  # fmt: skip
        names = [self._column(name) for name in columns]
        value = self._column(sensitive)
        counted = sql.named(_whole(sql.total(sql.column(_COUNT))), "records")
        grouped = sql.select(*names, sql.named(value, "value"), counted).from_(_CELLS)
        grouped = grouped.group_by(*(each.copy() for each in (*names, value)))
        owner = sql.named(numbered(names), "owner")
        query = sql.select(owner, sql.column("value"), sql.column("records"))
        found = self._arrays(query.from_(grouped.subquery("g")).order_by("1", "2"))
        return Spread(found[0] - 1, found[1], found[2], about.size, about.ordered)

    def _members(self, who: People) -> Members:
        owner, person = self._arrays(who.numbered_members())
        return Members(owner - 1, person)

    def _held(self, who: People, sensitive: str) -> tuple[Integers, Integers, Integers, Reals]:
        """Class, value, the people who have it, and their weights: one over the number of values
        that a person has in the class. Added up in one order, so that runs give the same."""
        owner, code, held, people = self._arrays(who.spread(self._alias(sensitive)))
        starts = np.flatnonzero(np.diff(owner, prepend=-1) | np.diff(code, prepend=-1))
        weight = np.add.reduceat(people / held, starts)
        return owner[starts] - 1, code[starts], np.add.reduceat(people, starts), weight

    def _whole(self, sensitive: str) -> Whole:
        """The sensitive column over everybody."""
        _, code, count, weight = self._held(People(_CELLS, ()), sensitive)
        shares = np.zeros(self.columns[sensitive].size)
        shares[code] = weight / self.units
        return Whole(shares, int(count.max()) / self.units)

    def failing(
        self, columns: Sequence[str], k: int, sensitive: Sequence[str], diversity: int
    ) -> int:
        """The records in classes of fewer than k records or fewer than ℓ distinct values; of people
        those with a record in a class of fewer than k of them."""
        who = self._people(columns)
        if who is not None:
            return int(self._fetch(who.below(k))[0][0])
        names = [self._column(name) for name in columns]
        size = _whole(sql.total(sql.column(_COUNT)))
        tests = [sql.less(size, sql.integer(k))]
        for name in sensitive if diversity > 1 else ():
            distinct = exp.Count(this=exp.Distinct(expressions=[self._column(name)]))
            tests.append(sql.less(distinct, sql.integer(diversity)))
        grouped = sql.select(sql.named(size, "size")).from_(_CELLS).having(exp.or_(*tests))
        grouped = grouped.group_by(*names) if names else grouped
        total = sql.coalesce(_whole(sql.total(sql.column("size"))), sql.integer(0))
        return int(self._fetch(sql.select(total).from_(grouped.subquery("g")))[0][0])

    def small_rows(self, columns: Sequence[str], k: int, limit: int) -> list[int]:
        """The first row numbers of records in classes of fewer than k; row 1 is the first."""
        row, names = sql.column("rowid"), [self._column(name) for name in columns]
        parts = [name.copy() for name in names]
        if self.people is None:
            size: sql.Sql = exp.Window(this=sql.count(), partition_by=parts)
        else:
            who = exp.Count(this=exp.Distinct(expressions=[sql.column(PERSON)]))
            size = exp.Window(this=who, partition_by=parts)
        sized = sql.select(sql.named(row, "row"), sql.named(size, "size")).from_(_CODED)
        query = sql.select(sql.column("row")).from_(sized.subquery("g"))
        query = query.where(sql.less(sql.column("size"), sql.integer(k)))
        return [row + 1 for (row,) in self._fetch(query.order_by("row").limit(limit))]

    def generalize(self, levels: Mapping[str, tuple[str, Integers]]) -> None:
        """Add columns: a new name, the column that it generalizes, and the new code of each of
        that column's codes."""
        query = sql.select(exp.Star()).from_(_CELLS)
        for place, (name, (column, codes)) in enumerate(levels.items()):
            table, number = f"level{place}", len(self._names)
            self._names[name] = f"c{number}"
            frame = pa.table([pa.array(np.arange(len(codes)), pa.int32()), pa.array(codes)],
                             names=["code", f"c{number}"])  # fmt: skip
            self._load(table, frame)
            query = query.join(table, on=sql.equal(self._column(column), sql.column("code", table)))
        if levels:
            person = () if self.people is None else (PERSON,)
            kept = [sql.column(name) for name in (*self._names.values(), *person, _COUNT)]
            self._create(_CELLS, query.select(*kept, append=False))

    def codes(self, name: str) -> Integers:
        """A code a record, in the order of the file."""
        return np.asarray(self._coded[name].codes.to_numpy(), np.int64)

    def described(self, name: str) -> Coded:
        """What the codes of a column stand for."""
        return self._coded[name]

    def matches(self, other: ClassSource, columns: Sequence[str], few: int) -> Matches:
        """Units here by how many units of another file have the same values in some row."""
        self._load(_OTHER, other._named_classes(columns, self))
        who = self._people(columns)
        if who is not None:
            return Matches(*(int(each) for each in self._fetch(who.matches(_OTHER, few))[0]))
        mine = self._classes(columns).subquery("mine")
        on = exp.and_(*(
            sql.equal(sql.column(name, "mine"), sql.column(name, _OTHER))
            for name in map(self._alias, columns)
        ))  # fmt: skip
        there, here = sql.column("size", _OTHER), sql.column("size", "mine")
        one = sql.equal(there, sql.integer(1))
        tests = [
            exp.true(),
            sql.is_null(there),
            one,
            sql.less(there, sql.integer(few)),
            exp.and_(one.copy(), sql.equal(here, sql.integer(1))),
        ]
        sums = [
            sql.total(sql.when((test, here.copy()), otherwise=sql.integer(0))) for test in tests
        ]
        query = sql.select(*map(_whole, sums)).from_(mine).join(_OTHER, on=on, join_type="left")
        return Matches(*(int(found) for found in self._fetch(query)[0]))

    def close(self) -> None:
        """Forget the data."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _classes(self, columns: Sequence[str], total: str = "size") -> exp.Select:
        who = self._people(columns)
        if who is not None:
            return who.classes(total)
        names = [self._column(name) for name in columns]
        size = sql.named(_whole(sql.total(sql.column(_COUNT))), total)
        grouped = sql.select(*names, size).from_(self._source(columns))
        return grouped.group_by(*(name.copy() for name in names)) if names else grouped

    def _source(self, columns: Sequence[str]) -> str:
        is_merged = self._merged is not None and self._merged.issuperset(columns)
        return _MERGED if is_merged else _CELLS

    def _people(self, columns: Sequence[str]) -> People | None:
        """Who counts people in classes by these columns; None where records are counted."""
        if self.people is None:
            return None
        return People(self._source(columns), tuple(map(self._alias, columns)))

    def _named_classes(self, columns: Sequence[str], target: ClassSource) -> pa.Table:
        """The classes here under the codes and names of another file; a value that it does not
        have matches nothing, so its classes are left out."""
        found = self._table(self._classes(columns))
        arrays, keep = [], np.ones(found.num_rows, bool)
        for name in columns:
            codes = _translated(self._coded[name], target._coded[name])
            arrays.append(codes[found.column(self._alias(name)).to_numpy()])
            keep &= arrays[-1] >= 0
        names = [*map(target._alias, columns), "size"]
        sizes = found.column("size").to_numpy()
        return pa.table([array[keep] for array in (*arrays, sizes)], names=names)

    def _alias(self, name: str) -> str:
        return self._names[name]

    def _column(self, name: str) -> exp.Column:
        return sql.column(self._alias(name))

    def _load(self, name: str, frame: pa.Table) -> None:
        guarded(lambda: self._connection.register(_FRAME, frame), gave_up())
        self._create(name, sql.select(exp.Star()).from_(_FRAME))
        guarded(lambda: self._connection.unregister(_FRAME), gave_up())

    def _create(self, name: str, query: exp.Expr) -> None:
        made = exp.Create(kind="TABLE", replace=True, this=exp.to_table(name), expression=query)
        self._fetch(made)

    def _fetch(self, query: exp.Expr) -> list[tuple[Any, ...]]:
        text = query.sql("duckdb")
        return guarded(lambda: self._connection.execute(text).fetchall(), gave_up())

    def _table(self, query: exp.Expr) -> pa.Table:
        text = query.sql("duckdb")
        found: pa.Table = guarded(lambda: self._connection.sql(text).to_arrow_table(), gave_up())
        return found

    def _arrays(self, query: exp.Expr) -> list[Integers]:
        return [np.asarray(column.to_numpy(), np.int64) for column in self._table(query).columns]


def open_classes(
    data: object,
    columns: Sequence[str],
    schema: Schema | None,
    choice: EngineChoice = AUTO,
    people: str | Integers | None = None,
) -> ClassSource:
    """Code the named columns of a file, a dataframe or a table elsewhere. `people` names the column
    that says whose record each is, or has the person of each record as a code."""
    if not isinstance(people, str):
        return ClassSource(read_coded(data, columns, schema, choice), people)
    coded = read_coded(data, columns, schema, choice, people)
    whose = coded.pop() if people not in columns else coded[list(columns).index(people)]
    return ClassSource(coded, np.asarray(whose.codes.to_numpy(), np.int64))


def _whole(value: sql.Sql) -> sql.Sql:
    """DuckDB adds into 128 bits, which Arrow does not have; no file has 2^63 records."""
    return sql.cast(value, "BIGINT")


def _translated(source: Coded, target: Coded) -> Integers:
    """The target's code of each of the source's codes, -1 where it has none."""
    places = {value: place for place, value in enumerate(target.values.to_pylist())}
    codes = [places.get(value, -1) for value in source.values.to_pylist()]
    if source.column.has_missing:
        # Missing matches missing, as it does inside one file.
        codes.append(len(target.values) if target.column.has_missing else -1)
    return np.array(codes, np.int64)
