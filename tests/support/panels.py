"""A made panel: AR(2) and MA(1) series with person effects, a fixed and a varying category."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.facts.drawn import Drawn
from sudare.facts.schema import Schema, make_schema

Floats = NDArray[np.float64]
AR = (0.55, 0.25)
MA = 0.6
_BURN = 60


@dataclass(frozen=True, eq=False)
class MadePanel:
    """`series` by name, persons × periods; `there` says who has a row when."""

    series: dict[str, Floats]
    sex: NDArray[np.int64]
    working: NDArray[np.int64]
    there: NDArray[np.bool_]

    def table(self) -> pa.Table:
        person, period = np.nonzero(self.there)
        columns: dict[str, object] = {"id": [f"p{n:06d}" for n in person], "month": period + 1}
        columns["sex"] = np.array(["f", "m"])[self.sex[person]]
        columns["work"] = np.array(["no", "yes"])[self.working[person, period]]
        for name, values in self.series.items():
            columns[name] = values[person, period]
        return pa.table(columns)


def made_panel(
    persons: int, periods: int, seed: int, gaps: float = 0.0, effect: float = 0.5
) -> MadePanel:
    """`effect` is the standard deviation of what a person is apart from others; the share `gaps` of
    persons leaves for good, each at a random time."""
    source = np.random.default_rng(seed)
    sex = source.integers(0, 2, persons)
    shift = effect * source.normal(size=persons) + 0.4 * sex
    noise = source.normal(size=(2, persons, periods + _BURN))
    ar = np.zeros((persons, periods + _BURN))
    for t in range(2, periods + _BURN):
        ar[:, t] = AR[0] * ar[:, t - 1] + AR[1] * ar[:, t - 2] + noise[0, :, t]
    ma = noise[1].copy()
    ma[:, 1:] += MA * noise[1][:, :-1]
    income = 40 + 4 * (ar[:, _BURN:] + shift[:, None])
    hours = 30 + 3 * (ma[:, _BURN:] + shift[:, None])
    working = (ar[:, _BURN:] + source.normal(size=(persons, periods)) > -0.5).astype(np.int64)
    leaves = np.where(
        source.random(persons) < gaps, source.integers(1, periods + 1, persons), periods
    )
    there = np.arange(periods)[None, :] < leaves[:, None]
    series = {"income": np.clip(income, 0, 80), "hours": np.clip(hours, 0, 60)}
    return MadePanel(series, sex, working, there)


def panel_schema(periods: int, lags: int = 3, **more: object) -> Schema:
    columns = {
        "id": {"type": "key"},
        "month": {"type": "integer", "min": 1, "max": periods},
        "sex": {"type": "category", "values": ["f", "m"]},
        "work": {"type": "category", "values": ["no", "yes"]},
        "income": {"type": "real", "min": 0, "max": 80},
        "hours": {"type": "real", "min": 0, "max": 60},
    }
    table = {"name": "panel", "unit": "id", "max_rows_per_unit": periods}
    panel = {"person": "id", "time": "month", "fixed": ["sex"], "lags": lags}
    return make_schema({"table": table, "columns": columns, "panel": panel, **more})


def pooled(values: Floats, lag: int) -> float:
    """The autocovariance at a lag, pooled over periods, around each period's mean."""
    centred = values - values.mean(axis=0)
    periods = values.shape[1]
    return float(np.mean(centred[:, lag:] * centred[:, : periods - lag]))


def ar2(values: Floats) -> Floats:
    """Coefficients of an AR(2) by least squares over all persons and periods."""
    centred = values - values.mean(axis=0)
    now, before = centred[:, 2:].ravel(), [centred[:, 1:-1].ravel(), centred[:, :-2].ravel()]
    found: Floats = np.linalg.lstsq(np.array(before).T, now, rcond=None)[0]
    return found


def yule_walker(values: Floats) -> Floats:
    """The same from autocovariances alone."""
    zero, one, two = (pooled(values, lag) for lag in range(3))
    found: Floats = np.linalg.solve(np.array([[zero, one], [one, zero]]), np.array([one, two]))
    return found


def ma1(values: Floats) -> float:
    """θ of an MA(1) from its first autocorrelation r = θ / (1 + θ²); beyond lag 1 only what is
    fixed in a person is left, and that is taken off first."""
    effect = (pooled(values, 2) + pooled(values, 3)) / 2
    ratio = (pooled(values, 1) - effect) / (pooled(values, 0) - effect)
    return float((1 - np.sqrt(max(1 - 4 * ratio**2, 0.0))) / (2 * ratio))


def from_rows(drawn: Drawn, name: str, persons: int, periods: int) -> Floats:
    """A column of long rows as persons × periods; NaN where there is no row or no value."""
    found = np.full((persons, periods), np.nan)
    there = ~drawn.is_missing(name)
    place = (drawn.values["id"] - 1).astype(int), (drawn.values["month"] - 1).astype(int)
    column = drawn.values[name] if name in drawn.values else drawn.codes[name].astype(float)
    found[place[0][there], place[1][there]] = column[there]
    return found
