"""Publish a contingency table: price, check the file's structure, pay, count, protect, record.

The order is that of `ask`, and it is the guarantee: what may refuse refuses before the charge, the
charge is durable before a row is counted, the release before anyone sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sudare.engines.counting import count_groups
from sudare.engines.open import open_source
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import SudareError
from sudare.facts.release import Release
from sudare.facts.schema import Schema
from sudare.facts.table_plan import TablePlan
from sudare.facts.tabulated import ReleasedMargin, Tabulated
from sudare.ledger.charge import StoredRelease
from sudare.publish.charging import open_ledger
from sudare.publish.recording import (
    charge_for,
    found_at,
    release_for,
    released_before,
    source_facts,
)
from sudare.randomness.bits import RandomBits, SystemBits, run_key
from sudare.tables.tabulation import Tabulation, compile_table

__all__ = ["Progress", "Tabulation", "price_table", "tabulate", "true_table"]

# The name of a step and how much of it is done.
Progress = Callable[[str, float], None]


def _silent(step: str, share: float) -> None:
    """Nobody is watching."""


def price_table(schema: Schema, plan: TablePlan) -> Tabulation:
    """What a table costs and how wrong its margins will be; reads no data."""
    schema.require_confirmed()
    return compile_table(plan, schema)


def tabulate(
    data: object,
    schema: Schema,
    plan: TablePlan,
    *,
    ledger: str | Path,
    analyst: str | None = None,
    key: str | None = None,
    engine: EngineChoice = AUTO,
    bits: RandomBits | None = None,
    progress: Progress = _silent,
) -> Release:
    """One release. `key` is an idempotency key: the same key returns the same bytes, unpaid."""
    priced = price_table(schema, plan)
    plan_hash = plan.digest(schema.digest())
    charge = charge_for(data, schema, priced.cost, plan_hash, "tabulate", analyst, key)
    if (before := released_before(ledger, charge)) is not None:
        return before
    progress("structure", 1)
    with (
        open_source(data, schema, priced.request.used_columns(), engine) as source,
        open_ledger(ledger, schema) as books,
    ):
        progress("reserve", 1)
        reserved = books.reserve(found_at(charge, source))
        if isinstance(reserved, StoredRelease):
            return Release.repeated(reserved.bytes)
        drawn = bits or SystemBits()
        try:
            progress("aggregate", 1)
            counts = count_groups(source, priced.request, run_key(drawn))
            progress("protect", 1)
            found = _protected(priced, counts, drawn, progress)
        except SudareError as error:
            error.hint += " What was charged stays charged."
            raise
        progress("commit", 1)
        release = release_for(
            schema,
            charge,
            plan.mechanism,
            reserved,
            books,
            source_facts(data, engine),
            tabulation=found.to_dict(),
        )
        books.commit(reserved, release.to_bytes())
    return release


def _protected(
    priced: Tabulation, counts: NDArray[np.int64], bits: RandomBits, progress: Progress
) -> Tabulated:
    """Noise, then post-processing; nothing exact outlives this function."""
    exact = priced.exact(counts)
    cells = priced.release(exact, bits, lambda share: progress("fit", share))
    return describe(priced, cells)


def describe(priced: Tabulation, cells: NDArray[np.int64]) -> Tabulated:
    """The released table with what a reader must know of it."""
    margins = tuple(
        ReleasedMargin(each.name, each.margin, each.cells, each.weight, each.rmse, each.error95)
        for each in priced.forecasts()
    )
    known = priced.known
    public = None if known is None else {"name": known.name, "source": known.source}
    return Tabulated(priced.dimensions, margins, priced.noise_facts(), cells, public)


def true_table(
    data: object, schema: Schema, plan: TablePlan, engine: EngineChoice = AUTO
) -> NDArray[np.int64]:
    """The exact table, for the steward's own comparison: it is no release, spends nothing and is
    never written to the ledger."""
    priced = price_table(schema, plan)
    with open_source(data, schema, priced.request.used_columns(), engine) as source:
        counts = count_groups(source, priced.request, run_key(SystemBits()))
    found: NDArray[np.int64] = priced.exact(counts)
    return found
