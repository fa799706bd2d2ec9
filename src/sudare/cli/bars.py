"""A progress bar on stderr, while a person watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from sudare.cli.console import say
from sudare.facts.waiting import JAPANESE, SENTENCES

if TYPE_CHECKING:
    from sudare.cli.options import Code


@contextmanager
def bar(words: str, shown: bool, total: float | None = None) -> Iterator[Callable[..., Any]]:
    """Gives the function that moves it: update(description=…, completed=…, advance=…, total=…)."""
    if not (shown and sys.stderr.isatty()):
        # Nobody watches, so nobody waits for the library that draws.
        yield _unseen
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
    with progress:
        yield partial(progress.update, progress.add_task(words, total=total))


def watcher(move: Callable[..., Any], language: Code) -> Callable[[str, float], None]:
    """What a job tells its steps: the bar shows them, and sentences are said as well, once each,
    so that a log has them too."""
    said: set[str] = set()

    def watch(step: str, share: float) -> None:
        if step not in SENTENCES:
            move(description=step, completed=share)
            return
        move(completed=share)
        if step not in said:
            said.add(step)
            say(step if language == "en" else JAPANESE[step])

    return watch


def _unseen(**_moved: object) -> None:
    """A bar that is not there."""
