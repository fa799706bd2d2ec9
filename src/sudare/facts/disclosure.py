"""What published tables make certain about people: the result of `sudare check tables`.

A *description* is what somebody may know of a person, as (attribute, value) pairs; a *way* is a
smallest set of tables and facts from which a finding already follows: leave one of its parts out
and it does not follow any more.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Description = tuple[tuple[str, str], ...]
PartKind = Literal["table", "population", "known", "person"]
# Why the people in question cannot exist: the cells of one table fill the population; one table
# shows or implies a zero by itself; several parts leave no room together.
Manner = Literal["fills", "alone", "together"]


@dataclass(frozen=True)
class Part:
    """One thing an attacker holds: a table, the population, a known fact, a person's presence."""

    kind: PartKind
    name: str


@dataclass(frozen=True)
class Way:
    """A smallest set of parts that already implies a finding."""

    parts: tuple[Part, ...]
    manner: Manner


@dataclass(frozen=True)
class Interval:
    """The least and the greatest count in any consistent data set; `high` None is unbounded.

    Where `exact` is False the solver was stopped: the true interval lies inside this one.
    """

    low: int
    high: int | None
    exact: bool = True

    @property
    def width(self) -> float:
        return float("inf") if self.high is None else self.high - self.low


@dataclass(frozen=True)
class Certain:
    """Everyone who fits `who` has `value` (or, if `excluded`, has not) in every data set.

    `person` is the name of a person of the facts file, or None for a description. `people` is
    how many fit `who`, None where that was not worked out.
    """

    who: Description
    attribute: str
    value: str
    excluded: bool
    person: str | None
    people: Interval | None
    ways: tuple[Way, ...]


@dataclass(frozen=True)
class Narrow:
    """A count that was withheld, or never published, and can be worked out nearly or fully."""

    who: Description
    table: str | None
    row: int | None
    count: Interval


@dataclass(frozen=True)
class TableCheck:
    """All that was found. `finished`: the list of what is certain is complete; `refined`: all ways
    and counts were worked out too.

    `noisy` tables were left out; rows of `overlapping` ones were read as counting each person once;
    the values of `inferred` attributes were taken from the tables; `absent` are tables that the
    facts file tells of and nobody gave.
    """

    tables: tuple[str, ...]
    noisy: tuple[str, ...]
    population: Interval | None
    sensitive: tuple[str, ...]
    certain: tuple[Certain, ...]
    excluded: tuple[Certain, ...]
    narrow: tuple[Narrow, ...]
    overlapping: tuple[str, ...]
    inferred: tuple[str, ...]
    absent: tuple[str, ...]
    finished: bool
    refined: bool
    seconds: float

    @property
    def ok(self) -> bool:
        """Nothing certain about anyone, and no withheld count that can be worked out; and all of
        it was looked through, for what was not looked at is not shown to be fine."""
        found = self.certain or any(each.table for each in self.narrow)
        return self.finished and self.refined and not found

    def to_dict(self) -> dict[str, Any]:
        """As JSON; descriptions become objects."""
        plain = asdict(self)
        for kind in ("certain", "excluded", "narrow"):
            plain[kind] = [{**each, "who": dict(each["who"])} for each in plain[kind]]
        return {"ok": self.ok, **plain}
