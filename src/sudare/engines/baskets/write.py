"""Write baskets in the form in which they were read, or in the one that the path's ending names.

Claim    reading the file in `written_form` gives the same records, items and users again: one line
         or row a record, also where nothing is left of it. A name that the form cannot hold is
         refused before anything is written. Nothing is written but the records given: no comments,
         no names of items that no record has.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv
from pyarrow import parquet

from sudare.engines.baskets.forms import ARROW_ENDINGS, LINE_ENDINGS, LINES, Form, Read, ending_of
from sudare.engines.baskets.spmf import MARKS, numbered
from sudare.facts.baskets import Baskets
from sudare.facts.errors import UsageError

_BINARY_ENDINGS = (".parquet", *ARROW_ENDINGS)
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_SEPARATORS = {"blank": " ", "comma": ",", "spmf": " "}
_MARK = "\ufeff"
_PART = 2**20


def written_form(path: Path, read: Read) -> Form:
    """The form in which these baskets go to this path."""
    ending, has_users = ending_of(path), read.baskets.users is not None
    is_packed = path.suffix.lower() == ".gz"
    if ending == ".spmf":
        return "spmf"
    if ending in LINE_ENDINGS:
        return read.form if read.form in LINES else "blank"
    if ending in _BINARY_ENDINGS and not is_packed:
        return "long" if read.form == "long" else "lists"
    if ending in _DELIMITERS and has_users:
        return "long"
    if ending == ".csv":
        return "comma"
    raise UsageError(
        f"Baskets cannot be written to {path.name}.",
        "Name a file.dat, .txt, .basket, .spmf or .csv (.gz if you like), or a .parquet or .arrow.",
        place=path.name,
    )


def check_output(path: Path, read: Read, names: Sequence[str]) -> None:
    """Refuse a path, or names that its form cannot hold, before any work is done for it."""
    form, is_text = written_form(path, read), ending_of(path) not in _BINARY_ENDINGS
    if not path.absolute().parent.is_dir():
        raise UsageError(
            f"There is no folder for {path.name}.", "Make the folder first.", place=path.name
        )
    signs = {"blank": " \t\r\n\0", "spmf": "\r\n\0"}.get(form, "\0" if is_text else "")
    users = (read.baskets.users or ()) if form == "long" and is_text else ()
    if _have(names, signs) or _have(users, "\0"):
        raise UsageError(
            f"A name has a sign in it that {path.name} cannot hold.",
            "Blanks and line ends need a file.csv, where names are quoted; NUL a file.parquet.",
            place=path.name,
        )


def _have(names: Sequence[str], signs: str) -> bool:
    return any(sign in name for sign in signs for name in names)


def write_baskets(path: Path, read: Read, released: Baskets) -> None:
    """Write `released`, whose names may differ from those that were read."""
    check_output(path, read, released.names)
    form = written_form(path, read)
    if form in LINES:
        _write_text(path, _lines(form, read, released))
        return
    table = (_long if form == "long" else _lists)(read, released)
    ending = ending_of(path)
    if ending == ".parquet":
        parquet.write_table(table, path)
    elif ending in ARROW_ENDINGS:
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    else:
        _write_text(path, _csv(table, _DELIMITERS[ending]))


def _write_text(path: Path, parts: Iterator[bytes]) -> None:
    with path.open("wb") as file:
        if path.suffix.lower() != ".gz":
            file.writelines(parts)
            return
        # Neither the file's name nor the time goes into it: the same baskets give the same bytes.
        with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
            for part in parts:
                packed.write(part)


def _lines(form: Form, read: Read, released: Baskets) -> Iterator[bytes]:
    words = list(released.names)
    if form == "comma":
        words = [_quoted(name) for name in words]
    if form == "spmf":
        present = np.unique(released.items).tolist()
        numbers = numbered([words[code] for code in present], read.numbers)
        yield from _item_lines([words[code] for code in present], numbers)
        for code, number in zip(present, numbers, strict=True):
            words[code] = number
    if any(word.startswith(_MARK) for word in words):
        # At the beginning of the file it would be taken for a byte order mark and lost.
        yield _MARK.encode()
    texts = pa.array(words, pa.string())
    for first, last in _parts(released):
        starts = released.starts[first : last + 1]
        items = texts.take(pa.array(released.items[starts[0] : starts[-1]]))
        offsets = pa.array((starts - starts[0]).astype(np.int32))
        joined = pc.binary_join(pa.ListArray.from_arrays(offsets, items), _SEPARATORS[form])
        yield ("\n".join(joined.to_pylist()) + "\n").encode()


def _parts(released: Baskets) -> Iterator[tuple[int, int]]:
    """Runs of records with about a million items and records each."""
    size = released.starts + np.arange(released.records + 1)
    cuts = np.searchsorted(size, np.arange(0, size[-1], _PART)).tolist()
    edges = sorted({*cuts, 0, released.records})
    yield from pairwise(edges)


def _quoted(name: str) -> str:
    if not any(sign in name for sign in ',"\r\n'):
        return name
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _item_lines(names: Sequence[str], numbers: Sequence[str]) -> Iterator[bytes]:
    if list(names) != list(numbers):
        yield f"{MARKS[0]}\n".encode()
        for name, number in zip(names, numbers, strict=True):
            yield f"{MARKS[1]}{number}={name}\n".encode()


def _long(read: Read, released: Baskets) -> pa.Table:
    """One row a user and item; a user with nothing left keeps a row without an item."""
    lengths = released.lengths
    rows = np.maximum(lengths, 1)
    owner = np.repeat(np.arange(released.records), rows)
    codes = np.zeros(len(owner), np.int32)
    empty = np.repeat(lengths == 0, rows)
    codes[~empty] = released.items
    users = pa.array(released.users, pa.string()).take(pa.array(owner))
    items = pa.array(released.names, pa.string()).take(pa.array(codes, mask=empty))
    return pa.table([users, items], names=[read.user, read.item])


def _lists(read: Read, released: Baskets) -> pa.Table:
    texts = pa.array(released.names, pa.string()).take(pa.array(released.items))
    starts = pa.array(released.starts)
    lists = pa.LargeListArray.from_arrays(starts, texts.cast(pa.large_string()))
    columns = {} if released.users is None else {read.user: pa.array(released.users, pa.string())}
    return pa.table({**columns, read.item: lists})


def _csv(table: pa.Table, delimiter: str) -> Iterator[bytes]:
    """UTF-8 with a byte order mark, so that Excel in Japan reads it."""
    yield _MARK.encode()
    options = arrow_csv.WriteOptions(delimiter=delimiter, quoting_style="needed")
    for start in range(0, table.num_rows, _PART):
        sink = pa.BufferOutputStream()
        options.include_header = start == 0
        arrow_csv.write_csv(table.slice(start, _PART), sink, options)
        yield sink.getvalue().to_pybytes()
