"""Pay before you look: reserve, read, draw, commit, send.

Claim    Every release was charged, durably, before its data was read; a charge is never given
         back; one idempotency key has one draw of noise, whatever crashes in between.
Rule     reserve() ends on the disk before it returns, and so does commit(). A crash between them
         leaves the charge spent and its key closed, because the noise may have been seen.
Needs    the caller reads no row before reserve() and sends nothing before commit().
Gaps     who can replace the file can set history back; an exported head tells (docs/ledger.md).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

from sudare.facts.address import shown
from sudare.facts.errors import InvalidLedger, RunUnfinished, UsageError
from sudare.facts.relation import Relation
from sudare.ledger.balance import Balance
from sudare.ledger.books import Books
from sudare.ledger.chain import Broken, Entry, Head, seal
from sudare.ledger.charge import Cap, Charge, Reservation, StoredRelease, cap_changed
from sudare.ledger.convert import counted
from sudare.ledger.drafts import committed, first_row, reserved, terms
from sudare.ledger.entries import Body, Reserved
from sudare.ledger.store import Store
from sudare.ledger.stores import create_store, open_store
from sudare.ledger.verify import Verification, check_release, verify


class Ledger:
    """The books of one or more datasets under one neighbour relation."""

    def __init__(self, store: Store, place: str | None = None) -> None:
        self._store, self._place = store, place
        self._books = Books()
        self._lock = threading.RLock()

    @classmethod
    def open(
        cls, place: str | Path, *, create: bool = False, relation: Relation | None = None
    ) -> Ledger:
        """Open the ledger in a file or at a postgresql:// address; `create` makes it, under
        `relation`, if it is not there yet."""
        if create:
            if relation is None:
                raise UsageError(
                    "A new ledger needs a neighbour relation.", "Take it from the schema's [table]."
                )
            create_store(place, first_row(relation))
        return cls(open_store(place), shown(place))

    @property
    def moved_to(self) -> str | None:
        """Where this ledger goes on, if it was moved."""
        with self._reading() as books:
            return books.moved_to

    @property
    def relation(self) -> Relation:
        with self._reading() as books:
            return books.relation

    def stored(self, charge: Charge) -> StoredRelease | None:
        """What the charge's idempotency key released before, if this ledger still goes on."""
        with self._reading() as books:
            if charge.idempotency_key is None or books.moved_to is not None:
                return None
            return self._stored(books, charge, charge.idempotency_key)

    def reserve(self, charge: Charge) -> Reservation | StoredRelease:
        """Charge now, or hand back what the same key released before; else refuse."""
        with self._writing() as books:
            if charge.idempotency_key is not None:
                stored = self._stored(books, charge, charge.idempotency_key)
                if stored is not None:
                    return stored
            cost = counted(charge.cost, books.relation)
            was = self._set_terms(books, charge)
            account = books.accounts[charge.dataset]
            place = None if self._place == f"{charge.dataset}.ledger" else self._place
            refusal = account.refusal(cost, charge.cost, charge.analyst, place)
            if refusal is None:
                spent = account.spent + cost
                found = _reservation(self._append(books, reserved(charge, cost, spent)))
                return replace(found, cap_was=was)
        # Outside the transaction: a changed cap stays on record even when it refuses the charge.
        if was is not None:
            refusal.hint += f" {cap_changed(charge.dataset, was, charge.cap)}"
        raise refusal

    def commit(self, reservation: Reservation, release: bytes) -> None:
        """Store what is about to be sent; on the disk before this returns."""
        with self._writing() as books:
            charge = books.charges.get(reservation.seq)
            if charge is None or _reservation(charge) != reservation:
                raise UsageError(
                    "This reservation is not in this ledger.",
                    "Commit to the ledger that reserved it.",
                )
            if reservation.seq in books.releases:
                raise UsageError(
                    f"Release {reservation.release_id} was committed before.",
                    "Reserve again; every draw of noise is paid for.",
                )
            self._append(books, committed(reservation, release), release)

    def balance(self, dataset: str) -> Balance:
        """What the dataset has, has spent and has left."""
        with self._reading() as books:
            account = books.accounts.get(dataset)
            if account is None:
                known = ", ".join(sorted(books.accounts)) or "none yet"
                raise UsageError(
                    f'Nothing was ever charged on "{dataset}" here.', f"Datasets: {known}."
                )
            return account.balance(books.relation)

    def datasets(self) -> tuple[str, ...]:
        """Every dataset that has a cap here, by name."""
        with self._reading() as books:
            return tuple(sorted(books.accounts))

    def entries(self, dataset: str | None = None) -> Iterator[Entry]:
        """The chain, oldest first, checked while it is read."""
        books = Books()
        with self._lock, _honestly():
            chain = [books.read(row) for row in self._store.rows()]
        return (entry for entry in chain if dataset is None or entry.dataset == dataset)

    def verify(self, head: Head | None = None) -> Verification:
        """Read everything anew, trusting nothing remembered; `head` must be a prefix."""
        with self._lock:
            return verify(self._store, head)

    def export_head(self) -> Head:
        """The last link; keep it where this ledger's keeper cannot change it."""
        with self._reading() as books:
            return books.head()

    def find_release(self, release_id: str) -> bytes | None:
        """The bytes that were released under this id, or None if none were."""
        with self._reading() as books:
            seq = books.ids.get(release_id)
            return None if seq is None else self._bytes_of(books, seq)

    def close(self) -> None:
        with self._lock:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[Books]:
        """The books up to the last entry that is on the disk."""
        with self._lock, _honestly(), self._forgetting():
            self._catch_up()
            yield self._books

    @contextmanager
    def _writing(self) -> Iterator[Books]:
        """The same, as the only writer, and on the disk when the block has ended."""
        with self._lock, _honestly(), self._forgetting(), self._store.transaction():
            self._catch_up()
            if self._books.moved_to is not None:
                raise InvalidLedger(
                    f"This ledger was moved to {self._books.moved_to}.",
                    "Name the new place with --ledger; this one stays closed.",
                )
            yield self._books

    @contextmanager
    def _forgetting(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            # What is remembered may be ahead of the disk, or half taken in: read it anew.
            self._books = Books()
            raise

    def _catch_up(self) -> None:
        tip = self._books.tip
        rows = self._store.rows(since=tip.seq if tip.seq else None)
        if tip.seq:
            known = next(rows, None)
            if known is None or known.hash != tip.hash:
                raise Broken(tip.seq, "it was changed or taken away while the ledger was in use")
        for row in rows:
            self._books.read(row)
        self._books.head()

    def _append(
        self, books: Books, write: Callable[[int, str], Body], release: bytes | None = None
    ) -> Entry:
        row = seal(books.tip, write)
        entry = books.read(row)
        self._store.append(row, release)
        return entry

    def _stored(self, books: Books, charge: Charge, key: str) -> StoredRelease | None:
        seq = books.keys.get((charge.dataset, key))
        if seq is None:
            return None
        entry = books.charges[seq]
        if not isinstance(entry.body, Reserved) or entry.body.plan != charge.plan_hash:
            raise UsageError(
                f'The idempotency key "{key}" was used for another plan on "{charge.dataset}".',
                "Use a new key for a new plan.",
            )
        release = self._bytes_of(books, seq)
        if release is None:
            raise RunUnfinished(
                f'The run with the idempotency key "{key}" has not finished: its cost is spent '
                "and nothing was released.",
                "If it is still running, wait and ask again; if it was cut off, use a new key.",
            )
        return StoredRelease(_reservation(entry).release_id, release)

    def _bytes_of(self, books: Books, seq: int) -> bytes | None:
        body = books.releases.get(seq)
        if body is None:
            return None
        release = self._store.release(body.seq)
        check_release(body, release)
        return release

    def _set_terms(self, books: Books, charge: Charge) -> Cap | None:
        """Put the schema's budget on record if it is new or was changed; the cap that it ended."""
        account = books.accounts.get(charge.dataset)
        if account is not None and account.terms.unit != charge.unit:
            raise InvalidLedger(
                f'"{charge.dataset}" protects the unit "{account.terms.unit}" in this ledger, '
                f'not "{charge.unit}".',
                "Sums of costs mean nothing across units: use another ledger file (--ledger).",
            )
        write, was = terms(charge), None if account is None else account.cap
        if account is None or write(account.terms.seq, account.terms.time) != account.terms:
            self._append(books, write)
        return None if was == charge.cap else was


def _reservation(entry: Entry) -> Reservation:
    return Reservation(entry.release_id or "", entry.seq, entry.dataset or "")


@contextmanager
def _honestly() -> Iterator[None]:
    try:
        yield
    except Broken as broken:
        raise InvalidLedger(
            f"Entry {broken.seq} of the ledger is broken: {broken.why}.",
            "Do not use it; run `sudare ledger verify`, and restore it from its backup.",
        ) from None
