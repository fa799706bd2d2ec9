"""What every job writes into the ledger and onto its release: the charge, and where it comes
from."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import Any

from sudare._version import VERSION
from sudare.engines.choose import engine_of
from sudare.engines.source import Source
from sudare.engines.whereabouts import places_of
from sudare.facts.address import is_address, shown
from sudare.facts.cost import NANO, Cost, to_units
from sudare.facts.engine import EngineChoice
from sudare.facts.levels import Level
from sudare.facts.release import Answer, Release
from sudare.facts.schema import Column, Schema
from sudare.ledger.charge import Cap, Charge, Reservation
from sudare.ledger.convert import counted
from sudare.ledger.ledger import Ledger
from sudare.ledger.stores import is_there
from sudare.publish.caps import cap_of


def charge_for(
    data: object,
    schema: Schema,
    cost: Cost,
    plan_hash: str,
    job: str,
    analyst: str | None,
    key: str | None,
) -> Charge:
    """What is to be reserved before a row is aggregated."""
    schema.require_confirmed()
    cap = cap_of(schema)
    assert schema.budget is not None
    quotas = {name: to_units(quota, NANO) for name, quota in schema.budget.analysts.items()}
    return Charge(
        dataset=schema.table.dataset,
        unit=schema.table.unit,
        cost=cost,
        cap=cap,
        plan_hash=plan_hash,
        job=job,
        analyst=analyst,
        quotas=quotas,
        idempotency_key=key,
        places=places_of(data),
        declared=schema.table.population is not None,
    )


def found_at(charge: Charge, source: Source) -> Charge:
    """The charge with where the rows lie as the opened table says it."""
    return replace(charge, places=charge.places + source.places)


def released_before(ledger: str | Path, charge: Charge) -> Release | None:
    """What the same idempotency key released before. Nobody needs the table for that, so it is
    asked before the table is opened."""
    if charge.idempotency_key is None or not is_there(ledger):
        return None
    with Ledger.open(ledger) as books:
        stored = books.stored(charge)
    return None if stored is None else Release.repeated(stored.bytes)


def is_repeated(ledger: str | Path, schema: Schema, key: str | None, analyst: str | None) -> bool:
    """Whether this key of this analyst was charged before, so that nothing is paid anew."""
    if key is None or not is_there(ledger):
        return False
    with Ledger.open(ledger) as books:
        return books.is_charged(schema.table.dataset, key, analyst)


def source_facts(data: object, engine: EngineChoice) -> dict[str, str]:
    """What may be told of where the rows came from: no folders, no password."""
    name = type(data).__name__
    if isinstance(data, (str, Path)):
        name = shown(data) if is_address(data) else _file(Path(data))
    return {"source": name, "engine": engine_of(data, engine)}


def _file(path: Path) -> str:
    """A file by its name, a pattern with the folder that it is in."""
    is_pattern = any(sign in path.name for sign in "*?[")
    return f"{path.parent.name}/{path.name}" if is_pattern and path.parent.name else path.name


def release_for(
    schema: Schema,
    charge: Charge,
    mechanism: str,
    reserved: Reservation,
    books: Ledger,
    source: dict[str, str],
    answers: tuple[Answer, ...] = (),
    tabulation: dict[str, Any] | None = None,
    randomized: dict[str, Any] | None = None,
    statistics: dict[str, Any] | None = None,
) -> Release:
    """The release that is committed and shown."""
    left = books.balance(charge.dataset).left
    # What the ledger counts: twice the ε where an add-remove plan is paid into replace-one books.
    charged = counted(charge.cost, books.relation).under(books.relation)
    table, cost = schema.table, charge.cost
    described: dict[str, Column | Level] = {**schema.columns, **schema.levels}
    return Release(
        id=reserved.release_id,
        table=table.name,
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        answers=answers,
        spent={"epsilon": charged.epsilon, "delta": charged.delta},
        left={"epsilon": left.epsilon, "delta": left.delta},
        guarantee={
            "epsilon": cost.epsilon,
            "delta": cost.delta,
            "rho": cost.rho,
            "neighbours": str(table.neighbours),
            "unit": table.unit,
            "max_rows_per_unit": table.rows_per_unit,
            "mechanism": mechanism,
        },
        provenance={
            **source,
            "schema_sha256": schema.digest(),
            "plan_sha256": charge.plan_hash,
            "ledger_entry": reserved.seq,
            "software": f"sudare {VERSION}",
        },
        labels={name: each.label for name, each in described.items() if each.label is not None},
        tabulation=tabulation,
        randomized=randomized,
        statistics=statistics,
        cap_change=cap_change(reserved.cap_was, charge.cap),
        notes=_notes(charge, reserved),
    )


def _notes(charge: Charge, reserved: Reservation) -> dict[str, dict[str, str]]:
    """What whoever runs the job has to know of its charge."""
    notes: dict[str, dict[str, str]] = {}
    if reserved.is_parted:
        notes["parted_elsewhere"] = {"now": charge.dataset}
    if reserved.was_dataset is not None:
        notes["parted"] = {"was": reserved.was_dataset, "now": charge.dataset}
    if reserved.unwatched is not None:
        notes["unwatched"] = {"why": reserved.unwatched}
    return notes


def cap_change(was: Cap | None, now: Cap) -> dict[str, dict[str, Any]] | None:
    """The cap before and after this run, in words too, where they differ."""
    if was is None:
        return None
    return {each: cap.to_dict() | {"text": str(cap)} for each, cap in (("was", was), ("now", now))}
