"""What plan and schemas fix: cells, cost, roles, refusals."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sudare.facts.errors import InvalidPlan
from sudare.facts.relation import Relation
from sudare.link.roles import Roles, roles_of
from sudare.link.secure_job import compile_secure
from support.secure import labels, numbers

BOTH = [
    ("A", numbers(a=(0, 10), b=(0, 3)) | labels(l=2)),
    ("B", numbers(c=(0, 100)) | labels(m=3, k=2)),
]


def test_every_organisation_pays_the_whole() -> None:
    job = compile_secure(BOTH, Fraction(3, 10))
    cost = job.cost()
    assert (cost.epsilon, cost.delta, cost.relation) == (0.3, 0.0, Relation.REPLACE_ONE)
    assert [event.epsilon for event in job.blocks] == [Fraction(1, 10)] * 3
    # Two numbers and one: 2·(2 + 2·1) = 8 and 2·(1 + 1·2) = 6.
    assert [event.l1_sensitivity for event in job.blocks] == [8, 2, 2]
    assert job.attributes_epsilon("A") == Fraction(3, 10)
    assert job.attributes_epsilon("B") == Fraction(2, 10) + Fraction(6, 80)


def test_scales_are_in_the_units_of_the_cells() -> None:
    job = compile_secure(BOTH, Fraction(3, 10), statistics=("covariance",))
    scale = 8 / Fraction(3, 10)
    # Sums of a, b, c; products a·c, b·c; the count, which may weigh 8 − 5.
    assert list(job.scales) == [scale * u for u in (10, 3, 100, 1000, 300, Fraction(1, 3))]
    assert job.tables == ()


def test_statistics_choose_the_blocks() -> None:
    job = compile_secure(BOTH, Fraction(1), statistics=("table",))
    assert not job.has_numbers
    assert [table.columns for table in job.tables] == [("l", "m"), ("l", "k")]
    assert job.scales == (Fraction(4),) * (6 + 4)


def test_nothing_to_compute_is_refused() -> None:
    with pytest.raises(InvalidPlan, match="No two organisations"):
        compile_secure([("A", numbers(a=(0, 1))), ("B", labels(l=2))], Fraction(1))
    with pytest.raises(InvalidPlan, match="positive"):
        compile_secure(BOTH, Fraction(0))


def test_what_could_wrap_around_is_refused() -> None:
    wide = [("A", numbers(a=(0, 2**40))), ("B", numbers(b=(0, 2**40)))]
    assert compile_secure(wide, Fraction(1), 2**30).width == 2
    with pytest.raises(InvalidPlan, match=r"2\^63"):
        compile_secure(wide, Fraction(1), 2**33)
    with pytest.raises(InvalidPlan, match=r"2\^63"):
        compile_secure(wide, Fraction(1, 10**9), 1000)


def test_one_name_for_one_column() -> None:
    with pytest.raises(ValueError, match="names of their own"):
        compile_secure([("A", numbers(a=(0, 1))), ("B", numbers(a=(0, 1)))], Fraction(1))


def test_three_roles_are_three_names() -> None:
    assert roles_of(["A", "B"], "C", "B") == Roles("C", "B", "A")
    assert roles_of(["A", "B"], "C", "H") == Roles("C", "H", "A")
    assert roles_of(["A", "B", "C"], "A", "B") == Roles("A", "B", "C")
    for organisations, collector in ((["A", "B"], "A"), (["B"], "C")):
        with pytest.raises(InvalidPlan, match="deal the masks"):
            roles_of(organisations, collector, "B")
    for helper in (None, "C"):
        with pytest.raises(InvalidPlan, match="helper"):
            roles_of(["A", "B"], "C", helper)
