"""A fresh audit of the sampled promise: attackers drawn anew, and the share who succeed.

Claim    Where the share H_ℓ of attackers with ℓ known items who succeed is at most ε for each
         ℓ <= m, `audit_sampled` fails with probability at most `ERROR`.
Source   Nakagawa, Arai and Nakagawa, definition 5; shares.py for the bounds.
Symbols  An attacker with ℓ items: u uniform among the records with at least ℓ ORIGINAL items, Q
         uniform among the sets of ℓ items of u's original record; only what u calls sensitive
         counts. (ε, δ) -> what was promised: H_ℓ < ε but for a probability δ.
Needs    bits that did not choose what to suppress.
Gaps     An audit that passes is evidence, no proof; `at_most` says how much.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sudare.facts.baskets import Baskets, Flags, Sensitive
from sudare.facts.errors import VerificationFailed
from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import uniform_below
from sudare.sets.pace import paced
from sudare.sets.verify.bitmaps import Ints
from sudare.sets.verify.lists import lists
from sudare.sets.verify.rules import succeed
from sudare.sets.verify.shares import at_least, at_most
from sudare.sets.verify.subsets import check_subsets

ERROR = 1e-6


@dataclass(frozen=True)
class AuditedShare:
    """Attackers who know `known` items: how many were drawn, how many succeed, and bounds of the
    share of all who do."""

    known: int
    drawn: int
    successful: int
    at_least: float
    at_most: float


@paced("audit")
def audit_sampled(
    original: Baskets,
    released: Baskets,
    sensitive: Sensitive,
    rho: Fraction,
    max_knowledge: int,
    eps: float | Fraction,
    delta: float | Fraction,
    bits: RandomBits,
    samples: int = 20_000,
) -> tuple[AuditedShare, ...]:
    """Draw attackers for each ℓ; VerificationFailed where the promise is seen to be broken."""
    check_subsets(original, released)
    held = lists(released, np.arange(len(released.names)))
    shares = []
    for known in range(1, max_knowledge + 1):
        population = np.flatnonzero(original.lengths >= known)
        if not len(population):
            break
        targets = population[_uniform(bits, np.full(samples, len(population)))]
        sets = _subsets(original, targets, known, bits)
        order = np.lexsort(sets.T)
        flags = succeed(
            held,
            sensitive.everyone,
            sensitive.starts,
            sensitive.items,
            targets[order],
            sets[order],
            rho.numerator,
            rho.denominator,
        )
        shares.append(_share(known, flags, ERROR / max_knowledge))
    for share in shares:
        if share.at_least > eps:
            raise VerificationFailed(
                f"Attackers with ℓ = {share.known} known items succeed more often than promised.",
                f"By chance that happens with probability {float(delta):g} at most; suppress again "
                "from the original data.",
            )
    return tuple(shares)


def _share(known: int, flags: Flags, error: float) -> AuditedShare:
    drawn, found = len(flags), int(np.count_nonzero(flags))
    return AuditedShare(
        known, drawn, found, at_least(found, drawn, error), at_most(found, drawn, error)
    )


def _uniform(bits: RandomBits, limits: Ints) -> Ints:
    return uniform_below(bits, limits.astype(np.int64))


def _subsets(original: Baskets, targets: Ints, known: int, bits: RandomBits) -> Ints:
    """For each target a uniform set of so many items of the original record, ascending."""
    lengths = original.lengths[targets]
    chosen = np.empty((len(targets), 0), np.int64)
    for taken in range(known):
        place = _uniform(bits, lengths - taken)
        # The place counts among those not taken yet: step over the taken ones, in their order.
        for column in chosen.T:
            place += place >= column
        chosen = np.sort(np.column_stack([chosen, place]), axis=1)
    items = original.items[original.starts[targets][:, None] + chosen]
    return np.sort(items.astype(np.int64), axis=1)
