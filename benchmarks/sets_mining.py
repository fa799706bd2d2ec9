"""How long do frequent itemsets and the best rules take, beside mlxtend's FP-growth?

    .venv/bin/python benchmarks/sets_mining.py [--data bms-webview-1] [--support 1/2000]
        [--json out.json]

On BMS-WebView-1 and -2 of ../shared/data: records of at most five items, as in paper 004, and all
records. Itemsets of both must be the same, and so must be the 100 best rules at confidence 30 %.
mlxtend runs once, in an environment of its own that is made on first use under benchmarks/.peers;
sudare runs five times after a first run that compiles, and its median counts. Neither counts the
reading of the file; mlxtend gets its table, which sudare does without, ready made. It holds all
rules in memory, more than 10 GB of them at 100,000 itemsets, and is asked for rules up to 50,000.
"""

from __future__ import annotations

import argparse
import gzip
import json
import platform
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

from sudare.facts.baskets import Baskets
from sudare.facts.errors import UsageError
from sudare.sets.mining.itemsets import Itemsets, frequent
from sudare.sets.mining.rules import Rules, top_rules
from synthesis_peers import RESULTS, Peer, Seconds, drive

T = TypeVar("T")
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
NAMES = ("bms-webview-1", "bms-webview-2")
SUPPORTS = (Fraction(1, 1000), Fraction(1, 2000))
CONFIDENCE, TOP, RUNS = Fraction(3, 10), 100, 5
MOST_FOR_RULES = 50_000
# Ratios of counts of records lie further apart than this, and rounding errors do not.
NEARLY = float(CONFIDENCE) - 1e-7
MLXTEND = Peer("mlxtend", "mlxtend_rules.py", private=False)


def read(name: str, longest: int | None) -> Baskets:
    """Codes by name, so that an order by code is an order by name."""
    with gzip.open(DATA / f"{name}.dat.gz", "rt", encoding="utf-8") as lines:
        rows = [sorted(set(line.split())) for line in lines]
    rows = [row for row in rows if longest is None or len(row) <= longest]
    names = sorted({item for row in rows for item in row})
    codes = {item: code for code, item in enumerate(names)}
    items = np.array([codes[item] for row in rows for item in row], np.int32)
    return Baskets(np.cumsum([0, *map(len, rows)]), items, tuple(names))


def timed(work: Callable[[], T]) -> tuple[T, list[float]]:
    """What was made, and the median seconds by the clock and of the processors."""
    made, spells = work(), []
    for _ in range(RUNS):
        start, busy = perf_counter(), process_time()
        made = work()
        spells.append((perf_counter() - start, process_time() - busy))
    return made, np.median(spells, axis=0).tolist()


def as_dict(starts: Any, items: Any, supports: Any) -> dict[tuple[int, ...], int]:
    bounds = zip(starts[:-1], starts[1:], supports, strict=True)
    return {tuple(sorted(items[low:high].tolist())): int(s) for low, high, s in bounds}


def check_same(itemsets: Itemsets, rules: Rules, baskets: Baskets, folder: Path) -> None:
    with np.load(folder / "itemsets.npz") as stored:
        theirs = as_dict(stored["starts"], stored["items"], stored["supports"])
    assert as_dict(itemsets.starts, itemsets.items, itemsets.supports) == theirs
    if len(itemsets) > MOST_FOR_RULES:
        return
    codes = {name: code for code, name in enumerate(baskets.names)}
    sides = ([[codes[i] for i in side] for side in (r.antecedent, r.consequent)] for r in rules)
    found = [[r.support, r.base, *each] for r, each in zip(rules, sides, strict=True)]
    assert found == json.loads((folder / "rules.json").read_text(encoding="utf-8"))


def peer(baskets: Baskets, least: int, itemsets: int, folder: Path) -> Seconds:
    np.savez(folder / "records.npz", starts=baskets.starts, items=baskets.items)
    rules = str(folder / "rules.json") if itemsets <= MOST_FOR_RULES else None
    job = {"source": str(folder / "records.npz"), "out": str(folder / "itemsets.npz"),
           "rules": rules, "least": least, "confidence": NEARLY, "top": TOP}  # fmt: skip
    return drive(MLXTEND, job, "mlxtend", folder)


def measure(name: str, longest: int | None, support: Fraction) -> dict[str, Any]:
    baskets = read(name, longest)
    least = -(-support.numerator * baskets.records // support.denominator)
    rules, ruling = timed(lambda: top_rules(baskets, support, CONFIDENCE, TOP))
    told: dict[str, Any] = {"data": name, "longest": longest, "support": str(support)}
    told |= {"records": baskets.records, "least": least}
    told |= {"rules": len(rules), "rules_seconds": ruling}
    try:
        itemsets, mining = timed(lambda: frequent(baskets, least))
    except UsageError:
        return told | {"itemsets": None}
    with tempfile.TemporaryDirectory() as folder:
        theirs = peer(baskets, least, len(itemsets), Path(folder))
        check_same(itemsets, rules, baskets, Path(folder))
    fit = [theirs.fit, theirs.fit_cpu]
    told |= {"itemsets": len(itemsets), "itemsets_seconds": mining, "mlxtend_itemsets": fit,
             "ratio": ratio(fit, mining)}  # fmt: skip
    if len(itemsets) > MOST_FOR_RULES:
        return told
    both_steps = [fit[0] + theirs.sample, fit[1] + theirs.sample_cpu]
    return told | {"mlxtend_rules": both_steps, "ratio_rules": ratio(both_steps, ruling)}


def ratio(theirs: list[float], own: list[float]) -> list[float]:
    return [one / other for one, other in zip(theirs, own, strict=True)]


def show(results: list[dict[str, Any]]) -> None:
    columns = ("data", "records", "least", "itemsets", "sudare", "mlxtend", "ratio",
               "100 rules", "mlxtend", "ratio")  # fmt: skip
    table = Table(*columns, title="seconds by the clock / of the processors")
    for each in results:
        sets = each["itemsets"]
        row = [each["data"][4:] + (" ≤ 5" if each["longest"] else ""), f"{each['records']:,}"]
        row += [str(each["least"]), "refused" if sets is None else f"{sets:,}"]
        row += [both(each, "itemsets_seconds", 3), both(each, "mlxtend_itemsets", 1)]
        row += [both(each, "ratio", 0), both(each, "rules_seconds", 2)]
        row += [both(each, "mlxtend_rules", 1), both(each, "ratio_rules", 0)]
        table.add_row(*row)
    Console(width=140).print(table)


def both(result: dict[str, Any], name: str, digits: int) -> str:
    return " / ".join(f"{number:.{digits}f}" for number in result.get(name, []))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", choices=NAMES, action="append")
    parser.add_argument("--support", type=Fraction, action="append")
    parser.add_argument("--json", type=Path, default=RESULTS / "sets_mining.json")
    asked = parser.parse_args()
    results = []
    for name in asked.data or NAMES:
        for longest in (5, None):
            for support in asked.support or SUPPORTS:
                results.append(measure(name, longest, support))
                print(json.dumps(results[-1]), flush=True)
    show(results)
    told = {"machine": platform.processor() or platform.machine(), "results": results}
    asked.json.parent.mkdir(exist_ok=True)
    asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
