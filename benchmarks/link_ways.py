"""What parties of a join should report: correlations across two parties, by each way to spend ε.

    python benchmarks/link_ways.py

Data: AR(1) of six numbers with ρ = 0.8 and Adult's number of people, three numbers a party. The
error is the mean of |published − true correlation| over the pairs across parties, and over those
inside one; a pair that is not told counts as zero. `forecast` is the house's, from the plan alone:
√n times the standard error of a covariance across parties. Ways:

default        what `compile_link` chooses
with central   the same where both parties release their own blocks centrally, so that only pairs
               across count; correlations inside are then not read off the file
PM split       ε in equal parts over a party's columns, piecewise
PM sample 2    two of a party's three columns at half its ε, piecewise
two-point      Algorithm 3 of the paper, split, with squares as items of their own
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import combinations, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sudare.facts.estimated import Wanted
from sudare.facts.link_plan import LinkPlan, read_link_plan
from sudare.facts.local_plan import LocalPlan, Wish
from sudare.facts.reported import Batch, Reports
from sudare.facts.schema import make_schema
from sudare.link.compile import LinkJob, compile_link
from sudare.local.compile import LocalJob, compile_local
from sudare.local.estimates.estimate import estimate
from sudare.local.forecast import forecast
from sudare.local.randomizer import Randomizer

RESULTS = Path(__file__).parent / "results" / "link_ways.json"
ROWS, STEPS, TRIALS = 30_162, 1000, 20
EPSILONS = (1, 2, 4, 8)
PARTIES = {"a": ("a1", "a2", "a3"), "b": ("b1", "b2", "b3")}
NAMES = [name for columns in PARTIES.values() for name in columns]
WANTED = Wanted(frozenset({"correlation"}))


@dataclass(frozen=True)
class Measured:
    epsilon: int
    way: str
    reports: str
    across: float
    across_error: float
    inside: float
    nothing: float
    forecast: float


def people(trial: int) -> dict[str, NDArray[np.int64]]:
    made = np.random.default_rng(trial)
    last = made.standard_normal(ROWS)
    found = {}
    for name in NAMES:
        x = np.clip(last / 3, -1, 1)
        found[name] = np.round((x + 1) * STEPS / 2).astype(np.int64)
        last = 0.8 * last + 0.6 * made.standard_normal(ROWS)
    return found


def plan_of(epsilon: int, more: str = "") -> LinkPlan:
    column = {"type": "integer", "min": 0, "max": STEPS, "complete": True}
    schemas = {
        name: make_schema(
            {
                "table": {"name": name, "neighbours": "replace-one"},
                "columns": {"id": {"type": "key"}, **dict.fromkeys(columns, column)},
            }
        )
        for name, columns in PARTIES.items()
    }
    parts = [
        f'[[parties]]\nname = "{name}"\naddress = "h:1"\nschema = "{name}"\n'
        f'key = [{{ column = "id" }}]\ncolumns = {list(columns)}\n{more}'
        for name, columns in PARTIES.items()
    ]
    text = f'session = "s"\nepsilon = {epsilon}\n[collector]\nname = "c"\naddress = "h:2"\n'
    return read_link_plan(text + "\n".join(parts), schemas.__getitem__)


def forced(plan: LinkPlan, local: Callable[[LocalPlan], LocalPlan]) -> LinkJob:
    """The same join with another local plan for each party."""
    jobs: dict[str, LocalJob] = {}
    for party in plan.parties:
        own = local(LocalPlan(party.epsilon, party.columns, statistics=("mean", "covariance")))
        jobs[party.name] = compile_local(own, party.schema)
    return LinkJob(plan, jobs, {n: {c: c for c in columns} for n, columns in PARTIES.items()})


def ways(epsilon: int) -> dict[str, LinkJob]:
    plan, piecewise = plan_of(epsilon), (("", Wish("piecewise")),)

    def with_(plan: LocalPlan, **more: object) -> LocalPlan:
        return LocalPlan(**{**vars(plan), **more})  # type: ignore[arg-type]

    return {
        "default": compile_link(plan),
        "with central": compile_link(plan_of(epsilon, "central = 1\n")),
        "PM split": forced(plan, lambda p: with_(p, wishes=piecewise, budget="split")),
        "PM sample 2": forced(
            plan, lambda p: with_(p, wishes=piecewise, budget="sample", report=2)
        ),
        "two-point": forced(
            plan, lambda p: with_(p, wishes=(("", Wish("two-point")),), budget="split")
        ),
    }


def errors(job: LinkJob, trial: int) -> tuple[float, float, float]:
    """Across parties, inside them, and across where zero is published."""
    data, reports = people(trial), {}
    for name in job.plan.names:
        facts = job.party_facts(name)
        drawn: Reports = Randomizer(facts)({c: (data[c], None) for c in facts.domains}, ROWS)
        reports |= drawn
    found = estimate(job.joined_facts(), [Batch(ROWS, reports)], WANTED).correlation
    truth = np.corrcoef([data[name] for name in NAMES])

    def of(a: str, b: str) -> float:
        if found is None or not {a, b} <= set(found.columns):
            return 0.0
        figure = found.entries[found.columns.index(a)][found.columns.index(b)]
        return float(figure.value or 0.0)

    def mean(pairs: list[tuple[str, str]], told: Callable[[str, str], float]) -> float:
        away = [abs(told(a, b) - truth[NAMES.index(a), NAMES.index(b)]) for a, b in pairs]
        return float(np.mean(away))

    across = list(product(*PARTIES.values()))
    inside = [pair for columns in PARTIES.values() for pair in combinations(columns, 2)]
    return mean(across, of), mean(inside, of), mean(across, lambda a, b: 0.0)


def measured(epsilon: int, way: str, job: LinkJob) -> Measured:
    told = np.array([errors(job, trial) for trial in range(TRIALS)])
    factors = [forecast(each.way, "mean") or np.inf for each in job.jobs.values()]
    own = next(iter(job.jobs.values())).way
    kinds = "+".join(dict.fromkeys(f"{i.kind} by {i.mechanism}" for i in own.items))
    return Measured(
        epsilon,
        way,
        f"{own.asked} of {len(own.items)}: {kinds}",
        float(told[:, 0].mean()),
        float(told[:, 0].std(ddof=1) / np.sqrt(TRIALS)),
        float(told[:, 1].mean()),
        float(told[:, 2].mean()),
        float(np.prod(factors)),
    )


def main() -> None:
    found = [measured(e, name, job) for e in EPSILONS for name, job in ways(e).items()]
    print("| ε | way | a person of one party reports | across | inside | nothing | forecast |")
    print("|---|---|---|---|---|---|---|")
    for each in found:
        print(
            f"| {each.epsilon} | {each.way} | {each.reports} | "
            f"{each.across:.3f} ± {each.across_error:.3f} | {each.inside:.3f} | "
            f"{each.nothing:.3f} | {each.forecast:.2f} |"
        )
    RESULTS.write_text(json.dumps([asdict(each) for each in found], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
