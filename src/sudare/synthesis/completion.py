"""Two-way tables of which only moments are known: the table of largest entropy.

Claim    among all tables with the given margins and the given Σ t(i,j) x_i y_j (of two numbers), or
         Σ_i t(i,c) x_i for every c (of a number and a category), the table found has the largest
         entropy: t(i,j) = r_i s_j exp(θ x_i y_j), or r_i s_c exp(θ_c x_i).
Source   minimum discrimination information (Csiszár 1975): margins by iterative proportional
         fitting, θ by Newton's method between its rounds.
Needs    moments that some table can have. Where none can, because the levels are coarser than
         the values behind them, θ stops at its bound.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats

_ROUNDS = 60
_STEEPEST = 60.0


def with_product(rows: Floats, columns: Floats, x: Floats, y: Floats, product: float) -> Floats:
    """A table of shares with margins `rows` and `columns` and E[xy] = `product`."""
    x, y, product = *_standard(x, y, rows, columns), _standard_product(x, y, rows, columns, product)
    theta, table = 0.0, np.outer(rows, columns)
    steep = np.outer(x, y)
    tilt = np.ones_like(table)
    left, right = rows.copy(), columns.copy()
    for _ in range(_ROUNDS):
        tilt = np.exp(np.clip(theta * steep, -_STEEPEST, _STEEPEST))
        for _ in range(4):
            left = _over(rows, tilt @ right)
            right = _over(columns, tilt.T @ left)
        table = left[:, None] * tilt * right[None, :]
        gap = product - float((table * steep).sum())
        curve = float((table * steep**2).sum()) - float((table * steep).sum()) ** 2
        if abs(gap) < 1e-9 or curve <= 1e-15:
            break
        theta = float(np.clip(theta + np.clip(gap / curve, -1.0, 1.0), -20.0, 20.0))
    return table


def with_means(rows: Floats, columns: Floats, x: Floats, means: Floats) -> Floats:
    """A table of shares with margins `rows` (of a number's levels, at `x`) and `columns`, and
    E[x | column] = `means`."""
    center, scale = _center(x, rows)
    x, means = (x - center) / scale, (means - center) / scale
    theta = np.zeros(len(columns))
    table, left = np.outer(rows, columns), rows.copy()
    for _ in range(_ROUNDS):
        tilt = np.exp(np.clip(theta[None, :] * x[:, None], -_STEEPEST, _STEEPEST))
        table = left[:, None] * tilt
        table *= _over(columns, table.sum(axis=0))[None, :]
        off = float(np.max(np.abs(table.sum(axis=1) - rows)))
        left = left * _over(rows, table.sum(axis=1))
        weight = _over(np.ones_like(columns), table.sum(axis=0))
        now = weight * (table * x[:, None]).sum(axis=0)
        curve = weight * (table * x[:, None] ** 2).sum(axis=0) - now**2
        gap = np.where(columns > 0, means - now, 0.0)
        if max(float(np.max(np.abs(gap))), off) < 1e-7:
            break
        step = np.where(curve > 1e-12, gap / np.maximum(curve, 1e-12), 0.0)
        theta = np.clip(theta + np.clip(step, -1.0, 1.0), -20.0, 20.0)
    return table


def _standard(x: Floats, y: Floats, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
    (a, s), (b, t) = _center(x, rows), _center(y, columns)
    return (x - a) / s, (y - b) / t


def _standard_product(x: Floats, y: Floats, rows: Floats, columns: Floats, product: float) -> float:
    """E[(x − a)(y − b)] / (s t), the margins being known."""
    (a, s), (b, t) = _center(x, rows), _center(y, columns)
    found = product - a * float(columns @ y) - b * float(rows @ x) + a * b * float(rows.sum())
    return found / (s * t)


def _center(x: Floats, weights: Floats) -> tuple[float, float]:
    whole = max(float(weights.sum()), 1e-300)
    mean = float(weights @ x) / whole
    spread = np.sqrt(float(weights @ (x - mean) ** 2) / whole)
    return mean, float(spread) if spread > 0 else 1.0


def _over(wanted: NDArray[np.float64], found: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(found > 0, wanted / np.maximum(found, 1e-300), 0.0)
