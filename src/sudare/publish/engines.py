"""What the fronts may know of the engines: which are here."""

from __future__ import annotations

from typing import Any

from sudare.engines.available import available


def list_engines() -> list[dict[str, Any]]:
    """Every engine with its version, or with what is missing and what to do."""
    return [
        {
            "engine": state.name,
            "ready": state.ready,
            "version": state.version,
            "reads": state.reads,
            "missing": state.missing,
            "hint": state.hint,
        }
        for state in available()
    ]
