"""Move a ledger into PostgreSQL, so that at no moment two places accept charges for it.

Claim    Whatever crashes, at most one of the two places can be charged; and once the move has
         ended, the new place holds every entry and every release of the old one, byte for byte.
Rule     all is copied and verified inside one transaction of the new place, which ends only
         after the old one has its last entry, "move", on the disk. A ledger refuses everything
         after "move" but "arrive", which only the new place has.
Needs    nothing more. A crash in between leaves no place open; running the same move again, to
         the same target, finishes it.
Gaps     a copy of the old file made before the move knows nothing of it.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sudare.facts.address import is_address, shown
from sudare.facts.errors import InvalidLedger, UsageError
from sudare.ledger.books import Books
from sudare.ledger.chain import Head
from sudare.ledger.drafts import arrived, moved
from sudare.ledger.postgres import PostgresStore
from sudare.ledger.store import Store
from sudare.ledger.stores import open_store
from sudare.ledger.verify import verify


@dataclass(frozen=True)
class Move:
    """`left` is the last link of the old place, `head` that of the new one, right behind it."""

    source: str
    target: str
    left: Head
    head: Head


def move(source: str | Path, target: str) -> Move:
    """Move the ledger and close its old place for good; done before, it is checked again."""
    if not is_address(target):
        raise UsageError(
            "A ledger is moved into PostgreSQL.", "Name a target such as postgresql://user@host/db."
        )
    with closing(open_store(source)) as old, closing(PostgresStore(target)) as new:
        with new.founding() as fresh:
            if fresh:
                books = _copied(old, new, shown(target))
                new.append(books.write(arrived)[0])
        left = _sound(old)
    with closing(PostgresStore.open(target)) as new:
        return Move(shown(source), shown(target), left.head(), _checked(left, new, shown(target)))


def _copied(old: Store, new: Store, target: str) -> Books:
    """Copy all, close the old place, and hand back its books with the closing entry in them."""
    with old.transaction():
        books = _sound(old)
        if books.moved_to is not None:
            _check_target(books, target)
        for row in old.rows():
            new.append(row, old.release(row.seq))
        if verify(new).head != books.head():
            raise InvalidLedger("The copy does not verify.", "Nothing was moved; try again.")
        if books.moved_to is None:
            # From here on nobody can charge the old place, and not yet the new one.
            last, _ = books.write(moved(target))
            old.append(last)
            new.append(last)
    return books


def _checked(left: Books, new: Store, target: str) -> Head:
    """The head of the new place, whose history must go on where the old one ended."""
    _check_target(left, target)
    found = verify(new, left.head())
    if not found.ok or found.head is None or found.head.seq == left.tip.seq:
        raise _occupied(target)
    return found.head


def _check_target(books: Books, target: str) -> None:
    if books.moved_to is None:
        raise _occupied(target)
    if books.moved_to != target:
        raise InvalidLedger(
            f"This ledger was moved to {books.moved_to}.",
            "If that move was cut off, run it again with that target.",
            place=books.moved_to,
        )


def _sound(store: Store) -> Books:
    """The books of a ledger that holds, releases and all."""
    found = verify(store)
    if not found.ok:
        raise InvalidLedger(
            f"Entry {found.broken_seq} of the ledger is broken: {found.reason}.",
            "It was not moved; run `sudare ledger verify`, and restore it from its backup.",
        )
    books = Books()
    for row in store.rows():
        books.read(row)
    return books


def _occupied(target: str) -> InvalidLedger:
    return InvalidLedger(
        f"{target} holds another ledger already.",
        "Name an empty place: add #name to the URL.",
        place=target,
    )
