"""What a block answered, as numbers: at most one for each declared output, and None for the rest.

A function may give a number, a mapping from the outputs' names, or a sequence in their order. A
command writes one of the same in JSON. Nothing else is a number: not a text, not NaN, not an
answer that is too long to be one.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

LONGEST = 2**16
_NOTHING = math.nan


def as_numbers(found: Any, names: Sequence[str]) -> list[float]:
    """One number an output, NaN where there is none."""
    if hasattr(found, "tolist"):
        # NumPy's numbers and arrays, and what behaves like them.
        found = found.tolist()
    if isinstance(found, Mapping):
        return [_number(found.get(name)) for name in names]
    if isinstance(found, (list, tuple)):
        return [_number(each) for each in found] if len(found) == len(names) else _none(names)
    return [_number(found)] if len(names) == 1 else _none(names)


def packed(numbers: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(numbers)}d", *numbers)


def from_function(stored: bytes, names: Sequence[str]) -> list[float | None]:
    """What a process of ours sent; nothing is unpickled, since the function could have sent it."""
    if len(stored) != 8 * len(names):
        return [None] * len(names)
    return _finite(struct.unpack(f"<{len(names)}d", stored))


def from_command(stored: bytes, names: Sequence[str]) -> list[float | None]:
    """What a command wrote."""
    try:
        return _finite(as_numbers(json.loads(stored), names))
    except (ValueError, RecursionError):
        return [None] * len(names)


def _number(value: Any) -> float:
    if hasattr(value, "item") and getattr(value, "size", 0) == 1:
        value = value.item()
    try:
        return float(value) if isinstance(value, Real) else _NOTHING
    except (OverflowError, ValueError, TypeError):
        return _NOTHING


def _none(names: Sequence[str]) -> list[float]:
    return [_NOTHING] * len(names)


def _finite(numbers: Sequence[float]) -> list[float | None]:
    return [each if math.isfinite(each) else None for each in numbers]
