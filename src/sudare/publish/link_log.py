"""A session's log, checked by whoever is shown it: the chain, every signature, what it states.

Gaps     as in sudare.wires.log: a deletion is stated, not proved, and entries after the last signed
         head could be cut off; `signed_entries` says how far signatures reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sudare.facts.errors import LinkRefused, UsageError
from sudare.wires.entries import Entry, read_entries
from sudare.wires.identity import read_certificate, signed_name
from sudare.wires.log import verify_log


def checked_log(
    log: Path, certificates: Sequence[Path], ca: Path | None, unsigned: bool = False
) -> dict[str, Any]:
    """What a log says, if it holds together and all who signed it are among the certificates. One
    that nobody signed is refused unless `unsigned`: its owner can write any chain anew."""
    authority = None if ca is None else _bytes(ca)
    known = {}
    for path in certificates:
        pem = _bytes(path)
        known[signed_name(read_certificate(pem), authority, f"The certificate in {path}")] = pem
    found = verify_log(log, known)
    if not found.countersigned and not unsigned:
        raise LinkRefused(
            f"Nobody has signed the log {log}: its owner could have rewritten it.",
            "A session that was given up before its end has no signatures; --unsigned checks the "
            "chain alone.",
            "log",
            place=log,
        )
    entries = read_entries(log)
    places = {entry["hash"]: entry["n"] for entry in entries}
    signed = [{"by": by, "head": head, "entry": places[head]} for by, head in found.countersigned]
    return {
        "log": str(log),
        "owner": found.owner,
        "plan_sha256": found.plan,
        "entries": found.entries,
        "head": found.head,
        "countersigned": signed,
        "signed_entries": max((each["entry"] for each in signed), default=0),
        "deleted": _deletion(entries),
    }


def _deletion(entries: Sequence[Entry]) -> dict[str, Any] | None:
    """Where the owner stated that it deleted, and what."""
    for entry in entries:
        if entry["kind"] == "deleted":
            return {"entry": entry["n"], "head": entry["hash"], "what": sorted(entry["facts"])}
    return None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        pass
    raise UsageError(f"{path} cannot be read.", "Check the path.", place=path)
