"""A made town of 20,000 people, the same on every machine. Nobody in it exists.

Its numbers come from SHAKE-256 of fixed labels: this is made data, not protection, so it takes no
entropy and needs none.
"""

from __future__ import annotations

import datetime as dt
import hashlib

import numpy as np
from numpy.typing import NDArray

PEOPLE = 20_000
REGIONS = ("north", "south", "east", "west", "harbor")
_FIRST_DAY = dt.date(1990, 1, 1)
_DAYS = 12_784
Floats = NDArray[np.float64]

# With Japanese labels; the English tour leaves them out and shows the columns' own names.
_SCHEMA = """\
# The made town of `sudare demo`. Everything here is public knowledge, nothing is read from data.
[table]
name = "people"
unit = "row"
neighbours = "add-remove"
expected_rows = 20000

[budget]
epsilon = 3.0
delta = 1e-9

[columns.person_id]
type = "key"

[columns.age]
type = "integer"
min = 0
max = 110
label = "年齢"

[columns.sex]
type = "category"
values = ["F", "M"]
label = "性別"

[columns.region]
type = "category"
values = ["north", "south", "east", "west", "harbor"]
label = "地区"

[columns.household]
type = "integer"
min = 1
max = 8
label = "世帯人数"

[columns.employed]
type = "boolean"
label = "就業"

[columns.hours]
type = "real"
min = 0.0
max = 80.0
step = 0.5
label = "週の労働時間"

[columns.income]
type = "integer"
min = 0
max = 20000000
label = "年収"

[columns.moved_in]
type = "date"
min = 1990-01-01
max = 2024-12-31
label = "転入日"
"""


def schema_text(language: str) -> str:
    """The town's schema, with the labels of the language."""
    lines = _SCHEMA.splitlines(keepends=True)
    return "".join(line for line in lines if language == "ja" or not line.startswith("label"))


def uniform(label: str) -> Floats:
    """One number in (0, 1) a person, fixed by the label."""
    drawn = hashlib.shake_256(f"sudare town {label}".encode()).digest(8 * PEOPLE)
    words = np.frombuffer(drawn, dtype="<u8")
    return (words >> np.uint64(11)).astype(np.float64) / 2**53 + 2**-54


def _normal(label: str) -> Floats:
    """Box and Muller."""
    radius = np.sqrt(-2 * np.log(uniform(label + " radius")))
    turned: Floats = radius * np.cos(2 * np.pi * uniform(label + " angle"))
    return turned


def people() -> dict[str, list[str]]:
    """The town's table, column by column, as text."""
    age = np.clip(np.floor(110 * uniform("age") ** 1.25 * 0.92), 0, 104).astype(int)
    woman = uniform("sex") < 0.49 + 0.0012 * age
    region = np.searchsorted([0.31, 0.55, 0.74, 0.9], uniform("region"))
    working_age = (age >= 18) & (age < 68)
    employed = working_age & (uniform("employed") < np.where(woman, 0.74, 0.86))
    hours = np.where(employed, np.clip(38 + 8 * _normal("hours"), 2, 78), 0)
    hours = np.round(hours * 2) / 2
    skill = 15.05 + 0.012 * np.clip(age - 22, 0, 33) + 0.06 * (region == 4) + 0.45 * _normal("pay")
    wage = np.exp(skill) * hours / 40
    pension = np.where(age >= 65, np.exp(14.2 + 0.3 * _normal("pension")), 0)
    income = np.minimum(np.floor((wage + pension) / 1000) * 1000, 20_000_000).astype(int)
    household = 1 + np.searchsorted([0.34, 0.62, 0.8, 0.93, 0.98, 0.995], uniform("household"))
    days = np.floor(_DAYS * uniform("moved") ** 0.6).astype(int)
    return {
        "person_id": [f"P{number:05d}" for number in range(1, PEOPLE + 1)],
        "age": [str(value) for value in age],
        "sex": ["F" if value else "M" for value in woman],
        "region": [REGIONS[value] for value in region],
        "household": [str(value) for value in household],
        "employed": [str(bool(value)).lower() for value in employed],
        "hours": [f"{value:g}" for value in hours],
        "income": [str(value) for value in income],
        "moved_in": [(_FIRST_DAY + dt.timedelta(days=int(day))).isoformat() for day in days],
    }


def people_csv() -> str:
    """The table as CSV; no value needs quoting."""
    columns = people()
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(row) for row in rows)]) + "\n"
