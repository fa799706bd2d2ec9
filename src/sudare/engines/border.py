"""The border of this room: what DuckDB and Arrow say stops here.

Their messages quote values ("Could not convert string '…'"), so an error of theirs is dropped and
one of sudare's, which names no value, is raised in its place. It is raised after the handler has
ended, so that not even `__context__` leads back to the message.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sudare.facts.errors import EngineUnavailable, InvalidFile, SudareError

Result = TypeVar("Result")


def guarded(action: Callable[[], Result], error: SudareError) -> Result:
    """The result of `action`, or `error` in place of whatever it raised."""
    try:
        return action()
    except SudareError:
        raise
    except Exception:
        pass
    raise error


def gave_up() -> EngineUnavailable:
    """The error for a query that failed after the structure of the data had been checked."""
    return EngineUnavailable(
        "DuckDB could not finish a query.",
        "It works in memory alone: free some memory, or check that the file is whole.",
    )


def damaged() -> InvalidFile:
    """The refusal of storage that breaks the rules of its own type; it names no value."""
    return InvalidFile(
        "The data has a column that is damaged: decimals or codes outside their type, or lists of"
        " text that is not UTF-8.",
        "Write the data anew; text has to be UTF-8.",
    )
