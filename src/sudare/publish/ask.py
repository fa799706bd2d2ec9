"""Ask a table: price, check the file's structure, pay, compute, protect, record.

The order is the guarantee. Everything that may refuse (plan, schema, structure of the file,
budget) refuses before a row is aggregated; the charge is durable before the aggregates are
computed; the noisy release is durable before anyone sees it. A crash anywhere leaves the charge.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sudare.engines.open import open_source
from sudare.engines.source import Source
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import SudareError
from sudare.facts.plan import Plan
from sudare.facts.release import Answer, Release
from sudare.facts.schema import Schema
from sudare.ledger.charge import StoredRelease
from sudare.publish.charging import open_ledger
from sudare.publish.fetching import Fetching
from sudare.publish.pricing import Priced, price
from sudare.publish.recording import (
    charge_for,
    found_at,
    release_for,
    released_before,
    source_facts,
)
from sudare.queries.measurement import Iterative, Single
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
    plan_hash = plan.digest(schema.digest())
    charge = charge_for(data, schema, priced.cost, plan_hash, "ask", analyst, key)
    if (before := released_before(ledger, charge)) is not None:
        return before
    progress("structure")
    with (
        open_source(data, schema, _columns(priced), engine) as source,
        open_ledger(ledger, schema) as books,
    ):
        progress("reserve")
        reserved = books.reserve(found_at(charge, source))
        if isinstance(reserved, StoredRelease):
            return Release.repeated(reserved.bytes)
        try:
            answers = _measure(source, priced, bits or SystemBits(), progress)
        except SudareError as error:
            error.hint += " What was charged stays charged."
            raise
        progress("commit")
        source_is = source_facts(data, engine)
        release = release_for(schema, charge, plan.mechanism, reserved, books, source_is, answers)
        books.commit(reserved, release.to_bytes())
    return release


def _measure(
    source: Source, priced: Priced, bits: RandomBits, progress: Progress
) -> tuple[Answer, ...]:
    """Exact aggregates, then noise; nothing of the first outlives this function."""
    progress("aggregate")
    fetch = Fetching(source, run_key(bits))
    requests = [job.request for job in priced.measurements if isinstance(job, Single)]
    moments = iter(fetch.moments(requests) if requests else ())
    progress("protect")
    answers = []
    allocation = priced.allocation
    parts = zip(priced.measurements, allocation.shares, allocation.epsilons(), strict=True)
    for job, share, epsilon in parts:
        if isinstance(job, Single):
            answers.append(job.answer(next(moments), share, epsilon, bits))
        else:
            assert isinstance(job, Iterative)
            answers.append(job.measure(fetch, share, epsilon, bits))
    return tuple(answers)


def _columns(priced: Priced) -> frozenset[str]:
    return frozenset().union(*(job.used_columns() for job in priced.measurements))
