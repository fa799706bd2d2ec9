"""Synthetic rows under ε: sudare beside mbi's AIM and MST and smartnoise-synth's MST, in one run.

    .venv/bin/python benchmarks/synthesis_private.py [--epsilon 1] [--repeats 3]
        [--peers mbi-mst mbi-aim smartnoise-mst] [--rows 300000] [--json out.json]

Adult, δ = 1e-9, add or remove one person, the same rows and measures (`sudare compare`). Goal at
ε = 1: two-way total variation at most 0.9 of the best peer's, at most 0.2 of AIM's time.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from statistics import mean
from time import perf_counter

import pandas as pd
from rich.console import Console
from rich.table import Table as Shown

from peer_tables import load
from sudare.facts.schema import Schema
from sudare.publish.private_statistics import PrivatePlan, private_statistics, statistics_of
from sudare.publish.synthesize import Wish, make
from sudare.risk.compare.measures import compare_measures
from synthesis import declared, microdata

RESULTS = Path(__file__).parent / "results" / "synthesis_private.json"
DELTA = Fraction(1, 10**9)


@dataclass
class Row:
    way: str
    epsilon: str
    two_way_tv: float
    cross_cells: float
    cross_printed: float
    spearman: float
    seconds: float


def with_budget(schema: Schema, rows: int) -> Schema:
    """The same schema with a budget for all repeats, and the number of rows that is expected."""
    values = schema.model_dump(exclude_defaults=True)
    values["budget"] = {"epsilon": 900.0, "delta": 1e-3}
    values["table"]["expected_rows"] = rows
    return Schema.model_validate(values)


def ours(
    path: Path, schema: Schema, epsilon: str, rows: int, ledger: Path, delta: Fraction
) -> tuple[pd.DataFrame, float]:
    start = perf_counter()
    plan = PrivatePlan(Fraction(epsilon), delta)
    release = private_statistics(path, schema, plan, ledger=ledger)
    made = make(statistics_of(release), Wish(rows))
    frame = made.table().to_pandas()
    return frame, perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epsilon", nargs="+", default=["1"])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peers", nargs="*", default=["mbi-mst", "mbi-aim", "smartnoise-mst"])
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    real = load("adult")
    schema = with_budget(declared("adult", real), len(real))
    truth = microdata(real, schema)
    rows: list[Row] = []

    def score(way: str, epsilon: str, frame: pd.DataFrame, seconds: float) -> None:
        found = compare_measures(truth, microdata(frame, schema))
        row = Row(
            way, epsilon, found.crosses.two_way_tv, found.crosses.ave_cross_cells,
            found.crosses.ave_cross, found.ranks.ave_spearman, seconds,
        )  # fmt: skip
        rows.append(row)
        print(json.dumps(asdict(row)), file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        path, ledger = Path(folder) / "adult.csv", Path(folder) / "adult.ledger"
        real.to_csv(path, index=False)
        for epsilon in asked.epsilon:
            for _ in range(asked.repeats):
                score("sudare", epsilon, *ours(path, schema, epsilon, asked.rows, ledger, DELTA))
            pure = ours(path, schema, epsilon, asked.rows, ledger, Fraction(0))
            score("sudare, δ = 0", epsilon, *pure)
            for peer in asked.peers:
                from synthesis_peers import run_peer

                out, taken = run_peer(
                    peer, epsilon=float(epsilon), rows=asked.rows, work=Path(folder)
                )
                frame = pd.read_csv(out, keep_default_na=False)
                score(peer, epsilon, frame, taken.fit + taken.sample)
    shown = Shown(title="Adult, δ = 1e-9")
    for head in ("way", "ε", "two-way TV", "AveCross % (cells / printed)", "AveSpearCorr", "s"):
        shown.add_column(head)
    for way, epsilon in dict.fromkeys((row.way, row.epsilon) for row in rows):
        own = [row for row in rows if (row.way, row.epsilon) == (way, epsilon)]
        cross = f"{mean(r.cross_cells for r in own):.4f} / {mean(r.cross_printed for r in own):.4f}"
        shown.add_row(
            way, epsilon, f"{mean(r.two_way_tv for r in own):.4f}", cross,
            f"{mean(r.spearman for r in own):.4f}", f"{mean(r.seconds for r in own):.1f}",
        )  # fmt: skip
    Console(width=120).print(shown)
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(json.dumps([asdict(row) for row in rows], indent=2))


if __name__ == "__main__":
    main()
