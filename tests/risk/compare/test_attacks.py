"""Distances, copies and attacks: by hand, and on copies against fresh rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from risk.compare.people import people, scrambled
from sudare.facts.microdata import Microdata, label_column, number_column
from sudare.risk.compare import distance
from sudare.risk.compare.attacks import attacks
from sudare.risk.compare.distance import distances, nearest_distances, points_of
from sudare.risk.compare.inference import rightly_guessed
from sudare.risk.compare.linkage import linked
from sudare.risk.compare.membership import found_at
from sudare.risk.compare.nearest import is_among, nearest
from support.bits import CountedBits

ONE = Microdata((number_column("n", [0, 10, math.nan]), label_column("c", ["a", "b", None])))
TWO = Microdata((number_column("n", [5, math.nan]), label_column("c", ["b", None])))
REAL = people(800)
FRESH = people(800, "others")
HOLDOUT = people(400, "held")


def test_distances_by_hand() -> None:
    one, two = points_of([ONE, TWO])
    # Numbers over a range of 10, labels alike or not, missing alike missing only.
    np.testing.assert_allclose(
        distances(one, two, [0, 1]),
        [[(0.5 + 1) / 2, 1], [(0.5 + 0) / 2, 1], [1, 0]],
    )
    np.testing.assert_allclose(nearest_distances(one, two), [0.75, 0.25, 0])


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = points_of([REAL, FRESH])
    whole = nearest_distances(one, two)
    monkeypatch.setattr(distance, "BLOCK", 7)
    np.testing.assert_array_equal(nearest_distances(one, two), whole)


def test_rows_among_others() -> None:
    others = Microdata((number_column("n", [10, 0, math.nan]), label_column("c", ["b", "b", None])))
    assert is_among(ONE, others).tolist() == [False, True, True]
    # The same rows under codes of other labels.
    coded = Microdata(
        (number_column("n", [10, math.nan]), label_column("c", ["b", None], ["z", "b"]))
    )
    assert is_among(ONE, coded).tolist() == [False, True, True]


def test_linkage_by_hand() -> None:
    rows = Microdata((number_column("n", [0, 10]), label_column("c", ["a", "b"])))
    mixed = Microdata((number_column("n", [0, 10, 0]), label_column("c", ["a", "b", "b"])))
    through, victims = points_of([rows, mixed])
    # The third is nearest to one row by its number and to the other by its label.
    assert linked(victims, through) == 2


def test_inference_by_hand() -> None:
    rows = Microdata((number_column("n", [0, 100]), label_column("c", ["a", "b"])))
    asked = Microdata((number_column("n", [4, 94, 100]), label_column("c", ["a", "b", "a"])))
    through, victims = points_of([rows, asked])
    # n from c: 4 is within 5 of 0, 94 not of 100, 100 not of 0. c from n: a, b, and b wrongly.
    assert rightly_guessed(victims, through).tolist() == [1, 2]


def test_members_found_among_few_false_ones() -> None:
    members = np.array([0, 0, 1, 3], np.float32)
    others = np.array([1, 2, 2, 4], np.float32)
    assert found_at(members, others, 0.0) == 0.5
    assert found_at(members, others, 0.25) == 0.75
    assert found_at(np.array([5], np.float32), others, 0.1) == 0


def test_copies_are_seen() -> None:
    copied = nearest(REAL, REAL, None, CountedBits("copied"))
    fresh = nearest(REAL, FRESH, None, CountedBits("fresh"))
    assert copied.identical == 1
    assert copied.reference_rows == 400
    # Half of the rows are in the reference half of the real ones.
    assert copied.identical_nearby.value > 0.4
    assert copied.identical_nearby.low > copied.identical_control.high
    assert fresh.identical < 0.6
    assert fresh.identical_nearby.low < fresh.identical_control.high


def test_ratio_of_fresh_rows_is_about_one() -> None:
    jittered = [
        Microdata(
            (number_column("x", np.asarray(each["hours"].values) + np.arange(each.rows) / 7919),)
        )  # type: ignore[union-attr]
        for each in (REAL, FRESH, HOLDOUT)
    ]
    found = nearest(*jittered, CountedBits("ratio"))
    assert found.ratio is not None
    assert found.rows == (800, 400)
    assert 0.2 < found.ratio < 5
    assert nearest(jittered[0], jittered[0], jittered[2], CountedBits("x")).ratio == 0


def test_with_a_holdout_copies_give_people_away() -> None:
    found = attacks(REAL, REAL, HOLDOUT, CountedBits("copies"))
    assert found.control == "holdout"
    assert found.membership is not None
    assert found.membership.auc.low > 0.6
    fresh = attacks(REAL, FRESH, HOLDOUT, CountedBits("fresh"))
    assert fresh.membership is not None
    # Neither members nor others were used: six standard errors of the area are about 0.1.
    assert abs(fresh.membership.auc.value - 0.5) < 0.11
    hours = {each.column: each for each in found.inference}["hours"]
    assert hours.success.low > hours.control.high
    assert all(each.risk.low < 0.1 for each in fresh.inference)


def test_without_a_holdout_other_real_rows_are_the_control() -> None:
    found = attacks(REAL, REAL, None, CountedBits("copies"))
    assert found.control == "other_rows"
    assert found.membership is None
    assert found.reference_rows == 400
    assert found.linkage is not None
    assert found.linkage.risk.low > 0
    unlike = attacks(REAL, scrambled(REAL), None, CountedBits("unlike"))
    assert unlike.linkage is not None
    assert unlike.linkage.risk.low == 0
    hours = {each.column: each for each in unlike.inference}["hours"]
    assert hours.success.high < hours.control.low
    assert hours.blind is not None


def test_one_column_can_be_attacked_by_nobody() -> None:
    found = attacks(REAL.only(["age"]), FRESH.only(["age"]), None, CountedBits("one"))
    assert (found.linkage, found.inference) == (None, ())
