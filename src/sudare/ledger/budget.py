"""May this charge be made? Sums of integers against the cap and the quota, nothing else.

Claim    Whatever an analyst asks after seeing earlier answers, all releases of a dataset together
         are (cap ε, cap δ)-DP under "basic", and (cap ρ)-zCDP under "zcdp".
Source   basic: Rogers, Roth, Ullman, Vadhan 2016 (a filter with a fixed cap may stop at Σε, Σδ);
         zcdp: Feldman and Zrnic 2021 (Rényi filters), Whitehouse, Ramdas, Rogers, Wu 2023.
Symbols  ε_i, δ_i, ρ_i -> Amount of one charge, fixed before its data is read.
Needs    each charge truly bounds its release, given all releases before it.
Gaps     none known. The quota of an analyst is an allowance under the cap, not a guarantee: two
         analysts may compare notes.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from sudare.facts.cost import Cost
from sudare.facts.errors import BudgetRefused
from sudare.facts.relation import Relation
from sudare.ledger.balance import AnalystBalance, Balance, Left
from sudare.ledger.charge import Cap
from sudare.ledger.entries import Amount, Terms


@dataclass
class Account:
    """The running sums of one dataset."""

    terms: Terms
    spent: Amount = field(default_factory=Amount)
    by_analyst: dict[str, int] = field(default_factory=dict)
    charges: int = 0

    @property
    def cap(self) -> Cap:
        terms = self.terms
        return Cap(terms.epsilon_nano, terms.delta_atto, terms.composition, terms.rho_pico)

    def add(self, cost: Amount, analyst: str | None) -> None:
        self.spent += cost
        self.charges += 1
        if analyst is not None:
            self.by_analyst[analyst] = self.by_analyst.get(analyst, 0) + cost.epsilon_nano

    def refusal(
        self,
        cost: Amount,
        asked: Cost,
        analyst: str | None,
        place: str | None = None,
        is_made: bool = True,
    ) -> BudgetRefused | None:
        """Why this charge may not be made, or None; `place` is where the books lie, if they are
        made."""
        found = self._over_cap(cost, asked) or self._over_quota(cost, asked, analyst)
        if found is not None and found.hint.startswith("lower") and not is_made:
            found.hint += ", or raise the budget under [budget] in the schema."
        elif found is not None and found.hint.startswith("lower"):
            name = self.terms.dataset if place is None else place
            found.hint += f", or see `sudare ledger show {shlex.quote(name)}`."
            found.places = (name,) if place is not None else ()
        return found

    def balance(self, relation: Relation) -> Balance:
        terms, cap = self.terms, self.cap
        analysts = {
            name: AnalystBalance(terms.quotas.get(name), self.by_analyst.get(name, 0))
            for name in sorted({*terms.quotas, *self.by_analyst})
        }
        spent = self.spent.under(relation)
        return Balance(
            terms.dataset, terms.unit, relation, cap, spent, self.left(), self.charges, analysts
        )

    def left(self) -> Left:
        terms, spent = self.terms, self.spent
        if terms.rho_pico is None:
            epsilon = max(terms.epsilon_nano - spent.epsilon_nano, 0)
            return Left(epsilon, max(terms.delta_atto - spent.delta_atto, 0), None)
        # Pure ε is ε²/2-zCDP, in units: ρ_pico = ε_nano² / 2,000,000. The cap's δ is whole until
        # the end: under zCDP it is used once, to read ρ as (ε, δ).
        rho = max(terms.rho_pico - spent.rho_pico, 0)
        return Left(math.isqrt(2_000_000 * rho), terms.delta_atto, rho)

    def _over_cap(self, cost: Amount, asked: Cost) -> BudgetRefused | None:
        left, dataset = self.left(), self.terms.dataset
        if left.rho_pico is not None:
            if cost.rho_pico <= left.rho_pico:
                return None
            price = f"ρ={decimal(cost.rho_pico, 12)}{_twice(cost, asked)}"
            rest, do = f"ρ={decimal(left.rho_pico, 12)}", "lower --epsilon"
        elif cost.epsilon_nano > left.epsilon_nano:
            price = f"ε={decimal(cost.epsilon_nano, 9)}{_twice(cost, asked)}"
            rest, do = f"ε={decimal(left.epsilon_nano, 9)}", "lower --epsilon"
        elif cost.delta_atto > left.delta_atto:
            price = f"δ={scientific(cost.delta_atto)}{_twice(cost, asked)}"
            rest, do = f"δ={scientific(left.delta_atto)}", "lower --delta, or use δ = 0"
        else:
            return None
        return BudgetRefused(
            f'this release costs {price}; only {rest} is left on "{dataset}".',
            do,
        )

    def _over_quota(self, cost: Amount, asked: Cost, analyst: str | None) -> BudgetRefused | None:
        quotas, dataset = self.terms.quotas, self.terms.dataset
        refusal = not_granted(dataset, quotas, analyst)
        if refusal is not None or analyst is None or not quotas:
            return refusal
        left = max(quotas[analyst] - self.by_analyst.get(analyst, 0), 0)
        if cost.epsilon_nano <= left:
            return None
        price = f"ε={decimal(cost.epsilon_nano, 9)}{_twice(cost, asked)}"
        return BudgetRefused(
            f"this release costs {price}; only ε={decimal(left, 9)} is left of the quota of "
            f'"{analyst}" on "{dataset}".',
            "lower --epsilon",
        )


def not_granted(
    dataset: str, quotas: Mapping[str, int], analyst: str | None
) -> BudgetRefused | None:
    """Why this analyst gets nothing of the dataset, not even what was released before."""
    if not quotas or analyst in quotas:
        return None
    who = "no analyst is named" if analyst is None else f'"{analyst}" has no quota'
    return BudgetRefused(
        f'{who}, and "{dataset}" is shared out among analysts.',
        "name one with --analyst; the quotas are in the schema's [budget].",
    )


def decimal(units: int, places: int) -> str:
    """Exact, at least two places: 500000000 nano is 0.50."""
    whole, rest = divmod(units, 10**places)
    return f"{whole}.{f'{rest:0{places}d}'.rstrip('0').ljust(2, '0')}"


def scientific(atto: int) -> str:
    """Exact, as people write a δ: 1000000000 atto is 1e-9."""
    return f"{Decimal(atto).scaleb(-18).normalize():e}" if atto else "0"


def _twice(cost: Amount, asked: Cost) -> str:
    if cost == Amount.of(asked):
        return ""
    plain = decimal(asked.epsilon_nano, 9)
    return f" (ε={plain} under {asked.relation} counts for two in this replace-one ledger)"
