"""The SQLite file of a ledger: how it is marked, opened and made.

A ledger appears under its name complete, with its first entry in it, or not at all. So an empty
or half-made file is never one of ours, and opening one may refuse it without a second thought.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import cast

import apsw

from sudare.facts.errors import InvalidLedger
from sudare.ledger.marks import marks_of
from sudare.ledger.store import Row
from sudare.ledger.unfinished import draft_of, forget, sweep

APPLICATION_ID = 0x53754461  # "SuDa"
VERSION = 2
BUSY_MILLISECONDS = 60_000
_ENTRY = (
    "CREATE TABLE entry (seq INTEGER PRIMARY KEY, payload BLOB NOT NULL, hash BLOB NOT NULL, "
    "release BLOB{more}) STRICT"
)
_MORE = ("keyed BLOB", "charge INTEGER", "checkpoint BLOB")
_INDEXES = (
    "CREATE INDEX entry_keyed ON entry (keyed) WHERE keyed IS NOT NULL",
    "CREATE INDEX entry_charge ON entry (charge) WHERE charge IS NOT NULL",
    "CREATE INDEX entry_hash ON entry (hash)",
)
# What SQLite says of its tables, and must say, in each format: 1 has no way to find a row again
# but by its number.
TABLES = {
    1: (_ENTRY.format(more=""),),
    2: (_ENTRY.format(more="".join(f", {each}" for each in _MORE)), *_INDEXES),
}


def place(path: str | Path) -> Path:
    """The file itself, not a link to it: SQLite names its log after the file."""
    try:
        return Path(path).resolve()
    except (OSError, ValueError, RuntimeError):
        raise InvalidLedger(
            "The ledger's path leads nowhere.", "Check --ledger for loops of links and odd signs."
        ) from None


def connect(path: Path) -> apsw.Connection:
    """A connection that syncs at every commit; nothing in the file is touched."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    db.set_busy_timeout(BUSY_MILLISECONDS)
    db.pragma("synchronous", "full")
    # Only macOS reads these two: there, fsync alone leaves data in the drive's own cache.
    db.pragma("fullfsync", True)
    db.pragma("checkpoint_fullfsync", True)
    db.pragma("trusted_schema", False)
    db.pragma("cell_size_check", True)
    return db


def create(path: Path, first: Row) -> None:
    """Make the ledger, unless there is one already."""
    draft = draft_of(path)
    sweep(path)
    try:
        if _wanting(path):
            _build(draft, first)
            _publish(draft, path)
    except (OSError, apsw.Error) as error:
        raise InvalidLedger(
            f"The ledger {path} cannot be created ({type(error).__name__}).",
            "Check that its folder exists on a local disk and may be written.",
            place=path,
        ) from None
    finally:
        forget(draft)


def upgrade(db: apsw.Connection) -> None:
    """Make format 2 out of format 1; only inside a transaction."""
    for column in _MORE:
        db.execute(f"ALTER TABLE entry ADD COLUMN {column}")
    found = db.execute("SELECT seq, payload FROM entry").fetchall()
    rows = cast("list[tuple[int, bytes]]", found)
    for seq, payload in rows:
        marks = marks_of(payload)
        if marks.charge is not None:
            mark = "UPDATE entry SET keyed = ?, charge = ? WHERE seq = ?"
            db.execute(mark, (marks.keyed, marks.charge, seq))
    for index in _INDEXES:
        db.execute(index)
    db.pragma("user_version", VERSION)


def _wanting(path: Path) -> bool:
    log = path.parent / (path.name + "-wal")
    # Looked for first: a log seen before a missing file was not made by a ledger born meanwhile.
    orphaned = log.exists()
    if path.exists():
        return False
    if orphaned:
        raise InvalidLedger(
            f"{path.name} is gone but its write-ahead log {log.name} is still there.",
            "Restore the ledger from its backup; a fresh one would forget what was spent.",
            place=(path.name, log.name),
        )
    return True


def _build(draft: Path, first: Row) -> None:
    # SQLite gives its log the mode of the file, so 0600 here covers both.
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    db = connect(draft)
    try:
        db.pragma("application_id", APPLICATION_ID)
        db.pragma("user_version", VERSION)
        for statement in TABLES[VERSION]:
            db.execute(statement)
        row = (first.seq, first.payload, first.hash)
        db.execute("INSERT INTO entry (seq, payload, hash) VALUES (?, ?, ?)", row)
        # Last, so that all of the above lies in the file and none of it in a log.
        db.pragma("journal_mode", "wal")
    finally:
        db.close()


def _publish(draft: Path, path: Path) -> None:
    # A link, unlike a rename, never takes the place of a ledger made meanwhile.
    with suppress(FileExistsError):
        os.link(draft, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
