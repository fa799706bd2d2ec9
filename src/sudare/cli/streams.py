"""Standard streams that the caller has closed (`>&-`), opened to nothing.

Why      Python has no stream for a closed descriptor, so the first word would be an error, after
         the charge; and the next file that is opened would get its number and be written to by
         whatever writes to the standard output.
"""

from __future__ import annotations

import os
import sys

_closed: set[str] = set()


def open_closed() -> None:
    """Open what is closed, before any other file is opened."""
    _closed.clear()
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is not None:
            continue
        _closed.add(name)
        found = os.open(os.devnull, os.O_RDWR)
        if found != number and not _is_open(number):
            os.dup2(found, number)
            os.close(found)
            found = number
        setattr(sys, name, os.fdopen(found, mode, encoding="utf-8", errors="backslashreplace"))


def check_shown(output: object | None) -> None:
    """Refuse to charge for answers that would go nowhere: no file is named, and the standard output
    is closed."""
    if output is None and "stdout" in _closed:
        from sudare.facts.errors import UsageError

        raise UsageError(
            "The standard output is closed and no file is named: nobody would see what is "
            "paid for.",
            "Name a file with -o. Nothing was charged.",
        )


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
