"""Entries found again, by what was read or by the store's marks, each checked before it is used.

Books that began at a checkpoint know the entries after it; for the ones before it the store is
asked. Whatever it answers is read together with the row before it, so that its link is checked,
and must say of itself what it was asked for.
"""

from __future__ import annotations

import re
from itertools import islice

from sudare.ledger.books import Books
from sudare.ledger.chain import Broken, Entry, Tip, unseal
from sudare.ledger.entries import Committed, Reserved
from sudare.ledger.marks import key_mark
from sudare.ledger.store import Store

_ID = re.compile(r"[0-9a-f]{16}")


def entry_at(store: Store, seq: int) -> Entry | None:
    """The entry of this number, linked to the one before it; None if there is no such row."""
    rows = list(store.rows(seq - 1, seq)) if 0 < seq < 2**63 else []
    if not rows or rows[-1].seq != seq:
        return None
    before = Tip(rows[0].seq, rows[0].hash) if len(rows) > 1 else Tip()
    return unseal(before, rows[-1])


def keyed_charge(
    store: Store, books: Books, dataset: str, key: str, analyst: str | None
) -> Entry | None:
    """The charge that this analyst, or nobody by name, made under an idempotency key."""
    known = books.keys.get((dataset, analyst, key))
    if known is not None or books.is_whole:
        seqs = [] if known is None else [known]
    else:
        seqs = store.keyed(key_mark(dataset, key))
    for seq in seqs:
        entry = entry_at(store, seq)
        body = None if entry is None else entry.body
        if not isinstance(body, Reserved) or (body.dataset, body.key) != (dataset, key):
            raise Broken(seq, "it is not the charge that its marks say")
        if body.analyst == analyst:
            return entry
    return None


def charge_named(store: Store, books: Books, release_id: str) -> int | None:
    """The number of the charge that paid for a release."""
    if release_id in books.ids or books.is_whole or not _ID.fullmatch(release_id):
        return books.ids.get(release_id)
    for seq in store.linked(bytes.fromhex(release_id)):
        entry = entry_at(store, seq)
        if entry is not None and entry.release_id == release_id:
            return seq
    return None


def released_for(store: Store, books: Books, charge: int) -> Committed | None:
    """What the ledger says of the release of a charge, if it was finished."""
    seq = books.released.get(charge)
    if seq is None and not books.is_whole:
        seq = store.released(charge)
    if seq is None:
        return None
    entry = entry_at(store, seq)
    if entry is None or not isinstance(entry.body, Committed) or entry.body.reserve != charge:
        raise Broken(seq, "it is not the release that its marks say")
    return entry.body


def latest_charges(store: Store, books: Books, count: int) -> list[tuple[Entry, bool]]:
    """The last charges in order, each with whether its release was finished."""
    if books.is_whole:
        found = [(seq, books.released.get(seq)) for seq in islice(reversed(books.charges), count)]
    else:
        found = store.charges(count)
    charges: list[tuple[Entry, bool]] = []
    for seq, released in reversed(found):
        entry = entry_at(store, seq)
        if entry is None or not isinstance(entry.body, Reserved):
            raise Broken(seq, "it is not the charge that its marks say")
        charges.append((entry, released is not None))
    return charges
