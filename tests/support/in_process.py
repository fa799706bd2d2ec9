"""The sandbox of `sudare aggregate` without its processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

import cloudpickle

from sudare.engines.sandbox.columns import unpacked
from sudare.engines.sandbox.process import Job
from sudare.engines.sandbox.results import as_numbers, from_function, packed
from sudare.engines.sandbox.running import Answers


class InProcess:
    """A sandbox without processes, for the tests of everything around it."""

    walls: ClassVar = ["owner", "processes", "network", "memory", "files", "calls", "names"]

    def __init__(self, job: Job, clock: object = None) -> None:
        self.job = job
        self.function = cloudpickle.loads(job.program.pickled)

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *given: object) -> None:
        """Nothing was made."""

    def check(self) -> list[str]:
        return self.walls

    def run(self, blocks: Iterable[bytes], done: Callable[[int], None]) -> list[Answers]:
        found = []
        for number, block in enumerate(blocks, 1):
            try:
                numbers = as_numbers(self.function(unpacked(block)), self.job.outputs)
                found.append(from_function(packed(numbers), self.job.outputs))
            except Exception:
                found.append([None] * len(self.job.outputs))
            done(number)
        return found
