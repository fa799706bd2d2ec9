"""Synthetic rows as the measures take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sudare.facts.drawn import Drawn
from sudare.facts.microdata import LabelColumn, Microdata, NumberColumn
from sudare.facts.statistics import Marginal


def as_microdata(drawn: Drawn, marginals: Sequence[Marginal]) -> Microdata:
    """Values and labels of a table's columns."""
    columns: list[NumberColumn | LabelColumn] = []
    for each in marginals:
        gone = drawn.is_missing(each.name)
        if each.is_number:
            values = np.where(gone, np.nan, drawn.values[each.name])
            columns.append(NumberColumn(each.name, values, each.type))  # type: ignore[arg-type]
        else:
            codes = np.where(gone, -1, drawn.codes[each.name]).astype(np.int32)
            columns.append(LabelColumn(each.name, codes, each.labels))
    return Microdata(tuple(columns))
