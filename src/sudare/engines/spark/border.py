"""The border to Spark: what it says stops here, on paper and on the screen.

Messages of Spark quote values, and PySpark prints some of them to standard error on its own.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sudare.engines import border
from sudare.facts.errors import EngineUnavailable, SudareError

Result = TypeVar("Result")
_TALKERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger", "py4j", "pyspark")


def guarded(action: Callable[[], Result], error: SudareError) -> Result:
    """The result of `action`, or `error` in place of whatever it raised or printed."""
    with _silence():
        return border.guarded(action, error)


@contextmanager
def _silence() -> Iterator[None]:
    talkers = [logging.getLogger(name) for name in _TALKERS]
    before = [talker.disabled for talker in talkers]
    for talker in talkers:
        talker.disabled = True
    try:
        with warnings.catch_warnings():
            # PySpark warns of the version of pandas whenever it might use it.
            warnings.simplefilter("ignore")
            yield
    finally:
        for talker, disabled in zip(talkers, before, strict=True):
            talker.disabled = disabled


def gave_up() -> EngineUnavailable:
    """The error for a query that failed after the structure of the data had been checked."""
    return EngineUnavailable(
        "Spark could not finish a query.",
        "Check that its workers are up and have memory and disk left, and that the files are "
        "whole. What Spark says may quote a value, so it is not shown.",
    )
