"""By what a row is found again without reading the ones before it.

Marks follow from a row's payload and are no truth of their own: whatever is found by them is read
and checked against the chain, and reading a whole ledger compares every one of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from sudare.facts.reading import read_json
from sudare.ledger.store import Marks


def key_mark(dataset: str, key: str) -> bytes:
    """An idempotency key of a dataset; neither has a line break in it (charge.py). Whose it is
    stands in the entry: several analysts may have used the same word."""
    return hashlib.sha256(f"{dataset}\n{key}".encode()).digest()


def marks_of(payload: bytes) -> Marks:
    """The marks of a row; none where the payload is no entry, which the chain will tell."""
    try:
        plain = read_json(payload)
        kind = plain["kind"]
        if kind == "reserve":
            key = plain["key"]
            keyed = None if key is None else key_mark(plain["dataset"], key)
            return Marks(keyed, _number(plain["seq"]))
        if kind == "commit":
            return Marks(None, _number(plain["reserve"]))
    except (ValueError, KeyError, TypeError):
        pass
    return Marks()


def paired(found: Iterable[tuple[int, int]], count: int) -> list[tuple[int, int | None]]:
    """The last charges and what released them, of (charge, row) with the latest charge first."""
    rows: dict[int, list[int]] = {}
    for charge, seq in found:
        rows.setdefault(charge, []).append(seq)
    return [
        (charge, min((seq for seq in seqs if seq != charge), default=None))
        for charge, seqs in list(rows.items())[:count]
    ]


def _number(found: object) -> int | None:
    """A number of an entry, unless no database could hold it."""
    return found if type(found) is int and 0 < found < 2**63 else None
