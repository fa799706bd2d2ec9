"""Sample and aggregate: price, load the function once without rows, check the file's structure,
pay, run the function on random blocks in the engine's sandbox, protect, record.

The order is that of `ask`. Everything that may refuse refuses before a row is read; from then on a
block that fails has its default, and takes as long as any other.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.engines.open import open_source
from sudare.engines.sandbox.blocks import Blocks, unit_as_name
from sudare.engines.sandbox.process import Job
from sudare.engines.sandbox.program import Program, of_command, of_function
from sudare.engines.sandbox.running import Answers, Clock, Sandbox
from sudare.engines.sandbox.walls import described, require
from sudare.engines.source import Source
from sudare.facts.block_plan import BlockPlan
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import SudareError, UsageError
from sudare.facts.release import Release
from sudare.facts.schema import Schema
from sudare.ledger.charge import StoredRelease
from sudare.publish.charging import open_ledger
from sudare.publish.recording import (
    charge_for,
    found_at,
    release_for,
    released_before,
    source_facts,
)
from sudare.queries.blocks import PricedBlocks, compile_blocks
from sudare.randomness.bits import RandomBits, SystemBits, run_key

__all__ = ["PricedBlocks", "Program", "aggregate", "of_command", "of_function", "price_blocks"]

# The name of a step and how much of it is done; blocks are counted, never rows.
Progress = Callable[[str, float], None]


def _silent(step: str, share: float) -> None:
    """Nobody is watching."""


def price_blocks(schema: Schema, plan: BlockPlan) -> PricedBlocks:
    """What a plan costs and how wrong its outputs will be; reads no data and runs nothing."""
    schema.require_confirmed()
    return compile_blocks(plan, schema)


def aggregate(
    data: object,
    schema: Schema,
    plan: BlockPlan,
    program: Program,
    *,
    ledger: str | Path,
    analyst: str | None = None,
    key: str | None = None,
    engine: EngineChoice = AUTO,
    bits: RandomBits | None = None,
    clock: Clock | None = None,
    progress: Progress = _silent,
    trust_program: bool = False,
) -> Release:
    """One release. `key` is an idempotency key: the same key returns the same bytes, unpaid. With
    `trust_program` the steward vouches for what the program does where walls are missing."""
    priced = price_blocks(schema, plan)
    plan_hash = plan.digest(schema.digest())
    charge = charge_for(data, schema, priced.cost, plan_hash, "aggregate", analyst, key)
    if (before := released_before(ledger, charge)) is not None:
        return before
    job = _job(plan, program, _hidden(data, ledger, program))
    progress("structure", 0)
    with (
        Sandbox(job, clock) as sandbox,
        _checked(sandbox, trust_program) as walls,
        open_source(data, unit_as_name(schema), plan.columns, engine) as source,
        open_ledger(ledger, schema) as books,
    ):
        progress("reserve", 0)
        reserved = books.reserve(found_at(charge, source))
        if isinstance(reserved, StoredRelease):
            return Release.repeated(reserved.bytes)
        drawn = bits or SystemBits()
        try:
            places = _places(source, schema, plan, sandbox, drawn, progress)
        except SudareError as error:
            error.hint += " What was charged stays charged."
            raise
        progress("protect", 0)
        answers = priced.release(places, program.shown, drawn)
        progress("commit", 0)
        source_is: dict[str, Any] = source_facts(data, engine)
        release = release_for(
            schema,
            charge,
            "sample and aggregate",
            reserved,
            books,
            {**source_is, "sandbox": walls},
            answers,
        )
        books.commit(reserved, release.to_bytes())
    return release


@contextmanager
def _checked(sandbox: Sandbox, trust_program: bool) -> Iterator[str]:
    """What a release says of the walls around its blocks; nothing is charged where they do not
    suffice."""
    granted, is_command = sandbox.check(), sandbox.job.program.argv is not None
    require(granted, is_command, trust_program)
    yield described(granted, is_command)


def _job(plan: BlockPlan, program: Program, hidden: tuple[str, ...]) -> Job:
    names = tuple(output.name for output in plan.outputs)
    return Job(program, names, float(plan.seconds), plan.memory, hidden=hidden)


def _hidden(data: object, ledger: str | Path, program: Program) -> tuple[str, ...]:
    """What no block may see. A command that names the table would answer from all of its rows."""
    named = [str(place) for place in (data, ledger) if isinstance(place, str | Path)]
    places = [each for place in named for each in (place, *glob.glob(place, recursive=True))]
    found = [each for place in places for each in (os.path.abspath(place), os.path.realpath(place))]
    if set(found) & set(program.files) or _inodes(found) & _inodes(program.files):
        raise UsageError(
            "The command names the table or its ledger.",
            "A block's rows come on standard input; leave the file out of --command.",
        )
    return tuple(dict.fromkeys(found))


def _inodes(paths: Iterable[str]) -> set[tuple[int, int]]:
    """Files by what they are on the disk: a hard link is the same file under another name."""
    return {(os.stat(path).st_dev, os.stat(path).st_ino) for path in paths if os.path.isfile(path)}


def _places(
    source: Source,
    schema: Schema,
    plan: BlockPlan,
    sandbox: Sandbox,
    bits: RandomBits,
    progress: Progress,
) -> NDArray[np.int64]:
    """The blocks' answers on the declared grid; rows end here."""
    progress("aggregate", 0)
    rows_key, blocks_key = run_key(bits), run_key(bits)
    blocks = Blocks(schema, plan.columns, plan.blocks, blocks_key)
    blocks.read(source, rows_key)
    as_csv = sandbox.job.program.argv is not None
    found = sandbox.run(
        blocks.contents(as_csv), lambda done: progress("blocks", done / plan.blocks)
    )
    return np.array([_on_grid(plan, answers) for answers in found], dtype=np.int64)


def _on_grid(plan: BlockPlan, answers: Answers) -> list[int]:
    pairs = zip(plan.outputs, answers, strict=True)
    return [output.place(answer) for output, answer in pairs]
