"""What does k^m-anonymity cost, beside other ways to it, and how long does it take?

    .venv/bin/python benchmarks/sets_km.py [--k 5] [--json out.json]

On BMS-WebView-1 and -2 of ../shared/data, for m = 2 and 3. Suppression: the share of items that go
(util1), with every rule of ours switched off in turn, beside a plain rule, and beside a bound that
no release can beat. On small samples, beside the fewest suppressions, as CP-SAT proves them.
Generalization: the loss (NCP) along hierarchies that put 5 or 10 items by number under a node, and
so on up to one root, beside climbing from the items. A million records: BMS-WebView-2 thirteen
times, with thirteen times k. Ours runs once to be compiled and three times for the median.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

from sets_km_rivals import climbing, fewest_gone, least_gone, one_item_everywhere
from sets_mining import NAMES, read
from sudare.facts.baskets import Baskets, Flags
from sudare.facts.item_tree import Hierarchy
from sudare.randomness.bits import SystemBits
from sudare.sets.km.generalization import by_generalization
from sudare.sets.km.suppression import WEIGHTS, Weights, by_suppression
from sudare.sets.measures import util1, util2
from sudare.sets.verify.km import verify_km

T = TypeVar("T")
RESULTS = Path(__file__).parent / "results" / "sets_km.json"
RUNS, COPIES, SAMPLES, SECONDS = 3, 13, 20, 120.0
WAYS = {
    "ours": WEIGHTS,
    "once": WEIGHTS._replace(times=1),
    "once, no doubt": WEIGHTS._replace(times=1, doubt=0.0),
    "once, no need": WEIGHTS._replace(times=1, need=0.0),
    "once, neither": Weights(0.0, 0.0, 1),
}


def timed(work: Callable[[], T], runs: int) -> tuple[T, list[float]]:
    """What was made, and the median seconds by the clock and of the processors."""
    spells = []
    for _ in range(runs):
        start, busy = perf_counter(), process_time()
        made = work()
        spells.append((perf_counter() - start, process_time() - busy))
    return made, np.median(spells, axis=0).tolist()


def suppressing(name: str, m: int, k: int) -> Iterator[dict[str, Any]]:
    baskets = read(name, None)

    def told(way: str, kept: Flags, seconds: list[float]) -> dict[str, Any]:
        verify_km(baskets.kept(kept), k, m)
        lost = {"util1": float(util1(baskets, kept)), "util2": util2(baskets, kept)}
        return {"data": name, "k": k, "m": m, "way": way, **lost, "seconds": seconds}

    by_suppression(baskets, k, m, SystemBits(), weights=WAYS["once"])
    for way, weights in WAYS.items():
        found = [
            timed(lambda w=weights: by_suppression(baskets, k, m, SystemBits(), weights=w), 1)
            for _ in range(RUNS)
        ]
        found.sort(key=lambda each: np.count_nonzero(each[0]))
        yield told(way, found[RUNS // 2][0], np.median([s for _, s in found], axis=0).tolist())
    yield told("one item, everywhere", *timed(lambda: one_item_everywhere(baskets, k, m), 1))
    bound = least_gone(baskets, k) / len(baskets.items)
    yield {"data": name, "k": k, "m": m, "way": "bound", "util1": bound}


def small(name: str, seed: int) -> Baskets:
    """Thirty records of two to six of the twelve most frequent items."""
    whole = read(name, 30)
    draws = np.random.default_rng(seed)
    top = np.argsort(-np.bincount(whole.items), kind="stable")[:12]
    mask = np.isin(whole.items, top)
    cut = whole.kept(mask)
    fit = np.flatnonzero((cut.lengths >= 2) & (cut.lengths <= 6))
    rows = [cut.items[cut.starts[u] : cut.starts[u + 1]] for u in draws.choice(fit, 30, False)]
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return Baskets(starts, np.concatenate(rows), whole.names)


def optimal(name: str, m: int) -> dict[str, Any]:
    ours, least, proved = 0, 0, 0
    total = 0
    for seed in range(SAMPLES):
        baskets = small(name, seed)
        fewest, is_proved = fewest_gone(baskets, 3, m, SECONDS)
        if is_proved:
            kept = by_suppression(baskets, 3, m, SystemBits())
            ours += int(np.count_nonzero(~kept))
            least, total, proved = least + fewest, total + len(baskets.items), proved + 1
    return {"data": name, "k": 3, "m": m, "proved": proved, "items": total, "fewest": least,
            "ours": ours}  # fmt: skip


def fan(baskets: Baskets, width: int) -> Hierarchy:
    """Items in the order of their numbers, `width` to a node, and so on up to one root."""
    names, parent = list(baskets.names), [-1] * len(baskets.names)
    level = np.argsort([int(item) for item in baskets.names]).tolist()
    while len(level) > 1:
        above = list(range(len(names), len(names) + -(-len(level) // width)))
        for place, node in enumerate(level):
            parent[node] = above[place // width]
        names += [f"node {node}" for node in above]
        parent += [-1] * len(above)
        level = above
    return Hierarchy(tuple(names), np.array(parent, np.int32))


def generalizing(name: str, m: int, k: int, width: int) -> dict[str, Any]:
    baskets = read(name, None)
    tree = fan(baskets, width)
    by_generalization(baskets, tree, k, m)
    found, seconds = timed(lambda: by_generalization(baskets, tree, k, m), RUNS)
    verify_km(found.baskets, k, m)
    theirs, other = timed(lambda: climbing(baskets, tree, k, m), 1)
    counts = np.bincount(theirs[baskets.items], minlength=len(tree.names))
    leaves = np.bincount(theirs, minlength=len(tree.names))
    weights = np.where(np.arange(len(leaves)) < len(baskets.names), 0, leaves)
    loss = float((counts * weights).sum() / len(baskets.items) / len(baskets.names))
    return {"data": name, "k": k, "m": m, "width": width, "loss": found.loss, "seconds": seconds,
            "nodes": len(np.unique(found.cut)), "climbing": loss,
            "climbing_seconds": other}  # fmt: skip


def million(name: str, k: int) -> dict[str, Any]:
    one = read(name, None)
    starts = np.concatenate([[0], np.cumsum(np.tile(one.lengths, COPIES))]).astype(np.int64)
    baskets = Baskets(starts, np.tile(one.items, COPIES), one.names)
    once = WAYS["once"]
    _, alone = timed(lambda: by_suppression(one, k, 2, SystemBits(), weights=once), 1)
    kept, seconds = timed(
        lambda: by_suppression(baskets, COPIES * k, 2, SystemBits(), weights=once), 1
    )
    return {"data": name, "k": COPIES * k, "m": 2, "records": baskets.records,
            "util1": float(util1(baskets, kept)), "seconds": seconds, "one": alone}  # fmt: skip


def gathered(results: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for each in results:
        print(json.dumps(each), flush=True)
        found.append(each)
    return found


def show(told: dict[str, list[dict[str, Any]]]) -> None:
    for title, results in told.items():
        columns = list(dict.fromkeys(name for each in results for name in each))
        table = Table(*columns, title=title)
        for each in results:
            table.add_row(*(shown(each.get(column, "")) for column in columns))
        Console(width=140).print(table)


def shown(value: object) -> str:
    if isinstance(value, list):
        return " / ".join(f"{number:.1f}" for number in value)
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    pairs = [(name, m) for name in NAMES for m in (2, 3)]
    k = asked.k
    told = {
        "generalization": gathered(generalizing(*pair, k, w) for pair in pairs for w in (5, 10)),
        "million": gathered(iter([million(NAMES[1], k)])),
        "fewest": gathered(optimal(*pair) for pair in pairs),
        "suppression": gathered(each for pair in pairs for each in suppressing(*pair, k)),
    }
    show(told)
    asked.json.parent.mkdir(exist_ok=True)
    result = {"machine": platform.processor() or platform.machine(), **told}
    asked.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
