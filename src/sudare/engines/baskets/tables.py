"""Baskets in tables: rows of users and items, or rows with lists of items."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sudare.engines.baskets.forms import ARROW_ENDINGS, Form, Read
from sudare.engines.baskets.gather import gathered
from sudare.engines.baskets.named import Named, named
from sudare.engines.border import guarded
from sudare.engines.choose import engine_of
from sudare.engines.inputs.find import Input, find_input
from sudare.engines.inputs.frame_input import open_frame
from sudare.engines.inputs.tame import damaged
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
    table = source.table([source.names.index(name) for name in found])
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
    return _long(users, items, ask)


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
                f"The file {path.name} is not a whole Arrow file.", "Write or copy it anew."
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


def read_pair(
    data: object, names: Sequence[Sequence[str]], what: str, encoding: str | None
) -> list[Named]:
    """Two columns of a file that goes with the baskets. Each may be called by several names."""
    if engine_of(data, AUTO) != "duckdb":
        return [named(each) for each in _elsewhere(data, [each[0] for each in names], AUTO)]
    source = open_table(data, encoding)
    found = [next((name for name in each if name in source.names), None) for each in names]
    if None in found:
        wanted = " and ".join(f"'{each[0]}'" for each in names)
        raise InvalidFile(
            f"The file of {what} has no columns {wanted}.",
            "Name them in its first line; capitals and blanks count.",
        )
    table = source.table([source.names.index(str(name)) for name in found])
    return [named(column) for column in table.columns]


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
    who = named(users)
    _check_users(who)
    baskets, duplicates = gathered(
        who.codes.astype(np.int64), named(items), len(who.names), who.names
    )
    return Read(baskets, "long", duplicates, ask.user, ask.item)


def _lists(users: pa.ChunkedArray | None, lists: pa.ChunkedArray, ask: Ask) -> Read:
    guarded(lambda: lists.validate(full=True), damaged())
    names: tuple[str, ...] | None = None
    if users is not None:
        who = named(users)
        _check_users(who)
        _check_once(who)
        names = who.names
    if len(lists) == 0:
        raise _no_rows()
    items = pa.chunked_array(map(pc.list_flatten, lists.chunks), lists.type.value_type)
    baskets, duplicates = gathered(_owners(lists), named(items), len(lists), names)
    return Read(baskets, "lists", duplicates, ask.user, ask.item)


def _owners(lists: pa.ChunkedArray) -> NDArray[np.int64]:
    """The row of every item of every list; a missing list has none."""
    lengths = np.asarray(pc.list_value_length(lists).fill_null(0))
    return np.repeat(np.arange(len(lists)), lengths)


def _no_rows() -> InvalidFile:
    return InvalidFile("The data has no rows.", "Check that this is the right file.")


def _check_users(who: Named) -> None:
    if len(who.codes) == 0:
        raise _no_rows()
    if (missing := np.flatnonzero(who.codes < 0)).size:
        raise InvalidFile(
            f"Row {missing[0] + 1} of the data names no user.", "Every item belongs to somebody."
        )


def _check_once(who: Named) -> None:
    """Codes run in the order of first occurrence, so the first that is not its row is a repeat."""
    again = np.flatnonzero(who.codes != np.arange(len(who.codes)))
    if again.size:
        raise InvalidFile(
            f"Row {again[0] + 1} of the data names a user who has a basket already.",
            "Put all items of a user in one row, or one item a row.",
        )
