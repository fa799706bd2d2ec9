"""What a dataset has, has spent and has left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sudare.facts.cost import ATTO, NANO, PICO, Cost
from sudare.facts.relation import Relation
from sudare.ledger.charge import Cap


@dataclass(frozen=True)
class Left:
    """What still fits. ε is the largest pure-ε release that would be accepted: under "basic" the
    rest of the cap, under "zcdp" √(2ρ) of the ρ that is left, rounded down. ρ is None under
    "basic", where it is not capped."""

    epsilon_nano: int
    delta_atto: int
    rho_pico: int | None

    @property
    def epsilon(self) -> float:
        return self.epsilon_nano / NANO

    @property
    def delta(self) -> float:
        return self.delta_atto / ATTO

    @property
    def rho(self) -> float | None:
        return None if self.rho_pico is None else self.rho_pico / PICO


@dataclass(frozen=True)
class AnalystBalance:
    """One analyst's share; the quota is None when the schema sets none for this analyst."""

    quota_nano: int | None
    spent_nano: int

    @property
    def left_nano(self) -> int | None:
        return None if self.quota_nano is None else max(self.quota_nano - self.spent_nano, 0)


@dataclass(frozen=True)
class Balance:
    """The books of one dataset; `releases` counts charges, also those that were cut off."""

    dataset: str
    unit: str
    relation: Relation
    cap: Cap
    spent: Cost
    left: Left
    releases: int
    analysts: Mapping[str, AnalystBalance]
