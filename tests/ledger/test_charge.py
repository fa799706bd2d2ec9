"""Values handed to the ledger are validated once, when they are built."""

from __future__ import annotations

import dataclasses

import pytest

from ledger.support import ADD_REMOVE, charge
from sudare.facts.cost import Cost
from sudare.facts.errors import UsageError
from sudare.ledger.charge import Cap


@pytest.mark.parametrize("name", ["", "a\nb", "a\x00b", "\udcff", "x" * 201])
@pytest.mark.parametrize("field", ["dataset", "unit", "analyst", "idempotency_key", "job"])
def test_names_are_one_line_of_ordinary_text(field: str, name: str) -> None:
    with pytest.raises(UsageError):
        charge(**{field: name})


def test_names_may_be_japanese_and_have_blanks() -> None:
    made = charge(dataset="住民 台帳", unit="個人\u3000'ID'")
    assert (made.dataset, made.unit) == ("住民 台帳", "個人\u3000'ID'")


@pytest.mark.parametrize("plan", ["", "ab", "AB" * 32, "ab" * 32 + "\n"])
def test_the_plan_is_named_by_a_sha256(plan: str) -> None:
    with pytest.raises(UsageError):
        charge(plan_hash=plan)


@pytest.mark.parametrize("parts", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_a_cost_must_be_known_under_both_compositions(parts: tuple[int, int, int]) -> None:
    with pytest.raises(UsageError, match="both"):
        charge(cost=Cost(*parts, ADD_REMOVE))


def test_a_public_number_costs_nothing_and_is_allowed() -> None:
    assert charge(cost=Cost(0, 0, 0, ADD_REMOVE)).cost.epsilon == 0


def test_quotas_are_copied_and_frozen() -> None:
    quotas = {"aki": 5}
    made = charge(quotas=quotas)
    quotas["aki"] = 7
    assert dict(made.quotas) == {"aki": 5}
    with pytest.raises(TypeError):
        made.quotas["aki"] = 7  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.job = "other"  # type: ignore[misc]


def test_a_negative_quota_is_refused() -> None:
    with pytest.raises(UsageError, match="quota"):
        charge(quotas={"aki": -1})


def test_caps_are_checked() -> None:
    for parts in [(-1, 0), (0, -1), (1, 0, "zcdp"), (1, 0, "basic", 5), (1, 0, "pld")]:
        with pytest.raises(UsageError):
            Cap(*parts)  # type: ignore[arg-type]
    cap = Cap(2_000_000_000, 10**9, "zcdp", 500_000_000_000)
    assert (cap.epsilon, cap.delta, cap.rho) == (2.0, 1e-9, 0.5)
