"""How good, and how quick, is synthetic data from exact statistics? Beside paper mode and SDV.

    .venv/bin/python benchmarks/synthesis.py [--data adult census-income] [--rows 300000]
        [--no-peer] [--json out.json]

One run: the statistics are counted, the rows made (`--preserve tables` and `moments`, and the
paper's own algorithm), SDV's Gaussian copula is fitted and sampled in an environment of its own
(benchmarks/synthesis_peers.py), and all are scored by `sudare compare`'s measures against the real
rows. Goals: moments to 1e-6, AveCross at most 0.2 of paper mode's and 0.1 of SDV's, AveSpearCorr at
most 0.2 of paper mode's, less time than SDV's fit and sample.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table as Shown

from peer_tables import BOUNDS, load
from sudare.facts.microdata import LabelColumn, Microdata, number_column
from sudare.facts.schema import Schema, make_schema
from sudare.facts.synthesized import Synthesized
from sudare.publish.bearable import exact
from sudare.publish.synthesize import Wish, make
from sudare.risk.compare.measures import compare_measures

RESULTS = Path(__file__).parent / "results" / "synthesis.json"
WAYS = {
    "sudare, tables": Wish(),
    "sudare, moments": Wish(preserve="moments"),
    "paper mode": Wish(mode="paper"),
    "method a": Wish(mode="a"),
}


@dataclass
class Row:
    data: str
    way: str
    seconds: float
    ave_mean: float
    ave_cov: float
    mean_scaled: float
    cov_scaled: float
    ave_cov_relative: float | None
    cross_cells: float
    cross_printed: float
    two_way_tv: float
    spearman: float
    megabytes: float


def declared(data: str, real: pd.DataFrame) -> Schema:
    """Bounds and labels are those of the file: both files are public."""
    columns: dict[str, Any] = {}
    for name in real.columns:
        if name not in BOUNDS[data]:
            columns[name] = {"type": "category", "values": sorted(real[name].unique().tolist())}
            continue
        values = real[name].astype(float)
        whole = bool((values % 1 == 0).all())
        low, high = values.min(), values.max()
        kind = {"type": "integer", "min": int(low), "max": int(high)}
        if not whole:
            kind = {"type": "real", "min": float(low), "max": float(high), "step": 0.01}
        columns[name] = kind
    return make_schema({"table": {"name": data}, "columns": columns})


def microdata(frame: pd.DataFrame, schema: Schema) -> Microdata:
    found = []
    for name, column in schema.columns.items():
        if column.type == "category":
            places = {label: place for place, label in enumerate(column.values)}
            codes = frame[name].astype(str).map(places).fillna(-1).to_numpy(np.int32)
            found.append(LabelColumn(name, codes, column.values))
        else:
            found.append(number_column(name, frame[name].astype(float).to_numpy(), column.type))
    return Microdata(tuple(found))


def scored(
    data: str, way: str, seconds: float, real: Microdata, made: Microdata,
    facts: Synthesized | None = None,
) -> Row:  # fmt: skip
    found = compare_measures(real, made)
    relative = None if facts is None or facts.after is None else facts.after.ave_cov_relative
    return Row(
        data, way, seconds, found.moments.ave_mean, found.moments.ave_cov,
        found.moments.max_mean_scaled, found.moments.max_cov_scaled, relative,
        found.crosses.ave_cross_cells, found.crosses.ave_cross, found.crosses.two_way_tv,
        found.ranks.ave_spearman, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )  # fmt: skip


def measure(data: str, rows: int, with_peer: bool) -> list[Row]:
    real = load(data)
    schema = declared(data, real)
    truth = microdata(real, schema)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{data}.csv"
        real.to_csv(path, index=False)
        for way, wish in WAYS.items():
            start = perf_counter()
            statistics = exact(path, schema, wish.preserve, mode=wish.mode).statistics
            made = make(statistics, Wish(rows, wish.preserve, wish.mode))
            table = made.table()
            seconds = perf_counter() - start
            frame = table.to_pandas()
            found.append(scored(data, way, seconds, truth, microdata(frame, schema), made.facts))
            shown(found[-1:])
        if with_peer:
            from synthesis_peers import run_peer

            out, taken = run_peer("sdv", data, rows=rows, work=Path(folder))
            frame = pd.read_csv(out, keep_default_na=False)
            seconds = taken.fit + taken.sample
            found.append(scored(data, "SDV copula", seconds, truth, microdata(frame, schema)))
            shown(found[-1:])
    return found


def shown(rows: list[Row]) -> None:
    for row in rows:
        print(json.dumps(asdict(row)), file=sys.stderr, flush=True)


def table(rows: list[Row]) -> Shown:
    found = Shown(title="Synthetic rows from exact statistics")
    heads = ("data", "way", "seconds", "AveMean", "AveCov", "max Δmean/σ", "max Δcov/σσ",
             "AveCross % (cells / printed)", "two-way TV", "AveSpearCorr")  # fmt: skip
    for head in heads:
        found.add_column(head)
    for row in rows:
        found.add_row(
            row.data, row.way, f"{row.seconds:.1f}", f"{row.ave_mean:.3g}", f"{row.ave_cov:.3g}",
            f"{row.mean_scaled:.2g}", f"{row.cov_scaled:.2g}",
            f"{row.cross_cells:.4f} / {row.cross_printed:.4f}", f"{row.two_way_tv:.4f}",
            f"{row.spearman:.4f}",
        )  # fmt: skip
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", default=["adult", "census-income"])
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    rows = [row for data in asked.data for row in measure(data, asked.rows, not asked.no_peer)]
    Console(width=160).print(table(rows))
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(json.dumps([asdict(row) for row in rows], indent=2))


if __name__ == "__main__":
    main()
