"""Two organisations' reports, joined by pseudonym: three groups, each hiding among its own.

Claim    with m_A and m_B attributes and the same mechanism for each of them, a person in both
         organisations hides among the n_AB joined ones with (m_A + m_B) attributes, a person in
         A alone among the n_A others with m_A, and in B alone likewise. The guarantee for
         everybody is that of the worst group.
Source   paper 000, Theorem 4, corrected: which organisations hold a record is visible from the
         pseudonyms, so its n = min(n_A, n_B) counts people among whom nobody hides.
Gaps     membership itself (in which organisations a person is) is not protected.
"""

from __future__ import annotations

from dataclasses import dataclass

from sudare.accounting.shuffle.amplify import Amplified, amplified, largest_epsilon0
from sudare.accounting.shuffle.catalog import Mechanism
from sudare.accounting.shuffle.law import Law


@dataclass(frozen=True)
class Group:
    """People whose reports look alike: how many, and of how many attributes."""

    name: str
    n: int
    attributes: int


def visible_groups(
    joined: int, a_only: int, b_only: int, attributes_a: int, attributes_b: int
) -> tuple[Group, ...]:
    """The groups that have members."""
    every = (
        Group("joined", joined, attributes_a + attributes_b),
        Group("a-only", a_only, attributes_a),
        Group("b-only", b_only, attributes_b),
    )
    return tuple(group for group in every if group.n > 0)


def account(
    group: Group, mechanism: Mechanism, epsilon_each: float, delta: float, delta0: float = 0.0
) -> Amplified:
    """One group whose attributes cost so much each."""
    total = epsilon_each * group.attributes
    law = mechanism.law(total, group.attributes)
    return amplified(group.n, total, delta, law, delta0)


def largest_each(
    groups: tuple[Group, ...], mechanism: Mechanism, epsilon: float, delta: float
) -> float:
    """The ε an attribute at which every group's tightest bound proves ε."""
    return min(_largest_each(group, mechanism, epsilon, delta) for group in groups)


def _largest_each(group: Group, mechanism: Mechanism, epsilon: float, delta: float) -> float:
    def law_of(total: float) -> Law | None:
        return mechanism.law(total, group.attributes)

    return largest_epsilon0(group.n, epsilon, delta, law_of) / group.attributes
