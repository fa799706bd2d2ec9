"""How fast are keys made pseudonyms, beside bare rbcl and beside openmined-psi?

    .venv/bin/python benchmarks/link_keys.py [--keys 20000] [--largest 1000000] [--json out.json]

In one run: (a) the scalar multiplications a second of two parties whose keys become commutative
pseudonyms, hashing included, over those of rbcl's own function on two cores, which is called on the
same points in two threads and in two processes, the faster of which counts; goal 0.8. `raised`
alone, without hashing, stands beside it. (b) Salted keys a second; goal 10^6. (c) How the time of
one party grows from 10^4 keys to the largest number; goal: as the number of keys. (d) Seconds from
two lists of keys to their intersection, beside openmined-psi 2.0.6 in an environment of its own,
with the faster of its structures; goals: 20 times as fast with salt, faster with commutative.
Rounds alternate, and medians count. Seconds are those of the clock; seconds of the processors
stand beside them for when others share the machine.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import platform
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
import rbcl
from rich.console import Console
from rich.table import Table

from sudare.link.joining import joined
from sudare.link.normalizing import normalize
from sudare.link.pseudonyms import hashed, raised
from sudare.link.salting import salted
from sudare.randomness.bits import SystemBits
from sudare.randomness.keys import new_scalar, new_secret
from synthesis_peers import RESULTS, Peer, drive

PSI = Peer("openmined-psi", "openmined_psi.py", private=False)
STRUCTURES = ("RAW", "GCS", "BLOOM_FILTER")
SESSION = b"benchmark"
CORES, ROUNDS, SMALLEST = 2, 5, 10_000
BITS = SystemBits()

Figures = dict[str, Any]


def phones(first: int, count: int) -> list[str]:
    return [f"090-{n // 10000:04}-{n % 10000:04}" for n in range(first, first + count)]


def keys_of(values: list[str]) -> list[bytes]:
    return [key for key in normalize([values], ["phone"]) if key is not None]


def spell(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the clock and of the processors."""
    start, busy = perf_counter(), process_time()
    work()
    return perf_counter() - start, process_time() - busy


def bare(scalar: bytes, points: list[bytes]) -> None:
    for point in points:
        rbcl.crypto_scalarmult_ristretto255(scalar, point)


def bare_threads(scalar: bytes, halves: list[list[bytes]]) -> None:
    with ThreadPoolExecutor(CORES) as threads:
        list(threads.map(lambda half: bare(scalar, half), halves))


def bare_processes(scalar: bytes, halves: list[list[bytes]]) -> None:
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=bare, args=(scalar, half)) for half in halves]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def two_parties(ours: list[bytes], theirs: list[bytes]) -> tuple[Any, Any]:
    """Both lists through both exponents: four multiplications for a key on each side."""
    one, two = new_scalar(BITS), new_scalar(BITS)
    first = raised(hashed(ours, SESSION), one)
    second = raised(hashed(theirs, SESSION), two)
    return raised(first, two), raised(second, one)


def multiplications(count: int) -> Figures:
    keys = keys_of(phones(0, count))
    points = [row.tobytes() for row in hashed(keys, SESSION)]
    halves = [points[0::2] * 2, points[1::2] * 2]
    scalar, done = new_scalar(BITS), 2 * count
    doubled = np.tile(hashed(keys, SESSION), (2, 1))
    rounds = []
    for _ in range(ROUNDS):
        lone = spell(lambda: bare(scalar, points[: count // 4]))
        threads = spell(lambda: bare_threads(scalar, halves))
        processes = spell(lambda: bare_processes(scalar, halves))
        alone = spell(lambda: raised(doubled, scalar))
        both = spell(lambda: two_parties(keys[: count // 2], keys[count // 2 :]))
        rate = max(done / threads[0], done / processes[0])
        rounds.append(
            {
                "bare_one_core": count / 4 / lone[0],
                "bare_threads": done / threads[0],
                "bare_processes": done / processes[0],
                "raised": done / alone[0],
                "both_parties": done / both[0],
                "ratio_raised": done / alone[0] / rate,
                "ratio": done / both[0] / rate,
                "ratio_raised_cpu": (done / alone[1]) / (count / 4 / lone[1]),
                "ratio_cpu": (done / both[1]) / (count / 4 / lone[1]),
            }
        )
    return {name: median(each[name] for each in rounds) for name in rounds[0]}


def salting(count: int) -> Figures:
    keys, info = keys_of(phones(0, count)), new_secret(BITS)
    spells = [spell(lambda: salted(keys, info, SESSION)) for _ in range(ROUNDS)]
    clock, busy = (median(each) for each in zip(*spells, strict=True))
    return {"keys": count, "keys_per_second": count / clock, "keys_per_cpu_second": count / busy}


def growth(largest: int) -> list[Figures]:
    """One party's seconds of the processors at each number of keys."""
    sizes = [SMALLEST * 10**power for power in range(10) if SMALLEST * 10**power <= largest]
    found = []
    # The first call builds the rule's table.
    keys_of(phones(0, 1))
    for count in sizes:
        values = phones(0, count)
        written = spell(lambda values=values: normalize([values], ["phone"]))
        keys, info, scalar = keys_of(values), new_secret(BITS), new_scalar(BITS)
        salt = spell(lambda keys=keys, info=info: salted(keys, info, SESSION))
        lifted = spell(lambda keys=keys, scalar=scalar: raised(hashed(keys, SESSION), scalar))
        found.append({"keys": count, "normalize": written, "salt": salt, "commutative": lifted})
    return found


def exponent(rows: list[Figures], name: str) -> float | None:
    """e where seconds grow as keys^e, from the first to the last row."""
    if len(rows) < 2:
        return None
    first, last = rows[0], rows[-1]
    return math.log(last[name][1] / first[name][1]) / math.log(last["keys"] / first["keys"])


def peer(ours: list[str], theirs: list[str], structure: str, common: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "ours").write_text("\n".join(ours), "utf-8")
        (folder / "theirs").write_text("\n".join(theirs), "utf-8")
        job = {each: str(folder / each) for each in ("ours", "theirs", "out")}
        taken = drive(PSI, {**job, "structure": structure}, "openmined", folder)
        assert json.loads((folder / "out").read_text("utf-8")) == common
    return taken.fit, taken.fit_cpu


def intersections(count: int) -> Figures:
    ours, theirs = phones(0, count), phones(count // 2, count)
    common = count - count // 2

    def check(one: Any, two: Any) -> None:
        both = joined({"one": one, "two": two})[frozenset({"one", "two"})]
        assert len(both["one"]) == common

    def by_salt() -> None:
        info = new_secret(BITS)
        check(*(salted(keys_of(side), info, SESSION) for side in (ours, theirs)))

    def by_exponents() -> None:
        check(*two_parties(keys_of(ours), keys_of(theirs)))

    rounds = []
    for _ in range(3):
        peers = {each: peer(ours, theirs, each, common) for each in STRUCTURES}
        best = min(peers.values())
        salt, commutative = spell(by_salt), spell(by_exponents)
        rounds.append(
            {
                "salt_seconds": salt[0],
                "commutative_seconds": commutative[0],
                **{f"openmined_{each.lower()}": taken[0] for each, taken in peers.items()},
                "salt_ratio": best[0] / salt[0],
                "commutative_ratio": best[0] / commutative[0],
                "salt_ratio_cpu": best[1] / salt[1],
                "commutative_ratio_cpu": best[1] / commutative[1],
            }
        )
    return {"keys": count} | {name: median(each[name] for each in rounds) for name in rounds[0]}


def show(figures: Figures) -> None:
    console = Console(width=110)
    for part in ("multiplications", "salting", "intersections"):
        table = Table("measure", "value", title=part)
        for name, value in figures[part].items():
            table.add_row(name, f"{value:,.3g}" if value < 1000 else f"{value:,.0f}")
        console.print(table)
    table = Table("keys", "normalize", "salt", "commutative", title="growth: clock / processors, s")
    for row in figures["growth"]:
        cells = [f"{row[name][0]:.3f} / {row[name][1]:.3f}" for name in list(row)[1:]]
        table.add_row(f"{row['keys']:,}", *cells)
    console.print(table)
    console.print(f"seconds grow as keys to the power of {figures['exponents']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=20_000)
    parser.add_argument("--largest", type=int, default=1_000_000)
    parser.add_argument("--json", type=Path, default=RESULTS / "link_keys.json")
    asked = parser.parse_args()
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    rows = growth(asked.largest)
    figures: Figures = {
        "machine": machine,
        "multiplications": multiplications(asked.keys),
        "salting": salting(asked.largest),
        "growth": rows,
        "exponents": {name: exponent(rows, name) for name in ("normalize", "salt", "commutative")},
        "intersections": intersections(asked.keys),
    }
    show(figures)
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    Console(stderr=True).print(f"Wrote {asked.json}")


if __name__ == "__main__":
    main()
