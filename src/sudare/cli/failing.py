"""How a failure is shown: one line, a hint, an exit code; no traceback, no data value."""

from __future__ import annotations

import json
import sys
import traceback
from itertools import pairwise
from pathlib import Path

from sudare.facts.errors import SudareError, UsageError

INTERNAL = 1


def report_failure(error: Exception, arguments: list[str]) -> int:
    """Say what went wrong and return the exit code."""
    if isinstance(error, SudareError):
        what, hint, code = error.what, error.hint, error.exit_code
    elif isinstance(error, OSError):
        # Reading data is guarded in its own room, so this is an output: a full disk, a closed pipe.
        what, code = "The result could not be written.", UsageError.exit_code
        hint = "What was charged stays charged; `sudare ledger release ID` shows it once more."
    else:
        what, hint, code = _internal(error)
    if isinstance(error, SudareError) and _is_link_in_japanese(arguments):
        from sudare.report.link_refusals import in_japanese

        print(f"エラー：{in_japanese(error)}", file=sys.stderr)
    print(f"error: {what}\nhint: {hint}", file=sys.stderr)
    if "--json" in arguments:
        said = {"error": what, "hint": hint, "exit_code": code}
        print(json.dumps(said, ensure_ascii=False))
    return code


def _is_link_in_japanese(arguments: list[str]) -> bool:
    pairs = pairwise(arguments)
    asked = "--lang=ja" in arguments or ("--lang", "ja") in pairs
    return asked and arguments[1:2] == ["link"]


def _internal(error: Exception) -> tuple[str, str, int]:
    """A bug: only its type and place are shown, because a message may quote what was computed."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return (
        f"sudare failed ({type(error).__name__}{place}).",
        "This is a fault of sudare. What was charged stays charged; please report this line.",
        INTERNAL,
    )
