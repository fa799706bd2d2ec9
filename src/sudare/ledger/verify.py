"""An independent reading of a whole ledger: chain, sums, caps, keys, release bytes, head, and
whatever is kept beside the entries to be faster (checkpoints, marks, indexes)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sudare.facts.errors import InvalidLedger
from sudare.ledger.books import Books
from sudare.ledger.chain import Broken, Entry, Head
from sudare.ledger.entries import Body, Committed
from sudare.ledger.store import Store


@dataclass(frozen=True)
class Verification:
    """`entries` were read and hold; if not `ok`, entry `broken_seq` is the first that does not."""

    ok: bool
    entries: int
    head: Head | None
    broken_seq: int | None = None
    reason: str | None = None


def verify(store: Store, head: Head | None = None) -> Verification:
    """Recompute everything from the stored rows; with a head, also that it is a prefix."""
    books, good = Books(), 0
    try:
        for row in store.rows():
            entry = books.read(row)
            check_release(entry.body, store.release(entry.seq))
            _check_prefix(entry, books, head)
            good = entry.seq
        last = books.head()
        if head is not None and head.seq > last.seq:
            raise Broken(last.seq + 1, f"it is missing; the exported head is entry {head.seq}")
        store.check()
    except Broken as broken:
        return Verification(False, good, None, broken.seq, broken.why)
    except InvalidLedger as error:
        return Verification(False, good, None, good + 1, error.what)
    return Verification(True, last.seq, last)


def check_release(body: Body, release: bytes | None) -> None:
    """The bytes beside an entry are those it names, and there are none where it names none."""
    if not isinstance(body, Committed):
        if release is not None:
            raise Broken(body.seq, "there are release bytes beside an entry that names none")
        return
    if not isinstance(release, bytes):
        raise Broken(body.seq, "the bytes of its release are missing")
    if len(release) != body.size or hashlib.sha256(release).hexdigest() != body.sha256:
        raise Broken(body.seq, "the bytes of its release are not the ones that were committed")


def _check_prefix(entry: Entry, books: Books, head: Head | None) -> None:
    if head is None or entry.seq != head.seq:
        return
    if books.head() != head:
        raise Broken(entry.seq, "it, or an entry before it, is not the one that was exported")
