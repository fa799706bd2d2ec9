"""How fast are local mechanisms, against independent ones and against copying the file?

    .venv/bin/python benchmarks/local.py [--rows 10000000] [--json out.json]

First nanoseconds a value of every mechanism, with secure bits, the best of several runs; beside
them pure-ldp 1.2.0 and multi-freq-ldpy 0.2.5 on the same oracle in the same run. Goals: two-point
and randomised response at most 6 ns, piecewise and hybrid at most 50 ns, at least 50 times as fast
as the peers. Then `randomize` with shuffling of a Parquet file of six columns (three numbers,
three categories), engine to finished file, against DuckDB's copy of the same file; goal: at most
three times as long. The ledger's writes are in it. Last the most memory that all of this held.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import duckdb
import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.LH import LH_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Client
from pyarrow import parquet
from rich.console import Console
from rich.table import Table

from peers import DEClient, LHClient, UEClient
from queries import people
from queries import schema as plain_schema
from sudare.facts.local_plan import LocalPlan, read_wishes
from sudare.facts.schema import Schema, make_schema
from sudare.mechanisms.local.named import best_for_labels, best_for_numbers
from sudare.publish.randomize import randomize
from sudare.randomness.bits import SystemBits

ROWS = 10_000_000
DRAWS = 1_000_000
PEER_DRAWS = 20_000
REPEATS = 7
VALUES = 10
EPSILON = Fraction(1)
GOALS = {"two-point": 6.0, "grr": 6.0, "piecewise": 50.0, "hybrid": 50.0}
PEER_GOAL, COPY_GOAL = 50.0, 3.0
RESULTS = Path(__file__).parent / "results" / "local.json"


def best(call: Callable[[], object], repeats: int = REPEATS) -> float:
    found = float("inf")
    for _ in range(repeats):
        start = perf_counter()
        call()
        found = min(found, perf_counter() - start)
    return found


def peers(epsilon: float) -> dict[str, dict[str, Callable[[int], object]]]:
    """The same oracle by others, one call a value, as their interfaces want it."""

    def mapper(label: int) -> int:
        return label

    return {
        "grr": {
            "pure-ldp": DEClient(epsilon, VALUES, index_mapper=mapper).privatise,
            "multi-freq-ldpy": lambda label: GRR_Client(label, VALUES, epsilon),
        },
        "oue": {
            "pure-ldp": UEClient(epsilon, VALUES, use_oue=True, index_mapper=mapper).privatise,
            "multi-freq-ldpy": lambda label: UE_Client(label, VALUES, epsilon, True),
        },
        "olh": {
            "pure-ldp": LHClient(epsilon, VALUES, use_olh=True, index_mapper=mapper).privatise,
            "multi-freq-ldpy": lambda label: LH_Client(label, VALUES, epsilon, True),
        },
    }


def mechanisms() -> list[dict[str, Any]]:
    bits, found = SystemBits(), []
    x = np.linspace(-1, 1, DRAWS)
    labels = (np.arange(DRAWS) % VALUES).astype(np.uint32)
    others = peers(float(EPSILON))
    for name in ("two-point", "piecewise", "hybrid", "laplace"):
        numbers = best_for_numbers(name, EPSILON)
        ns = best(lambda m=numbers: m.report(x, bits)) / DRAWS * 1e9  # type: ignore[misc]
        found.append({"mechanism": name, "ns": ns, "goal": GOALS.get(name)})
    for name in ("grr", "square-wave", "oue", "olh"):
        own = best_for_labels(name, EPSILON, VALUES)
        ns = best(lambda m=own: m.report(labels, bits)) / DRAWS * 1e9  # type: ignore[misc]
        row: dict[str, Any] = {"mechanism": name, "ns": ns, "goal": GOALS.get(name)}
        for peer, client in others.get(name, {}).items():
            row[peer] = peer_ns(client) / ns
        found.append(row)
    return found


def peer_ns(client: Callable[[int], object]) -> float:
    """Nanoseconds a value; the first call, which compiles, is not counted."""
    client(3)

    def many() -> None:
        for number in range(PEER_DRAWS):
            client(number % VALUES)

    return best(many, 3) / PEER_DRAWS * 1e9


def schema() -> Schema:
    values = plain_schema().model_dump(mode="json", exclude_none=True)
    table = {"name": "town", "neighbours": "replace-one"}
    return make_schema({**values, "table": table, "budget": {"epsilon": 10_000}})


def against_a_copy(rows: int) -> list[dict[str, Any]]:
    plans = {
        "auto": LocalPlan(Fraction(4), shuffle=True),
        "split, two-point and grr": LocalPlan(
            Fraction(4),
            wishes=read_wishes(["two-point", "grr"]),
            statistics=("mean", "histogram"),
            budget="split",
            shuffle=True,
        ),
        "split, piecewise and grr": LocalPlan(
            Fraction(4), wishes=read_wishes(["piecewise", "grr"]), budget="split", shuffle=True
        ),
    }
    found = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        parquet.write_table(people(rows), folder / "town.parquet")

        def copy() -> None:
            source, target = folder / "town.parquet", folder / "copy.parquet"
            with duckdb.connect() as db:
                db.execute(f"COPY (FROM '{source}') TO '{target}' (FORMAT parquet)")

        for name, plan in plans.items():

            def run(plan: LocalPlan = plan) -> None:
                output, ledger = folder / "out.parquet", folder / "town.ledger"
                output.unlink(missing_ok=True)
                randomize(folder / "town.parquet", schema(), plan, output, ledger=ledger)

            times = [float("inf")] * 2
            for _ in range(3):
                times = [
                    min(old, best(call, 1)) for old, call in zip(times, (copy, run), strict=True)
                ]
            ratio = times[1] / times[0]
            found.append({"plan": name, "copy_s": times[0], "own_s": times[1], "ratio": ratio})
    return found


def shown_mechanisms(rows: list[dict[str, Any]]) -> Table:
    table = Table(title=f"Local mechanisms, ε = {EPSILON}, {VALUES} labels")
    for column in ("mechanism", "ns a value", "goal", "× pure-ldp", "× multi-freq-ldpy", "goal"):
        table.add_column(column, justify="right")
    for row in rows:
        goal = row["goal"]
        ns = f"[red]{row['ns']:.1f}[/]" if goal and row["ns"] > goal else f"{row['ns']:.1f}"
        ratios = [row.get(peer) for peer in ("pure-ldp", "multi-freq-ldpy")]
        cells = [
            "" if r is None else f"[red]{r:.0f}[/]" if r < PEER_GOAL else f"{r:.0f}" for r in ratios
        ]
        wanted = "" if ratios[0] is None else f"≥ {PEER_GOAL:.0f}"
        table.add_row(row["mechanism"], ns, f"≤ {goal:.0f}" if goal else "", *cells, wanted)
    return table


def shown_copies(rows: list[dict[str, Any]], count: int) -> Table:
    table = Table(title=f"Randomise and shuffle {count:,} rows × 6 columns against a copy")
    for column in ("plan", "copy s", "randomize s", "ratio", "goal"):
        table.add_column(column, justify="right")
    for row in rows:
        ratio = (
            f"{row['ratio']:.2f}" if row["ratio"] <= COPY_GOAL else f"[red]{row['ratio']:.2f}[/]"
        )
        times = (f"{row['copy_s']:.2f}", f"{row['own_s']:.2f}")
        table.add_row(row["plan"], *times, ratio, f"≤ {COPY_GOAL:.0f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    console = Console(width=110)
    alone = mechanisms()
    console.print(shown_mechanisms(alone))
    copies = against_a_copy(asked.rows)
    console.print(shown_copies(copies, asked.rows))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(f"The process, which also made the table, held {memory:,.0f} MB at most.")
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    facts = {"machine": platform.machine(), "rows": asked.rows}
    asked.json.write_text(json.dumps({**facts, "mechanisms": alone, "copies": copies}, indent=2))


if __name__ == "__main__":
    main()
