"""A progress bar on stderr, while a person watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any


@contextmanager
def bar(words: str, shown: bool, total: float | None = None) -> Iterator[Callable[..., Any]]:
    """Gives the function that moves it: update(description=…, completed=…, advance=…, total=…)."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not (shown and console.is_terminal),
    )
    with progress:
        yield partial(progress.update, progress.add_task(words, total=total))
