"""What the tests of baskets share: files, and baskets as plain lists of names."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sudare.engines.baskets.read import read_baskets
from sudare.facts.baskets import Baskets
from sudare.facts.errors import SudareError


def write(path: Path, content: str | bytes, encoding: str = "utf-8") -> Path:
    """A file, packed if its name says so."""
    data = content.encode(encoding) if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def plain(baskets: Baskets) -> list[list[str]]:
    """Every record's items by name, once the layout is as it must be."""
    assert baskets.starts.dtype == np.int64
    assert baskets.items.dtype == np.int32
    assert baskets.starts[0] == 0
    assert baskets.starts[-1] == len(baskets.items)
    assert len(set(baskets.names)) == len(baskets.names)
    names = [baskets.names[code] for code in baskets.items]
    return [
        names[first:last]
        for first, last in zip(baskets.starts[:-1], baskets.starts[1:], strict=True)
    ]


def read(path: Path, content: str | bytes, form: str = "auto") -> list[list[str]]:
    return plain(read_baskets(write(path, content), form=form).baskets)


def made(records: Sequence[Sequence[str]], users: Sequence[str] | None = None) -> Baskets:
    """Baskets of given records."""
    names = tuple(dict.fromkeys(item for record in records for item in record))
    codes = {name: code for code, name in enumerate(names)}
    starts = np.cumsum([0, *(len(record) for record in records)]).astype(np.int64)
    items = np.array([codes[item] for record in records for item in record], np.int32)
    return Baskets(starts, items, names, users)


def assert_silent(error: SudareError, canary: str) -> None:
    """Neither the message nor what led to it carries the canary."""
    seen = (error, error.__cause__, error.__context__, error.what, error.hint)
    assert not [each for each in seen if canary in repr(each)]
