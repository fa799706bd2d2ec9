"""Ask a table: price, check the file's structure, pay, compute, protect, record.

The order is the guarantee. Everything that may refuse (plan, schema, structure of the file,
budget) refuses before a row is aggregated; the charge is durable before the aggregates are
computed; the noisy release is durable before anyone sees it. A crash anywhere leaves the charge.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

from sudare._version import VERSION
from sudare.engines.choose import engine_of
from sudare.engines.open import open_source
from sudare.engines.source import Source
from sudare.facts.address import is_address, shown
from sudare.facts.cost import NANO, to_units
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import SudareError
from sudare.facts.plan import Plan
from sudare.facts.release import Answer, Release
from sudare.facts.schema import Schema
from sudare.ledger.charge import Charge, Reservation, StoredRelease
from sudare.ledger.convert import counted
from sudare.ledger.ledger import Ledger
from sudare.publish.caps import cap_of
from sudare.publish.pricing import Priced, price
from sudare.randomness.bits import RandomBits, SystemBits, run_key

Progress = Callable[[str], None]


def _silent(step: str) -> None:
    """Nobody is watching."""


def ask(
    data: object,
    schema: Schema,
    plan: Plan,
    *,
    ledger: str | Path,
    analyst: str | None = None,
    key: str | None = None,
    engine: EngineChoice = AUTO,
    bits: RandomBits | None = None,
    progress: Progress = _silent,
) -> Release:
    """One release. `key` is an idempotency key: the same key returns the same bytes, unpaid."""
    priced = price(schema, plan)
    charge = _charge(schema, priced, analyst, key)
    progress("structure")
    with (
        open_source(data, schema, _columns(priced), engine) as source,
        Ledger.open(ledger, create=True, relation=schema.table.neighbours) as books,
    ):
        progress("reserve")
        reserved = books.reserve(charge)
        if isinstance(reserved, StoredRelease):
            return Release.from_bytes(reserved.bytes)
        try:
            answers = _measure(source, priced, bits or SystemBits(), progress)
        except SudareError as error:
            error.hint += " What was charged stays charged."
            raise
        progress("commit")
        release = _release(schema, priced, reserved, books, _source(data, engine), charge, answers)
        books.commit(reserved, release.to_bytes())
    return release


def _measure(
    source: Source, priced: Priced, bits: RandomBits, progress: Progress
) -> tuple[Answer, ...]:
    """Exact aggregates, then noise; nothing of the first outlives this function."""
    progress("aggregate")
    requests = [measurement.request for measurement in priced.measurements]
    moments = source.moments(requests, run_key(bits))
    progress("protect")
    parts = zip(
        priced.measurements,
        moments,
        priced.allocation.shares,
        priced.allocation.epsilons(),
        strict=True,
    )
    return tuple(job.answer(found, share, epsilon, bits) for job, found, share, epsilon in parts)


def _columns(priced: Priced) -> frozenset[str]:
    return frozenset().union(*(m.request.used_columns() for m in priced.measurements))


def _charge(schema: Schema, priced: Priced, analyst: str | None, key: str | None) -> Charge:
    cap = cap_of(schema)
    assert schema.budget is not None
    quotas = {name: to_units(quota, NANO) for name, quota in schema.budget.analysts.items()}
    return Charge(
        dataset=schema.table.name,
        unit=schema.table.unit,
        cost=priced.cost,
        cap=cap,
        plan_hash=priced.plan.digest(schema.digest()),
        job="ask",
        analyst=analyst,
        quotas=quotas,
        idempotency_key=key,
    )


def _source(data: object, engine: EngineChoice) -> dict[str, str]:
    """What may be told of where the rows came from: no folders, no password."""
    name = type(data).__name__
    if isinstance(data, (str, Path)):
        name = shown(data) if is_address(data) else Path(data).name
    return {"source": name, "engine": engine_of(data, engine)}


def _release(
    schema: Schema,
    priced: Priced,
    reserved: Reservation,
    books: Ledger,
    source: dict[str, str],
    charge: Charge,
    answers: tuple[Answer, ...],
) -> Release:
    left = books.balance(schema.table.name).left
    # What the ledger counts: twice the ε where an add-remove plan is paid into replace-one books.
    charged = counted(priced.cost, books.relation).under(books.relation)
    table = schema.table
    return Release(
        id=reserved.release_id,
        table=table.name,
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        answers=answers,
        spent={"epsilon": charged.epsilon, "delta": charged.delta},
        left={"epsilon": left.epsilon, "delta": left.delta},
        guarantee={
            "epsilon": priced.cost.epsilon,
            "delta": priced.cost.delta,
            "rho": priced.cost.rho,
            "neighbours": str(table.neighbours),
            "unit": table.unit,
            "max_rows_per_unit": table.rows_per_unit,
            "mechanism": priced.plan.mechanism,
        },
        provenance={
            **source,
            "schema_sha256": schema.digest(),
            "plan_sha256": charge.plan_hash,
            "ledger_entry": reserved.seq,
            "software": f"sudare {VERSION}",
        },
        labels={
            name: column.label
            for name, column in schema.columns.items()
            if column.label is not None
        },
    )
