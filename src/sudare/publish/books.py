"""The ledger as its keepers read it: balances, entries, verification, the exported head."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path
from typing import Any

from sudare.facts.address import check_place, is_address, shown
from sudare.facts.errors import InvalidLedger, UsageError
from sudare.facts.reading import read_json
from sudare.facts.release import Release
from sudare.ledger.chain import Entry, Head
from sudare.ledger.entries import Committed, Reserved
from sudare.ledger.ledger import Ledger
from sudare.ledger.move import move as move_ledger
from sudare.ledger.stores import is_there
from sudare.ledger.verify import Verification
from sudare.ledger.watch import Watch
from sudare.publish.charging import second_place

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
        for path in (place / name, place / f"{name}.ledger"):
            _check_known(path)
        raise UsageError(
            f"There is no ledger {name}.", "Name the file, for example people.ledger.", place=name
        )
    found = sorted(place.glob("*.ledger"))
    if len(found) != 1:
        what = "no ledger" if not found else f"{len(found)} ledgers"
        raise UsageError(
            f"This folder holds {what}.", "Name one: sudare ledger show people.ledger."
        )
    return found[0]


def show(path: Place, last: int | None = None) -> dict[str, Any]:
    """Balances of every dataset and its last releases (all by default), ready for JSON."""
    with Ledger.open(path, second=second_place()) as ledger:
        doubt = ledger.doubt()
        datasets = {name: _balance(ledger, name) for name in ledger.datasets()}
        count = sum(balance["releases"] for balance in datasets.values())
        charges = _all(ledger) if last is None else ledger.latest(last)
        return {
            "ledger": shown(path),
            "neighbours": str(ledger.relation),
            "moved_to": ledger.moved_to,
            "doubt": None if doubt is None else str(doubt),
            "datasets": datasets,
            "releases": [
                _charge(entry, entry.body, finished)
                for entry, finished in charges
                if isinstance(entry.body, Reserved)
            ],
            "earlier_releases": max(count - len(charges), 0),
        }


def _all(ledger: Ledger) -> list[tuple[Entry, bool]]:
    """Every charge, read and checked from the first entry on."""
    entries = list(ledger.entries())
    finished = {e.body.reserve for e in entries if isinstance(e.body, Committed)}
    return [(e, e.seq in finished) for e in entries if isinstance(e.body, Reserved)]


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
    with Ledger.open(path, second=second_place()) as ledger:
        found = ledger.verify(_read_head(head) if head is not None else None)
        doubt = ledger.doubt() if found.ok else None
        if doubt is not None:
            raise doubt
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


def accept(name: str, folder: Path | None = None) -> dict[str, Any]:
    """The steward's word that a ledger goes on although this machine knew another history of it,
    or that one which is gone will not come back."""
    place = folder if folder is not None else Path()
    named = (name,) if is_address(name) else (place / name, place / f"{name}.ledger")
    for path in named:
        if is_there(path):
            with Ledger.open(path, second=second_place()) as ledger:
                noted = ledger.accept()
            if noted is None:
                raise _nothing_to_accept(path)
            return {"ledger": shown(path), "known_entries": noted.seq, "is_gone": False}
    for path in named:
        with closing(Watch(second_place(), path)) as watch:
            found = watch.gone()
            if found is not None:
                watch.give_up()
        if found is not None:
            return {"ledger": shown(path), "known_entries": found[0].seq, "is_gone": True}
    raise _nothing_to_accept(named[-1])


def _nothing_to_accept(path: Place) -> UsageError:
    return UsageError(
        f"There is nothing to accept of {shown(path)}.",
        "It is as this machine knows it, or this machine does not know it.",
        place=shown(path),
    )


def _check_known(path: Place) -> None:
    """A ledger that is not there is gone, where this machine knows of it."""
    with closing(Watch(second_place(), path)) as watch:
        found = watch.gone()
    if found is not None:
        raise found[1]


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
            place=shown(path),
        )
    return Release.from_bytes(stored)


def _read_head(path: Path) -> Head:
    try:
        return Head.from_json(path.read_bytes())
    except OSError:
        raise UsageError(
            f"The head file {path} cannot be read.", "Check its name.", place=path
        ) from None


def _check_certificate(ledger: Ledger, path: Path) -> None:
    """A certificate belongs to this ledger if its release is stored here with the same bytes."""
    try:
        claimed = read_json(path.read_bytes())
        release_id, digest = claimed["id"], claimed["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            f"{path} is not a sudare certificate.",
            "Give the .certificate.json of a release.",
            place=path,
        ) from None
    stored = ledger.find_release(release_id)
    if stored is None or hashlib.sha256(stored).hexdigest() != digest:
        raise InvalidLedger(
            f"The certificate {path} does not belong to a release of this ledger.",
            "Ask its sender for the ledger that recorded it.",
            place=path,
        )
