"""A second place on this machine that remembers ledgers: which there are, how far each had come,
and which rows each has charged.

Claim    On a machine whose second place is kept: a ledger that was set back, replaced or deleted is
         noticed before the next charge, and rows that one ledger has charged are not charged in
         another without the steward's word.
Rule     after every entry the last link of the ledger is noted here; before every charge the noted
         link must still be in the ledger. Rows are known by where they lie.
Needs    a folder of this user's own that outlives the ledger. Whoever can write the folder can
         make it forget; what is here is a witness against mistakes, not a lock.
Gaps     other machines and other users have second places of their own.

No path and no name lies here, only digests under a salt of this place's own.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from sudare.ledger.unfinished import draft_of, forget, sweep

FILE = "ledgers.sqlite"
_VERSION = 1
_BUSY_MILLISECONDS = 60_000
_TABLES = (
    "CREATE TABLE salt (salt BLOB NOT NULL) STRICT",
    # How far each ledger had come, and whether the steward has given it up.
    "CREATE TABLE ledger (id BLOB PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, "
    "given_up INTEGER NOT NULL) STRICT",
    # Which ledger lies where, and where the rows lie that it has charged as which dataset.
    "CREATE TABLE lies (place BLOB PRIMARY KEY, ledger BLOB NOT NULL) STRICT",
    "CREATE TABLE charged (place BLOB PRIMARY KEY, ledger BLOB NOT NULL, dataset BLOB NOT NULL) "
    "STRICT",
)


@dataclass(frozen=True)
class Noted:
    """How far a ledger had come when this machine last saw it."""

    seq: int
    hash: str
    given_up: bool


class SecondPlace:
    """The folder where this machine remembers its ledgers. Where it cannot be kept, nothing is
    remembered and `trouble` says why; that is no reason to refuse a charge."""

    def __init__(self, folder: Path | None, new_salt: Callable[[], bytes]) -> None:
        self.trouble: str | None = None
        self._db: apsw.Connection | None = None
        self._salt = b""
        if folder is None:
            self.trouble = "there is no home folder"
            return
        try:
            sweep(folder / FILE)
            if not (folder / FILE).exists():
                _make(folder / FILE, new_salt())
            self._connect(folder / FILE)
        except (OSError, apsw.Error) as error:
            self._give_in(error)

    def noted(self, ledger: bytes) -> Noted | None:
        """How far the ledger had come."""
        return self._noted("id = ?", self._digest(ledger))

    def noted_at(self, place: str) -> Noted | None:
        """How far the ledger had come that lay at this place when it was last seen."""
        where = "id = (SELECT ledger FROM lies WHERE place = ?)"
        return self._noted(where, self._digest(place))

    def replaced_at(self, place: str, ledger: bytes) -> Noted | None:
        """The ledger that lay at this place, if it is another one and was not given up."""
        where = "id = (SELECT ledger FROM lies WHERE place = ?) AND id <> ? AND NOT given_up"
        return self._noted(where, self._digest(place), self._digest(ledger))

    def charged_elsewhere(self, places: tuple[str, ...], ledger: bytes, dataset: str) -> str | None:
        """Whether rows at one of these places are charged in another ledger that was not given
        up: "same" if as the same dataset, "other" if as another one."""
        query = (
            "SELECT dataset FROM charged JOIN ledger ON ledger.id = charged.ledger "
            "WHERE place = ? AND id <> ? AND NOT given_up"
        )
        for place in places:
            for (name,) in self._run(query, self._digest(place), self._digest(ledger)):
                return "same" if name == self._digest(dataset) else "other"
        return None

    def is_bound(self, place: str, ledger: bytes, dataset: str) -> bool:
        """Whether the rows at the place are known to be charged in this ledger as this dataset."""
        query = "SELECT 1 FROM charged WHERE place = ? AND ledger = ? AND dataset = ?"
        given = (self._digest(place), self._digest(ledger), self._digest(dataset))
        return bool(self._run(query, *given))

    def has_charged(self, places: tuple[str, ...], lies: str) -> bool:
        """Whether the ledger at `lies` has charged rows at one of these places."""
        query = "SELECT 1 FROM charged JOIN lies USING (ledger) WHERE charged.place = ? "
        query += "AND lies.place = ?"
        at = self._digest(lies)
        return any(self._run(query, self._digest(place), at) for place in places)

    def note(self, place: str, ledger: bytes, seq: int, link: str, *, anew: bool = False) -> None:
        """The ledger at the place has come as far as this; `anew`: whatever was noted before."""
        key, at = self._digest(ledger), self._digest(place)
        newer = "" if anew else " WHERE excluded.seq > ledger.seq"
        self._run(
            "INSERT INTO ledger VALUES (?, ?, ?, 0) ON CONFLICT (id) DO UPDATE SET "
            f"seq = excluded.seq, hash = excluded.hash, given_up = 0{newer}",
            key, seq, link,
        )  # fmt: skip
        if self._run("SELECT ledger FROM lies WHERE place = ?", at) != [(key,)]:
            self._run("INSERT OR REPLACE INTO lies VALUES (?, ?)", at, key)

    def bind(self, place: str, ledger: bytes, dataset: str) -> None:
        """The rows at the place are charged in this ledger as this dataset."""
        given = (self._digest(place), self._digest(ledger), self._digest(dataset))
        self._run("INSERT OR REPLACE INTO charged VALUES (?, ?, ?)", *given)

    def give_up(self, place: str) -> None:
        """The ledger that lay at the place will not come back: the steward says so."""
        query = "UPDATE ledger SET given_up = 1 WHERE id = (SELECT ledger FROM lies WHERE place = ?"
        self._run(query + ")", self._digest(place))

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Be the only one who binds rows until the block ends."""
        self._run("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            if self._db is not None and self._db.in_transaction:
                self._run("COMMIT")

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _connect(self, path: Path) -> None:
        # Two flags in one: SQLite opens a file that may not be written for reading alone.
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        db.set_busy_timeout(_BUSY_MILLISECONDS)
        if db.pragma("user_version") != _VERSION:
            db.close()
            raise apsw.NotADBError
        self._db, self._salt = db, db.execute("SELECT salt FROM salt").get

    def _give_in(self, error: Exception) -> None:
        broken = isinstance(error, apsw.NotADBError | apsw.CorruptError | apsw.SQLError)
        self.trouble = f"{FILE} is damaged" if broken else "its folder cannot be written"

    def _run(self, query: str, *given: object) -> list[tuple[Any, ...]]:
        if self._db is None:
            return []
        try:
            return self._db.execute(query, given).fetchall()
        except apsw.Error as error:
            self._give_in(error)
            return []

    def _noted(self, where: str, *given: bytes) -> Noted | None:
        found = self._run(f"SELECT seq, hash, given_up FROM ledger WHERE {where}", *given)
        return Noted(found[0][0], found[0][1], bool(found[0][2])) if found else None

    def _digest(self, named: str | bytes) -> bytes:
        plain = named if isinstance(named, bytes) else named.encode("utf-8", "surrogateescape")
        return hmac.new(self._salt, plain, hashlib.sha256).digest()


def _make(path: Path, salt: bytes) -> None:
    """The database with its tables, whole or not at all, for its owner alone."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = draft_of(path)
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(apsw.Connection(str(draft), flags=apsw.SQLITE_OPEN_READWRITE)) as db, db:
            for table in _TABLES:
                db.execute(table)
            db.execute("INSERT INTO salt VALUES (?)", (salt,))
            db.pragma("user_version", _VERSION)
        # A link, unlike a rename, never takes the place of one made meanwhile.
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        forget(draft)
