"""Algorithm 5 by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.synthesis.paper.coding import CodedCategory, Layout
from sudare.synthesis.paper.decoding import decoded, decoded_flag, thresholds

# Levels 0, 2 and 3 exist; 0 is c_1; the coded columns are the second and the third.
CATEGORY = CodedCategory("job", np.array([0, 2, 3]), 1)
ROWS = np.array(
    [
        [9.0, 0.9, 0.2],
        [9.0, 0.1, 0.3],
        [9.0, 0.2, 0.1],
        [9.0, 0.3, 0.6],
    ]
)


def test_the_threshold_is_the_mean_over_rows_and_columns() -> None:
    layout = Layout(("age",), (CATEGORY,))
    # Line 3: (0.9 + 0.1 + 0.2 + 0.3 + 0.2 + 0.3 + 0.1 + 0.6) / (4 · 2).
    assert thresholds(layout, ROWS.mean(axis=0))["job"] == pytest.approx(2.7 / 8)


def test_the_largest_if_it_reaches_the_threshold_else_the_first() -> None:
    assert decoded(CATEGORY, ROWS, 2.7 / 8, "threshold").tolist() == [2, 0, 0, 3]
    # Line 6 says ≥.
    assert decoded(CATEGORY, ROWS, 0.3, "threshold").tolist() == [2, 3, 0, 3]


def test_argmax_gives_the_first_its_own_number() -> None:
    # 1 − Σ c_j is -0.1, 0.6, 0.7 and 0.1.
    assert decoded(CATEGORY, ROWS, 2.7 / 8, "argmax").tolist() == [2, 0, 0, 3]
    near = np.array([[0.0, 0.36, 0.1]])
    assert decoded(CATEGORY, near, 2.7 / 8, "threshold").tolist() == [2]
    assert decoded(CATEGORY, near, 2.7 / 8, "argmax").tolist() == [0]


def test_a_boolean_is_its_own_code() -> None:
    column = np.array([-0.2, 0.3, 0.45, 1.1])
    assert decoded_flag(column, 0.4, "threshold").tolist() == [0, 0, 1, 1]
    assert decoded_flag(column, 0.4, "argmax").tolist() == [0, 0, 0, 1]
