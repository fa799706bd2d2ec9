"""Made tables, their schema and quick fits, for the tests of synthesis."""

from __future__ import annotations

import datetime as dt
import functools
from typing import Any

import numpy as np
import pyarrow as pa

from sudare.facts.schema import Schema, make_schema
from sudare.facts.statistics import Statistics
from sudare.publish import synthesize as publishing
from sudare.publish.statistics import exact_statistics
from sudare.publish.synthesize import Made, Wish
from support.bits import CountedBits

COLUMNS: dict[str, Any] = {
    "age": {"type": "integer", "min": 0, "max": 120},
    "twice": {"type": "integer", "min": 1, "max": 300},
    "gain": {"type": "integer", "min": 0, "max": 99_999},
    "loss": {"type": "integer", "min": 0, "max": 5_000},
    "hours": {"type": "integer", "min": 1, "max": 99},
    "wage": {"type": "real", "min": 0, "max": 100_000, "step": 0.01},
    "born": {"type": "date", "min": dt.date(1920, 1, 1), "max": dt.date(2020, 12, 31)},
    "works": {"type": "boolean"},
    "sex": {"type": "category", "values": ["F", "M"]},
    "town": {"type": "category", "values": ["a", "b", "c", "d"]},
    "same": {"type": "integer", "min": 0, "max": 9},
    "third": {"type": "real", "min": 1 / 3, "max": 2 / 3},
}


def schema(*names: str, rules: tuple[dict[str, str], ...] = (), **table: Any) -> Schema:
    columns = {name: COLUMNS[name] for name in names or COLUMNS}
    return make_schema(
        {
            "table": {"name": "made", **table},
            "budget": {"epsilon": 100.0, "delta": 1e-4},
            "columns": columns,
            "rules": list(rules),
        }
    )


def table(rows: int, label: int = 0) -> pa.Table:
    """A table with spikes at bounds, numbers that exclude each other, one that is twice another,
    a constant one, and missing values."""
    draw = np.random.default_rng(label)
    age = draw.integers(0, 91, rows)
    hours = np.clip(np.rint(draw.normal(35 + age / 10, 8)), 1, 99).astype(np.int64)
    gain = np.where(draw.random(rows) < 0.9, 0, draw.integers(1, 99_999, rows))
    loss = np.where((gain > 0) | (draw.random(rows) < 0.9), 0, draw.integers(1, 4_999, rows))
    wage = np.round(np.minimum(draw.gamma(2, 400 + 10.0 * age), 100_000), 2)
    born = [dt.date(2020, 12, 31) - dt.timedelta(days=int(365 * a)) for a in age]
    works = draw.random(rows) < np.where(age > 20, 0.7, 0.2)
    sex = np.where(draw.random(rows) < 0.4 + 0.2 * works, "M", "F")
    town = draw.choice(["a", "b", "c", "d"], rows, p=[0.5, 0.3, 0.15, 0.05])
    return pa.table(
        {
            "age": age,
            "twice": 2 * age + 1,
            "gain": gain,
            "loss": loss,
            "hours": pa.array(hours, mask=draw.random(rows) < 0.1),
            "wage": pa.array(wage, mask=draw.random(rows) < 0.05),
            "born": pa.array(born, pa.date32()),
            "works": works,
            "sex": pa.array(sex, pa.string()),
            "town": pa.array(town, pa.string(), mask=draw.random(rows) < 0.08),
            "same": np.full(rows, 7),
            "third": 1 / 3 + draw.beta(0.3, 1, rows) / 3,
        }
    )


def statistics(rows: int, *names: str, label: int = 0, **more: Any) -> Statistics:
    given = table(rows, label)
    return exact_statistics(given, schema(*names), more.pop("preserve", "tables"), **more)


def quickly(monkeypatch: Any, components: int = 40) -> None:
    """Fit with few components: the exact step must not depend on how well the mixture fits."""
    quick = functools.partial(publishing.fit_model, components=components)
    monkeypatch.setattr(publishing, "fit_model", quick)


def made(given: Statistics, rows: int, label: str = "made", **wish: Any) -> Made:
    return publishing.make(given, Wish(rows, **wish), bits=CountedBits(label))
