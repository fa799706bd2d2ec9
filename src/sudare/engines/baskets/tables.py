"""Baskets in tables: rows of users and items, or rows with lists of items."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sudare.engines.baskets.forms import ARROW_ENDINGS, Form, Read
from sudare.engines.baskets.gather import gathered
from sudare.engines.baskets.named import Named, named
from sudare.engines.border import damaged, guarded
from sudare.engines.choose import engine_of
from sudare.engines.inputs.csv_input import CsvInput, Reading
from sudare.engines.inputs.find import Input, find_input
from sudare.engines.inputs.frame_input import open_frame
from sudare.engines.open import open_source
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidFile, UsageError
from sudare.facts.schema import Column, Schema, Table


class Ask(NamedTuple):
    """Where users and items stand, and how the file is to be read."""

    user: str
    item: str
    encoding: str | None = None
    choice: EngineChoice = AUTO


def table_baskets(data: object, form: Form | None, ask: Ask) -> Read:
    """Both forms of table; a column of lists tells them apart where none is asked for."""
    if ask.user == ask.item:
        raise UsageError("Users and items are in one column.", "Name two columns.")
    if engine_of(data, ask.choice) != "duckdb":
        return _long(*_elsewhere(data, (ask.user, ask.item), ask.choice), ask)
    source = open_table(data, ask.encoding)
    found = [name for name in (ask.user, ask.item) if name in source.names]
    if ask.item not in found:
        raise _no_columns(ask)
    places = [source.names.index(name) for name in found]
    table, undecodable = _columns(source, places)
    items, users = table.column(ask.item), table.column(ask.user) if len(found) > 1 else None
    if form in (None, "lists") and is_list(items.type):
        return _lists(users, items, ask)
    if form == "lists" or is_list(items.type):
        raise InvalidFile(
            f"Column '{ask.item}' does not hold what the form needs.",
            "The form lists needs lists of items in it, the form long one item a row.",
        )
    if users is None:
        raise _no_columns(ask)
    return replace(_long(users, items, ask), undecodable=undecodable)


def _columns(source: Input, places: Sequence[int]) -> tuple[pa.Table, int]:
    """Columns, and how many of their cells do not decode."""
    if not isinstance(source, CsvInput):
        return source.table(places), 0
    reading = source.read(places)
    return reading.table, sum(map(len, reading.broken.values()))


def _no_columns(ask: Ask) -> InvalidFile:
    return InvalidFile(
        f"The data has no columns '{ask.user}' and '{ask.item}'.",
        "Name its columns with --user and --item; if every line is a basket, add --format comma "
        "(in Python user=, item= and form=).",
    )


def open_table(data: object, encoding: str | None) -> Input:
    """A file or a dataframe as far as its column names; also Arrow's own files."""
    if isinstance(data, (str, os.PathLike)):
        path = Path(os.fsdecode(os.fspath(data)))
        if path.suffix.lower() in ARROW_ENDINGS and path.is_file():
            broken = InvalidFile(
                f"The file {path.name} is not a whole Arrow file.",
                "Write or copy it anew.",
                place=path.name,
            )
            return open_frame(guarded(lambda: _arrow_file(path), broken))
    return find_input(data, encoding)


def _arrow_file(path: Path) -> pa.Table:
    """Arrow writes files with a footer (also called Feather) and streams without one."""
    with pa.OSFile(str(path), "rb") as file:
        try:
            return pa.ipc.open_file(file).read_all()
        except pa.ArrowInvalid:
            file.seek(0)
        return pa.ipc.open_stream(file).read_all()


class Pair(NamedTuple):
    """Two columns, and in how many rows each does not decode; such rows are in neither."""

    first: Named
    second: Named
    undecodable: tuple[int, int] = (0, 0)


def read_pair(
    data: object, names: Sequence[Sequence[str]], what: str, encoding: str | None
) -> Pair:
    """Two columns of a file that goes with the baskets. Each may be called by several names."""
    if engine_of(data, AUTO) != "duckdb":
        first, second = _elsewhere(data, [each[0] for each in names], AUTO)
        return Pair(named(first), named(second))
    source = open_table(data, encoding)
    found = [next((name for name in each if name in source.names), None) for each in names]
    if None in found:
        wanted = " and ".join(f"'{each[0]}'" for each in names)
        raise InvalidFile(
            f"The file of {what} has no columns {wanted}.",
            "Name them in its first line; capitals and blanks count.",
        )
    places = [source.names.index(str(name)) for name in found]
    if isinstance(source, CsvInput):
        return _decoded(source.read(places), places)
    first, second = source.table(places).columns
    return Pair(named(first), named(second))


def check_decoded(pair: Pair, what: str) -> None:
    """Refuse a file beside the data with names that do not decode: it is to be mended, not read
    around."""
    if any(pair.undecodable):
        raise InvalidFile(
            f"The file of {what} has names that do not decode.",
            "Save it as UTF-8, or name its encoding (--encoding).",
        )


def _decoded(reading: Reading, places: Sequence[int]) -> Pair:
    there = np.ones(reading.table.num_rows, np.bool_)
    for place in places:
        there[reading.broken[place] - 1] = False
    first, second = reading.table.filter(pa.array(there)).columns
    undecodable = len(reading.broken[places[0]]), len(reading.broken[places[1]])
    return Pair(named(first), named(second), undecodable)


def is_list(kind: pa.DataType) -> bool:
    tests = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    return any(test(kind) for test in tests)


def _elsewhere(
    data: object, names: Sequence[str], choice: EngineChoice
) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """The columns of a table in PostgreSQL or Spark, in the order in which its rows come."""
    columns = dict.fromkeys(names, Column(type="key"))
    schema = Schema(table=Table(name="?"), columns=columns)
    # All rows are kept, so the key that would choose among them has no part in the result.
    with open_source(data, schema, names, choice) as source:
        batches = list(source.batches(list(names), bytes(32)))
    kinds = pa.schema([(name, pa.string()) for name in names])
    table = pa.Table.from_batches(batches) if batches else kinds.empty_table()
    return table.column(0), table.column(1)


def _long(users: pa.ChunkedArray, items: pa.ChunkedArray, ask: Ask) -> Read:
    who, what = named(users), named(items)
    there = who.codes >= 0
    _check_rows(there)
    baskets, duplicates = gathered(
        who.codes[there].astype(np.int64),
        Named(what.codes[there], what.names),
        len(who.names),
        who.names,
    )
    unnamed = int(np.sum(~there))
    return Read(baskets, "long", duplicates, ask.user, ask.item, unnamed=unnamed)


def _lists(users: pa.ChunkedArray | None, lists: pa.ChunkedArray, ask: Ask) -> Read:
    guarded(lambda: lists.validate(full=True), damaged())
    names: tuple[str, ...] | None = None
    there = np.ones(len(lists), np.bool_)
    if users is not None:
        who = named(users)
        names, there = who.names, who.codes >= 0
        _check_once(who.codes[there])
    _check_rows(there)
    kept = lists.filter(pa.array(there))
    items = pa.chunked_array(map(pc.list_flatten, kept.chunks), kept.type.value_type)
    baskets, duplicates = gathered(_owners(kept), named(items), len(kept), names)
    unnamed = int(np.sum(~there))
    return Read(baskets, "lists", duplicates, ask.user, ask.item, unnamed=unnamed)


def _owners(lists: pa.ChunkedArray) -> NDArray[np.int64]:
    """The row of every item of every list; a missing list has none."""
    lengths = np.asarray(pc.list_value_length(lists).fill_null(0))
    return np.repeat(np.arange(len(lists)), lengths)


def _check_rows(there: NDArray[np.bool_]) -> None:
    if len(there) == 0:
        raise InvalidFile("The data has no rows.", "Check that this is the right file.")
    if not there.any():
        raise InvalidFile("No row of the data names a user.", "Every item belongs to somebody.")


def _check_once(codes: NDArray[np.int32]) -> None:
    """Codes run in the order of first occurrence, so one that is not its row's is a repeat."""
    if np.any(codes != np.arange(len(codes))):
        raise InvalidFile(
            "A row of the data names a user who has a basket already.",
            "Put all items of a user in one row, or one item a row.",
        )
