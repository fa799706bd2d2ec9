"""A panel: the same persons at several times, and the wide form in which it is described.

Long, a panel has a row for every person and time. Wide, it has one record a person: every fixed
column once, and every varying column once a period (`income@2024-03`). A person without a row in a
period is missing there, which the category `@2024-03` says. Two wide columns are **near** if their
periods are at most `lags` apart, or if one of them is fixed: only near columns are described
together, so that what is said of them are autocovariances up to the lag.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from sudare.facts.errors import InvalidSchema, InvalidStatistics

MOST_PERIODS = 60
MOST_COLUMNS = 400
LAGS = 3
ABSENT, PRESENT = PRESENCE = ("absent", "present")
_EPOCH = dt.date(1970, 1, 1)
_AFTER_ALL = 2**62
Every = Literal["day", "month", "year"]
Name = Annotated[str, Field(min_length=1)]
Lags = Annotated[StrictInt, Field(ge=1, lt=MOST_PERIODS)]


class Panel(BaseModel):
    """What the schema declares under [panel]. `every` is how long a period is: a word for dates, a
    number of steps of the time column, or nothing for a period a step."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    person: Name
    time: Name
    every: Every | Annotated[StrictInt, Field(ge=1)] = 1
    fixed: tuple[Name, ...] = ()
    lags: Lags = LAGS


@dataclass(frozen=True)
class PanelFacts:
    """The wide form. `starts` are the first indices of the periods, `last` the last index of the
    last one; of a date they are days since 1970-01-01. `names` are the periods' own."""

    person: str
    time: str
    is_date: bool
    starts: tuple[int, ...]
    last: int
    names: tuple[str, ...]
    fixed: tuple[str, ...]
    varying: tuple[str, ...]
    lags: int

    @property
    def long(self) -> tuple[str, ...]:
        """The columns of the long form."""
        return self.person, self.time, *self.fixed, *self.varying

    @property
    def periods(self) -> int:
        return len(self.starts)

    def wide(self, column: str, period: int) -> str:
        """What a varying column is called in a period; the empty name is whether there is a row."""
        return f"{column}@{self.names[period]}"

    def presence(self, period: int) -> str:
        return self.wide("", period)

    @cached_property
    def places(self) -> dict[str, tuple[str, int]]:
        """Of every wide column that varies: the column and the period; "" is whether there is a
        row."""
        return {
            self.wide(column, period): (column, period)
            for period in range(self.periods)
            for column in ("", *self.varying)
        }

    def period_of(self, name: str) -> int | None:
        """None for a fixed column."""
        return self.places[name][1] if name in self.places else None

    def near(self, left: str, right: str) -> bool:
        """Whether two wide columns are described together."""
        one, two = self.period_of(left), self.period_of(right)
        return one is None or two is None or abs(one - two) <= self.lags

    def to_dict(self) -> dict[str, Any]:
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> PanelFacts:
        """The facts of a statistics file; what does not have their form is refused."""
        try:
            found = cls(
                str(values["person"]),
                str(values["time"]),
                bool(values["is_date"]),
                tuple(int(start) for start in values["starts"]),
                int(values["last"]),
                tuple(str(name) for name in values["names"]),
                tuple(str(name) for name in values["fixed"]),
                tuple(str(name) for name in values["varying"]),
                int(values["lags"]),
            )
            if _fits(found):
                return found
        except (KeyError, TypeError, ValueError):
            pass
        raise InvalidStatistics(
            "The file does not say in a form that can be read which panel it describes.",
            "Write it again with `sudare synthesize … --statistics-only`.",
        )


def _fits(found: PanelFacts) -> bool:
    ordered = all(a < b for a, b in zip(found.starts, found.starts[1:], strict=False))
    named = len(set(found.names)) == len(found.names) == len(found.starts)
    own = found.long
    counted = 1 <= found.periods <= MOST_PERIODS and 1 <= found.lags < MOST_PERIODS
    return (
        ordered
        and named
        and counted
        and len(set(own)) == len(own)
        and bool(found.varying)
        and found.starts[-1] <= found.last
        and not set(found.fixed) & set(found.places)
        and len(found.places) == found.periods * (1 + len(found.varying))
    )


def facts_of(
    panel: Panel, is_date: bool, low: int, high: int, columns: tuple[str, ...], lags: int | None
) -> PanelFacts:
    """The wide form of a declared panel whose time runs from `low` to `high`; `columns` are those
    to be described, without person and time."""
    starts = _starts(panel.every, low, high)
    fixed = tuple(name for name in columns if name in panel.fixed)
    varying = tuple(name for name in columns if name not in panel.fixed)
    if not varying:
        raise InvalidSchema(
            "The panel has no column that varies over time.",
            "Declare one, or take a column out of `fixed` under [panel].",
        )
    if len(starts) * len(varying) > MOST_COLUMNS:
        raise InvalidSchema(
            f"{len(starts)} periods of {len(varying)} columns are more than {MOST_COLUMNS}.",
            "Name fewer --columns, declare some as `fixed`, or make periods longer with `every`.",
        )
    names = tuple(_name(panel.every, is_date, start) for start in starts)
    chosen = panel.lags if lags is None else lags
    if not 1 <= chosen < MOST_PERIODS:
        raise InvalidSchema(
            f"The panel's lags must lie between 1 and {MOST_PERIODS - 1}.",
            "Write --lags 3, or lags = 3 under [panel].",
        )
    found = PanelFacts(
        panel.person, panel.time, is_date, starts, high, names, fixed, varying, chosen
    )
    if not _fits(found):
        raise InvalidSchema(
            "A column of the panel has the name that another has in a period.",
            "Rename it: the name before the sign @ must not be that of a column.",
        )
    return found


def _starts(every: Every | int, low: int, high: int) -> tuple[int, ...]:
    found = [low]
    while len(found) <= MOST_PERIODS and (after := _next(every, found[-1])) <= high:
        found.append(after)
    if len(found) > MOST_PERIODS:
        raise InvalidSchema(
            f"The panel's time has more than {MOST_PERIODS} periods.",
            'Make periods longer, as in every = "month" under [panel], or bring min and max of '
            "the time column closer together.",
        )
    return tuple(found)


def _next(every: Every | int, start: int) -> int:
    if isinstance(every, int) or every == "day":
        return start + (1 if every == "day" else every)
    day = _EPOCH + dt.timedelta(days=start)
    if day.year == dt.MAXYEAR:
        return _AFTER_ALL
    if every == "year":
        after = dt.date(day.year + 1, 1, 1)
    else:
        after = dt.date(day.year + day.month // 12, day.month % 12 + 1, 1)
    return (after - _EPOCH).days


def _name(every: Every | int, is_date: bool, start: int) -> str:
    if not is_date:
        return str(start)
    shown = (_EPOCH + dt.timedelta(days=start)).isoformat()
    return {"year": shown[:4], "month": shown[:7]}.get(str(every), shown)
