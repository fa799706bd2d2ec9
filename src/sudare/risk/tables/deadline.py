"""How long the search may take, and how far it is."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

Progress = Callable[[str, int, int], None]


class Deadline:
    """Counts down from when it is made; `stopped` remembers that something was cut short."""

    def __init__(self, seconds: float, progress: Progress | None = None) -> None:
        self._start = monotonic()
        self._end = self._start + seconds
        self._progress = progress
        self.stopped = False

    def left(self, share: float = 1.0) -> float:
        """Seconds that are left, or a share of them."""
        return max(0.0, self._end - monotonic()) * share

    def over(self) -> bool:
        """Whether the time is up; whoever asks has something left to do, so that is remembered."""
        is_over = self.left() == 0.0
        self.stopped |= is_over
        return is_over

    def part(self, share: float) -> Deadline:
        """A deadline for one stage, after a share of the seconds that are left."""
        return Deadline(self.left(share), self._progress)

    def spent(self) -> float:
        return monotonic() - self._start

    def tell(self, stage: str, done: int, of: int) -> None:
        """Report progress of a stage: searching, explaining, measuring."""
        if self._progress is not None:
            self._progress(stage, done, of)
