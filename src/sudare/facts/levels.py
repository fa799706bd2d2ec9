"""Named levels: coarser groups of a column's values, declared in the schema.

A level is `of` a column or of another level. Numbers and dates are cut (`width`, or `cuts`: where
groups begin), categories are gathered (`groups`). Levels are public: like value domains they come
from a code book, never from the data.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    field_validator,
    model_validator,
)

Number = StrictInt | StrictFloat
Cut = StrictInt | StrictFloat | dt.date
_FARTHEST = 10**100


def label_of(value: Any) -> Any:
    """Codes may be written as numbers or booleans in TOML; labels are text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value == value // 1 and abs(value) < 1e300:
        return str(int(value))
    return str(value) if isinstance(value, (int, float)) else value


class Level(BaseModel):
    """One declared level."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    of: Annotated[str, Field(min_length=1)]
    width: Annotated[Number, Field(ge=1e-100, le=1e100)] | None = None
    cuts: tuple[Cut, ...] = ()
    groups: dict[str, tuple[str, ...]] = {}
    label: str | None = None
    confirmed: StrictBool = True

    @field_validator("groups", mode="before")
    @classmethod
    def _members_as_text(cls, groups: Any) -> Any:
        if not isinstance(groups, Mapping):
            return groups
        return {
            name: tuple(label_of(member) for member in members)
            if isinstance(members, (list, tuple))
            else members
            for name, members in groups.items()
        }

    @model_validator(mode="after")
    def _coherent(self) -> Level:
        if sum((self.width is not None, bool(self.cuts), bool(self.groups))) != 1:
            raise ValueError("a level has either width, cuts or groups")
        if any(not isinstance(cut, dt.date) and abs(cut) > _FARTHEST for cut in self.cuts):
            raise ValueError("cuts lie within ±1e100")
        if list(self.cuts) != sorted(set(self.cuts), key=_order):
            raise ValueError("cuts must ascend")
        return self

    @property
    def is_cut(self) -> bool:
        return not self.groups


def _order(cut: Any) -> Any:
    return cut.toordinal() if isinstance(cut, dt.date) else cut


def base_of(name: str, levels: Mapping[str, Level]) -> str:
    """The column that a level is built on in the end; ValueError for a circle."""
    seen = {name}
    while name in levels:
        name = levels[name].of
        if name in seen:
            raise ValueError(f"level '{name}' is built on itself")
        seen.add(name)
    return name


def gathered(
    level: Level, domain: tuple[str, ...], other: str | None, name: str
) -> dict[str, tuple[str, ...]]:
    """The groups of a level over the labels of what it is built on, in the declared order; an
    `other` that no group lists stays a group of its own."""
    listed = [member for members in level.groups.values() for member in members]
    if len(set(listed)) != len(listed):
        raise ValueError(f"level '{name}' has a value in two groups")
    if not all(level.groups.values()):
        raise ValueError(f"level '{name}' has an empty group")
    if set(listed) - set(domain):
        raise ValueError(f"level '{name}' lists a value that '{level.of}' does not declare")
    missing = [label for label in domain if label not in set(listed)]
    if missing and missing != [other]:
        raise ValueError(f"level '{name}' leaves values of '{level.of}' without a group")
    if not missing:
        return dict(level.groups)
    if other in level.groups:
        raise ValueError(f"level '{name}' has a group that is called like other")
    return {**level.groups, missing[0]: (missing[0],)}
