"""Covariances and correlations over two organisations: all-local, hybrid and secure, at the same ε.

    python benchmarks/link_hybrid.py --adult ../shared/data/adult.csv.gz

Data: the numbers of the made town and of Adult, the first half of the columns in organisation A and
the rest in B, all people in both. In every way each organisation spends the same ε on a person:

split, sample   all-local: a person reports all m numbers at ε/m each, or two at ε/2
hybrid 10 split, one; hybrid 20 one
                10 or 20 % of ε on the organisation's own central release, the rest on reports of
                all its numbers, or of one of them at the full rest: own pairs are not needed then
secure 50       half of ε on the own release, half on a secure computation of the cross block

Errors are of covariances in units of half the declared ranges, root mean square over the entries of
a block and over trials, and of correlations, mean absolute; `predicted` is the root mean square of
the standard errors that a way states, and `model` of those that the comparison table predicts for
the all-local way from the hybrid result alone.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.demo.town import people_csv, schema_text
from sudare.facts.estimated import Estimated, Matrix, Wanted
from sudare.facts.local_plan import LocalPlan, Statistic
from sudare.facts.plan import Plan
from sudare.facts.randomized import NumberDomain, Randomized
from sudare.facts.reported import Batch, Reports
from sudare.facts.schema import Budget, Schema, parse_schema
from sudare.link.hybrid import hybrid
from sudare.link.hybrid_compare import compare
from sudare.link.own_release import OwnColumn, OwnRelease, own_questions
from sudare.link.secure import Computing, opened
from sudare.link.secure_estimates import estimated as secure_estimated
from sudare.link.secure_job import compile_secure
from sudare.link.shares import split
from sudare.link.triples import Dealer
from sudare.local.compile import compile_local
from sudare.local.estimates.estimate import estimate
from sudare.local.items import domains_of
from sudare.local.paper.people import People
from sudare.local.randomizer import Randomizer
from sudare.publish.ask import ask
from sudare.publish.reproduce import ADULT, read_people
from sudare.randomness.bits import SystemBits

RESULTS = Path(__file__).parent / "results" / "link_hybrid.json"
EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0)
WAYS = ("split", "sample", "hybrid 10 split", "hybrid 10 one", "hybrid 20 one", "secure 50")
# How many numbers a person reports; all where nothing stands here.
REPORTED = {"sample": 2, "one": 1}
BOTH: tuple[Statistic, ...] = ("mean", "covariance")
_EPOCH = dt.date(1970, 1, 1)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """`model` is only for the hybrid ways; None where a way does not tell a block."""

    data: str
    rows: int
    epsilon: float
    way: str
    trials: int
    own_error: float | None
    own_predicted: float | None
    own_model: float | None
    cross_error: float | None
    cross_predicted: float | None
    cross_model: float | None
    correlation_own: float
    correlation_cross: float
    identity_own: float
    identity_cross: float


@dataclass(frozen=True)
class Split:
    """The people, and which columns each of two organisations has."""

    name: str
    people: People
    table: pa.Table

    @property
    def parts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        names = self.people.names
        return names[: len(names) // 2], names[len(names) // 2 :]

    @property
    def domains(self) -> dict[str, NumberDomain]:
        found = domains_of(self.people.schema, self.people.names)
        return {name: each for name, each in found.items() if isinstance(each, NumberDomain)}

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which entries are of one organisation."""
        first = np.arange(len(self.people.names)) < len(self.parts[0])
        return np.asarray(first[:, np.newaxis] == first)

    def truth(self) -> Floats:
        """Covariances of x in [−1, 1]."""
        domains = self.domains.values()
        low, high = (np.array([getattr(d, end) for d in domains]) for end in ("low", "high"))
        x = (2.0 * self.people.indices - low - high) / (high - low)
        return np.asarray(np.cov(x, rowvar=False, bias=True))


def prepared(name: str, people: People) -> Split:
    arrays = []
    for place, column in enumerate(people.names):
        indices, kind = people.indices[:, place], people.schema.columns[column].type
        if kind == "date":
            arrays.append(pa.array([_EPOCH + dt.timedelta(days=int(i)) for i in indices]))
        elif kind == "boolean":
            arrays.append(pa.array(indices.astype(bool)))
        else:
            arrays.append(pa.array(indices * people.schema.grid(column).step))
    return Split(name, people, pa.table(arrays, names=list(people.names)))


def schema_of(data: Split) -> Schema:
    """The same columns, all confirmed complete, with a budget that no trial reaches."""
    return data.people.schema.model_copy(update={"budget": Budget(epsilon=1e6)})


def facts_of(
    data: Split, columns: tuple[str, ...], epsilon: Fraction, budget: str, whole: bool
) -> Randomized:
    """What an organisation reports: `whole` where reports have to tell variances as well."""
    report = REPORTED.get(budget)
    plan = LocalPlan(
        epsilon,
        columns=columns,
        statistics=BOTH if whole else BOTH[:1],
        budget="split" if report is None else "sample",
        report=report,
    )
    return compile_local(plan, data.people.schema).facts


def joined(data: Split, facts: list[Randomized]) -> Estimated:
    """Both organisations randomise, the reports are joined person by person."""
    reports: Reports = {}
    for each in facts:
        reports |= Randomizer(each)(data.people.columns(), data.people.count)
    together = Randomized(
        "joined",
        sum(each.epsilon for each in facts),
        sum(each.asked for each in facts),
        tuple(item for each in facts for item in each.items),
        {name: domain for each in facts for name, domain in each.domains.items()},
        True,
    )
    wanted = Wanted(frozenset({"mean", "covariance", "correlation"}))
    return estimate(together, [Batch(data.people.count, reports)], wanted)


def owned(data: Split, epsilon: Fraction, ledger: Path) -> list[OwnRelease]:
    found = []
    for party, columns in zip("AB", data.parts, strict=True):
        plan = Plan(own_questions(columns), epsilon)
        release = ask(data.table, schema_of(data), plan, ledger=ledger)
        own = tuple(OwnColumn(name, name, data.domains[name]) for name in columns)
        found.append(OwnRelease(party, own, release))
    return found


def secured(data: Split, epsilon: Fraction) -> Estimated:
    """The whole computation, collector, helper and dealer in one process."""
    bits = SystemBits()
    parties = [
        (party, {name: data.domains[name] for name in columns})
        for party, columns in zip("AB", data.parts, strict=True)
    ]
    job = compile_secure([(name, dict(each)) for name, each in parties], epsilon)
    rows = [v.coded(data.people.columns(), data.people.count) for v in job.vectors]
    one, two = split(np.concatenate(rows, axis=1), bits)
    dealer = Dealer.of(job, b"benchmark", bits)
    collector = Computing("collector", dealer.collector, one)
    helper = Computing("helper", dealer.helper, two)
    for chunk in range(collector.chunks):
        shown, other = collector.masked(chunk), helper.masked(chunk)
        collector.add(chunk, other)
        helper.add(chunk, shown, dealer.correction(chunk))
    cells = opened(job, collector.protected(bits), helper.protected(bits))
    return secure_estimated(job, cells, "joined")


def found_by(
    data: Split, way: str, epsilon: Fraction, ledger: Path
) -> tuple[Estimated, list[Randomized]]:
    """One trial, and what the organisations would have reported all-local."""
    kind, percent, budget = (*way.split(" "), "", "")[:3]
    alone = "split" if percent else kind
    whole = [facts_of(data, part, epsilon, alone, whole=True) for part in data.parts]
    if not percent:
        return joined(data, whole), whole
    central = epsilon * Fraction(int(percent), 100)
    owns = owned(data, central, ledger)
    if kind == "secure":
        return hybrid(owns, secured(data, epsilon - central)), whole
    parts = [facts_of(data, part, epsilon - central, budget, whole=False) for part in data.parts]
    return hybrid(owns, joined(data, parts)), whole


def values_of(matrix: Matrix | None, size: int, field: str, empty: float) -> Floats:
    if matrix is None:
        return np.full((size, size), empty)
    rows = [[getattr(entry, field) for entry in row] for row in matrix.entries]
    return np.array([[empty if e is None else e for e in row] for row in rows], np.float64)


def model_of(found: Estimated, whole: list[Randomized], data: Split) -> Floats:
    size = len(data.people.names)
    place = {name: number for number, name in enumerate(data.people.names)}
    made = np.full((size, size), np.nan)
    for each in compare(found, whole):
        i, j = (place[name] for name in each.columns)
        made[i, j] = made[j, i] = np.nan if each.all_local is None else each.all_local
    return made


def measured(data: Split, way: str, epsilon: float, trials: int, folder: Path) -> Measured:
    exact, truth, size = Fraction(str(epsilon)), data.truth(), len(data.people.names)
    halves = np.array([domain.half for domain in data.domains.values()])
    units = np.outer(halves, halves)
    deviations = np.sqrt(np.diag(truth))
    correlation = truth / np.outer(deviations, deviations)
    errors, predicted, models, correlations = [], [], [], []
    for _ in range(trials):
        found, whole = found_by(data, way, exact, folder / "books.ledger")
        raw = values_of(found.covariance, size, "raw", np.nan) / units
        errors.append((raw - truth) ** 2)
        told = values_of(found.covariance, size, "standard_error", np.nan) / units
        predicted.append(told**2)
        models.append((model_of(found, whole, data) / units) ** 2)
        shown = values_of(found.correlation, size, "value", 0.0)
        correlations.append(np.abs(shown - correlation))
    apart = ~np.eye(size, dtype=bool)
    own, cross = data.inside, ~data.inside
    is_local = way in ("split", "sample")
    return Measured(
        data=data.name,
        rows=data.people.count,
        epsilon=epsilon,
        way=way,
        trials=trials,
        own_error=root(errors, own),
        own_predicted=root(predicted, own),
        own_model=None if is_local else root(models, own),
        cross_error=root(errors, cross),
        cross_predicted=root(predicted, cross),
        cross_model=None if is_local else root(models, cross),
        correlation_own=float(np.mean([each[own & apart].mean() for each in correlations])),
        correlation_cross=float(np.mean([each[cross].mean() for each in correlations])),
        identity_own=float(np.abs(correlation[own & apart]).mean()),
        identity_cross=float(np.abs(correlation[cross]).mean()),
    )


def root(squares: list[Floats], places: NDArray[np.bool_]) -> float | None:
    """The root mean square over trials and entries; None where an entry was never told."""
    found = float(np.sqrt(np.mean([each[places].mean() for each in squares])))
    return found if np.isfinite(found) else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adult", type=Path, required=True)
    parser.add_argument("--trials", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        (folder / "town.csv").write_text(people_csv(), encoding="utf-8")
        town = parse_schema(schema_text("en"), "town")
        sets = [
            prepared("town", read_people(folder / "town.csv", town, SystemBits())),
            prepared("adult", read_people(options.adult, ADULT, SystemBits())),
        ]
        rows = []
        for data in sets:
            for epsilon in EPSILONS:
                for way in WAYS:
                    rows.append(measured(data, way, epsilon, options.trials, folder))
                    print(shown(rows[-1]), flush=True)
    out = {
        "command": f"python benchmarks/link_hybrid.py --trials {options.trials}",
        "cores": os.cpu_count(),
        "rows": [asdict(row) for row in rows],
    }
    RESULTS.write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")


def shown(row: Measured) -> str:
    numbers = [
        "-" if value is None else f"{value:.4f}"
        for value in (
            row.own_error,
            row.own_predicted,
            row.own_model,
            row.cross_error,
            row.cross_predicted,
            row.cross_model,
            row.correlation_own,
            row.correlation_cross,
        )
    ]
    return f"{row.data:6} ε={row.epsilon:<4} {row.way:15} " + " ".join(f"{n:>8}" for n in numbers)


if __name__ == "__main__":
    main()
