"""What does a whole join cost in time and memory, and how do both grow with the keys?

    .venv/bin/python benchmarks/link_session.py [--keys 10000 100000] [--pseudonyms salt]
        [--json out.json]

Two organisations with so many people each, nine tenths of them in common, and a collector: the
commands `sudare link serve` and `sudare link collect` as processes on this machine, over loopback
with TLS, from Parquet files with a telephone number and two numbers to joined.parquet. Shown are
seconds by the clock, of the processors together, and for each process the most memory it held
beyond what it holds with a hundred keys, in bytes a key. What a chunk and its copies take is in
that once, however many chunks there are; "bytes a further key" is the difference between the two
largest sizes, which a chunk has no part in. Goals: time grows linearly in keys; a million keys a
side complete; an organisation holds 64 bytes a further key at most.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import duckdb
from rich.console import Console
from rich.table import Table

from sudare.demo.linked import free_ports
from sudare.publish.link_init import make

RESULTS = Path(__file__).parent / "results" / "link_session.json"
SIZES, SMALLEST = (10_000, 100_000), 100
NAMES, COLLECTOR = ("a", "b"), "c"
SCHEMA = """
[table]
name = "{name}"
unit = "row"
neighbours = "replace-one"
[budget]
epsilon = 100.0
[columns.phone]
type = "key"
[columns.{name}x]
type = "integer"
min = 0
max = 100
[columns.{name}y]
type = "integer"
min = 0
max = 100
"""
PARTY = """
[[parties]]
name = "{name}"
address = "127.0.0.1:{port}"
schema = "{name}.schema.toml"
key = [{{ column = "phone", rule = "phone" }}]
columns = ["{name}x", "{name}y"]
"""


def write_session(folder: Path, keys: int, pseudonyms: str) -> None:
    """Identities, tables, schemas and the plan."""
    make("authority", folder / "ca", True, None, None, None, None, (), 2)
    ports = free_ports(len(NAMES) + 1)
    plan = f'session = "bench"\nepsilon = 8\npseudonyms = "{pseudonyms}"\n'
    plan += f'[collector]\nname = "{COLLECTOR}"\naddress = "127.0.0.1:{ports[-1]}"\n'
    for place, name in enumerate((*NAMES, COLLECTOR)):
        make(name, folder / name, False, folder / "ca", None, None, None, (), 2)
        if name == COLLECTOR:
            continue
        first = place * keys // 10
        duckdb.sql(
            f"SELECT '090' || lpad((i * 7368787 % 100000000)::VARCHAR, 8, '0') AS phone, "
            f"(i * 31 % 101)::INTEGER AS {name}x, (i * 57 % 101)::INTEGER AS {name}y "
            f"FROM range({first}, {first + keys}) t(i)"
        ).write_parquet(str(folder / f"{name}.parquet"))
        (folder / f"{name}.schema.toml").write_text(SCHEMA.format(name=name), encoding="utf-8")
        plan += PARTY.format(name=name, port=ports[place])
    (folder / "link.toml").write_text(plan, encoding="utf-8")


def start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "sudare.cli.app", "link", *words, "--json"]
    with (folder / f"{words[-1]}.out").open("wb") as out:
        return subprocess.Popen(command, cwd=folder, stdout=out, stderr=out)


def run(keys: int, pseudonyms: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_session(folder, keys, pseudonyms)
        begun = perf_counter()
        wait = ("--wait", "3600")
        started = {COLLECTOR: start(folder, "collect", "link.toml", *wait, "--identity", COLLECTOR)}
        for name in NAMES:
            rest = ("--as", name, *wait, "--identity", name)
            started[name] = start(folder, "serve", "link.toml", f"{name}.parquet", *rest)
        used = {name: os.wait4(process.pid, 0) for name, process in started.items()}
        seconds = perf_counter() - begun
        failed = [name for name, each in used.items() if each[1]]
        if failed:
            raise SystemExit((folder / f"{failed[0]}.out").read_text(encoding="utf-8"))
        told = json.loads((folder / "joined.certificate.json").read_bytes())
        return {
            "keys": keys,
            "pseudonyms": pseudonyms,
            "joined": told["rows"],
            "seconds": seconds,
            "of_processors": sum(each[2].ru_utime + each[2].ru_stime for each in used.values()),
            "most_kb": {name: each[2].ru_maxrss for name, each in used.items()},
        }


def show(points: list[dict[str, Any]]) -> None:
    console = Console(width=120)
    columns = ("pseudonyms", "keys a side", "joined", "seconds", "of processors", "µs a key",
               "bytes a key: organisation", "collector")  # fmt: skip
    table = Table(*columns)
    least = {each["pseudonyms"]: each for each in points if each["keys"] == SMALLEST}
    for each in points:
        base = least[each["pseudonyms"]]["most_kb"]
        more = {n: (kb - base[n]) * 1024 / each["keys"] for n, kb in each["most_kb"].items()}
        table.add_row(
            each["pseudonyms"],
            f"{each['keys']:,}",
            f"{each['joined']:,}",
            f"{each['seconds']:.1f}",
            f"{each['of_processors']:.1f}",
            f"{1e6 * each['of_processors'] / each['keys'] / len(NAMES):.0f}",
            f"{max(more[name] for name in NAMES):.0f}",
            f"{more[COLLECTOR] / len(NAMES):.0f}",
        )
    console.print(table)
    for pseudonyms in least:
        told = further([each for each in points if each["pseudonyms"] == pseudonyms])
        if told is not None:
            console.print(
                f"{pseudonyms}, from {told['from']:,} to {told['to']:,} keys: bytes a further key: "
                f"organisation {told['organisation']:.0f}, collector {told['collector']:.0f}"
            )


def further(points: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Bytes that one more key takes, between the two largest sizes."""
    large = sorted((each for each in points if each["keys"] > SMALLEST), key=lambda p: p["keys"])
    if len(large) < 2:
        return None
    less, more = large[-2:]
    keys = more["keys"] - less["keys"]
    grown = {n: (kb - less["most_kb"][n]) * 1024 / keys for n, kb in more["most_kb"].items()}
    return {
        "from": less["keys"],
        "to": more["keys"],
        "organisation": max(grown[name] for name in NAMES),
        "collector": grown[COLLECTOR] / len(NAMES),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--pseudonyms", nargs="+", default=["salt", "commutative"])
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    points = []
    for pseudonyms in asked.pseudonyms:
        for keys in (SMALLEST, *asked.keys):
            points.append(run(keys, pseudonyms))
            print(json.dumps(points[-1]), flush=True)
    show(points)
    told = {
        "machine": platform.processor() or platform.machine(),
        "results": points,
        "bytes_a_further_key": {
            pseudonyms: further([each for each in points if each["pseudonyms"] == pseudonyms])
            for pseudonyms in asked.pseudonyms
        },
    }
    asked.json.parent.mkdir(exist_ok=True)
    asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
