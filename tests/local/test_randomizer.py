"""The function on batches: who reports what, and that nothing else of a row comes out."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from local.test_ways import MIXED, NUMBERS, plan, schema
from sudare.facts.reported import Column
from sudare.local.compile import compile_local
from sudare.local.randomizer import Randomizer
from sudare.mechanisms.local.named import mechanism_of
from sudare.randomness.bits import SystemBits
from support.bits import CountedBits, ScriptedBits, words

ROWS = 20_000


def columns(**values: Any) -> dict[str, Column]:
    return {name: (np.asarray(value, np.int64), None) for name, value in values.items()}


def middle(job: Any) -> dict[str, Column]:
    """Every number in the middle, every label the first."""
    found: dict[str, Column] = {}
    for name, domain in job.facts.domains.items():
        code = 0 if hasattr(domain, "labels") else (domain.low + domain.high) // 2
        found[name] = np.full(ROWS, code, np.int64), None
    return found


@pytest.mark.parametrize("asked", [1, 2, 3])
def test_every_row_reports_as_many_items_as_asked(asked: int) -> None:
    """And every item is reported equally often (6 standard errors)."""
    job = compile_local(
        plan("4", budget="sample", report=asked, statistics="mean"), schema(NUMBERS)
    )
    found = Randomizer(job.facts, lambda: CountedBits("choice"))(middle(job), ROWS)
    reported = np.zeros((len(found), ROWS), np.int64)
    for number, (own, reports) in enumerate(found.values()):
        assert own is not None
        assert len(own) == len(reports)
        reported[number, own] = 1
    assert (reported.sum(axis=0) == asked).all()
    share = asked / 6
    spread = 6 * np.sqrt(ROWS * share * (1 - share))
    assert np.abs(reported.sum(axis=1) - ROWS * share).max() < spread
    # Which items go together is even too.
    both = (reported[0] & reported[1]).mean()
    assert both == pytest.approx(asked * (asked - 1) / 30, abs=0.02)


class FirstWords:
    """Plays the words that choose the items, then a fixed stream for the mechanisms."""

    def __init__(self, *first: int) -> None:
        self._first, self._rest = ScriptedBits(words(*first)), CountedBits("after the choice")

    def take(self, count: int) -> bytes:
        return (self._first if self._first.left else self._rest).take(count)


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        ([5, 9, 9, 20], {0, 1}),
        ([9, 20, 5, 9], {0, 2}),
        ([9, 9, 9, 9], {0, 1}),
        ([9, 4, 9, 4], {1, 3}),
        ([2**32 - 1, 2**32 - 1, 0, 2**32 - 1], {0, 2}),
    ],
)
def test_a_tie_between_words_chooses_no_item_more(drawn: list[int], expected: set[int]) -> None:
    names = {name: NUMBERS[name] for name in list(NUMBERS)[:4]}
    job = compile_local(plan("4", budget="sample", report=2, statistics="mean"), schema(names))
    # Two rows: the words of one item lie together. The second row has no ties.
    both = [word for tied, other in zip(drawn, [4, 3, 2, 1], strict=True) for word in (tied, other)]
    values = {name: (np.zeros(2, np.int64), None) for name in names}
    found = Randomizer(job.facts, lambda: FirstWords(*both))(values, 2)
    reported = [[row in own for own, _ in found.values()] for row in range(2)]
    assert {number for number, own in enumerate(reported[0]) if own} == expected
    assert reported[1] == [False, False, True, True]


def test_products_squares_and_pairs_are_of_the_scaled_values() -> None:
    """At an ε so large that reports hardly stray, scores are the values themselves."""
    small = {
        "a": {"type": "integer", "min": 0, "max": 10},
        "b": {"type": "integer", "min": -5, "max": 5},
    }
    job = compile_local(plan("16", "two-point", budget="statistic"), schema(small))
    given = columns(a=[10, 5, 0, 10] * 5000, b=[5, 5, 5, -5] * 5000)
    found = Randomizer(job.facts, lambda: CountedBits("products"))(given, ROWS)
    wanted = {
        "a": [1, 0, -1, 1],
        "b": [1, 1, 1, -1],
        "a²": [1, -1, 1, 1],
        "b²": [1, 1, 1, 1],
        "a×b": [1, 0, -1, -1],
    }
    for item in job.facts.items:
        own, reports = found[item.name]
        assert own is not None
        mechanism: Any = mechanism_of(item)
        scores = mechanism.scores(reports)
        for place, value in enumerate(wanted[item.name]):
            assert scores[own % 4 == place].mean() == pytest.approx(value, abs=0.25)


def test_missing_values_are_the_middle_or_a_label_of_their_own() -> None:
    job = compile_local(
        plan("16", "two-point", budget="split", statistics="mean,histogram"),
        schema({name: MIXED[name] for name in ("age", "県")}),
    )
    missing = np.ones(ROWS, np.bool_)
    given: dict[str, Column] = {name: (np.zeros(ROWS, np.int64), missing) for name in ("age", "県")}
    found = Randomizer(job.facts, lambda: CountedBits("missing"))(given, ROWS)
    items = {item.name: item for item in job.facts.items}
    age: Any = mechanism_of(items["age"])
    assert age.scores(found["age"][1]).mean() == pytest.approx(0, abs=0.05)
    place: Any = mechanism_of(items["県"])
    assert place.scores(found["県"][1]).mean(axis=0)[-1] == pytest.approx(1, abs=0.05)


def test_bins_hold_the_ends() -> None:
    job = compile_local(
        plan("16", statistics="distribution", bins=4), schema({"age": MIXED["age"]})
    )
    found = Randomizer(job.facts, lambda: CountedBits("bins"))
    (item,) = job.facts.items
    mechanism: Any = mechanism_of(item)
    for value, place in ((0, 0), (24, 0), (25, 1), (50, 2), (100, 3)):
        reports = found(columns(age=np.full(ROWS, value)), ROWS)[item.name][1]
        scores = mechanism.scores(reports).mean(axis=0)
        assert int(scores.argmax()) == place


def test_it_travels_to_another_process() -> None:
    job = compile_local(plan(), schema(MIXED))
    sent = pickle.loads(pickle.dumps(Randomizer(job.facts)))
    assert sent.bits is SystemBits
    first, second = (sent(middle(job), ROWS) for _ in range(2))
    assert any(
        len(first[name][1]) != len(second[name][1]) or (first[name][1] != second[name][1]).any()
        for name in first
    )
