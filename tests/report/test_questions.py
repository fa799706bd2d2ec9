"""Level and filter are found in the text of a question, whatever stands around them."""

from __future__ import annotations

import pytest

from sudare.report.questions import filter_text, level


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("count()", ""),
        ("count() where age >= 65 and sex = 'F'", "age >= 65 and sex = 'F'"),
        ("mean(age) WHERE region = 'by @ where' by (sex) @ 0.2", "region = 'by @ where'"),
        ("sum(x) by sex where  a  < 3 ± 5%", "a < 3"),
        ("count() where \"by 列\" in ('a', 'it''s') +- 3", "\"by 列\" in ('a', 'it''s')"),
        ('sum("where")', ""),
    ],
)
def test_filter(query: str, found: str) -> None:
    assert filter_text(query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("quantile(age, 0.5)", 0.5),
        ("quantile(age, .25) by sex where a in (1, 2)", 0.25),
        ('quantile("a, 0.3) b", 9e-1) @ 0.2', 0.9),
        ("quantile(age, q=0.1)", 0.1),
        ("quantile(age)", None),
        ("count()", None),
    ],
)
def test_level(query: str, found: float | None) -> None:
    assert level(query) == found
