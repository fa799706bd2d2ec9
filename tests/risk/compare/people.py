"""Made people for the tests: work explains income, and every number follows from the place."""

from __future__ import annotations

import numpy as np

from sudare.facts.microdata import LabelColumn, Microdata, number_column
from sudare.randomness.choice import permutation, uniform_below
from support.bits import CountedBits


def people(rows: int, label: str = "people") -> Microdata:
    """Ages, hours that follow them, a category, and an income that hours decide."""
    bits = CountedBits(label)
    age = uniform_below(bits, np.full(rows, 60)) + 20.0
    noise = uniform_below(bits, np.full(rows, 10))
    work = uniform_below(bits, np.full(rows, 3))
    hours = age / 2 + noise + 5 * (work == 1)
    rich = (hours > 32).astype(float)
    return Microdata(
        (
            number_column("age", age, "integer"),
            number_column("hours", hours),
            LabelColumn("work", work.astype(np.int32), ("none", "full", "部分")),
            number_column("rich", rich, "boolean"),
        )
    )


def scrambled(data: Microdata, label: str = "scrambled") -> Microdata:
    """The same columns, each in an order of its own: nothing depends on anything."""
    bits = CountedBits(label)
    return Microdata(tuple(column.taken(permutation(bits, data.rows)) for column in data.columns))
