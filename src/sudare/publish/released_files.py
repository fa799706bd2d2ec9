"""Which release the files in a folder belong to, as the certificate beside them says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sudare.facts.reading import read_json

_END = "certificate.json"


def release_beside(names: Iterable[Path]) -> str | None:
    """The id of the release whose certificate stands under one of these names."""
    for path in names:
        if not path.name.endswith(_END):
            continue
        try:
            found = read_json(path.read_bytes())["body"]["id"]
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            continue
        if isinstance(found, str):
            return found
    return None
