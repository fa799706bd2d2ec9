"""What is wrong with the keys of a TOML file: the first problem, and the nearest key to one that is
not known."""

from __future__ import annotations

import difflib
import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from sudare.facts.reading import shortened

Fault = Literal["unknown", "missing", "type", "choice", "range", "said"]
# What keys were called, or are called elsewhere.
_OTHER_NAMES = {"queries": "questions", "query": "questions", "eps": "epsilon", "budget": "epsilon"}
_FEWEST_ALIKE = 0.6


@dataclass(frozen=True)
class Problem:
    """One fault of a file: where it is, and what is said of it; of an unknown key `known` are those
    that may stand there."""

    fault: Fault
    where: str
    said: str
    known: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return self.where.rpartition(".")[2]


def first_problem(error: ValidationError, model: type[BaseModel]) -> Problem:
    """The first thing that is wrong; before all else a key that is not known, because what is
    missing may stand under it."""
    problems = error.errors()
    found = next((each for each in problems if each["type"] == "extra_forbidden"), problems[0])
    place = found["loc"]
    where = shortened(".".join(map(str, place)))
    said = shortened(found["msg"].removeprefix("Value error, "))
    fault = _fault(found["type"])
    known = known_keys(model, place[:-1]) if fault == "unknown" else ()
    return Problem(fault, where, said, known)


def _fault(kind: str) -> Fault:
    if kind == "extra_forbidden":
        return "unknown"
    if kind == "missing":
        return "missing"
    if kind in ("literal_error", "enum"):
        return "choice"
    if kind in ("value_error", "assertion_error"):
        return "said"
    is_range = kind.startswith(("greater_", "less_", "too_", "string_too_", "finite_"))
    return "range" if is_range else "type"


def known_keys(model: type[BaseModel], path: Sequence[str | int]) -> tuple[str, ...]:
    """The keys that may stand at a place of a file."""
    found: Any = model
    for part in path:
        found = next(filter(None, (_below(each, part) for each in _choices(found))), None)
    for each in _choices(found):
        if isinstance(each, type) and issubclass(each, BaseModel):
            return tuple(field.alias or name for name, field in each.model_fields.items())
    return ()


def _choices(annotation: Any) -> list[Any]:
    """The types that an annotation allows."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _choices(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return [each for part in get_args(annotation) for each in _choices(part)]
    return [annotation]


def _below(annotation: Any, part: str | int) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, field in annotation.model_fields.items():
            if part in (name, field.alias):
                return field.annotation
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is dict:
        return inner[1]
    return inner[0] if origin in (tuple, list) and inner else None


def nearest_hint(key: str, known: Iterable[str]) -> str:
    """What to write instead of a key that is not known."""
    names = list(known)
    renamed = _OTHER_NAMES.get(key)
    near = difflib.get_close_matches(key.lower(), names, 1, _FEWEST_ALIKE)
    found = renamed if renamed in names else next(iter(near), None)
    start = "" if found is None else f"Did you mean '{found}'? "
    return f"{start}Known here: {', '.join(names)}." if names else f"{start}See the documentation."
