"""Every value as a cell of a table that both sets of rows share.

Numbers fall into ten bins of equal width between the joint minimum and maximum (the last bin holds
the maximum); a number that is the same everywhere is one cell. A label, true or false is a cell if
either table holds it, and so is what is missing, which comes last.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sudare.facts.microdata import Codes, ColumnKind, Floats, LabelColumn, Microdata, NumberColumn

BINS = 10
_DAY_ZERO = dt.date(1970, 1, 1).toordinal()


@dataclass(frozen=True, eq=False)
class Cells:
    """A column of both tables by its cells; a label of None means missing."""

    name: str
    type: ColumnKind
    labels: tuple[str | None, ...]
    real: Codes
    synthetic: Codes

    @property
    def size(self) -> int:
        return len(self.labels)


def cells_of(real: Microdata, synthetic: Microdata, bins: int = BINS) -> tuple[Cells, ...]:
    """The columns of `real`, each as cells."""
    return tuple(_cells(real, synthetic, name, bins) for name in real.names)


def _cells(real: Microdata, synthetic: Microdata, name: str, bins: int) -> Cells:
    one, two = real[name], synthetic[name]
    if isinstance(one, NumberColumn) and isinstance(two, NumberColumn):
        if one.type == "boolean":
            truths = _codes_of_truth(one), _codes_of_truth(two)
            return _occurring(name, "boolean", ("false", "true"), *truths)
        return _binned(one, two, bins)
    if isinstance(one, LabelColumn) and isinstance(two, LabelColumn):
        labels, second = merged(one, two)
        return _occurring(name, "category", labels, one.codes, second)
    raise ValueError(f"column '{name}' is a number in one table and a label in the other")


def merged(one: LabelColumn, two: LabelColumn) -> tuple[tuple[str, ...], Codes]:
    """All labels of both, those of `one` first, and the codes of `two` under them."""
    labels = tuple(dict.fromkeys((*one.labels, *two.labels)))
    if labels == two.labels:
        return labels, two.codes
    places = {label: place for place, label in enumerate(labels)}
    # The last entry is where -1, missing, looks itself up.
    table = np.array([*(places[label] for label in two.labels), -1], np.int32)
    return labels, table[two.codes]


def _codes_of_truth(column: NumberColumn) -> Codes:
    codes: Codes = (column.values > 0.5).astype(np.int32)
    codes[column.missing] = -1
    return codes


def _occurring(name: str, kind: ColumnKind, labels: tuple[str, ...], a: Codes, b: Codes) -> Cells:
    """Renumber so that only labels of either table are cells."""
    seen = np.bincount(a + 1, minlength=len(labels) + 1) > 0
    seen |= np.bincount(b + 1, minlength=len(labels) + 1) > 0
    kept = np.flatnonzero(seen[1:])
    table = np.zeros(len(labels) + 1, np.int32)
    table[kept + 1] = np.arange(len(kept))
    table[0] = len(kept)
    shown: tuple[str | None, ...] = tuple(labels[place] for place in kept)
    return Cells(name, kind, shown + ((None,) if seen[0] else ()), table[a + 1], table[b + 1])


def _binned(one: NumberColumn, two: NumberColumn, bins: int) -> Cells:
    present = [column.values[~column.missing] for column in (one, two)]
    known = [values for values in present if len(values)]
    low = min((float(values.min()) for values in known), default=0.0)
    high = max((float(values.max()) for values in known), default=0.0)
    count = (bins if high > low else 1) if known else 0
    labels: tuple[str | None, ...] = tuple(_bin_names(low, high, count, one.type))
    if one.missing.any() or two.missing.any():
        labels += (None,)
    codes = [_bin(column, low, high, count) for column in (one, two)]
    return Cells(one.name, one.type, labels, codes[0], codes[1])


def _bin(column: NumberColumn, low: float, high: float, count: int) -> Codes:
    # Multiplied before it is divided, so that whole numbers meet whole edges exactly.
    width = high - low if count > 1 else np.inf
    values: Floats = (column.values - low) * count / width
    codes: NDArray[np.int32] = np.where(column.missing, count, values).astype(np.int32)
    np.minimum(codes, count - 1, out=codes, where=~column.missing)
    return codes


def _bin_names(low: float, high: float, count: int, kind: ColumnKind) -> list[str]:
    edges = np.linspace(low, high, count + 1) if count > 1 else np.array([low] * (count + 1))
    shown = [_shown(float(edge), kind) for edge in edges]
    if count <= 1:
        return shown[:count]
    return [f"{a} – {b}" for a, b in pairwise(shown)]


def _shown(edge: float, kind: ColumnKind) -> str:
    if kind == "date":
        return dt.date.fromordinal(_DAY_ZERO + int(edge)).isoformat()
    return f"{edge:,.0f}" if abs(edge) >= 1e6 else f"{edge:.6g}"
