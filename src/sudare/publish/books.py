"""The ledger as its keepers read it: balances, entries, verification, the exported head."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

from sudare.facts.address import check_place, is_address, shown
from sudare.facts.errors import InvalidLedger, UsageError
from sudare.facts.release import Release
from sudare.facts.schema import Schema
from sudare.ledger.chain import Entry, Head
from sudare.ledger.entries import Committed, Reserved
from sudare.ledger.ledger import Ledger
from sudare.ledger.move import move as move_ledger
from sudare.ledger.stores import is_there
from sudare.ledger.verify import Verification
from sudare.publish.caps import cap_of

# A file, or the address of a ledger in PostgreSQL.
Place = str | Path


def find_ledger(name: str | None, folder: Path | None = None) -> Place:
    """`people`, `people.ledger`, the address of a ledger in PostgreSQL, or nothing, where the
    folder holds exactly one ledger."""
    place = folder if folder is not None else Path()
    if name is not None and is_address(name):
        return name
    if name is not None:
        check_place(name)
        for path in (place / name, place / f"{name}.ledger"):
            if is_there(path):
                return path
        raise UsageError(f"There is no ledger {name}.", "Name the file, for example people.ledger.")
    found = sorted(place.glob("*.ledger"))
    if len(found) != 1:
        what = "no ledger" if not found else f"{len(found)} ledgers"
        raise UsageError(
            f"This folder holds {what}.", "Name one: sudare ledger show people.ledger."
        )
    return found[0]


def show(path: Place) -> dict[str, Any]:
    """Balances and releases of every dataset, ready for JSON."""
    with Ledger.open(path) as ledger:
        entries = list(ledger.entries())
        finished = {e.body.reserve for e in entries if isinstance(e.body, Committed)}
        return {
            "ledger": shown(path),
            "neighbours": str(ledger.relation),
            "moved_to": ledger.moved_to,
            "datasets": {name: _balance(ledger, name) for name in ledger.datasets()},
            "releases": [
                _charge(entry, entry.body, entry.seq in finished)
                for entry in entries
                if isinstance(entry.body, Reserved)
            ],
        }


def _charge(entry: Entry, body: Reserved, finished: bool) -> dict[str, Any]:
    cost = body.cost.under(body.relation)
    return {
        "release": entry.release_id,
        "entry": entry.seq,
        "time": entry.time,
        "dataset": body.dataset,
        "job": body.job,
        "analyst": body.analyst,
        "spent": {"epsilon": cost.epsilon, "delta": cost.delta},
        "finished": finished,
    }


def _balance(ledger: Ledger, name: str) -> dict[str, Any]:
    balance = ledger.balance(name)
    return {
        "unit": balance.unit,
        "composition": balance.cap.composition,
        "cap": {"epsilon": balance.cap.epsilon, "delta": balance.cap.delta},
        "spent": {"epsilon": balance.spent.epsilon, "delta": balance.spent.delta},
        "left": {"epsilon": balance.left.epsilon, "delta": balance.left.delta},
        "releases": balance.releases,
        "analysts": {
            analyst: {
                "quota": None if share.quota_nano is None else share.quota_nano / 1e9,
                "spent": share.spent_nano / 1e9,
            }
            for analyst, share in balance.analysts.items()
        },
    }


def verify(path: Place, head: Path | None, certificate: Path | None) -> Verification:
    """Recompute the chain; with a head or a certificate, also that they belong to it."""
    with Ledger.open(path) as ledger:
        found = ledger.verify(_read_head(head) if head is not None else None)
        if found.ok and certificate is not None:
            _check_certificate(ledger, certificate)
    return found


def export_head(path: Place) -> str:
    """The last link of the chain as JSON, to be kept where the ledger's keeper cannot reach."""
    with Ledger.open(path) as ledger:
        return ledger.export_head().to_json()


def move(source: Place, target: str) -> dict[str, Any]:
    """Move a ledger into PostgreSQL; both chains are verified, the old place stays closed."""
    moved = move_ledger(source, target)
    return {
        "source": moved.source,
        "target": moved.target,
        "entries": moved.head.seq,
        "head": moved.head.hash,
    }


def left_of(path: Place, schema: Schema) -> dict[str, float]:
    """What is left on the schema's data set; the whole cap where nothing was ever charged."""
    cap = cap_of(schema)
    if is_there(path):
        with Ledger.open(path) as ledger:
            if schema.table.name in ledger.datasets():
                left = ledger.balance(schema.table.name).left
                return {"epsilon": left.epsilon, "delta": left.delta}
    # Under zCDP the cap is a ρ; as in the ledger, ε is the largest pure-ε release that fits it.
    epsilon = cap.epsilon if cap.rho is None else math.sqrt(2 * cap.rho)
    return {"epsilon": epsilon, "delta": cap.delta}


def other_datasets(path: Place, dataset: str) -> str:
    """The names of the other data sets of a ledger, quoted; empty where there are none."""
    with Ledger.open(path) as ledger:
        return ", ".join(f'"{name}"' for name in ledger.datasets() if name != dataset)


def stored_release(path: Place, release_id: str) -> Release:
    """A release that was committed before, as it was sent then."""
    with Ledger.open(path) as ledger:
        stored = ledger.find_release(release_id)
    if stored is None:
        raise UsageError(
            f"There is no finished release {release_id} in {shown(path)}.",
            "See `sudare ledger show` for the releases.",
        )
    return Release.from_bytes(stored)


def _read_head(path: Path) -> Head:
    try:
        return Head.from_json(path.read_bytes())
    except OSError:
        raise UsageError(f"The head file {path} cannot be read.", "Check its name.") from None


def _check_certificate(ledger: Ledger, path: Path) -> None:
    """A certificate belongs to this ledger if its release is stored here with the same bytes."""
    try:
        claimed = json.loads(path.read_bytes())
        release_id, digest = claimed["id"], claimed["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            f"{path} is not a sudare certificate.", "Give the .certificate.json of a release."
        ) from None
    stored = ledger.find_release(release_id)
    if stored is None or hashlib.sha256(stored).hexdigest() != digest:
        raise InvalidLedger(
            f"The certificate {path} does not belong to a release of this ledger.",
            "Ask its sender for the ledger that recorded it.",
        )
