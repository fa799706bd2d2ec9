"""How a file's text is coded, where its reader says so."""

from __future__ import annotations

from sudare.engines.inputs.text_file import allowed
from sudare.facts.errors import UsageError


def check_encoding(encoding: str | None) -> None:
    """Refuse the name of an encoding that is unknown, or that keeps a state from sign to sign."""
    if encoding is not None and allowed(encoding) is None:
        raise UsageError(
            "There is no such encoding, or it has shifts, which are not read.",
            "Examples: utf-8, cp932.",
        )
