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
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from sudare.facts.address import shown
from sudare.facts.errors import (
    BudgetRefused,
    InvalidLedger,
    RunUnfinished,
    SudareError,
    UsageError,
    toml_text,
)
from sudare.facts.relation import Relation
from sudare.ledger.balance import Balance
from sudare.ledger.books import TAIL, Books
from sudare.ledger.budget import not_granted
from sudare.ledger.chain import Broken, Entry, Head
from sudare.ledger.charge import Charge, Reservation, StoredRelease, cap_changed
from sudare.ledger.drafts import accepted, committed, first_row, placed, reserved, signs, terms
from sudare.ledger.entries import Body, Reserved
from sudare.ledger.foresight import Foreseen, Judged, judged
from sudare.ledger.lookup import (
    charge_named,
    entry_at,
    keyed_charge,
    latest_charges,
    released_for,
)
from sudare.ledger.second_place import Noted, SecondPlace
from sudare.ledger.store import Store
from sudare.ledger.stores import create_store, is_there, open_store
from sudare.ledger.verify import Verification, check_release, verify
from sudare.ledger.watch import Watch, place_digest

# What an error says that comes while the ledger is written.
_MAYBE_CHARGED = (
    "No row was read. Whether the charge was entered, `sudare ledger show` says; if it was, it "
    "stays, and the next run needs another key."
)
_NOT_RELEASED = "What was charged stays charged; nothing was released. Another key is charged anew."


class Ledger:
    """The books of one or more datasets under one neighbour relation."""

    def __init__(
        self,
        store: Store | _New,
        place: str | None = None,
        watch: Watch | None = None,
    ) -> None:
        self._kept, self._place, self._watch = store, place, watch
        self._books = Books()
        self._id: bytes | None = None
        self._lock = threading.RLock()

    @classmethod
    def open(
        cls,
        place: str | Path,
        *,
        create: bool = False,
        relation: Relation | None = None,
        second: SecondPlace | None = None,
    ) -> Ledger:
        """Open the ledger in a file or at a postgresql:// address; `create` makes it, under
        `relation`, if it is not there yet. With a second place, a ledger that this machine knows
        to have come further is not charged, nor made anew where it is gone."""
        if not create:
            watch = None if second is None else Watch(second, place)
            return cls(open_store(place), shown(place), watch)
        if relation is None:
            raise UsageError(
                "A new ledger needs a neighbour relation.", "Take it from the schema's [table]."
            )
        ledger = cls.to_charge(place, relation, second)
        ledger._make()
        return ledger

    @classmethod
    def to_charge(
        cls, place: str | Path, relation: Relation, second: SecondPlace | None = None
    ) -> Ledger:
        """The ledger that is there, or one that its first charge will make: a charge that is
        refused leaves nothing behind."""
        watch = None if second is None else Watch(second, place)
        if is_there(place):
            return cls(open_store(place), shown(place), watch)
        lost = None if watch is None else _lost(watch)
        return cls(_New(place, relation, lost), shown(place), watch)

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
            _check_granted(charge)
            return self._stored(books, charge, charge.idempotency_key)

    def reserve(self, charge: Charge) -> Reservation | StoredRelease:
        """Charge now, or hand back what the same key released before; else refuse. A charge that
        is refused makes no ledger."""
        watch, new = self._watch, self._kept
        is_made = not isinstance(new, _New)
        if is_made and (watch is None or watch.is_bound(charge, self.id)):
            return self._reserve(charge)
        # Two processes could begin to charge the same rows in two ledgers at once.
        with nullcontext() if watch is None else watch.holding():
            if isinstance(new, _New) and not is_there(new.place):
                refusal = _foreseen_anew(charge, new.place, new.relation, watch).refusal
                if refusal is not None:
                    raise refusal
            found = self._reserve(charge)
            if watch is not None and isinstance(found, Reservation):
                watch.bind(charge, self.id)
            return found

    def _reserve(self, charge: Charge) -> Reservation | StoredRelease:
        with _saying(_MAYBE_CHARGED) as begin, self._writing() as books:
            _check_granted(charge)
            if charge.idempotency_key is not None:
                stored = self._stored(books, charge, charge.idempotency_key)
                if stored is not None:
                    return stored
            before = self._check_rows(books, charge)
            is_parted = self._watch is not None and self._watch.is_parted(charge, self.id)
            found = self._judged(books, charge)
            begin()
            self._set_terms(books, charge)
            if found.refusal is None:
                self._put_on_record(books, charge)
                spent = found.account.spent + found.cost
                entry = self._append(books, reserved(charge, found.cost, spent))
        was, refusal = found.cap_was, found.refusal
        if refusal is None:
            trouble = None if self._watch is None else self._watch.trouble
            made = _reservation(entry)
            return replace(
                made, cap_was=was, was_dataset=before, is_parted=is_parted, unwatched=trouble
            )
        # Outside the transaction: a changed cap stays on record even when it refuses the charge.
        if was is not None:
            refusal.hint += f" {cap_changed(charge.dataset, was, charge.cap)}"
        raise refusal

    def foresee(self, charge: Charge) -> Foreseen:
        """What this charge would meet now; nothing is written."""
        with self._reading() as books:
            found = self._judged(books, charge)
            left, was = found.account.left(), found.cap_was
            try:
                refusal: SudareError | None = self._unwritable(books)
                if refusal is None and charge.idempotency_key is not None:
                    _check_granted(charge)
                    if self._stored(books, charge, charge.idempotency_key) is not None:
                        return Foreseen(left, is_stored=True)
                self._check_rows(books, charge)
            except SudareError as error:
                refusal = error
        return Foreseen(left, was, refusal or found.refusal)

    def commit(self, reservation: Reservation, release: bytes) -> None:
        """Store what is about to be sent; on the disk before this returns."""
        with _saying(_NOT_RELEASED) as begin, self._writing() as books:
            charge = entry_at(self._store, reservation.seq)
            if charge is None or _reservation(charge) != reservation:
                raise UsageError(
                    "This reservation is not in this ledger.",
                    "Commit to the ledger that reserved it.",
                )
            if released_for(self._store, books, reservation.seq) is not None:
                raise UsageError(
                    f"Release {reservation.release_id} was committed before.",
                    "Reserve again; every draw of noise is paid for.",
                )
            begin()
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

    def latest(self, count: int) -> list[tuple[Entry, bool]]:
        """The last charges, oldest first, each with whether its release was finished."""
        with self._reading() as books:
            return latest_charges(self._store, books, count)

    def is_charged(self, dataset: str, key: str, analyst: str | None) -> bool:
        """Whether an idempotency key of this analyst was charged before, finished or not."""
        with self._reading() as books:
            return keyed_charge(self._store, books, dataset, key, analyst) is not None

    def verify(self, head: Head | None = None) -> Verification:
        """Read everything anew, trusting nothing remembered; `head` must be a prefix."""
        with self._lock:
            return verify(self._store, head)

    def export_head(self) -> Head:
        """The last link; keep it where this ledger's keeper cannot change it."""
        with self._reading() as books:
            return books.head()

    def signers(self) -> dict[str, int]:
        """Whose certificates speak for this ledger, each with the entry that says so."""
        with self._reading() as books:
            return dict(books.signers)

    def add_signer(self, key: str) -> None:
        """Put on record that the holder of this key signs for this ledger, unless it is."""
        if key in self.signers():
            return
        with self._writing() as books:
            if key not in books.signers:
                self._append(books, signs(key))

    def find_release(self, release_id: str) -> bytes | None:
        """The bytes that were released under this id, or None if none were."""
        with self._reading() as books:
            seq = charge_named(self._store, books, release_id)
            return None if seq is None else self._bytes_of(books, seq)

    @property
    def id(self) -> bytes:
        """The hash of the first entry: the same wherever the ledger lies."""
        if self._id is None:
            with self._lock:
                self._id = next(iter(self._store.rows(1, 1))).hash
        return self._id

    def is_known_here(self) -> bool:
        """Whether this machine has written in it where it lies, so that nobody brought it."""
        return self._watch is not None and self._watch.is_known(self.id)

    def doubt(self) -> InvalidLedger | None:
        """Why this is not the history that this machine knew, if so."""
        with self._reading() as books:
            found = self._doubt(books)
        return None if found is None else found[1]

    def accept(self) -> Noted | None:
        """Go on although this machine knew another history: the steward's word, on record."""
        with self._reading() as books:
            found = self._doubt(books)
        if found is not None:
            self._accept(found[0])
        return None if found is None else found[0]

    def close(self) -> None:
        with self._lock:
            if not isinstance(self._kept, _New):
                self._kept.close()
            if self._watch is not None:
                self._watch.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _store(self) -> Store:
        return self._make()

    def _make(self) -> Store:
        """The store; one that is still to be made is made now."""
        with self._lock:
            if isinstance(self._kept, _New):
                new = self._kept
                create_store(new.place, first_row(new.relation))
                self._kept = open_store(new.place)
                if new.lost is not None:
                    self._accept(new.lost)
            return self._kept

    @contextmanager
    def _reading(self) -> Iterator[Books]:
        """The books up to the last entry that is on the disk, from the last checkpoint on."""
        with self._lock, _honestly(), self._forgetting():
            self._catch_up()
            yield self._books

    @contextmanager
    def _writing(self, *, trusting: bool = False) -> Iterator[Books]:
        """The same, as the only writer, and on the disk when the block has ended; then in the
        second place too. `trusting`: whatever that one knew."""
        with self._lock, _honestly(), self._forgetting():
            with self._store.transaction():
                self._catch_up()
                refusal = self._unwritable(self._books, trusting)
                if refusal is not None:
                    raise refusal
                yield self._books
            if self._watch is not None:
                self._watch.note(self.id, self._books.head(), anew=trusting)

    def _unwritable(self, books: Books, trusting: bool = False) -> InvalidLedger | None:
        """Why nothing more may be written here."""
        if books.moved_to is not None:
            return InvalidLedger(
                f"This ledger was moved to {books.moved_to}.",
                "Name the new place with --ledger; this one stays closed.",
                place=books.moved_to,
            )
        found = None if trusting else self._doubt(books)
        return None if found is None else found[1]

    def _judged(self, books: Books, charge: Charge) -> Judged:
        place = None if self._place == f"{charge.dataset}.ledger" else self._place
        return judged(books, books.relation, charge, place)

    def _doubt(self, books: Books) -> tuple[Noted, InvalidLedger] | None:
        if self._watch is None or books.moved_to is not None:
            return None
        return self._watch.doubt(self.id, books.head(), self._hash_at)

    def _hash_at(self, seq: int) -> str | None:
        entry = entry_at(self._store, seq)
        return None if entry is None else entry.hash

    def _accept(self, noted: Noted) -> None:
        if self._watch is not None:
            self._watch.give_up()
        with self._writing(trusting=True) as books:
            self._append(books, accepted(noted.seq, noted.hash))

    def _check_rows(self, books: Books, charge: Charge) -> str | None:
        """Refuse rows that were charged as other people, unless the schema says who they are; then
        hand back as whom."""
        known = self._known_as(books, charge)
        if known is not None and not charge.declared:
            raise BudgetRefused(
                f'The rows of this table were charged as "{known}" before, and the schema '
                f'calls them "{charge.dataset}" now.',
                f"Write population = {toml_text(known)} under [table] to go on with that "
                f"budget. If they are other people, population = {toml_text(charge.dataset)} "
                "says so, and the ledger records it.",
            )
        refusal = None if self._watch is None else self._watch.elsewhere(charge, self.id)
        if refusal is not None:
            raise refusal
        return known

    def _known_as(self, books: Books, charge: Charge) -> str | None:
        """The dataset as which these rows were charged here, if it is another one than now."""
        for place in charge.places.met:
            known = books.places.get(place_digest(self.id, place), charge.dataset)
            if known != charge.dataset:
                return known
        watch = self._watch
        return None if watch is None else watch.known_as(charge, self.id, books.accounts)

    def _put_on_record(self, books: Books, charge: Charge) -> None:
        """Where the rows lie, unless the ledger knows it."""
        for place in charge.places.own:
            digest = place_digest(self.id, place)
            if books.places.get(digest) != charge.dataset:
                self._append(books, placed(charge, digest))

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
        resumed = None if tip.seq else Books.resumed(self._store.tail(TAIL))
        if resumed is not None:
            self._books = resumed
            return
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
        row, entry = books.write(write)
        self._store.append(row, release)
        return entry

    def _stored(self, books: Books, charge: Charge, key: str) -> StoredRelease | None:
        entry = keyed_charge(self._store, books, charge.dataset, key, charge.analyst)
        if entry is None:
            return None
        if not isinstance(entry.body, Reserved) or entry.body.plan != charge.plan_hash:
            raise UsageError(
                f'The idempotency key "{key}" was used for another plan on "{charge.dataset}".',
                "Use a new key for a new plan.",
            )
        release = self._bytes_of(books, entry.seq)
        if release is None:
            raise RunUnfinished(
                f'The run with the idempotency key "{key}" has not finished: its cost is spent '
                "and nothing was released.",
                "If it is still running, wait and ask again; if it was cut off, use a new key.",
            )
        return StoredRelease(_reservation(entry).release_id, release)

    def _bytes_of(self, books: Books, seq: int) -> bytes | None:
        body = released_for(self._store, books, seq)
        if body is None:
            return None
        release = self._store.release(body.seq)
        check_release(body, release)
        return release

    def _set_terms(self, books: Books, charge: Charge) -> None:
        """Put the schema's budget on record if it is new or was changed."""
        account, write = books.accounts.get(charge.dataset), terms(charge)
        if account is None or write(account.terms.seq, account.terms.time) != account.terms:
            self._append(books, write)


@dataclass(frozen=True)
class _New:
    """A ledger that is still to be made; `lost` is what was noted of one that was given up."""

    place: str | Path
    relation: Relation
    lost: Noted | None


def foreseen_anew(charge: Charge, place: str | Path, second: SecondPlace) -> Foreseen:
    """What the charge would meet where no ledger lies yet."""
    with closing(Watch(second, place)) as watch:
        return _foreseen_anew(charge, place, charge.cost.relation, watch)


def _foreseen_anew(
    charge: Charge, place: str | Path, relation: Relation, watch: Watch | None
) -> Foreseen:
    found = judged(Books(), relation, charge, shown(place))
    refusal: SudareError | None = None
    if watch is not None:
        gone, elsewhere = watch.gone(), watch.elsewhere(charge, b"")
        refusal = elsewhere if gone is None else gone[1]
    return Foreseen(found.account.left(), None, refusal or found.refusal)


def _lost(watch: Watch) -> Noted | None:
    """What was noted of a ledger that was given up here, where none lies here now; refuse to make
    another one in place of a ledger that is only gone."""
    noted, gone = watch.lost(), watch.gone()
    if gone is not None:
        raise gone[1]
    return noted


def _check_granted(charge: Charge) -> None:
    """Whoever has no share of the dataset gets nothing of it, also not what others paid for."""
    refusal = not_granted(charge.dataset, charge.quotas, charge.analyst)
    if refusal is not None:
        raise refusal


def _reservation(entry: Entry) -> Reservation:
    return Reservation(entry.release_id or "", entry.seq, entry.dataset or "")


@contextmanager
def _saying(what: str) -> Iterator[Callable[[], None]]:
    """An error after the block has begun to write also says what became of the charge."""
    is_writing: list[bool] = []
    try:
        yield lambda: is_writing.append(True)
    except SudareError as error:
        if is_writing:
            error.hint += f" {what}"
        raise


@contextmanager
def _honestly() -> Iterator[None]:
    try:
        yield
    except Broken as broken:
        raise InvalidLedger(
            f"Entry {broken.seq} of the ledger is broken: {broken.why}.",
            "Do not use it; run `sudare ledger verify`, and restore it from its backup.",
        ) from None
