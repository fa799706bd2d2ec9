"""What the exact step leaves as it was while it meets moments: spikes, tails, ends and steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sudare.facts.schema import Schema, make_schema
from sudare.publish.statistics import exact_statistics
from synthesis.made import made, quickly

ROWS = 6_000


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quickly(monkeypatch, 16)


def declared(**columns: dict[str, Any]) -> Schema:
    return make_schema({"table": {"name": "t"}, "columns": columns})


def rows_of(real: pa.Table, facts: Schema, count: int = ROWS) -> dict[str, np.ndarray]:
    found = made(exact_statistics(real, facts), count).table()
    return {name: np.array(found.column(name)) for name in found.column_names}


def pays(every: int) -> tuple[pa.Table, Schema]:
    """Pay with a heavy tail far below its bound, and one wage that one in `every` has."""
    draw = np.random.default_rng(21)
    pay = np.rint(np.exp(draw.normal(10, 0.9, ROWS)))
    pay[::every] = 40_000
    age = np.clip(np.rint(20 + 9 * np.log(pay / 1_000) + 6 * draw.normal(size=ROWS)), 0, 99)
    facts = declared(
        pay={"type": "integer", "min": 0, "max": 50_000_000},
        age={"type": "integer", "min": 0, "max": 99},
    )
    return pa.table({"pay": pay.astype(np.int64), "age": age.astype(np.int64)}), facts


def test_a_spike_inside_the_range_stays() -> None:
    real, facts = pays(2)
    pay = rows_of(real, facts)["pay"]
    # Rows are drawn in their shares to less than one in each of 16 components, and then stay.
    assert np.sum(pay == 40_000) == pytest.approx(ROWS // 2, abs=20)


def test_a_heavy_tail_is_as_long_as_it_was() -> None:
    """The last bin reaches to a bound a hundred times beyond the greatest pay."""
    real, facts = pays(20)
    pay, wanted = rows_of(real, facts)["pay"], np.asarray(real["pay"])
    assert pay.max() < 3 * wanted.max()
    for share in (0.9, 0.99, 0.998):
        assert np.quantile(pay, share) == pytest.approx(np.quantile(wanted, share), rel=0.1)
    assert pay.mean() == pytest.approx(wanted.mean(), abs=1e-3)
    assert pay.std() == pytest.approx(wanted.std(), rel=1e-6)


def test_no_value_is_moved_to_where_nobody_is() -> None:
    """Bounds are wide, people are between 200 and 260, most of them at the ends."""
    draw = np.random.default_rng(22)
    x = np.where(
        draw.random(ROWS) < 0.7, draw.choice([200, 260], ROWS), draw.integers(200, 261, ROWS)
    )
    y = 3 * x + draw.integers(-200, 201, ROWS)
    facts = declared(
        x={"type": "integer", "min": 0, "max": 1_000}, y={"type": "integer", "min": 0, "max": 5_000}
    )
    found = rows_of(pa.table({"x": x, "y": y}), facts, 700)
    assert (found["x"].min(), found["x"].max()) == (200, 260)
    assert found["x"].std() == pytest.approx(x.std(), rel=1e-3)


@pytest.mark.parametrize("step", [0.5, 0.1, 0.25, 2.0])
def test_a_declared_step_is_kept(step: float) -> None:
    """Steps that are powers of two, too, which a column without a declared one has as well."""
    draw = np.random.default_rng(23)
    steps = np.clip(np.rint(draw.normal(3_000, 600, ROWS)), 0, 6_000)
    other = np.rint(steps / 60 + draw.normal(0, 8, ROWS))
    facts = declared(
        x={"type": "real", "min": 0, "max": 6_000 * step, "step": step},
        y={"type": "integer", "min": -200, "max": 300},
    )
    x = rows_of(pa.table({"x": steps * step, "y": other.astype(np.int64)}), facts)["x"]
    assert np.abs(x / step - np.rint(x / step)).max() < 1e-9
    assert x.mean() == pytest.approx(step * steps.mean(), rel=1e-6)


def test_a_step_that_nobody_declared_is_no_step() -> None:
    draw = np.random.default_rng(24)
    x = np.clip(draw.normal(50, 10, ROWS), 0, 100)
    facts = declared(
        x={"type": "real", "min": 0, "max": 100}, y={"type": "real", "min": -100, "max": 200}
    )
    found = rows_of(pa.table({"x": x, "y": x + draw.normal(0, 5, ROWS)}), facts)["x"]
    on_step = found * 2**14
    assert np.any(np.abs(on_step - np.rint(on_step)) > 1e-3)
    assert found.mean() == pytest.approx(x.mean(), abs=1e-5)
