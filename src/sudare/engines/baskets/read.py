"""Read baskets from whatever form they are in.

Claim    the order of records, and of items within one, is that of the data; of an item named twice
         in a record the first stays; no error carries the name of an item, a user or a category.
Needs    memory for the whole data, several times over while it is taken apart.
"""

from __future__ import annotations

import os
from pathlib import Path

from sudare.engines.baskets.encodings import check_encoding
from sudare.engines.baskets.forms import LINE_ENDINGS, LINES, Form, Read, ending_of, form_named
from sudare.engines.baskets.lines import blank_baskets, comma_baskets
from sudare.engines.baskets.spmf import spmf_baskets
from sudare.engines.baskets.tables import Ask, table_baskets
from sudare.engines.choose import engine_of
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidFile, UsageError


def read_baskets(
    data: object,
    *,
    form: str = "auto",
    user: str = "user",
    item: str = "item",
    encoding: str | None = None,
    choice: EngineChoice = AUTO,
) -> Read:
    """The baskets of a file, a dataframe or a table in PostgreSQL or Spark; see docs/baskets.md."""
    wanted = form_named(form)
    check_encoding(encoding)
    engine = engine_of(data, choice)
    is_here = wanted not in (None, "long") or (engine == "spark" and _has_lines(data))
    if engine != "duckdb" and is_here:
        raise UsageError(
            "Baskets in this form are read here, not by another engine.",
            "Leave the engine out, or give it a table of users and items (.csv, .parquet).",
        )
    path = _line_file(data, wanted, choice)
    if path is None:
        return table_baskets(data, wanted, Ask(user, item, encoding, choice))
    return _from_lines(path, wanted or _form_of(path), encoding)


def _has_lines(data: object) -> bool:
    """Whether the ending says that a file holds a basket a line."""
    if not isinstance(data, (str, os.PathLike)):
        return False
    return ending_of(Path(os.fsdecode(os.fspath(data)))) in LINE_ENDINGS


def _line_file(data: object, form: Form | None, choice: EngineChoice) -> Path | None:
    """The path of a file that holds a basket a line; None for everything else."""
    if not isinstance(data, (str, os.PathLike)) or engine_of(data, choice) != "duckdb":
        if form in LINES:
            raise UsageError("Only a file holds a basket a line.", "Name a file.")
        return None
    path = Path(os.fsdecode(os.fspath(data)))
    if form not in LINES and (form is not None or ending_of(path) not in LINE_ENDINGS):
        return None
    if not path.is_file():
        raise InvalidFile(f"There is no file {path}.", "Check the path.", place=path)
    return path


def _from_lines(path: Path, form: Form, encoding: str | None) -> Read:
    if form == "spmf":
        return spmf_baskets(path, encoding)
    return (blank_baskets if form == "blank" else comma_baskets)(path, encoding)


def _form_of(path: Path) -> Form:
    """What the ending says, and nothing that stands in the file: a line is somebody's basket, and
    one of them must not decide how all the others are read."""
    return "spmf" if ending_of(path) == ".spmf" else "blank"
