"""The hash chain: what was once written cannot be changed without being noticed.

Claim    Two chains with the same last hash hold the same entries, or SHA-256 has a collision.
Rule     hash(n) = SHA-256(hash(n-1) || payload(n)); hash(0) is 32 zero bytes.
Needs    an exported head kept where the ledger's owner cannot reach it.
Gaps     the chain is not keyed: who can write the file can recompute a whole new chain, and only
         the exported head tells them apart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from pydantic import TypeAdapter

from sudare.facts.errors import InvalidLedger
from sudare.facts.relation import Relation
from sudare.ledger.entries import (
    Body,
    Committed,
    Digest,
    Placed,
    Reserved,
    Terms,
    from_bytes,
    to_bytes,
)
from sudare.ledger.store import Row

GENESIS = bytes(32)


class Broken(Exception):
    """Entry `seq` does not follow from the ones before it."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"entry {seq}: {why}")
        self.seq = seq
        self.why = why


@dataclass(frozen=True)
class Entry:
    """A link of the chain: what was written, and its hash in hexadecimal."""

    body: Body
    hash: str

    @property
    def seq(self) -> int:
        return self.body.seq

    @property
    def time(self) -> str:
        return self.body.time

    @property
    def kind(self) -> str:
        return self.body.kind

    @property
    def dataset(self) -> str | None:
        """The dataset that the entry is about; some are about the whole ledger."""
        body = self.body
        return body.dataset if isinstance(body, Terms | Placed | Reserved | Committed) else None

    @property
    def release_id(self) -> str | None:
        """The name of the release that a charge paid for: no entropy is drawn for it."""
        return self.hash[:16] if isinstance(self.body, Reserved) else None


@dataclass(frozen=True)
class Head:
    """The last link of a ledger at some moment; whoever holds it can tell if history changed."""

    seq: int
    hash: Digest
    relation: Relation
    time: str

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str | bytes) -> Head:
        try:
            return _HEAD.validate_json(text, strict=True)
        except ValueError:
            raise InvalidLedger(
                "This is not an exported ledger head.",
                "Give the file that `sudare ledger export-head` wrote.",
            ) from None


_HEAD = TypeAdapter(Head)


@dataclass(frozen=True)
class Tip:
    """Where the next entry goes."""

    seq: int = 0
    hash: bytes = GENESIS


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def seal(tip: Tip, write: Callable[[int, str], Body]) -> Row:
    """Write the next entry: `write` is told its number and time."""
    payload = to_bytes(write(tip.seq + 1, now()))
    return Row(tip.seq + 1, payload, _link(tip.hash, payload))


def unseal(tip: Tip, row: Row) -> Entry:
    """Read the row that must come next, or say how it is broken."""
    due = tip.seq + 1
    if row.seq != due:
        raise Broken(due, f"it is missing; entry {row.seq} stands in its place")
    if not isinstance(row.payload, bytes) or row.hash != _link(tip.hash, row.payload):
        raise Broken(due, "its hash does not follow from its text and the entry before it")
    try:
        body = from_bytes(row.payload)
    except ValueError:
        raise Broken(due, "its text is not an entry of a sudare ledger") from None
    if body.seq != due:
        raise Broken(due, f"its text says it is entry {body.seq}")
    return Entry(body, row.hash.hex())


def _link(previous: bytes, payload: bytes) -> bytes:
    return hashlib.sha256(previous + payload).digest()
