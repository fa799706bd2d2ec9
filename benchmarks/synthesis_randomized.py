"""Synthetic rows from locally randomised reports, beside independent columns from the same reports.

    .venv/bin/python benchmarks/synthesis_randomized.py [--case adult] [--repeats 3]
        [--json out.json]

Cases: the made town (20,000 people), the same with every column shuffled by itself, so that there
is nothing to tell, Adult without rows that have a `?` (30,162), and every row of Adult ten times
(301,620). For each: reports for synthesis, shuffled, at the local ε at which the shuffled ones are
(1, 1e-6)-DP, and at a local ε of 1, of 8 and of 30. Two-way total variation from the real rows (10
bins, as in `sudare compare`, between the least and the greatest value), averaged over repeats;
"independent" has the same estimated histograms and no dependence; "true margins" is independence
with exact ones. The last columns say for how many pairs a dependence was told, and how many of
those are real, that is, are farther from independence than chance alone by 0.02.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from peer_tables import BOUNDS, load
from sudare.demo.town import people, schema_text
from sudare.facts.drawn import Drawn
from sudare.facts.local_plan import LocalPlan
from sudare.facts.microdata import LabelColumn, Microdata, number_column
from sudare.facts.schema import Schema
from sudare.facts.statistics import Statistics
from sudare.local.amplify import amplified_job
from sudare.local.compile import compile_local
from sudare.publish.files import load_schema
from sudare.publish.randomize import randomize
from sudare.publish.randomized_statistics import randomized_statistics
from sudare.randomness.bits import SystemBits
from sudare.risk.compare.measures import compare_measures
from sudare.synthesis.signal import signal
from sudare.synthesis.synthesize import synthesize

DELTA = 1e-6
ROWS = 300_000
CASES = ("town", "town-mixed", "adult", "adult-10")
REAL = 0.02
LOCAL = (1.0, 8.0, 30.0)


def frame_of(case: str) -> pd.DataFrame:
    if case.startswith("town"):
        found = pd.DataFrame(people()).drop(columns="person_id")
        found = found.astype({"age": int, "household": int, "hours": float, "income": int})
        return found if case == "town" else mixed(found)
    found = load("adult")
    return pd.concat([found] * 10, ignore_index=True) if case == "adult-10" else found


def mixed(frame: pd.DataFrame) -> pd.DataFrame:
    """Every column in an order of its own, so that there is no dependence to be told."""
    made = np.random.default_rng(7)
    columns = {name: made.permutation(frame[name].to_numpy()) for name in frame.columns}
    return pd.DataFrame(columns)


def schema_of(case: str, frame: pd.DataFrame, place: Path) -> Schema:
    """The town's own schema, or Adult's bounds and labels, with a public number of rows."""
    if case.startswith("town"):
        text = schema_text("en").replace('"add-remove"', '"replace-one"')
        text = text.replace('[columns.person_id]\ntype = "key"\n', "")
    else:
        text = '[table]\nname = "adult"\nneighbours = "replace-one"\n[budget]\nepsilon = 1000\n'
        text += "".join(_column(name, frame) for name in frame.columns)
    text = text.replace("[budget]", f"public_rows = {len(frame)}\n[budget]")
    text = text.replace("epsilon = 3.0\ndelta = 1e-9", "epsilon = 1000")
    path = place / f"{case}.schema.toml"
    path.write_text(text)
    return load_schema(path)


def _column(name: str, frame: pd.DataFrame) -> str:
    if name in BOUNDS["adult"]:
        low, high = BOUNDS["adult"][name]
        return f'[columns.{name}]\ntype = "integer"\nmin = {low}\nmax = {high}\n'
    labels = json.dumps(sorted(set(frame[name])))
    return f'[columns.{name}]\ntype = "category"\nvalues = {labels}\n'


def shuffled_epsilon(schema: Schema, rows: int, wanted: float = 1.0) -> float:
    """The largest local ε, to 0.05, whose shuffled reports are (wanted, δ)-DP."""
    low, high = 1.0, 16.0
    while high - low > 0.05:
        middle = (low + high) / 2
        job = compile_local(plan_of(middle), schema)
        good = amplified_job(job, rows, DELTA)["epsilon"] <= wanted
        low, high = (middle, high) if good else (low, middle)
    return round(low, 2)


def plan_of(epsilon: float) -> LocalPlan:
    exact = Fraction(epsilon).limit_denominator(1000)
    return LocalPlan(exact, statistics=("synthesis",), shuffle=True)


def real_rows(frame: pd.DataFrame, statistics: Statistics) -> Microdata:
    columns: list[Any] = []
    for each in statistics.marginals:
        values = frame[each.name]
        if not each.is_number:
            columns.append(LabelColumn(each.name, _codes(values, each.labels), each.labels))
        elif each.type == "date":
            days = pd.to_datetime(values).to_numpy().astype("datetime64[D]").astype(np.int64)
            columns.append(number_column(each.name, days, "date"))
        elif each.type == "boolean":
            columns.append(number_column(each.name, values == "true", "boolean"))
        else:
            columns.append(number_column(each.name, values, "real"))
    return Microdata(tuple(columns))


def _codes(values: pd.Series, labels: tuple[str, ...]) -> Any:
    return pd.Categorical(values, categories=list(labels)).codes.astype(np.int32)


def drawn_rows(drawn: Drawn, statistics: Statistics) -> Microdata:
    columns: list[Any] = []
    for each in statistics.marginals:
        missing = drawn.is_missing(each.name)
        if each.is_number:
            values = np.where(missing, np.nan, drawn.values[each.name])
            kind = each.type if each.type in ("boolean", "date") else "real"
            columns.append(number_column(each.name, values, kind))  # type: ignore[arg-type]
        else:
            codes = np.where(missing, -1, drawn.codes[each.name]).astype(np.int32)
            columns.append(LabelColumn(each.name, codes, each.labels))
    return Microdata(tuple(columns))


def shuffled(rows: Microdata, seed: int) -> Microdata:
    """The same columns, each in an order of its own: the real histograms and no dependence."""
    made = np.random.default_rng(seed)
    columns = tuple(column.taken(made.permutation(rows.rows)) for column in rows.columns)
    return Microdata(columns)


def dependent(real: Microdata) -> set[tuple[str, str]]:
    """Pairs whose table is farther from a shuffled one than two shuffled ones are from each other,
    which in wide tables of few people is far."""
    one, two = shuffled(real, 1), shuffled(real, 2)
    found = set()
    for pair in combinations(real.names, 2):
        away, chance = (
            compare_measures(each.only(pair), one.only(pair)).crosses.two_way_tv
            for each in (real, two)
        )
        if away > chance + REAL:
            found.add(pair)
    return found


@dataclass(frozen=True)
class Setting:
    """A case as it lies on the disk, and its rows to compare with: ten times the same rows have the
    distribution of one."""

    place: Path
    data: Path
    schema: Schema
    frame: pd.DataFrame
    rows: int
    dependent: dict[str, set[tuple[str, str]]]


def run(case: str, repeats: int) -> list[dict[str, Any]]:
    frame = frame_of(case)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        data = place / f"{case}.csv"
        frame.to_csv(data, index=False)
        schema = schema_of(case, frame, place)
        once_each = frame_of("adult") if case == "adult-10" else frame
        setting = Setting(place, data, schema, once_each, len(frame), {})
        star = shuffled_epsilon(schema, len(frame))
        found = []
        for label, epsilon in (("shuffled ε* = 1", star), *(("local", e) for e in LOCAL)):
            done = [once(setting, epsilon, number) for number in range(repeats)]
            mean = {
                key: float(np.mean([each[key] for each in done]))
                for key, value in done[0].items()
                if isinstance(value, (int, float))
            }
            found.append({**done[0], **mean, "case": case, "rows": len(frame), "what": label})
            print(line(found[-1]), flush=True)
        return found


def once(setting: Setting, epsilon: float, number: int) -> dict[str, Any]:
    plan, place = plan_of(epsilon), setting.place
    target = place / f"{setting.data.stem}-{epsilon}-{number}.parquet"
    way = compile_local(plan, setting.schema).way
    randomize(setting.data, setting.schema, plan, target, ledger=place / f"{target.stem}.ledger")
    started, bits = perf_counter(), SystemBits()
    statistics = randomized_statistics(target)
    ours = drawn_rows(synthesize(statistics, ROWS, bits), statistics)
    seconds = perf_counter() - started
    alone = replace(statistics, crosses={}, shifts={}, moments=None)
    own = drawn_rows(synthesize(alone, ROWS, bits), alone)
    real = real_rows(setting.frame, statistics)
    if not setting.dependent:
        setting.dependent["pairs"] = dependent(real)
    said = signal(statistics)
    told, true = {pair for pair, kept in said.items() if kept}, setting.dependent["pairs"]
    rows = {
        "ours": ours,
        # The histograms that the tables helped to agree on, and those without that help.
        "independent": shuffled(ours, number),
        "own_histograms": own,
        "true_margins": shuffled(real, number),
    }
    measures = {name: compare_measures(real, each).crosses for name, each in rows.items()}
    return {
        "epsilon": epsilon,
        "way": f"{way.budget}, {way.asked} of {len(way.items)}",
        **{name: each.two_way_tv for name, each in measures.items()},
        "one_way": measures["ours"].one_way_tv,
        "told": len(told),
        "told_and_real": len(told & true),
        "real": len(true),
        "pairs": len(said),
        "seconds": seconds,
    }


def line(found: dict[str, Any]) -> str:
    return (
        f"| {found['case']} | {found['rows']:,} | {found['what']}, ε' = {found['epsilon']:g} | "
        f"{found['way']} | {found['ours']:.4f} | {found['independent']:.4f} | "
        f"{found['own_histograms']:.4f} | {found['true_margins']:.4f} | {found['told']:.0f} "
        f"({found['told_and_real']:.0f} of {found['real']:.0f}) of {found['pairs']:.0f} | "
        f"{found['seconds']:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", choices=CASES)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    print(
        "| data | people | ε | way | two-way TV | independent | own histograms | true margins | "
        "pairs told | seconds |"
    )
    cases = [given.case] if given.case else CASES
    found = [row for case in cases for row in run(case, given.repeats)]
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
