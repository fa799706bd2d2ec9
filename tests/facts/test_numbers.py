"""Numbers as people write them: exact within a range, and nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.facts.numbers import LARGEST, exact_number, exact_share
from support.tiers import examples


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        (" 1e3 ", Fraction(1000)),
        ("-0", Fraction(0)),
        (".5", Fraction(1, 2)),
        (0.1, Fraction(1, 10)),
        (3, Fraction(3)),
    ],
)
def test_numbers_are_what_was_written(text: object, value: Fraction) -> None:
    assert exact_number(text) == value


BAD = [
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1e999",
    "1e-400",
    "1e301",
    "1e-301",
    "9" * 400,
    "0." + "0" * 398 + "1",
    "",
    ".",
    "1e",
    "x",
    "1/2",
    "0x10",
    "1e9999999999",
    True,
    None,
    10**400,
    -(10**301),
    Fraction(1, 10**301),
    float("nan"),
    float("inf"),
    [],
    {},
]


@pytest.mark.parametrize("text", BAD, ids=lambda each: str(each)[:12])
def test_what_is_no_ordinary_number_is_none(text: object) -> None:
    assert exact_number(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5%", Fraction(1, 20)),
        ("1/3", Fraction(1, 3)),
        ("0.05", Fraction(1, 20)),
        (0.05, Fraction(1, 20)),
    ],
)
def test_shares(text: object, value: Fraction) -> None:
    assert exact_share(text) == value


@pytest.mark.parametrize("text", ["1/0", "0/0", "1e999%", "1/2/3", "%", "/", "1/x", "1e999999999"])
def test_no_share(text: str) -> None:
    assert exact_share(text) is None


@examples(200)
@given(st.one_of(st.text(max_size=60), st.integers(), st.floats(), st.from_regex(r"[-+0-9.eE/%]+")))
def test_whatever_is_written_is_a_number_in_range_or_none(text: object) -> None:
    for found in (exact_number(text), exact_share(text)):
        assert found is None or found == 0 or abs(found) <= LARGEST * 100 * LARGEST
        assert found is None or isinstance(float(exact_number(text) or 0), float)
