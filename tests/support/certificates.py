"""Certificates changed on purpose: one field at a time, one byte at a time, signed by anybody."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sudare.facts.certificate import Certificate, Sealed, Statement
from sudare.wires.signing import SigningKey

Where = tuple[str | int, ...]


def another_key() -> SigningKey:
    """Somebody's who is not the steward."""
    return SigningKey(Path("nowhere"), False, Ed25519PrivateKey.generate())


def leaves(value: Any, where: Where = ()) -> Iterator[Where]:
    """Every single field, and every group that has none."""
    below: Any = None
    if isinstance(value, dict):
        below = value.items()
    elif isinstance(value, list):
        below = enumerate(value)
    if not below or not value:
        yield where
        return
    for key, each in below:
        yield from leaves(each, (*where, key))


def changed(told: dict[str, Any], where: Where) -> dict[str, Any]:
    """The same with another value in one field."""
    found = copy.deepcopy(told)
    place: Any = found
    for key in where[:-1]:
        place = place[key]
    old = place[where[-1]]
    if isinstance(old, bool) or old is None:
        place[where[-1]] = not old
    elif isinstance(old, int | float):
        place[where[-1]] = old + 1
    elif isinstance(old, str):
        last = "0" if not old.endswith("0") else "1"
        place[where[-1]] = old[:-1] + last
    else:
        place[where[-1]] = {"x": 1} if isinstance(old, dict) else [1]
    return found


def written(told: dict[str, Any], key: SigningKey | None = None) -> str:
    """The file of what is told, in its only form; signed anew where a key is given."""
    statement = Statement(
        told["job"], told["created"], told["guarantee"], told["provenance"], told["body"]
    )
    files = {
        name: Sealed(each.get("sha256", ""), each.get("bytes", 0))
        for name, each in told["files"].items()
    }
    if key is None:
        return Certificate(statement, files, told["signer"], told["signature"]).to_text()
    unsigned = Certificate(statement, files, key.fingerprint, "")
    signature = key.sign(unsigned.signed_bytes())
    return Certificate(statement, files, key.fingerprint, signature).to_text()


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def flipped(whole: bytes, times: int = 1000) -> Iterator[bytes]:
    """Copies with one byte changed each, at places fixed by a seed."""
    drawn = np.random.default_rng(2022)
    for place, change in zip(
        drawn.integers(0, len(whole), times), drawn.integers(1, 256, times), strict=True
    ):
        copied = bytearray(whole)
        copied[place] ^= int(change)
        yield bytes(copied)
