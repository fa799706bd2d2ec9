"""A release: answers, what they cost and where they come from. It holds no raw aggregate."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sudare.facts.reading import read_json

Number = int | float
# A value is a number, a date, an object from label to number, or (covariance) a nested one.
Value = Number | str | dict[str, Any]


@dataclass(frozen=True)
class Clip:
    """Values of a column outside these bounds count as the nearest bound."""

    column: str
    low: str
    high: str


@dataclass(frozen=True)
class NoiseFact:
    """One noisy vector as the certificate states it."""

    mechanism: str
    cells: int
    scale: str
    sensitivity: str


@dataclass(frozen=True)
class Answer:
    """One question's protected answer.

    error95: with 95 % probability the noise moved the answer by at most this (each cell, where
    there are several: the largest of `errors95`). `drowned` names the cells, or "" for a single
    number, that cannot be told from zero (or, for a mean, from anything in its range). `details`
    holds what a function tells beside its value, such as the sizes of clusters.
    """

    query: str
    function: str
    value: Value
    error95: float
    epsilon: float
    errors95: dict[str, Any] | None = None
    interval: dict[str, Any] | tuple[Any, Any] | None = None
    drowned: tuple[str, ...] = ()
    clips: tuple[Clip, ...] = ()
    columns: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    public: bool = False
    noise: tuple[NoiseFact, ...] = ()
    details: dict[str, Any] | None = None


@dataclass(frozen=True)
class Release:
    """What leaves the house. `again` (it was released before under the same key), `cap_change`
    (the cap before and after, if this run changed it) and `notes` (names of texts, with their
    words) are reported to whoever ran it; they are no part of what is stored."""

    id: str
    table: str
    created: str
    answers: tuple[Answer, ...]
    spent: dict[str, float]
    left: dict[str, float]
    guarantee: dict[str, Any]
    provenance: dict[str, Any]
    labels: dict[str, str] = field(default_factory=dict)
    tabulation: dict[str, Any] | None = None
    randomized: dict[str, Any] | None = None
    statistics: dict[str, Any] | None = None
    again: bool = field(default=False, compare=False)
    cap_change: dict[str, dict[str, Any]] | None = field(default=None, compare=False)
    notes: dict[str, dict[str, str]] = field(default_factory=dict, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Every field; a release that is no table says nothing of tables, and so on."""
        special = ("tabulation", "randomized", "statistics")
        found = asdict(replace(self, tabulation=None, randomized=None, statistics=None))
        for answer in found["answers"]:
            if answer["details"] is None:
                answer.pop("details")
        for name in ("again", "cap_change", "notes"):
            found.pop(name)
        for name in special:
            found.pop(name)
            part = getattr(self, name)
            if part is not None:
                found[name] = part
        return found

    def to_bytes(self) -> bytes:
        """JSON in the order of the fields and of the declared groups: one release, one text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False).encode()

    @classmethod
    def from_bytes(cls, stored: bytes) -> Release:
        values = read_json(stored)
        answers = tuple(_answer(item) for item in values.pop("answers"))
        return cls(answers=answers, **values)

    @classmethod
    def repeated(cls, stored: bytes) -> Release:
        """A release that is shown again under its key."""
        return replace(cls.from_bytes(stored), again=True)

    def __getitem__(self, key: int | str) -> Answer:
        """An answer by its position or by the text of its question."""
        if isinstance(key, int):
            return self.answers[key]
        for answer in self.answers:
            if answer.query == key:
                return answer
        raise KeyError(key)


def _answer(values: dict[str, Any]) -> Answer:
    clips = tuple(Clip(**clip) for clip in values.pop("clips"))
    noise = tuple(NoiseFact(**fact) for fact in values.pop("noise"))
    interval = values.pop("interval")
    rest: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    shown = tuple(interval) if isinstance(interval, list) else interval
    return Answer(clips=clips, noise=noise, interval=shown, **rest)
