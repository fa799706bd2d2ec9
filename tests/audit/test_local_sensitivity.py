"""Why noise in proportion to the *local* sensitivity is refused: paper 003's failed attempt.

Seven values, of which two or three are as large as they may be. In both tables the median is 0, but
in the first no neighbour has another one, so that its local sensitivity is 0 and the answer comes
without noise; in the second a single row decides. Whoever sees anything but 0 knows the table for
certain, whatever ε was claimed. The harness has to find that, and to find nothing where the same
question is asked with the smooth bound.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.errors import InvalidPlan
from sudare.facts.relation import Relation
from sudare.mechanisms.student_smooth import StudentSmooth
from sudare.queries.compile import compile_question
from sudare.queries.smooth_windows import as_bound, log_window, ranks_of
from sudare.randomness.laplace import discrete_laplace
from sudare.randomness.student import student
from support.audit import audit
from support.bits import CountedBits
from support.tiny import town

EPSILON = Fraction(1)
HIGH = 1000
TABLES = ([0] * 5 + [HIGH] * 2, [0] * 4 + [HIGH] * 3)
SIZE = 200_000


def local_sensitivity(table: list[int]) -> int:
    """How far the median moves at most if one row is replaced."""
    return max(table[3] - table[2], table[4] - table[3])


def local_answers(table: list[int], label: str, count: int) -> NDArray[np.int64]:
    """The failed attempt: Laplace noise of scale LS/ε, which is none where LS = 0."""
    scale = local_sensitivity(table) / EPSILON
    if scale == 0:
        return np.full(count, table[3])
    return table[3] + discrete_laplace(CountedBits(label), scale, count).astype(np.int64)


def smooth_answers(table: list[int], label: str, count: int) -> NDArray[np.int64]:
    mechanism = StudentSmooth(Relation.REPLACE_ONE, EPSILON, EPSILON / 4)
    counts = np.bincount(np.array(table), minlength=HIGH + 1)
    log = log_window(ranks_of(counts), 4, 4, mechanism.decay, 1)
    drawn = student(CountedBits(label), mechanism.factor * as_bound(log), count)
    return table[3] + np.clip(drawn, -(2**60), 2**60).astype(np.int64)


def test_the_two_medians_are_equal_and_their_local_sensitivities_are_not() -> None:
    assert [table[3] for table in TABLES] == [0, 0]
    assert [local_sensitivity(table) for table in TABLES] == [0, HIGH]


def test_the_harness_tells_local_sensitivity_apart_with_certainty() -> None:
    result = audit(
        lambda n: local_answers(TABLES[0], f"local a {n}", n),
        lambda n: local_answers(TABLES[1], f"local b {n}", n),
        SIZE,
    )
    # As much as so many samples can show at all, and far beyond what was claimed.
    assert result.epsilon > 8 * EPSILON
    # The event: an answer that is not 0 never comes from the first table.
    assert not local_answers(TABLES[0], "never", 1000).any()
    assert local_answers(TABLES[1], "mostly", 1000).any()


def test_the_harness_finds_nothing_where_the_bound_is_smooth() -> None:
    result = audit(
        lambda n: smooth_answers(TABLES[0], f"smooth a {n}", n),
        lambda n: smooth_answers(TABLES[1], f"smooth b {n}", n),
        SIZE,
    )
    assert result.epsilon <= EPSILON


@pytest.mark.parametrize("function", ["median(age", "quantile(age, 0.5", "iqr(age"])
def test_it_is_refused(function: str) -> None:
    with pytest.raises(InvalidPlan, match="Local sensitivity is not private") as caught:
        compile_question(f"{function}; method=local)", town())
    assert "docs/smooth.md" in caught.value.hint
