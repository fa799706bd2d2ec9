"""How far is suppression from the fewest possible suppressions?

    .venv/bin/python benchmarks/sets_optimum.py [--cases 200] [--seconds 30] [--json out.json]

Small data sets made at random: 6 to 14 records of 4 to 7 items, items of different frequency, some
sensitive to everyone, to some persons, or both; ρ of 1/3, 1/2 and 2/3, knowledge unbounded. The
true minimum comes from CP-SAT; cases whose minimum is not proved within the time are counted and
left out. Shown are how many more items the default and paper mode suppress: in all, on average
over the cases that need any (as a share of the minimum), at worst, and how often none.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean

import numpy as np
from rich.console import Console
from rich.table import Table

from sets import Draws
from sudare.facts.baskets import Baskets, Sensitive
from sudare.sets.optimum import optimum
from sudare.sets.paper import suppress_as_paper
from sudare.sets.suppress import suppress

RESULTS = Path(__file__).parent / "results" / "sets_optimum.json"
RHOS = (Fraction(1, 3), Fraction(1, 2), Fraction(2, 3))
KINDS = ("fixed", "personalised", "mixed")


@dataclass(frozen=True)
class Found:
    """Suppressions of one data set."""

    setting: str
    rho: str
    items: int
    least: int
    default: int
    paper: int


def baskets_of(held: np.ndarray) -> Baskets:
    names = tuple(f"item {number}" for number in range(held.shape[1]))
    starts = np.concatenate([[0], np.cumsum(held.sum(axis=1))]).astype(np.int64)
    return Baskets(starts, np.nonzero(held)[1].astype(np.int32), names)


def made(seed: int, kind: str) -> tuple[Baskets, Sensitive]:
    rng = np.random.default_rng(seed)
    records, items = rng.integers(6, 15), rng.integers(4, 8)
    baskets = baskets_of(rng.random((records, items)) < rng.uniform(0.15, 0.6, items))
    everyone = (rng.random(items) < 0.4) & (kind != "personalised")
    own = baskets_of((rng.random((records, items)) < 0.4) & (kind != "fixed"))
    return baskets, Sensitive(everyone, own.starts, own.items)


def cases(count: int, seconds: float) -> Iterator[Found | None]:
    """One after the other; None where the minimum is not proved."""
    for seed in range(count):
        kind, rho = KINDS[seed % 3], RHOS[seed // 3 % 3]
        baskets, sensitive = made(seed, kind)
        best = optimum(baskets, sensitive, rho, max_knowledge=None, seconds=seconds)
        if not best.is_proved:
            yield None
            continue
        own = suppress(baskets, sensitive, rho, Draws(seed)).kept
        papers = suppress_as_paper(baskets, sensitive, rho, Draws(seed)).kept
        gone = (int(np.count_nonzero(~kept)) for kept in (own, papers))
        yield Found(kind, str(rho), len(baskets.items), best.suppressed, *gone)


def gap(found: list[Found], mode: str) -> dict[str, float]:
    """How much more than the minimum."""
    needed = [each for each in found if each.least]
    more = [getattr(each, mode) - each.least for each in found]
    shares = [(getattr(each, mode) - each.least) / each.least for each in needed]
    return {
        "in_all": sum(more) / max(1, sum(each.least for each in found)),
        "mean": fmean(shares) if shares else 0.0,
        "worst": max(shares, default=0.0),
        "worst_items": max(more, default=0),
        "optimal": fmean(extra == 0 for extra in more),
    }


def show(found: list[Found], left_out: int) -> None:
    title = f"More than the fewest suppressions; {len(found)} proved cases, {left_out} not proved"
    table = Table("setting", "cases", "mode", "in all", "mean", "worst", "of items", "none",
                  title=title)  # fmt: skip
    for kind in (*KINDS, "all"):
        some = [each for each in found if kind in (each.setting, "all")]
        for mode in ("default", "paper"):
            told = gap(some, mode)
            row = [kind, str(len(some)), mode, f"{told['in_all']:+.1%}", f"{told['mean']:+.1%}"]
            row += [f"{told['worst']:+.0%}", f"{told['worst_items']:+.0f}"]
            table.add_row(*row, f"{told['optimal']:.0%}")
    Console(width=120).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    tried = list(cases(asked.cases, asked.seconds))
    found = [each for each in tried if each is not None]
    show(found, len(tried) - len(found))
    told = {"machine": platform.processor() or platform.machine(),
            "not_proved": len(tried) - len(found), "default": gap(found, "default"),
            "paper": gap(found, "paper"), "cases": [asdict(each) for each in found]}  # fmt: skip
    asked.json.parent.mkdir(exist_ok=True)
    asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
