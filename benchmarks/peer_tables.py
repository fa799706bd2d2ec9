"""Adult and Census-Income as the peers of the synthetic data benchmarks see them.

Rows with `?` are dropped and "NA" is a category like any other. Peers that only know categories get
codes: a category's place in the sorted list of values, or a number's bin. The bins are public: 20
of equal width between the declared bounds (the least and the greatest value of the file, so that
two of them make one of the 10 bins of the usual comparison, which favors whoever uses them), and a
bin of its own for 0 where most people have 0. On the way out a number is drawn uniformly inside its
bin, as a whole number where the column holds whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
FILES = {"adult": "adult.csv.gz", "census-income": "census-income.csv.gz"}
ROWS = {"adult": 30_162, "census-income": 95_130}
BINS = 20
# The numeric columns with their bounds; every other column is a category, coded ones included.
BOUNDS = {
    "adult": {
        "age": (17, 90),
        "fnlwgt": (13_769, 1_484_705),
        "education_num": (1, 16),
        "capital_gain": (0, 99_999),
        "capital_loss": (0, 4_356),
        "hours_per_week": (1, 99),
    },
    "census-income": {
        "age": (0, 90),
        "wage_per_hour": (0, 9_999),
        "capital_gains": (0, 99_999),
        "capital_losses": (0, 4_356),
        "dividends": (0, 99_999),
        "instance_weight": (81.29, 18_656.3),
        "num_persons_employer": (0, 6),
        "weeks_worked": (0, 52),
    },
}
MOSTLY_ZERO = frozenset(
    {
        "capital_gain",
        "capital_loss",
        "capital_gains",
        "capital_losses",
        "dividends",
        "wage_per_hour",
        "weeks_worked",
    }
)
FRACTIONAL = frozenset({"instance_weight"})


def load(data: str) -> pd.DataFrame:
    """The whole rows: categories as text, numbers as numbers."""
    kinds = {name: float if name in FRACTIONAL else int for name in BOUNDS[data]}
    rows = pd.read_csv(SHARED / FILES[data], dtype=str, keep_default_na=False)
    rows = rows[~(rows == "?").any(axis=1)].reset_index(drop=True).astype(kinds)
    if len(rows) != ROWS[data]:
        raise SystemExit(f"{data}: expected {ROWS[data]} whole rows, found {len(rows)}.")
    return rows


@dataclass(frozen=True)
class Category:
    values: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.values)

    def encode(self, column: pd.Series) -> np.ndarray:
        return np.searchsorted(np.array(self.values), column.to_numpy(dtype=str))

    def decode(self, codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return np.array(self.values)[codes]


@dataclass(frozen=True)
class Number:
    """Bins [edge, next edge), the last one closed; a bin {0} before them when `zero`."""

    edges: tuple[float, ...]
    zero: bool
    whole: bool

    @property
    def size(self) -> int:
        return len(self.edges) - 1 + self.zero

    def encode(self, column: pd.Series) -> np.ndarray:
        values = column.to_numpy(dtype=float)
        found = np.searchsorted(np.array(self.edges), values, side="right") - 1
        codes = np.clip(found, 0, len(self.edges) - 2) + self.zero
        return np.where(self.zero & (values == 0), 0, codes)

    def decode(self, codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        low, high = (np.array(side) for side in zip(*self._spans(), strict=True))
        if not self.whole:
            return rng.uniform(low[codes], high[codes]).round(2)
        return rng.integers(low[codes], high[codes], endpoint=True)

    def _spans(self) -> list[tuple[float, float]]:
        pairs = zip(self.edges[:-1], self.edges[1:], strict=True)
        spans = [self._inside(low, high) for low, high in pairs]
        return [(0, 0), *spans] if self.zero else spans

    def _inside(self, low: float, high: float) -> tuple[float, float]:
        if not self.whole:
            return low, high
        first = int(np.ceil(low)) + (self.zero and low == 0)
        last = int(high) if high == self.edges[-1] else int(np.ceil(high)) - 1
        return first, last


def number(name: str, bounds: tuple[float, float], bins: int) -> Number:
    low, high = bounds
    whole, zero = name not in FRACTIONAL, name in MOSTLY_ZERO
    if whole and high - low < bins:
        # A narrow range of whole numbers has a bin a number.
        return Number((*range(int(low), int(high) + 1), high + 0.5), False, True)
    return Number(tuple(np.linspace(low, high, bins + 1).tolist()), zero, whole)


def coding(data: str, rows: pd.DataFrame, bins: int = BINS) -> dict[str, Category | Number]:
    """How each column becomes codes; the lists of categories are taken as public."""
    bounds = BOUNDS[data]
    return {
        name: number(name, bounds[name], bins)
        if name in bounds
        else Category(tuple(np.unique(rows[name].to_numpy(dtype=str)).tolist()))
        for name in rows
    }
