"""Anonymize records: generalize, suppress, write, and verify what was written.

What leaves is k-anonymous: a property of one table, not a guarantee about what can be learnt from
it. So no ε is claimed and nothing is entered in a ledger; the report says what the file discloses
all the same. Order and columns that were not named are not published: rows are sorted by what is
published of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sudare.engines.classes import ClassSource, open_classes
from sudare.engines.classes_write import check_ending, write_records
from sudare.facts.coded import Integers
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidPlan, UsageError
from sudare.facts.numbers import exact_share
from sudare.facts.schema import Schema
from sudare.publish.anonymizing_levels import hierarchies
from sudare.publish.anonymizing_result import described
from sudare.publish.anonymizing_verify import verify
from sudare.publish.checking_records import check_columns
from sudare.publish.counted_units import ROW, check_published, people_column
from sudare.publish.outputs import Beside, Input, OutputSet, inputs_of
from sudare.risk.anonymize.demand import SLACK, Demand
from sudare.risk.anonymize.keys import in_order
from sudare.risk.anonymize.records import Records
from sudare.risk.anonymize.run import Result, by_lattice, by_mondrian, farthest

Method = Literal["lattice", "mondrian"]
_MOST_TRIES = 5
_NOTHING: Beside[dict[str, Any]] = Beside()


@dataclass(frozen=True)
class Job:
    """What is to be published of a file, and under which demand."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    demand: Demand
    method: Method = "lattice"
    keep: tuple[str, ...] = ()
    unit: str | None = None

    def __post_init__(self) -> None:
        check_columns(self.quasi, self.sensitive, self.keep)
        wants = self.demand.diversity > 1 or self.demand.closeness is not None
        if wants and not self.sensitive:
            raise UsageError("ℓ and t need a sensitive column.", "Name it: --sensitive disease")


def make_job(
    *,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    k: int,
    diversity: int = 1,
    closeness: float | None = None,
    suppress: str | float = 0.05,
    method: str = "lattice",
    keep: Sequence[str] = (),
    unit: str | None = None,
) -> Job:
    """A job from what people write; `suppress` may be a percentage such as 5%."""
    if method not in ("lattice", "mondrian"):
        raise UsageError(f"There is no method '{method}'.", "Known: lattice, mondrian.")
    demand = Demand(k, diversity, closeness, _share(suppress))
    chosen: Method = "lattice" if method == "lattice" else "mondrian"
    return Job(tuple(quasi), tuple(sensitive), demand, chosen, tuple(keep), unit)


def _share(value: str | float) -> float:
    share = exact_share(value)
    if share is None:
        raise UsageError("--suppress takes a share of the records.", "Example: --suppress 5%")
    return float(share)


def anonymize_records(
    data: object,
    job: Job,
    output: str | Path,
    schema: Schema | None = None,
    engine: EngineChoice = AUTO,
    *,
    inputs: tuple[Input, ...] = (),
    force: bool = False,
    beside: Beside[dict[str, Any]] = _NOTHING,
) -> dict[str, Any]:
    """Write the anonymized file; return what was done and what it still discloses. It gets its
    name only after it has been verified. `inputs` are what else it may not replace."""
    path = Path(output)
    check_ending(path)
    people, names = people_column(schema, job.unit), [*job.quasi, *job.sensitive, *job.keep]
    check_published(people, names)
    with (
        OutputSet((path, *beside.names), (*inputs_of(data), *inputs), force=force) as files,
        open_classes(data, names, schema, engine, people) as source,
    ):
        beside.begun(files)
        records = _records(source, job, schema)
        result = _anonymized(records, job)
        columns, whose = _published(source, result, job)
        write_records(files.place(path), columns)
        verified = verify(files.place(path), job.quasi, job.sensitive, job.demand, schema, whose)
        found = {"unit": people or ROW, **described(records, result, job.demand, verified)}
        beside.stage(found, files)
        beside.wrote(files.finish())
    return found


def _records(source: ClassSource, job: Job, schema: Schema | None) -> Records:
    levels = hierarchies(source, job.quasi, schema)
    if job.method == "lattice" and all(each.height == 1 for each in levels):
        raise InvalidPlan(
            "No quasi-identifier has a level to be generalized to.",
            'Declare levels in the schema (docs/anonymize.md), or add "--method mondrian".',
        )
    return Records(source, job.quasi, job.sensitive, tuple(levels))


def _anonymized(records: Records, job: Job) -> Result:
    """Search under the demand; t is met against the records that are published, so where leaving
    some out has moved the whole, the search is repeated under a smaller t."""
    demand = job.demand
    for _ in range(_MOST_TRIES):
        result = (by_lattice if job.method == "lattice" else by_mondrian)(records, demand)
        if result is None:
            break
        excess = farthest(records, result) - (job.demand.closeness or 1.0)
        if job.demand.closeness is None or excess <= SLACK:
            return result
        smaller = (demand.closeness or 0.0) - excess - SLACK
        if smaller < 0:
            break
        demand = Demand(demand.k, demand.diversity, smaller, demand.suppress)
    raise InvalidPlan(
        "No generalization meets the demand.",
        "Lower k, ℓ or raise t, or allow more suppressed records with --suppress.",
    )


def _published(
    source: ClassSource, result: Result, job: Job
) -> tuple[dict[str, Any], Integers | None]:
    """The columns as they are written, and whose record each is, which is not written."""
    columns = dict(zip(job.quasi, result.columns, strict=True))
    for name in (*job.sensitive, *job.keep):
        columns[name] = source.described(name).labels(), source.codes(name)
    kept = {name: (labels, codes[result.kept]) for name, (labels, codes) in columns.items()}
    order = in_order([codes for _, codes in kept.values()])
    whose = None if source.people is None else source.people[result.kept][order]
    return {name: (labels, codes[order]) for name, (labels, codes) in kept.items()}, whose
