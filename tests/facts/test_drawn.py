"""Drawn rows say what they are, and do not contradict themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudare.facts.drawn import Drawn

NUMBERS, CODES = np.zeros(3), np.zeros(3, np.int64)


def test_a_column_that_cannot_miss_is_nowhere_missing() -> None:
    gone = np.array([True, False, False])
    drawn = Drawn(3, {"x": NUMBERS}, {"c": CODES}, {"c": gone})
    assert drawn.is_missing("c").tolist() == [True, False, False]
    assert drawn.is_missing("x").tolist() == [False] * 3


@pytest.mark.parametrize(
    ("values", "codes", "missing"),
    [
        ({"x": np.zeros(2)}, {}, {}),
        ({"x": NUMBERS}, {"x": CODES}, {}),
        ({"x": NUMBERS}, {}, {"y": np.zeros(3, np.bool_)}),
    ],
)
def test_contradictions_are_refused(values: Any, codes: Any, missing: Any) -> None:
    with pytest.raises(ValueError, match=r"^a (drawn )?column"):
        Drawn(3, values, codes, missing)
