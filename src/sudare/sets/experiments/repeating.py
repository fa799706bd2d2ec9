"""All repetitions of the experiments, in threads: compiled functions release the interpreter's
lock, so that they use as many processors as there are."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from threading import Lock

from sudare.facts.baskets import Baskets
from sudare.facts.sets_paper import Mode
from sudare.randomness.bits import RandomBits
from sudare.sets.experiments.runs import (
    EPSILONS,
    RHOS,
    SHARES,
    Experiment,
    Measured,
    vary_epsilon,
    vary_rho,
    vary_share,
)

# Releases done so far, and how many there are.
Progress = Callable[[int, int], None]
# A thread needs some hundred megabytes for who calls what sensitive.
_MOST_THREADS = 4


@dataclass(frozen=True)
class Trial:
    """An experiment, its figures, and whether it takes records of any length."""

    experiment: Experiment
    figures: tuple[int, ...]
    on_whole: bool
    places: int

    def steps(self, modes: tuple[Mode, ...]) -> int:
        """Releases of one repetition; figure 5 has one more in each setting by default."""
        return 2 * (self.places * len(modes) + (self.on_whole and "default" in modes))


TRIALS = (
    # The longest first, so that threads end together.
    Trial(vary_epsilon, (5,), True, len(EPSILONS)),
    Trial(vary_rho, (3, 4), False, len(RHOS)),
    Trial(vary_share, (6, 7), False, len(SHARES)),
)


@dataclass(frozen=True, eq=False)
class Job:
    """One experiment on one data set."""

    trial: Trial
    name: str
    baskets: Baskets


class _Counter:
    """Counts releases, from any thread."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._done, self._total, self._progress, self._lock = 0, total, progress, Lock()
        self.is_stopped = False

    def step(self) -> None:
        with self._lock:
            self._done += 1
            self._progress(self._done, self._total)


def repeat(
    jobs: list[Job],
    repeats: int,
    modes: tuple[Mode, ...],
    bits: Callable[[], RandomBits],
    progress: Progress,
) -> list[list[list[Measured]]]:
    """By job and repetition what was measured."""
    counter = _Counter(sum(job.trial.steps(modes) for job in jobs) * repeats, progress)

    def once(job: Job) -> list[Measured]:
        found = []
        for each in job.trial.experiment(job.baskets, bits(), modes):
            counter.step()
            found.append(each)
            # Whoever interrupts the command waits for one release, not for a whole repetition.
            if counter.is_stopped:
                break
        return found

    with ThreadPoolExecutor(min(os.cpu_count() or 1, _MOST_THREADS)) as pool:
        # How compiled functions run is chosen outside, and so is part of what a thread is given.
        waiting = [
            [pool.submit(copy_context().run, once, job) for _ in range(repeats)] for job in jobs
        ]
        try:
            return [[each.result() for each in several] for several in waiting]
        except BaseException:
            counter.is_stopped = True
            pool.shutdown(wait=False, cancel_futures=True)
            raise
