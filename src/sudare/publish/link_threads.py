"""Several things that wait for other hosts, done at once, and given up at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition, Thread

from sudare.facts.errors import SudareError

_GLANCE = 0.1


class AtOnce:
    """Jobs in threads of their own. They are daemons: one that still waits for a host that is gone
    does not keep the process from ending."""

    def __init__(self, jobs: Sequence[Callable[[], None]]) -> None:
        self._changed, self._left = Condition(), len(jobs)
        self._failed: BaseException | None = None
        self._threads = [Thread(target=self._run, args=(job,), daemon=True) for job in jobs]

    def run(self, is_enough: Callable[[], bool]) -> SudareError | None:
        """Until all are done, one has failed or it is enough; the failure. One that is not ours is
        raised as it is."""
        for each in self._threads:
            each.start()
        with self._changed:
            while self._left and self._failed is None and not is_enough():
                self._changed.wait(_GLANCE)
        if self._failed is None or isinstance(self._failed, SudareError):
            return self._failed
        raise self._failed

    def join(self, seconds: float) -> None:
        """Wait for those that were told to stop."""
        for each in self._threads:
            each.join(seconds)

    def _run(self, job: Callable[[], None]) -> None:
        error: BaseException | None = None
        try:
            job()
        except BaseException as raised:
            error = raised
        with self._changed:
            self._left -= 1
            self._failed = self._failed or error
            self._changed.notify_all()
