"""What people read: wrapped at the terminal's width, never inside a word.

On a terminal every line is wrapped at its width. In a file or a pipe lines stay whole, one
sentence a line, so that programs find them; tables are at most 100 places wide there.
"""

from __future__ import annotations

import shutil
import sys
from typing import TextIO


def show(text: str) -> None:
    """Results: stdout."""
    _print(text, sys.stdout)


def say(text: str) -> None:
    """Words beside the results: stderr."""
    _print(text, sys.stderr)


def table(
    rows: list[list[str]], *, indent: int = 0, has_head: bool = True, to_right: bool = True
) -> None:
    """Rows of cells on stdout, no line wider than the screen; the first row may name columns."""
    from sudare.report.columns import fitted, screen_width

    lines = fitted(rows, screen_width() - indent, has_head=has_head, to_right=to_right)
    show("\n".join(" " * indent + line for line in lines))


def _print(text: str, stream: TextIO) -> None:
    if stream.isatty():
        from sudare.report.columns import LEAST, wrapped

        width = max(shutil.get_terminal_size().columns, LEAST)
        text = "\n".join(part for line in text.split("\n") for part in wrapped(line, width))
    print(text, file=stream)
