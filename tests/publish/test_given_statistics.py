"""Statistics that are there already, with the rules of a schema beside them."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sudare.facts.errors import InvalidPlan, InvalidStatistics
from sudare.facts.schema import Schema, make_schema
from sudare.facts.statistics import Statistics
from sudare.publish.bearable import exact
from sudare.publish.given_statistics import bound_rules_of, ruled_by_schema
from sudare.publish.private_statistics import PrivatePlan, private_statistics, statistics_of
from sudare.publish.synthesize import Wish, fitted, make
from sudare.synthesis.ruled import stated_breaks
from support.bits import CountedBits
from synthesis.made import quickly

ROWS = 2_000


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quickly(monkeypatch, 8)


def schema(*never: str, **more: dict[str, object]) -> Schema:
    return make_schema(
        {
            "table": {"name": "town", "expected_rows": ROWS},
            "budget": {"epsilon": 10.0},
            "columns": {
                "age": {"type": "integer", "min": 0, "max": 99},
                "pay": {"type": "integer", "min": 0, "max": 9_999},
                "sex": {"type": "category", "values": ["f", "m"]},
                **more,
            },
            "rules": [{"never": text} for text in never],
        }
    )


def people() -> pa.Table:
    """Everybody under 20 (a fifth) earns nothing, but for a quarter of them."""
    n = np.arange(ROWS)
    age = n % 100
    pay = np.where((age < 20) & (n % 16 > 3), 0, 1_000 + (n * 7919) % 8_999)
    return pa.table({"age": age, "pay": pay, "sex": np.where(n % 3 == 0, "m", "f")})


def given(*never: str) -> Statistics:
    return exact(people(), schema(*never), accept_disclosure=True).statistics


def test_rules_are_added_once_and_those_of_the_file_stay() -> None:
    found = ruled_by_schema(given("age > 98"), schema("pay > 9998", "age > 98"))
    assert [rule["never"] for rule in found.rules] == ["age > 98", "pay > 9998"]
    assert ruled_by_schema(found, schema("pay > 9998")).rules == found.rules
    assert ruled_by_schema(found, schema()).rules == found.rules


def test_rules_of_columns_that_the_statistics_lack_do_not_count() -> None:
    more = schema(
        "height > 100 and age < 3", "age > 98", height={"type": "real", "min": 0, "max": 250}
    )
    assert [rule["never"] for rule in ruled_by_schema(given(), more).rules] == ["age > 98"]


def test_exact_statistics_are_not_split() -> None:
    """Every age is a bin; pays are gathered, and nobody knows how many lie on either side."""
    assert fitted(ruled_by_schema(given(), schema("age > 98 and sex = 'm'")), Wish()).rules
    with pytest.raises(InvalidPlan, match="the statistics hold together") as refused:
        make(ruled_by_schema(given(), schema("pay > 7651 and sex = 'm'")), Wish(50))
    assert "with the rule in their schema" in refused.value.hint
    again = given("pay > 7651 and sex = 'm'")
    assert make(again, Wish(50), bits=CountedBits("again")).facts.rules[0].broken == 0


def test_statistics_under_epsilon_are_split(tmp_path: Path) -> None:
    release = private_statistics(
        people(), schema(), PrivatePlan(Fraction(4)), ledger=tmp_path / "l", bits=CountedBits("p")
    )
    noisy = statistics_of(release)
    rule = "pay > 7651 and sex = 'm'"
    assert 7652 not in noisy.marginal("pay").starts
    found = ruled_by_schema(noisy, schema(rule))
    drawn = make(found, Wish(ROWS), bits=CountedBits("ruled")).drawn
    pay, man = drawn.values["pay"], drawn.codes["sex"] == 1
    assert np.any((pay > 7651) & ~man)
    assert not np.any((pay > 7651) & man)
    # Rows exchange values and lose none, so that only noise moves the margins.
    real = np.asarray(people()["pay"], float)
    assert abs(pay.mean() - real.mean()) < 0.05 * real.std()
    assert np.mean(man) == pytest.approx(1 / 3, abs=0.03)


def test_rules_that_some_rows_break_are_told() -> None:
    """5 % of the rows, by two columns and by one."""
    for rule in ("age < 20 and pay > 0", "age >= 95"):
        made = make(given(rule), Wish(ROWS), bits=CountedBits(rule))
        ((told, share),) = made.facts.clashes
        assert rule in told
        assert share == pytest.approx(0.05, abs=1e-9)
        assert made.facts.rules[0].broken == 0
    kept = "age < 20 and pay > 9999"
    assert make(given(kept), Wish(ROWS), bits=CountedBits(kept)).facts.clashes == ()


@pytest.mark.parametrize("rule", ["age < 21", "age >= 20 and pay > 0"])
def test_rules_that_more_than_a_fifth_break_are_refused(rule: str) -> None:
    with pytest.raises(InvalidStatistics, match="contradict each other") as refused:
        fitted(given(rule), Wish())
    assert re.search("More than a fifth", refused.value.hint)


def test_a_fifth_is_still_allowed() -> None:
    statistics = given("age < 20")
    ((_, share),) = stated_breaks(statistics, bound_rules_of(statistics))
    assert share == 0.2
