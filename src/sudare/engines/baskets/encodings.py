"""How a file's text is coded, where its reader says so."""

from __future__ import annotations

import codecs

from sudare.facts.errors import UsageError


def check_encoding(encoding: str | None) -> None:
    """Refuse the name of an encoding that Python does not know."""
    try:
        codecs.lookup(encoding or "utf-8")
    except LookupError:
        raise UsageError("There is no such encoding.", "Examples: utf-8, cp932.") from None
