"""What is said before anything is paid: what is left, whether the run would be refused, and a cap
that it changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudare.cli import console

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.facts.schema import Schema
    from sudare.publish.outlook import Outlook


def say_outlook(ahead: Outlook, language: Code) -> None:
    """The end of a dry run."""
    from sudare.report.estimates_texts import said

    _say_cap(ahead.cap, language)
    delta = f", δ={ahead.left['delta']:.3g}" if ahead.left["delta"] else ""
    parts = {"left": f"{ahead.left['epsilon']:.6g}{delta}", "why": ahead.refused}
    name = "left_stored" if ahead.is_stored else "left_fits" if ahead.fits else "left_refused"
    console.say(said(name, **parts)[language])


def say_cap_ahead(schema: Schema, ledger: str | Path, language: Code) -> None:
    """A run that brings another cap says so before it pays."""
    from sudare.publish.outlook import left_under

    _say_cap(left_under(schema, ledger).cap, language)


def _say_cap(change: dict[str, dict[str, Any]] | None, language: Code) -> None:
    from sudare.report.estimates_texts import said

    if change is not None:
        ends = {name: cap["text"] for name, cap in change.items()}
        console.say(said("cap_changes", **ends)[language])
