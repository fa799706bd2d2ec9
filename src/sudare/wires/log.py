"""The log of a session: what was sent, received and deleted, chained and signed.

Claim    Two logs with the same head hold the same entries, or SHA-256 has a collision; a head
         that another party signed can no longer be changed by the log's owner.
Rule     hash(n) = SHA-256(canonical JSON of entry n, which holds hash(n-1)); the first entry names
         owner and plan, so that a head belongs to one session of one party.
Needs    countersignatures: an owner can rewrite what nobody else has signed.
Gaps     A log tells what its owner said it did. That a deletion happened is a statement, signed,
         not a proof. Entries after the last countersigned head can be cut off unnoticed.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from sudare.facts.errors import LinkRefused
from sudare.wires.entries import (
    GENESIS,
    Entry,
    append_entry,
    broken,
    chained,
    drop_torn_line,
    read_entries,
)
from sudare.wires.files import private_folder
from sudare.wires.identity import Identity

Fact = int | bool | str
OPENED, COUNTERSIGNED = "opened", "countersigned"
# Long enough for a digest, a name or a signature, too short for anything like a table.
MAX_FACT = 256


class Log:
    """One party's log of one session; entries are on the disk when `append` returns."""

    def __init__(self, path: Path, owner: str, plan_digest: str) -> None:
        self._path = path
        self._lock = Lock()
        private_folder(path.parent)
        drop_torn_line(path)
        entries = read_entries(path) if path.exists() else []
        self._count = len(entries)
        self._head = str(entries[-1]["hash"]) if entries else GENESIS
        opening: dict[str, Fact] = {"owner": owner, "plan": plan_digest}
        if not entries:
            self.append(OPENED, opening)
        elif entries[0]["kind"] != OPENED or entries[0]["facts"] != opening:
            raise broken(path, 1)

    @property
    def head(self) -> str:
        """The hash of the last entry, in hexadecimal."""
        return self._head

    def entries(self) -> list[Entry]:
        """All entries so far, none of them half written."""
        with self._lock:
            return read_entries(self._path)

    def append(self, kind: str, facts: Mapping[str, Fact]) -> str:
        """Write an entry durably; the new head."""
        if any(isinstance(fact, str) and len(fact) > MAX_FACT for fact in facts.values()):
            raise ValueError("a log holds counts, names and digests only")
        with self._lock:
            entry = chained(
                {
                    "n": self._count + 1,
                    "time": datetime.now(UTC).isoformat(timespec="seconds"),
                    "kind": kind,
                    "facts": dict(facts),
                    "prev": self._head,
                }
            )
            append_entry(self._path, entry)
            self._count, self._head = self._count + 1, str(entry["hash"])
            return self._head

    def add_countersignature(
        self, identity: Identity, certificate_pem: bytes, head: str, signature: str
    ) -> str:
        """Keep another party's signature over one of our heads, if it holds; the new head."""
        by = identity.vouched(certificate_pem)
        check_countersignature(certificate_pem, head, signature)
        if not any(entry["hash"] == head for entry in self.entries()):
            raise _unknown_head()
        return self.append(COUNTERSIGNED, {"by": by, "head": head, "signature": signature})


@dataclass(frozen=True)
class VerifiedLog:
    """What a log that holds together says: whose it is, how long, and who signed which head."""

    owner: str
    plan: str
    entries: int
    head: str
    countersigned: tuple[tuple[str, str], ...]


def countersign(identity: Identity, head: str) -> str:
    """Our signature over another party's log head, as text."""
    return base64.b64encode(identity.sign(_signed_text(head))).decode()


def check_countersignature(certificate_pem: bytes, head: str, signature: str) -> None:
    """Refuse a countersignature that the certificate's owner did not give."""
    try:
        raw = base64.b64decode(signature, validate=True)
    except ValueError:
        raw = b""
    Identity.check(certificate_pem, raw, _signed_text(head))


def verify_log(path: Path, certificates: Mapping[str, bytes]) -> VerifiedLog:
    """Check the chain and every countersignature against the parties' certificates."""
    entries = read_entries(path)
    if not entries or entries[0]["kind"] != OPENED:
        raise broken(path, 1)
    heads: set[str] = set()
    signed = []
    for entry in entries:
        if entry["kind"] == COUNTERSIGNED:
            signed.append(_checked_signature(entry["facts"], heads, certificates))
        heads.add(entry["hash"])
    owner, plan = (str(entries[0]["facts"].get(name, "")) for name in ("owner", "plan"))
    return VerifiedLog(owner, plan, len(entries), entries[-1]["hash"], tuple(signed))


def _checked_signature(
    facts: Mapping[str, Fact], heads: set[str], certificates: Mapping[str, bytes]
) -> tuple[str, str]:
    by, head, signature = (str(facts.get(name, "")) for name in ("by", "head", "signature"))
    if head not in heads:
        raise _unknown_head()
    if by not in certificates:
        raise LinkRefused(
            "A log is countersigned by a party whose certificate is not at hand.",
            "Ask that party for its certificate.pem.",
            "log",
        )
    check_countersignature(certificates[by], head, signature)
    return by, head


def _signed_text(head: str) -> bytes:
    return b"sudare log head 1\n" + head.encode()


def _unknown_head() -> LinkRefused:
    return LinkRefused(
        "A countersignature is over a head that this log never had.",
        "The log was rewritten, or the signature is for another log.",
        "log",
    )
