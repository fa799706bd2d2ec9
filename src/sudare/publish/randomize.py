"""Randomise a table where it lies: price, check the structure, pay, randomise, shuffle, record.

The order is that of `ask`. The reports go to a file that has no name yet while they are written;
the release, with the file's digest, is committed first, and only then does the file get its name.
What leaves is the file: reports that each person could have sent themselves.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from sudare.ledger.ledger import Ledger
from sudare.local.amplify import amplified_job
from sudare.local.compile import LocalJob, compile_local
from sudare.local.randomizer import Randomizer
from sudare.publish.charging import open_ledger
from sudare.publish.recording import charge_for, release_for, released_before, source_facts
from sudare.randomness.bits import RandomBits, SystemBits, run_key
from sudare.randomness.choice import permutation

__all__ = ["LocalJob", "Priced", "price_local", "randomize"]

# Rows randomised so far, and how many there are if that is known.
Progress = Callable[[int, int | None], None]
BATCH_ROWS = 131_072
# The δ at which the paper states what shuffling gives.
CUSTOMARY_DELTA = 1e-10


def _silent(done: int, rows: int | None) -> None:
    """Nobody is watching."""


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
) -> Release:
    """One file of reports, and its release. `key` is an idempotency key: the same key never draws
    again; it returns the release of the file that was written, unpaid."""
    priced, target = price_local(schema, plan), _parquet(Path(output))
    plan_hash = plan.digest(schema.digest())
    charge = charge_for(data, schema, priced.cost, plan_hash, "randomize", analyst, key)
    if (before := released_before(ledger, charge)) is not None:
        return _again(before, target)
    names = list(priced.job.facts.domains)
    with (
        open_source(data, schema, names, engine) as source,
        open_ledger(ledger, schema) as books,
        _unfinished(target) as part,
    ):
        if priced.amplified is not None:
            _check_rows(priced, source.most_rows)
        if target.exists() and not _is_known(books, schema.table.dataset, key, analyst):
            raise UsageError(
                f"{target} is there already.",
                "Name another file with --output; reports that were paid for are not drawn again.",
                place=target,
            )
        reserved = books.reserve(charge)
        if isinstance(reserved, StoredRelease):
            return _again(Release.repeated(reserved.bytes), target)
        try:
            rows = _written(source, priced, part, bits, progress)
        except SudareError as error:
            error.hint += " What was charged stays charged."
            raise
        told = _told(priced, rows, part)
        release = release_for(
            schema,
            charge,
            "local",
            reserved,
            books,
            source_facts(data, engine),
            randomized=told,
        )
        books.commit(reserved, release.to_bytes())
        os.replace(part, target)
    return release


def _parquet(target: Path) -> Path:
    """The target, whose name says what it will be."""
    if target.suffix.lower() in (".parquet", ".pq"):
        return target
    raise UsageError(
        "Reports are written as Parquet, and the name of the file says otherwise.",
        "Name it with .parquet at the end: --output randomized.parquet.",
    )


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """A place beside the target; whatever is left there at the end goes."""
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(b"")
    except OSError:
        raise UsageError(
            f"Nothing can be written to {target.parent}.",
            "Name another place with --output.",
            place=target.parent,
        ) from None
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def _is_known(books: Ledger, dataset: str, key: str | None, analyst: str | None) -> bool:
    """Whether this key has been charged before; then the file may be its own."""
    return key is not None and books.is_charged(dataset, key, analyst)


def _again(release: Release, target: Path) -> Release:
    """The stored release, if its file is still there."""
    told = release.randomized or {}
    if target.is_file() and digest_of(target) == told.get("sha256"):
        return release
    raise InvalidFile(
        "The reports of this key were written once and are not drawn again.",
        "Name the file that was written then with --output, or use another --key, which is "
        "charged anew.",
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


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _told(priced: Priced, rows: int, part: Path) -> dict[str, Any]:
    """What the release says of the file."""
    job = priced.job
    return {
        "facts": priced.facts().to_dict(),
        "rows": rows,
        "sha256": digest_of(part),
        "statistics": list(job.statistics),
        "considered": job.reasons(),
        "shuffle": priced.amplified or _hidden(job, rows),
    }


def _hidden(job: LocalJob, rows: int) -> dict[str, Any] | None:
    """What shuffling makes of reports that were paid for at their local ε: said, not charged."""
    if not job.plan.shuffle or rows == 0:
        return None
    return amplified_job(job, rows, CUSTOMARY_DELTA)
