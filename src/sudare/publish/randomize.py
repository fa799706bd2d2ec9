"""Randomise a table where it lies: price, check the structure, pay, randomise, shuffle, record.

The order is that of `ask`. The reports go to a file that has no name yet; it is complete and on
the disk before the release, with the file's digest, is committed, and only then does it get its
name. A run that is cut off between the two is finished by the next one, or by `fetch`
(waiting_files.py). What leaves is the file: reports that each person could have sent themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.accounting.compose import plan_cost
from sudare.engines.open import open_source
from sudare.engines.reports import ReportWriter, as_batch, on_rows
from sudare.engines.shuffled import BUCKETS, Shuffled
from sudare.engines.source import Source
from sudare.facts.cost import ATTO, NANO, Cost, to_units
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidFile, InvalidPlan, SudareError, UsageError
from sudare.facts.local_plan import LocalPlan
from sudare.facts.randomized import Randomized
from sudare.facts.relation import Relation
from sudare.facts.release import Release
from sudare.facts.reported import Column
from sudare.facts.schema import Schema
from sudare.ledger.charge import StoredRelease
from sudare.local.amplify import amplified_job
from sudare.local.compile import LocalJob, compile_local
from sudare.local.randomizer import Randomizer
from sudare.publish.charging import open_ledger
from sudare.publish.outputs import Beside, Input, OutputSet, digest_of, inputs_of
from sudare.publish.recording import (
    charge_for,
    found_at,
    is_repeated,
    release_for,
    released_before,
    source_facts,
)
from sudare.publish.waiting_files import settle
from sudare.randomness.bits import RandomBits, SystemBits, run_key
from sudare.randomness.choice import permutation

__all__ = ["LocalJob", "Priced", "fetch", "price_local", "randomize"]

# Rows randomised so far, and how many there are if that is known.
Progress = Callable[[int, int | None], None]
BATCH_ROWS = 131_072
# The δ at which the paper states what shuffling gives.
CUSTOMARY_DELTA = 1e-10


def _silent(done: int, rows: int | None) -> None:
    """Nobody is watching."""


_NOTHING: Beside[Release] = Beside()


class Priced:
    """A plan's job, what it is charged, and what shuffling makes of it."""

    def __init__(self, schema: Schema, plan: LocalPlan) -> None:
        self.schema, self.plan = schema, plan
        self.job = compile_local(plan, schema)
        local = plan_cost([self.job.event()], Fraction(0))
        self.amplified: dict[str, Any] | None = None
        self.cost = local
        if plan.delta:
            self.cost = self._shuffled(local)

    def _shuffled(self, local: Cost) -> Cost:
        """The central guarantee of the shuffled reports, for the declared number of rows."""
        table = self.schema.table
        if table.public_rows is None:
            raise InvalidPlan(
                "What shuffling saves depends on the number of rows, which is not declared.",
                "Add public_rows under [table], or leave --delta out and pay the local ε.",
            )
        found = amplified_job(self.job, table.public_rows, float(self.plan.delta))
        self.amplified = found
        epsilon = min(to_units(found["epsilon"], NANO), local.epsilon_nano)
        if epsilon == local.epsilon_nano:
            return local
        return Cost(epsilon, to_units(self.plan.delta, ATTO), local.rho_pico, Relation.REPLACE_ONE)

    def facts(self) -> Randomized:
        """What stands in the file: the job's facts, and what is promised of it."""
        promised = {
            "epsilon": self.job.facts.epsilon,
            "neighbours": str(self.cost.relation),
            "unit": self.schema.table.unit,
            "shuffle": self.amplified,
        }
        return replace(self.job.facts, guarantee=promised)


def price_local(schema: Schema, plan: LocalPlan) -> Priced:
    """What a plan costs and how good its estimates will be; reads no data."""
    schema.require_confirmed()
    return Priced(schema, plan)


def randomize(
    data: object,
    schema: Schema,
    plan: LocalPlan,
    output: str | Path,
    *,
    ledger: str | Path,
    analyst: str | None = None,
    key: str | None = None,
    engine: EngineChoice = AUTO,
    bits: Callable[[], RandomBits] = SystemBits,
    progress: Progress = _silent,
    inputs: tuple[Input, ...] = (),
    force: bool = False,
    beside: Beside[Release] = _NOTHING,
) -> Release:
    """One file of reports, and its release. `key` is an idempotency key: the same key never draws
    again; it returns the release of the file that was written, unpaid. `inputs` are what else the
    file may not replace."""
    priced, target = price_local(schema, plan), _parquet(Path(output))
    plan_hash = plan.digest(schema.digest())
    charge = charge_for(data, schema, priced.cost, plan_hash, "randomize", analyst, key)
    settle(target.parent, ledger)
    with OutputSet(
        (target, *beside.names),
        (*inputs_of(data, ledger=ledger), *inputs),
        force=force,
        is_again=lambda: is_repeated(ledger, schema, key, analyst),
    ) as files:
        beside.begun(files)
        if (before := released_before(ledger, charge)) is not None:
            return _again(before, files, beside)
        names = list(priced.job.facts.domains)
        with (
            open_source(data, schema, names, engine) as source,
            open_ledger(ledger, schema) as books,
        ):
            if priced.amplified is not None:
                _check_rows(priced, source.most_rows)
            reserved = books.reserve(found_at(charge, source))
            if isinstance(reserved, StoredRelease):
                return _again(Release.repeated(reserved.bytes), files, beside)
            files.charged(reserved.release_id)
            try:
                rows = _written(source, priced, files.place(target), bits, progress)
            except SudareError as error:
                error.hint += " What was charged stays charged."
                raise
            told = _told(priced, rows, files, target)
            release = release_for(
                schema,
                charge,
                "local",
                reserved,
                books,
                source_facts(data, engine),
                randomized=told,
            )
            beside.stage(release, files)
            files.hold(release.id, books.id.hex())
            books.commit(reserved, release.to_bytes())
        files.charged(release.id, ledger, target)
        beside.wrote(files.finish())
    return release


def fetch(
    release: Release,
    output: str | Path,
    *,
    ledger: str | Path,
    force: bool = False,
    beside: Beside[Release] = _NOTHING,
) -> None:
    """See to it that the reports of a release that was committed stand under this name, with what
    belongs beside them. No ledger holds reports: they are where they were written, or held there
    since the run was cut off."""
    target = _parquet(Path(output))
    settle(target.parent, ledger)
    with OutputSet(
        (target, *beside.names),
        inputs_of(None, ledger=ledger),
        force=force,
        is_again=lambda: True,
    ) as files:
        _again(release, files, beside)


def _parquet(target: Path) -> Path:
    """The target, whose name says what it will be."""
    if target.suffix.lower() in (".parquet", ".pq"):
        return target
    raise UsageError(
        "Reports are written as Parquet, and the name of the file says otherwise.",
        "Name it with .parquet at the end: --output randomized.parquet.",
    )


def _again(release: Release, files: OutputSet, beside: Beside[Release]) -> Release:
    """The stored release, if its file is still there; what lacks beside it is written."""
    told, target = release.randomized or {}, files.names[0]
    if target.is_file() and digest_of(target) == told.get("sha256"):
        files.adopt(target, target)
        beside.stage(release, files)
        beside.wrote(files.finish())
        return release
    named = told.get("file")
    raise InvalidFile(
        "The reports of this release were written once and are not drawn again.",
        f"They were written as {named or 'the file that --output named then'}: name that file with "
        "--output. Another --key is charged anew.",
        place=() if named is None else str(named),
    )


def _written(
    source: Source,
    priced: Priced,
    part: Path,
    bits: Callable[[], RandomBits],
    progress: Progress,
) -> int:
    facts, own = priced.facts(), bits()
    randomizer = Randomizer(facts, bits)
    none: dict[str, Column] = {name: (np.empty(0, np.int64), None) for name in facts.domains}
    kinds = as_batch(randomizer(none, 0), 0).schema
    found = source.map_batches(
        list(facts.domains), run_key(own), on_rows(facts, randomizer), BATCH_ROWS
    )
    total = priced.schema.table.public_rows or priced.schema.table.expected_rows
    batches = _counted(found, progress, total)
    with ReportWriter(part, facts, kinds) as writer:
        for each in _shuffled(batches, kinds, part, own) if facts.shuffled else batches:
            writer.write(each)
        rows = writer.rows
    # Before, a bound may have been all that was known.
    _check_rows(priced, rows)
    return rows


def _check_rows(priced: Priced, rows: int | None) -> None:
    """Shuffling hides a report among as many as were declared, or it is not what was promised."""
    known = priced.schema.table.public_rows
    if priced.amplified is None or known is None or rows is None or rows >= known:
        return
    raise InvalidFile(
        "The table has fewer rows than public_rows declares, so shuffling hides less.",
        "Mend public_rows in the schema; the number of rows is public under replace-one.",
    )


def _counted(found: Iterator[Any], progress: Progress, total: int | None) -> Iterator[Any]:
    done = 0
    for batch in found:
        done += batch.num_rows
        yield batch
        progress(done, total)


def _shuffled(batches: Iterator[Any], kinds: Any, part: Path, bits: RandomBits) -> Iterator[Any]:
    shuffled = Shuffled(kinds, part.parent, partial(_buckets, bits), partial(permutation, bits))
    shuffled.add_all(batches)
    yield from shuffled.tables()


def _buckets(bits: RandomBits, rows: int) -> NDArray[np.uint8]:
    """One of 64 buckets for each row: six fair bits."""
    return np.frombuffer(bits.take(rows), np.uint8) % np.uint8(BUCKETS)


def _told(priced: Priced, rows: int, files: OutputSet, target: Path) -> dict[str, Any]:
    """What the release says of the file."""
    job = priced.job
    return {
        "facts": priced.facts().to_dict(),
        "rows": rows,
        "file": target.name,
        "sha256": digest_of(files.place(target)),
        "statistics": list(job.statistics),
        "considered": job.reasons(),
        "shuffle": priced.amplified or _hidden(job, rows),
    }


def _hidden(job: LocalJob, rows: int) -> dict[str, Any] | None:
    """What shuffling makes of reports that were paid for at their local ε: said, not charged."""
    if not job.plan.shuffle or rows == 0:
        return None
    return amplified_job(job, rows, CUSTOMARY_DELTA)
