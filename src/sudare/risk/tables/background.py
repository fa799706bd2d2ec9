"""What everybody knows beside the tables: the facts file, as frozen values.

docs/check-tables.md shows the file. A condition names attributes and the values they may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sudare.facts.disclosure import Interval
from sudare.facts.errors import InvalidTables
from sudare.facts.keys import nearest_hint

Condition = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Known:
    """Of those who fit `where` and not `unless`, the number lies in `count`."""

    text: str
    where: Condition
    unless: Condition | None
    count: Interval


@dataclass(frozen=True)
class TableFacts:
    """What is known of one table: whom it covers, and how its rows are to be read."""

    title: str | None = None
    where: Condition = field(default_factory=dict)
    noisy: bool = False
    complete: bool = False
    subtotals: bool = False


@dataclass(frozen=True)
class Background:
    """The facts file as a whole."""

    population: Interval | None = None
    sensitive: tuple[str, ...] = ()
    attributes: Condition = field(default_factory=dict)
    groups: Mapping[str, Condition] = field(default_factory=dict)
    known: tuple[Known, ...] = ()
    persons: Mapping[str, Condition] = field(default_factory=dict)
    tables: Mapping[str, TableFacts] = field(default_factory=dict)


_KEYS = ("population", "sensitive", "attributes", "groups", "known", "persons", "tables")


def parse_background(values: Mapping[str, Any], place: str) -> Background:
    """The facts file, read from TOML; `place` is its name for messages."""
    _only(values, _KEYS, place)
    return Background(
        population=_count(values["population"], place) if "population" in values else None,
        sensitive=_texts(values.get("sensitive", []), f"{place}: sensitive"),
        attributes=_condition(values.get("attributes", {}), f"{place}: attributes"),
        groups={
            name: _condition(each, f"{place}: groups.{name}")
            for name, each in _table(values.get("groups", {}), f"{place}: groups").items()
        },
        known=_known(values.get("known", []), place),
        persons={
            name: _condition(each, f"{place}: persons.{name}")
            for name, each in _table(values.get("persons", {}), f"{place}: persons").items()
        },
        tables={
            name: _table_facts(_table(each, f"{place}: tables.{name}"), f"{place}: tables.{name}")
            for name, each in _table(values.get("tables", {}), f"{place}: tables").items()
        },
    )


def _known(values: Any, place: str) -> tuple[Known, ...]:
    if not isinstance(values, list):
        raise _wrong(f"{place}: known")
    return tuple(_fact(_table(v, f"{place}: known {n}"), n, place) for n, v in enumerate(values, 1))


def _fact(values: Mapping[str, Any], number: int, place: str) -> Known:
    """Nobody fits, all who fit one thing fit another, or so many fit."""
    here = f"{place}: known {number}"
    _only(values, ("say", "nobody", "where", "all", "count"), here)
    text = values.get("say", f"known {number}")
    if not isinstance(text, str):
        raise _wrong(here)
    if set(values) - {"say"} == {"nobody"}:
        return Known(text, _condition(values["nobody"], here), None, Interval(0, 0))
    where = _condition(values.get("where", {}), here)
    if set(values) - {"say", "where"} == {"all"}:
        return Known(text, where, _condition(values["all"], here), Interval(0, 0))
    if set(values) - {"say", "where"} == {"count"}:
        return Known(text, where, None, _count(values["count"], here))
    raise InvalidTables(
        f"{here} says neither nobody, nor all, nor count.",
        'For example: nobody = { sports = "no", culture = "no" }.',
    )


def _table_facts(values: Mapping[str, Any], here: str) -> TableFacts:
    _only(values, ("title", "where", "noise", "complete", "subtotals"), here)
    noise = values.get("noise", False)
    switches = (values.get("complete", False), values.get("subtotals", False))
    if not isinstance(noise, bool | dict) or not all(isinstance(s, bool) for s in switches):
        raise _wrong(here)
    title = values.get("title")
    if title is not None and not isinstance(title, str):
        raise _wrong(here)
    return TableFacts(title, _condition(values.get("where", {}), here), bool(noise), *switches)


def _count(value: Any, here: str) -> Interval:
    """20, or { min = 18, max = 22 } with either end left out."""
    if isinstance(value, dict) and value and set(value) <= {"min", "max"}:
        low, high = value.get("min", 0), value.get("max")
    else:
        low = high = value
    ends = [end for end in (low, high) if end is not None]
    if any(isinstance(end, bool) or not isinstance(end, int) or end < 0 for end in ends):
        raise _wrong(here)
    if high is not None and low > high:
        raise _wrong(here)
    return Interval(low, high)


def _condition(value: Any, here: str) -> Condition:
    return {name: _texts(allowed, here) for name, allowed in _table(value, here).items()}


def _texts(value: Any, here: str) -> tuple[str, ...]:
    """One value or a list of them; whole numbers stand for their digits."""
    values = value if isinstance(value, list) else [value]
    if any(isinstance(each, bool) or not isinstance(each, str | int) for each in values):
        raise _wrong(here)
    return tuple(dict.fromkeys(str(each) for each in values))


def _table(value: Any, here: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(here)
    return value


def _only(values: Mapping[str, Any], known: tuple[str, ...], here: str) -> None:
    for key in values:
        if key not in known:
            raise InvalidTables(f"{here} has an unknown key '{key}'.", nearest_hint(key, known))


def _wrong(here: str) -> InvalidTables:
    return InvalidTables(f"{here} has a value of the wrong form.", "See docs/check-tables.md.")
