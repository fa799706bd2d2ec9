"""The declared sensitivities against every pair of small neighbouring tables.

Each claim must hold for all pairs and be attained by one: a claim that is 5 % too small fails the
first half, one that is 5 % too large the second.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from sudare.queries.compile import compile_question
from sudare.queries.means import PublicMean
from sudare.queries.measurement import Additive
from support.tiny import moments, town

# Corners and middles of every column; None is a missing (or filtered-out) value.
VALUES: dict[str, list[Any]] = {
    "debt": [-5, -1, 0, 3, None],
    "age": [0, 60, 120, None],
    "sex": ["F", "M", None],
    "works": [0, 1, None],
}
QUESTIONS = {
    "count()": ["sex"],
    "histogram(sex)": ["sex"],
    "count() by (sex, works)": ["sex", "works"],
    "histogram(debt, bins=2)": ["debt"],
    "sum(debt)": ["debt"],
    "sum(age)": ["age"],
    "sum(debt) by (sex)": ["debt", "sex"],
    "mean(debt)": ["debt"],
    "mean(works)": ["works"],
    "mean(debt) by (sex)": ["debt", "sex"],
    "variance(debt)": ["debt"],
    "variance(debt) by (sex)": ["debt", "sex"],
    "covariance(debt, works)": ["debt", "works"],
}


def every_row(columns: list[str]) -> list[dict[str, Any]]:
    return [
        dict(zip(columns, row, strict=True))
        for row in itertools.product(*(VALUES[name] for name in columns))
    ]


def differences(
    job: Additive, columns: list[str], relation: str, k: int
) -> Iterator[list[list[int]]]:
    """Every block's change when one unit's rows come, or are replaced.

    The cells are linear in the rows, so the rest of the table cancels; k equal or different rows
    are all combinations with repetition, and fewer than k stand for rows that a filter drops.
    """
    rows = every_row(columns)
    choices = [
        chosen
        for size in range(k + 1)
        for chosen in itertools.combinations_with_replacement(rows, size)
    ]
    cells = [job.exact(moments(job.request, rows)) for rows in choices]
    nothing = job.exact(moments(job.request, []))
    others = [nothing] if relation == "add-remove" else cells
    for one, other in itertools.product(cells, others):
        yield [[a - b for a, b in zip(x, y, strict=True)] for x, y in zip(one, other, strict=True)]


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("question", QUESTIONS)
def test_claims_hold_and_are_attained(question: str, relation: str, k: int) -> None:
    columns = QUESTIONS[question]
    job = compile_question(question, town(relation, k))
    assert isinstance(job, Additive)
    l1, l2 = [0] * len(job.blocks), [0] * len(job.blocks)
    for change in differences(job, columns, relation, k):
        for place, cells in enumerate(change):
            l1[place] = max(l1[place], sum(abs(cell) for cell in cells))
            l2[place] = max(l2[place], sum(cell * cell for cell in cells))
    claimed = [block.sensitivity for block in job.blocks]
    assert l1 == [claim.l1 for claim in claimed]
    assert l2 == [claim.l2_squared for claim in claimed]


def test_public_mean() -> None:
    schema = town("replace-one", public_rows=100)
    full = schema.columns | {"debt": schema.columns["debt"].model_copy(update={"complete": True})}
    job = compile_question("mean(debt)", schema.model_copy(update={"columns": full}))
    assert isinstance(job, PublicMean)
    assert isinstance(job, Additive)
    changes = [c[0][0] for c in differences(job, ["debt"], "replace-one", 1)]
    assert max(abs(change) for change in changes) == job.blocks[0].sensitivity.l1 == 16


def test_the_lecture_constant_for_sums_is_too_small_with_absent_rows() -> None:
    """hi − lo, as for a public set of rows, misses a row of debt −5 that becomes missing when
    bounds do not straddle zero: age in [0, 120] is fine, [60, 120] is not."""
    from sudare.facts.relation import Relation
    from sudare.queries.sensitivity import Setting, of_sum

    setting = Setting(Relation.REPLACE_ONE, 1, 1)
    assert of_sum(setting, 60, 120).l1 == 120
    assert of_sum(setting, -5, 3).l1 == 8
    assert of_sum(setting, -5, -2).l1 == 5
