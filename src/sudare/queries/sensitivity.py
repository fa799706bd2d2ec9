"""How far one unit can move a vector of sums: the sensitivities of paper 003, page 18, done right.

Claim    for tables that differ in one unit (at most k rows), the listed vector moves by at most
         `l1` in L1 and by at most the root of `l2_squared` in L2, and some pair attains it.
Source   paper 003 (sum, mean, covariance, histogram, subset sum), with the corrections that
         docs/sensitivity.md derives: a row that is missing, filtered out or absent contributes 0;
         under replace-one two groups change; k rows a unit multiply everything by k.
Symbols  k -> rows_per_unit; a row contributes one point of a set V, or 0.
Needs    contributions bounded before summing (the engine clamps), groups disjoint.
Derivation
         The sum over a unit's rows lies in k·conv(V ∪ {0}) (a Minkowski sum of k copies).
         add-remove: the vector moves by one point of it, so the norm is at most k·max‖v‖.
         replace-one: it moves by a difference of two such points. A norm of a difference is
         convex in both, so its maximum is at extreme points: k·max‖v − w‖ over V ∪ {0}. With
         several groups v and w may stand in different groups, where they do not cancel:
         L1 gives ‖v‖ + ‖w‖, L2 gives √(‖v‖² + ‖w‖²).
Gaps     none known.
"""

from __future__ import annotations

from dataclasses import dataclass

from sudare.facts.relation import Relation


@dataclass(frozen=True)
class Sensitivity:
    """L1 and squared L2 sensitivity of an integer vector."""

    l1: int
    l2_squared: int


@dataclass(frozen=True)
class Setting:
    """Everything but the sums themselves: relation, rows a unit, number of disjoint groups."""

    relation: Relation
    rows_per_unit: int
    groups: int

    @property
    def replaces(self) -> bool:
        return self.relation is Relation.REPLACE_ONE


def of_sum(setting: Setting, low: int, high: int) -> Sensitivity:
    """One sum a group of contributions in [low, high] ∪ {0}. Count and histogram: low = high = 1;
    subset sum: several groups."""
    k = setting.rows_per_unit
    largest = max(abs(low), abs(high))
    if not setting.replaces:
        return Sensitivity(k * largest, (k * largest) ** 2)
    spread = max(high, 0) - min(low, 0)
    if setting.groups == 1:
        return Sensitivity(k * spread, (k * spread) ** 2)
    return Sensitivity(2 * k * largest, k**2 * max(2 * largest**2, spread**2))


def of_shares(setting: Setting, total: int) -> Sensitivity:
    """Several sums a group of non-negative contributions that add up to `total` in every row.

    V lies in total·simplex: ‖v‖₁ = total and ‖v‖₂ <= total. Two points differ by at most
    2·total in L1 and √2·total in L2, reached at two corners, whether or not in one group.
    """
    k = setting.rows_per_unit
    if not setting.replaces:
        return Sensitivity(k * total, (k * total) ** 2)
    return Sensitivity(2 * k * total, 2 * (k * total) ** 2)


def of_centered_pair(setting: Setting, reach: int) -> Sensitivity:
    """The pair (Σy, reach·count) with |y| <= reach, one group, replace-one only.

    Both rows present: the second sum stays, the first moves by at most 2·reach. One row absent:
    |y| + reach <= 2·reach. So L1 is 2·reach a row, where the simplex would cost 2·2·reach for the
    same pair; L2² is max((2·reach)², 2·reach²).
    """
    if not setting.replaces or setting.groups != 1:
        raise ValueError("the centred pair is for one group under replace-one")
    k = setting.rows_per_unit
    return Sensitivity(2 * k * reach, (2 * k * reach) ** 2)
