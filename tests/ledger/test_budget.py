"""Caps, quotas, relations and units: what is charged and what is refused, over every store."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.support import (
    ADD_REMOVE,
    REPLACE_ONE,
    ListStore,
    charge,
    cost,
    reserve,
)
from sudare.facts.cost import NANO, PICO, Cost
from sudare.facts.errors import BudgetRefused, InvalidLedger, UsageError
from sudare.facts.relation import Relation
from sudare.ledger.budget import decimal, scientific
from sudare.ledger.charge import Cap
from sudare.ledger.ledger import Ledger


def spend(ledger: Ledger, *epsilons: float) -> None:
    for epsilon in epsilons:
        reserve(ledger, charge(epsilon))


def test_the_cap_may_be_spent_to_the_last_unit_and_not_beyond(ledger: Ledger) -> None:
    spend(ledger, 1.0, 1.999999999)
    with pytest.raises(BudgetRefused):
        ledger.reserve(charge(0.000000002))
    spend(ledger, 0.000000001)
    assert ledger.balance("people").left.epsilon_nano == 0
    with pytest.raises(BudgetRefused):
        ledger.reserve(charge(0.000000001))


def test_the_refusal_says_what_it_costs_and_what_is_left(ledger: Ledger) -> None:
    spend(ledger, 2.5)
    with pytest.raises(BudgetRefused) as caught:
        ledger.reserve(charge(0.8))
    assert caught.value.what == 'this release costs ε=0.80; only ε=0.50 is left on "people".'
    assert caught.value.hint.startswith("lower --epsilon, or see `sudare ledger show ")
    assert caught.value.exit_code == 3


def test_a_refusal_charges_nothing(ledger: Ledger) -> None:
    spend(ledger, 2.5)
    before = ledger.export_head()
    with pytest.raises(BudgetRefused):
        ledger.reserve(charge(0.8))
    assert ledger.export_head() == before


def test_delta_has_its_own_sum(ledger: Ledger) -> None:
    reserve(ledger, charge(cost=cost(0.1, delta=7 * 10**8)))
    with pytest.raises(BudgetRefused, match=r"costs δ=4e-10; only δ=3e-10 is left"):
        ledger.reserve(charge(cost=cost(0.1, delta=4 * 10**8)))
    reserve(ledger, charge(cost=cost(0.1, delta=3 * 10**8)))
    assert ledger.balance("people").left.delta_atto == 0


def test_zcdp_adds_up_rho_and_not_epsilon(ledger: Ledger) -> None:
    cap = Cap(NANO, 10**9, "zcdp", PICO // 100)
    asked = Cost(NANO, 10**9, 4 * 10**9, ADD_REMOVE)
    for _ in range(2):
        reserve(ledger, charge(cost=asked, cap=cap))
    with pytest.raises(BudgetRefused, match=r"costs ρ=0\.004; only ρ=0\.002 is left"):
        ledger.reserve(charge(cost=asked, cap=cap))
    balance = ledger.balance("people")
    assert balance.spent == Cost(2 * NANO, 2 * 10**9, 8 * 10**9, ADD_REMOVE)
    assert (balance.left.rho_pico, balance.left.delta_atto) == (2 * 10**9, 10**9)


def test_what_is_left_under_zcdp_is_the_largest_pure_epsilon_that_fits(ledger: Ledger) -> None:
    cap = Cap(NANO, 10**9, "zcdp", PICO // 100)
    reserve(ledger, charge(0.03, cap=cap))
    left = ledger.balance("people").left.epsilon_nano
    with pytest.raises(BudgetRefused):
        ledger.reserve(charge((left + 1) / NANO, cap=cap))
    reserve(ledger, charge(left / NANO, cap=cap))


def test_datasets_have_their_own_budgets(ledger: Ledger) -> None:
    spend(ledger, 3.0)
    reserve(ledger, charge(3.0, dataset="visits"))
    assert ledger.datasets() == ("people", "visits")
    assert ledger.balance("visits").left.epsilon == 0


def test_an_unknown_dataset_has_no_balance(ledger: Ledger) -> None:
    spend(ledger, 1.0)
    with pytest.raises(UsageError, match="Datasets: people"):
        ledger.balance("persons")


def test_a_quota_is_an_allowance_under_the_cap(ledger: Ledger) -> None:
    quotas = {"aki": NANO, "ben": 3 * NANO}
    reserve(ledger, charge(0.6, analyst="aki", quotas=quotas))
    with pytest.raises(BudgetRefused, match=r'ε=0\.40 is left of the quota of "aki"'):
        ledger.reserve(charge(0.5, analyst="aki", quotas=quotas))
    reserve(ledger, charge(2.0, analyst="ben", quotas=quotas))
    with pytest.raises(BudgetRefused, match=r'ε=0\.40 is left on "people"'):
        ledger.reserve(charge(0.5, analyst="ben", quotas=quotas))
    analysts = ledger.balance("people").analysts
    assert (analysts["aki"].spent_nano, analysts["aki"].left_nano) == (
        6 * NANO // 10,
        4 * NANO // 10,
    )
    assert analysts["ben"].left_nano == NANO


@pytest.mark.parametrize("analyst", [None, "eve"])
def test_where_quotas_are_declared_an_analyst_with_one_must_ask(
    ledger: Ledger, analyst: str | None
) -> None:
    with pytest.raises(BudgetRefused, match="--analyst"):
        ledger.reserve(charge(0.1, analyst=analyst, quotas={"aki": NANO}))
    # Whoever has no share leaves no trace either, not even of the schema's cap.
    assert ledger.datasets() == ()


def test_without_quotas_the_analyst_is_only_recorded(ledger: Ledger) -> None:
    reserve(ledger, charge(0.1, analyst="eve"))
    eve = ledger.balance("people").analysts["eve"]
    assert (eve.quota_nano, eve.spent_nano, eve.left_nano) == (None, NANO // 10, None)


def test_add_remove_counts_for_two_in_a_replace_one_ledger() -> None:
    ledger = Ledger(ListStore(REPLACE_ONE))
    reserve(ledger, charge(1.0))
    assert ledger.balance("people").spent == Cost(2 * NANO, 0, 2 * PICO, REPLACE_ONE)
    *_, entry = ledger.entries()
    assert (entry.body.asked.epsilon_nano, entry.body.cost.epsilon_nano) == (NANO, 2 * NANO)
    assert entry.body.relation is ADD_REMOVE
    with pytest.raises(BudgetRefused, match=r"costs ε=1\.60 \(ε=0\.80 under add-remove counts"):
        ledger.reserve(charge(0.8))
    assert ledger.verify().ok


def test_replace_one_does_not_go_into_an_add_remove_ledger(ledger: Ledger) -> None:
    with pytest.raises(InvalidLedger, match="another ledger file"):
        ledger.reserve(charge(cost=cost(0.1, relation=REPLACE_ONE)))
    assert ledger.datasets() == ()


def test_the_unit_is_fixed_by_the_first_charge(ledger: Ledger) -> None:
    spend(ledger, 0.1)
    with pytest.raises(InvalidLedger, match='"row" in this ledger, not "person_id"'):
        ledger.reserve(charge(0.1, unit="person_id"))
    assert ledger.balance("people").unit == "row"


def test_a_changed_cap_is_an_entry_of_its_own(ledger: Ledger) -> None:
    reserve(ledger, charge(1.0, cap=3.0))
    reserve(ledger, charge(1.0, cap=3.0))
    reserve(ledger, charge(1.0, cap=4.0))
    kinds = [entry.kind for entry in ledger.entries()]
    assert kinds == ["open", "cap", "reserve", "reserve", "cap", "reserve"]
    assert ledger.balance("people").left.epsilon == 1.0
    assert ledger.verify().ok


def test_a_cap_lowered_below_what_is_spent_is_recorded_and_refuses(ledger: Ledger) -> None:
    reserve(ledger, charge(2.0, cap=3.0))
    with pytest.raises(BudgetRefused, match=r"only ε=0\.00 is left"):
        ledger.reserve(charge(0.1, cap=1.0))
    balance = ledger.balance("people")
    assert (balance.cap.epsilon, balance.spent.epsilon, balance.left.epsilon) == (1.0, 2.0, 0.0)
    assert ledger.verify().ok


def test_a_changed_composition_counts_the_whole_past(ledger: Ledger) -> None:
    reserve(ledger, charge(1.0))
    with pytest.raises(BudgetRefused, match="ρ="):
        ledger.reserve(charge(0.1, cap=Cap(NANO, 10**9, "zcdp", PICO // 2)))
    assert ledger.balance("people").left.rho_pico == 0


def test_amounts_are_written_exactly() -> None:
    assert [decimal(n, 9) for n in (0, 1, 800_000_000, 12 * NANO + 5 * 10**6)] == [
        "0.00",
        "0.000000001",
        "0.80",
        "12.005",
    ]
    assert [scientific(n) for n in (0, 1, 10**9, 123 * 10**7)] == ["0", "1e-18", "1e-9", "1.23e-9"]


def test_the_hint_leads_to_these_books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place, named in (("people.ledger", "people"), ("other.ledger", "other.ledger")):
        with (
            Ledger.open(place, create=True, relation=Relation.ADD_REMOVE) as opened,
            pytest.raises(BudgetRefused) as caught,
        ):
            opened.reserve(charge(300))
        assert caught.value.hint == f"lower --epsilon, or see `sudare ledger show {named}`."
