"""The lines of a log: one JSON object each, chained by hash, in one spelling only."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from sudare.facts.errors import EngineUnavailable, LinkRefused
from sudare.facts.reading import read_json
from sudare.wires.files import sync_folder

GENESIS = "0" * 64
Entry = dict[str, Any]


def chained(entry: Entry) -> Entry:
    """The entry with its hash, which covers the hash of the entry before it."""
    return {**entry, "hash": _hash(entry)}


def read_entries(path: Path) -> list[Entry]:
    """All entries, each checked to follow from the one before it."""
    entries: list[Entry] = []
    prev = GENESIS
    for number, line in enumerate(_lines(path), start=1):
        entry = _parsed(line)
        if entry is None or entry["n"] != number or entry["prev"] != prev:
            raise broken(path, number)
        entries.append(entry)
        prev = entry["hash"]
    return entries


def append_entry(path: Path, entry: Entry) -> None:
    """Put an entry at the end of the file; it is on the disk when this returns."""
    try:
        new = not path.exists()
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
            file.write(_canonical(entry) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        if new:
            sync_folder(path.parent)
        return
    except OSError:
        pass
    raise EngineUnavailable(
        f"The log {path} cannot be written.", "Check free space and owner.", place=path
    )


def drop_torn_line(path: Path) -> None:
    """A crash while writing leaves a line without its end; nobody was told of that entry."""
    if path.exists():
        text = path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            os.truncate(path, whole)


def broken(path: Path, number: int) -> LinkRefused:
    """The refusal of a log whose entry does not follow from the ones before it."""
    return LinkRefused(
        f"Entry {number} of the log {path} is broken.",
        "The log was changed or damaged: do not rely on it.",
        "log",
        place=path,
    )


def _canonical(entry: Entry) -> bytes:
    return json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()


def _hash(entry: Entry) -> str:
    return hashlib.sha256(_canonical(entry)).hexdigest()


def _parsed(line: bytes) -> Entry | None:
    """The entry of a line, if its fields and its own hash are right."""
    try:
        found = read_json(line)
    except ValueError:
        return None
    fields = {"n", "time", "kind", "facts", "prev", "hash"}
    if not isinstance(found, dict) or set(found) != fields or not isinstance(found["facts"], dict):
        return None
    bare = {name: value for name, value in found.items() if name != "hash"}
    # Other spellings of the same JSON are refused, so that a log has one form only.
    return found if _canonical(found) == line and found["hash"] == _hash(bare) else None


def _lines(path: Path) -> list[bytes]:
    try:
        text = path.read_bytes()
    except OSError:
        text = None
    if text is None:
        raise LinkRefused(
            f"The log {path} cannot be read.", "Check its path and owner.", "log", place=path
        )
    if text and not text.endswith(b"\n"):
        raise broken(path, text.count(b"\n") + 1)
    return text.split(b"\n")[:-1]
