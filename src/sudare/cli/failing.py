"""How a failure is shown: one line, a hint, an exit code; no traceback, no data value."""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path

from sudare.cli import console
from sudare.cli.language import asked_language
from sudare.facts.errors import SudareError, UsageError
from sudare.facts.extras import EXTRAS, MissingExtra

INTERNAL = 1
# Commands that may have charged before they write.
CHARGING = {"ask", "run", "tabulate", "aggregate", "randomize", "synthesize", "link", "demo"}


def report_failure(error: Exception, arguments: list[str]) -> int:
    """Say what went wrong and return the exit code."""
    language = asked_language(arguments)
    if isinstance(error, ImportError) and not isinstance(error, SudareError):
        error = _as_extra(error)
    if isinstance(error, SudareError):
        what, hint, code, word = error.what, error.hint, error.exit_code, error.code
    elif isinstance(error, OSError):
        # Reading data is guarded in its own room, so this is an output: a full disk, a closed pipe.
        what, code = "The result could not be written.", UsageError.exit_code
        word = "result-not-written"
        hint = _after_a_full_disk(arguments)
    else:
        what, hint, code = _internal(error)
        word = "fault"
    if isinstance(error, MissingExtra):
        # One line, in one language: what is missing and how to get it.
        start = {"en": "error: ", "ja": "エラー："}[language]
        print(f"{start}{error.line(language)}", file=sys.stderr)
    else:
        if isinstance(error, SudareError) and language == "ja" and arguments[1:2] == ["link"]:
            from sudare.report.link_refusals import in_japanese

            console.say(f"エラー：{in_japanese(error)}")
        console.say(f"error: {what}\nhint: {hint}")
    if "--json" in arguments:
        said = {"error": what, "code": word, "hint": hint, "exit_code": code}
        print(json.dumps(said, ensure_ascii=False))
    return code


def _after_a_full_disk(arguments: list[str]) -> str:
    """What to do; only of commands that spend it is said what became of the charge."""
    if arguments[1:2] and arguments[1] in CHARGING:
        return "What was charged stays charged; `sudare ledger release ID` shows it once more."
    return "Check that the place is there, may be written to and has room; nothing was charged."


def _as_extra(error: ImportError) -> Exception:
    """A module of an extra that another library tried to load, as pyarrow does with pandas."""
    module = (error.name or "").partition(".")[0]
    extra = next((name for name, each in EXTRAS.items() if module in each.modules), None)
    return error if extra is None else MissingExtra(extra, module)


def _internal(error: Exception) -> tuple[str, str, int]:
    """A bug: only its type and place are shown, because a message may quote what was computed."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return (
        f"sudare failed ({type(error).__name__}{place}).",
        "This is a fault of sudare. What was charged stays charged; please report this line.",
        INTERNAL,
    )
