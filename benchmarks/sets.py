"""How much is suppressed and how long does it take, beside the paper's algorithms?

    .venv/bin/python benchmarks/sets.py [--data bms-webview-1] [--reference-share 1]
        [--setting fixed] [--bound 60] [--only short|whole] [--json out.json]

On BMS-WebView-1 and -2 of ../shared/data with ρ = ½, and 40 % of the items sensitive, the same for
everyone or drawn for each person. Every release is checked by the verifier.

Short records, of at most five items: util1 and util2 of the default beside paper mode (goal: util1
at most 0.92 of it), and seconds of table and solver together, warm, the median of three, beside
Algorithm 1 in plain Python (sets_reference.py; goal: at least 200 times as long). The reference
takes minutes a case; with --reference-share it is given a share of the records, drawn at random,
and the default is timed on the same share. Its time grows faster than ours, so that a small share
shows a smaller ratio. Its release must be that of paper mode, to the letter.

Whole records: the default with unbounded knowledge beside Algorithm 2 in plain Python at m = 5 and
ε = δ = 0.01 (goal: at least 50 times as long). The reference is stopped after `--bound` times the
seconds of the default and then reported as "more than".
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from sets_mining import NAMES, read
from sets_reference import Minds, Records, TooLong, sample_suppressor, suppressor
from sudare.facts.baskets import Baskets, Flags, Sensitive
from sudare.randomness.bits import words64
from sudare.sets.experiments.sampling import taken
from sudare.sets.experiments.sensitive import even_choice, fixed
from sudare.sets.measures import util1, util2
from sudare.sets.paper import suppress_as_paper
from sudare.sets.suppress import suppress
from sudare.sets.verify.attackers import verify

RESULTS = Path(__file__).parent / "results" / "sets.json"
HALF, SHARE = Fraction(1, 2), Fraction(2, 5)
LONGEST, KNOWN, LEVEL = 5, 5, 0.01
RUNS, PIECE = 3, 1000
KINDS = ("fixed", "personalised")


class Draws:
    """The same bits on every machine; benchmarks protect nobody."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def take(self, count: int) -> bytes:
        return self._rng.bytes(count)


@dataclass(frozen=True)
class Constraints:
    """Who minds what, as sudare reads it and as plain Python does."""

    sensitive: Sensitive
    minds: Minds


def draw_constraints(baskets: Baskets, kind: str, bits: Draws) -> Constraints:
    items = len(baskets.names)
    if kind == "fixed":
        sensitive = fixed(baskets, SHARE, bits)
        everyone = sensitive.everyone.tobytes()
        return Constraints(sensitive, lambda u, e: bool(everyone[e]))
    pieces = [
        even_choice(min(PIECE, baskets.records - first), items, SHARE, bits)
        for first in range(0, baskets.records, PIECE)
    ]
    own = np.concatenate([np.nonzero(piece)[1].astype(np.int32) for piece in pieces])
    starts = np.arange(baskets.records + 1) * (len(own) // baskets.records)
    marks = b"".join(piece.tobytes() for piece in pieces)
    sensitive = Sensitive(np.zeros(items, np.bool_), starts.astype(np.int64), own)
    return Constraints(sensitive, lambda u, e: bool(marks[u * items + e]))


def timed(work: Callable[[], Any], runs: int = RUNS) -> tuple[Any, list[float]]:
    """What was made, and the median seconds by the clock and of the processors."""
    spells = []
    for _ in range(runs):
        start, busy = perf_counter(), process_time()
        made = work()
        spells.append((perf_counter() - start, process_time() - busy))
    return made, [median(spell) for spell in zip(*spells, strict=True)]


def losses(baskets: Baskets, sensitive: Sensitive, kept: Flags) -> dict[str, float]:
    """util1 and util2 of a release that the verifier has passed."""
    verify(baskets, baskets.kept(kept), sensitive, HALF, max_knowledge=None)
    return {"util1": float(util1(baskets, kept)), "util2": util2(baskets, kept)}


def plain(baskets: Baskets, minds: Minds, bits: Draws, seconds: float | None = None) -> Records:
    records = [
        baskets.items[low:high].tolist()
        for low, high in zip(baskets.starts[:-1], baskets.starts[1:], strict=True)
    ]
    words = iter(words64(bits, len(baskets.items) + 1).tolist())
    return Records(records, minds, HALF.numerator, HALF.denominator, words, seconds)


def is_kept(baskets: Baskets, data: Records) -> Flags:
    owners = np.repeat(np.arange(baskets.records), baskets.lengths).tolist()
    cells = zip(owners, baskets.items.tolist(), strict=True)
    return np.array([item in data.now[u] for u, item in cells], np.bool_)


def short(name: str, kind: str, share: float) -> dict[str, Any]:
    """Algorithm 1's ground: records of at most five items."""
    baskets = read(name, LONGEST)
    known = draw_constraints(baskets, kind, Draws(1))
    sensitive = known.sensitive
    own, seconds = timed(lambda: suppress(baskets, sensitive, HALF, Draws(2)))
    papers, papers_seconds = timed(lambda: suppress_as_paper(baskets, sensitive, HALF, Draws(2)), 1)
    told: dict[str, Any] = {"data": name, "longest": LONGEST, "setting": kind}
    told |= {"records": baskets.records, "seconds": seconds, "paper_seconds": papers_seconds}
    told |= {"default": losses(baskets, sensitive, own.kept)}
    told |= {"paper": losses(baskets, sensitive, papers.kept)}
    told |= {"ratio_util1": told["default"]["util1"] / told["paper"]["util1"]}
    return told | {"reference": beside_algorithm_1(baskets, kind, share)}


def beside_algorithm_1(baskets: Baskets, kind: str, share: float) -> dict[str, Any]:
    chosen = np.random.default_rng(3).permutation(baskets.records)
    part = taken(baskets, np.sort(chosen[: round(share * baskets.records)]))
    known = draw_constraints(part, kind, Draws(4))
    _, seconds = timed(lambda: suppress(part, known.sensitive, HALF, Draws(5)))
    data = plain(part, known.minds, Draws(6))
    _, reference = timed(lambda: suppressor(data), 1)
    papers = suppress_as_paper(part, known.sensitive, HALF, Draws(6))
    assert (papers.kept == is_kept(part, data)).all(), "paper mode is not the reference"
    ratio = [one / other for one, other in zip(reference, seconds, strict=True)]
    return {"share": share, "records": part.records, "seconds": seconds,
            "reference_seconds": reference, "ratio": ratio}  # fmt: skip


def whole(name: str, kind: str, bound: float) -> dict[str, Any]:
    """Algorithm 2's ground: the original data."""
    baskets = read(name, None)
    known = draw_constraints(baskets, kind, Draws(1))
    own, seconds = timed(lambda: suppress(baskets, known.sensitive, HALF, Draws(2)))
    told: dict[str, Any] = {"data": name, "longest": None, "setting": kind}
    told |= {"records": baskets.records, "seconds": seconds, "deepest": own.deepest}
    told |= {"default": losses(baskets, known.sensitive, own.kept)}
    bits = Draws(6)
    data = plain(baskets, known.minds, bits, bound * seconds[0])
    start, finished = perf_counter(), True
    try:
        sample_suppressor(data, KNOWN, LEVEL, LEVEL, words_from(bits))
    except TooLong:
        finished = False
    spent = perf_counter() - start
    kept = float(util1(baskets, is_kept(baskets, data)))
    return told | {"reference": {"seconds": spent, "finished": finished, "util1_by_then": kept,
                                 "ratio": spent / seconds[0]}}  # fmt: skip


def words_from(bits: Draws) -> Iterator[int]:
    while True:
        yield from words64(bits, 2**16).tolist()


def show(results: list[dict[str, Any]]) -> None:
    console = Console(width=150)
    columns = ("data", "setting", "records", "util1", "paper's", "ratio", "util2", "paper's", "s",
               "reference on", "s", "reference s", "ratio")  # fmt: skip
    table = Table(*columns, title="Records of at most five items; goals: util1 ≤ 0.92, time ≥ 200")
    for each in results:
        if each["longest"] is None:
            continue
        row = [each["data"][4:], each["setting"], f"{each['records']:,}"]
        own, papers, plainly = each["default"], each["paper"], each["reference"]
        row += [f"{own['util1']:.4f}", f"{papers['util1']:.4f}", f"{each['ratio_util1']:.3f}"]
        row += [f"{own['util2']:.4f}", f"{papers['util2']:.4f}", f"{each['seconds'][0]:.2f}"]
        row += [f"{plainly['records']:,} records", f"{plainly['seconds'][0]:.3f}"]
        row += [f"{plainly['reference_seconds'][0]:.1f}", f"{plainly['ratio'][0]:.0f}"]
        table.add_row(*row)
    console.print(table)
    columns = ("data", "setting", "records", "util1", "util2", "s", "Algorithm 2, s", "ratio")
    table = Table(*columns, title="Original data, unbounded knowledge; goal: time ≥ 50")
    for each in results:
        if each["longest"] is not None:
            continue
        own, plainly = each["default"], each["reference"]
        more = "" if plainly["finished"] else "> "
        row = [each["data"][4:], each["setting"], f"{each['records']:,}", f"{own['util1']:.4f}"]
        row += [f"{own['util2']:.4f}", f"{each['seconds'][0]:.2f}"]
        row += [f"{more}{plainly['seconds']:.0f}", f"{more}{plainly['ratio']:.0f}"]
        table.add_row(*row)
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", choices=NAMES, action="append")
    parser.add_argument("--setting", choices=KINDS, action="append")
    parser.add_argument("--reference-share", type=float, default=1.0)
    parser.add_argument("--bound", type=float, default=60)
    parser.add_argument("--only", choices=("short", "whole"))
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    results = []
    for name in asked.data or NAMES:
        for kind in asked.setting or KINDS:
            if asked.only != "whole":
                results.append(short(name, kind, asked.reference_share))
                print(json.dumps(results[-1]), flush=True)
            if asked.only != "short":
                results.append(whole(name, kind, asked.bound))
                print(json.dumps(results[-1]), flush=True)
    show(results)
    told = {"machine": platform.processor() or platform.machine(), "results": results}
    asked.json.parent.mkdir(exist_ok=True)
    asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
