"""Accounts by class and adversary: equal to the house's other account, exact in small cases, and
worse where only a false argument would say better."""

from __future__ import annotations

import math

import pytest

from sudare.accounting.shuffle import theorem
from sudare.accounting.shuffle.amplify import amplified
from sudare.accounting.shuffle.laws import two_point
from sudare.facts.link_plan import read_link_plan
from sudare.link.classes import FEWER_PEOPLE, ClassAccount, account_classes
from sudare.link.compile import LinkJob, compile_link
from sudare.publish.accounting import Budget, People, account_shuffle
from support.link_plans import NUMBER, party, plan, schema, text

SCHEMAS = {
    "病院": schema("病院", {"年齢": NUMBER, "血圧": NUMBER}),
    "商店": schema("商店", {"支出": NUMBER, "回数": NUMBER}),
    "役所": schema("役所", {"所得": NUMBER, "世帯": NUMBER}),
}
TWO_POINT = 'mechanisms = ["two-point"]'
A, B, C = "病院", "商店", "役所"
PARTIES = (
    party(A, "年齢", "血圧", more=TWO_POINT),
    party(B, "支出", "回数", more=TWO_POINT),
    party(C, "所得", "世帯", more=TWO_POINT),
)
DELTA = 1e-6


def job(count: int = 2, epsilon: float = 2.0) -> LinkJob:
    """Two numbers a party, each told by one bit at the same ε."""
    top = f'epsilon = {epsilon}\nstatistics = "mean"'
    return compile_link(plan(*PARTIES[:count], schemas=SCHEMAS, top=top))


def sizes(**counts: int) -> dict[frozenset[str], int]:
    letters = {"a": A, "b": B, "c": C}
    return {frozenset(letters[x] for x in who): n for who, n in counts.items()}


def account(epsilon: float = 2.0, **counts: int) -> ClassAccount:
    return account_classes(job(2, epsilon), sizes(**counts), DELTA)


def test_outsiders_see_what_the_account_of_groups_says() -> None:
    found = account(ab=20_000, a=5_000, b=3_000)
    people = People(joined=20_000, a_only=5_000, b_only=3_000, attributes_a=2, attributes_b=2)
    shown = account_shuffle(people, Budget(DELTA, epsilon0=2.0), "two-point", None)
    assert [row.whose.members for row in found.rows] == [(A, B), (A,), (B,)]
    for row, group in zip(found.rows, shown["groups"], strict=True):
        assert row.whose.n == group["n"]
        assert row.worst("outsider").epsilon == pytest.approx(group["epsilon"], rel=1e-6)
        assert row.shuffled.clones == pytest.approx(group["bounds"]["clones"], rel=1e-6)
    worst = found.worst("outsider")
    assert worst is not None
    assert worst.epsilon == pytest.approx(shown["epsilon"], rel=1e-6)
    # A twin with 5 % fewer people in the class is another figure.
    fewer = account(ab=19_000, a=5_000, b=3_000).rows[0].worst("outsider").epsilon
    assert fewer > found.rows[0].worst("outsider").epsilon * 1.01


def test_organisations_see_the_columns_that_are_not_their_own() -> None:
    row = account(ab=20_000, a=5_000).rows[0]
    outside = row.worst("outsider")
    assert outside.epsilon < 0.2
    assert outside.delta == DELTA
    for seen in row.seen:
        if seen.adversary == "honest":
            assert (seen.epsilon, seen.delta) == (outside.epsilon, DELTA)
        if seen.adversary == "kept":
            assert seen.epsilon == pytest.approx(1.0, rel=1e-9)
            assert seen.delta == 0.0
    assert {s.viewer for s in row.seen if s.adversary == "kept"} == {A, B}


def test_few_people_hide_less_than_the_other_columns_cost() -> None:
    row = account(ab=3).rows[0]
    assert row.worst("outsider").epsilon > 1.0
    honest = row.worst("honest")
    assert honest.epsilon == pytest.approx(1.0, rel=1e-9)
    assert honest.delta == 0.0


def test_people_of_one_organisation_are_seen_by_outsiders_alone() -> None:
    row = account(ab=20_000, a=5_000).rows[1]
    assert {seen.viewer for seen in row.seen} == {None}
    assert len({seen.epsilon for seen in row.seen}) == 1


def test_three_parties_have_their_classes_and_viewers() -> None:
    found = account_classes(job(3, 3.0), sizes(abc=900, ab=800, bc=700, c=600, a=0), DELTA)
    assert [row.whose.members for row in found.rows] == [(A, B, C), (A, B), (B, C), (C,)]
    assert float(found.rows[0].whose.total) == 3.0
    kept = {s.viewer: s.epsilon for s in found.rows[0].seen if s.adversary == "kept"}
    assert kept == pytest.approx({A: 2.0, B: 2.0, C: 2.0}, rel=1e-9)
    assert float(found.rows[1].whose.total) == 2.0


def test_a_collector_that_is_a_party_is_not_amplified_against() -> None:
    given = text(*PARTIES[:2], top='epsilon = 2\nstatistics = "mean"')
    given = given.replace('name = "集計所"', f'name = "{B}"')
    own = compile_link(read_link_plan(given, SCHEMAS.__getitem__))
    row = account_classes(own, sizes(ab=20_000), DELTA).rows[0]
    honest = {s.viewer: s.epsilon for s in row.seen if s.adversary == "honest"}
    assert honest[B] == pytest.approx(1.0, rel=1e-9)
    assert honest[A] == row.worst("outsider").epsilon


def test_the_papers_figure_is_marked_where_its_n_does_not_hold() -> None:
    found = account(0.5, ab=20_000, a=100_000, b=50_000)
    by_paper = theorem.epsilon_of(70_000, 0.5, DELTA)
    marks = {row.whose.members: row.theorem4 for row in found.rows}
    assert {mark.epsilon for mark in marks.values()} == {by_paper}
    assert {mark.n for mark in marks.values()} == {70_000}
    assert marks[A, B].reason == FEWER_PEOPLE
    assert marks[A,].reason is None
    assert marks[B,].reason == FEWER_PEOPLE
    shown = found.to_dict()["classes"][0]["theorem4"]
    assert shown == {"n": 70_000, "epsilon": by_paper, "holds": False, "reason": "n"}


def test_the_papers_figure_is_not_given_outside_its_condition() -> None:
    mark = account(8.0, ab=1_000).rows[0].theorem4
    assert (mark.epsilon, mark.reason) == (None, "condition")


def test_nobody_has_no_account() -> None:
    found = account_classes(job(), sizes(ab=0, a=0, b=0), DELTA)
    assert found.rows == ()
    assert found.to_dict()["worst"] == {"outsider": None, "honest": None, "kept": None}


def test_the_other_columns_alone_are_not_amplified() -> None:
    """One person in a thousand has B's bit set, and B knows it. B's bit is told almost surely, so
    that her row stands alone in most publications, and A's report beside it is seen as it is: no
    ε_A amplified over n people holds. What is stated does."""
    n, epsilon_a, epsilon_b = 1_000, 1.0, 8.0
    kept, lie = (1 / (1 + math.exp(-each)) for each in (epsilon_a, -epsilon_b))
    # The event: exactly one row has B's bit set, and A's bit in it is that of her first value.
    alone = (1 - lie) * (1 - lie) ** (n - 1)
    first, second = alone * kept, alone * (1 - kept)
    claimed = amplified(n, epsilon_a, DELTA, two_point(epsilon_a)).epsilon
    assert claimed < 0.2
    assert first > math.exp(claimed) * second + 0.1
    whole = amplified(n, epsilon_a + epsilon_b, DELTA).epsilon
    assert first <= math.exp(min(epsilon_a, whole)) * second + DELTA
