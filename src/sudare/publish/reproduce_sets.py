"""Figures 3 to 7 of paper 004 on data that everybody may have.

Nothing is released, and sensitive items are drawn by lot.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from sudare.engines.baskets.read import read_baskets
from sudare.facts.baskets import Baskets
from sudare.facts.errors import InvalidFile, UsageError
from sudare.facts.sets_paper import (
    FIGURES,
    MODES,
    QUANTITIES,
    Mode,
    PublicBaskets,
    SetsFigure,
    SetsPaper,
    Spot,
)
from sudare.publish.paper_data import VARIABLE
from sudare.randomness.bits import RandomBits, SystemBits
from sudare.sets.experiments.repeating import TRIALS, Job, Progress, repeat
from sudare.sets.experiments.runs import MOST, Measured
from sudare.sets.experiments.sampling import with_items
from sudare.sets.pace import Watch, at_pace, cost_of, silent

REPEATS, MOST_REPEATS = 10, 1_000
STEMS = ("bms-webview-1", "bms-webview-2")
_BESIDE = Path("../shared/data")
_LEAST_RECORDS = 100


def find_bms(given: Path | None) -> dict[str, Path] | None:
    """Where both files lie: as named, as the environment names it, or beside the working folder.
    None where no folder is named and none has them."""
    folder = given or Path(os.environ.get(VARIABLE) or _BESIDE)
    found = {}
    for stem in STEMS:
        places = [folder / f"{stem}.dat{end}" for end in (".gz", "")]
        place = next((each for each in places if each.is_file()), None)
        if place is None and given is not None:
            raise InvalidFile(
                f"{folder} does not hold {stem}.dat or {stem}.dat.gz.",
                "Both data sets are public; docs/reproduce.md says how to get them. Without --data "
                "the made town is used.",
                place=folder,
            )
        if place is None:
            return None
        found[stem] = place
    return found


def reproduce_sets(
    files: Mapping[str, object],
    *,
    figures: tuple[int, ...] = FIGURES,
    modes: tuple[Mode, ...] = MODES,
    repeats: int = REPEATS,
    bits: Callable[[], RandomBits] = SystemBits,
    progress: Progress = lambda done, of: None,
    watch: Watch = silent,
) -> SetsPaper:
    """The figures for every data set of `files`, which are called by their names there."""
    if not 1 <= repeats <= MOST_REPEATS:
        raise UsageError(
            f"Repetitions are between 1 and {MOST_REPEATS}.", "The paper has 10: --repeats 10"
        )
    began = time.perf_counter()
    data = {name: _read(name, file) for name, file in files.items()}
    jobs = [
        Job(trial, name, each.whole if trial.on_whole else each.short)
        for trial in TRIALS
        if set(trial.figures) & set(figures)
        for name, each in data.items()
    ]
    cost = sum(cost_of(job.baskets.lengths) * job.trial.steps(modes) for job in jobs) * repeats
    with at_pace(cost, watch, "suppress", "sampled", "paper", "verify"):
        measured = repeat(jobs, repeats, modes, bits, progress)
    spots = {number: tuple(_spots(number, jobs, measured)) for number in figures}
    return SetsPaper(
        tuple(each.facts(name) for name, each in data.items()),
        modes,
        repeats,
        tuple(SetsFigure(number, found) for number, found in spots.items()),
        sum(each.is_verified for runs in measured for run in runs for each in run),
        time.perf_counter() - began,
    )


@dataclass(frozen=True, eq=False)
class _Data:
    whole: Baskets
    short: Baskets

    def facts(self, name: str) -> PublicBaskets:
        whole = self.whole
        longest = int(whole.lengths.max())
        return PublicBaskets(name, whole.records, self.short.records, len(whole.names), longest)


def _read(name: str, file: object) -> _Data:
    whole = with_items(read_baskets(file).baskets)
    short = with_items(whole, MOST)
    if short.records < _LEAST_RECORDS:
        raise InvalidFile(
            f"The data {name} have too few short baskets for the paper's experiments.",
            f"At least {_LEAST_RECORDS} records of at most {MOST} items are needed.",
        )
    return _Data(whole, short)


def _spots(number: int, jobs: list[Job], measured: list[list[list[Measured]]]) -> Iterator[Spot]:
    """A figure's places; every repetition has the same ones in the same order."""
    for job, runs in zip(jobs, measured, strict=True):
        if number not in job.trial.figures:
            continue
        for quantity, same in product(QUANTITIES[number], list(zip(*runs, strict=True))):
            values = tuple(each.values[quantity] for each in same)
            first = same[0]
            yield Spot(job.name, first.mode, first.setting, quantity, first.x, values)
