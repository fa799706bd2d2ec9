"""What a release of set-valued data loses against the original.

Source   Paper 004, equations (2), (3) and (9).
Symbols  D0 -> the original, D -> the release: the same records with the items that `kept` marks.
         D(i) -> the share of item i among all items of all records, so that Σ D(i) = 1.
Gaps     A release without any item has no D(i). Every term of (3) is then 0, and so is `util2`:
         read it beside `util1`, which is 1 there.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Baskets, Flags, Places
from sudare.sets.mining.layout import supports
from sudare.sets.mining.rules import Rules


class Frequencies(NamedTuple):
    """In how many records each item is, by the original's codes."""

    before: Places
    after: Places


def frequencies(original: Baskets, released: Baskets) -> Frequencies:
    """The support of each item before and after. Items are matched by name; what the release alone
    has is left out."""
    codes = {name: code for code, name in enumerate(released.names)}
    after = np.append(supports(released), 0)
    # The place at the end, which holds 0, stands for items that the release does not know.
    found = [codes.get(name, len(after) - 1) for name in original.names]
    return Frequencies(supports(original), after[found])


def util1(original: Baskets, kept: Flags) -> Fraction:
    """The share of items that were suppressed; 0 where there were none."""
    total = len(original.items)
    return Fraction(total - int(np.count_nonzero(kept)), max(1, total))


def util2(original: Baskets, kept: Flags) -> float:
    """Σ D(i) ln(D(i) / D0(i)), in nats; items that are gone add nothing."""
    before, after = frequencies(original, original.kept(kept))
    left = after > 0
    total_before, total_after = int(before.sum()), int(after.sum())
    # A ratio of exact products is 1 where the shares are equal, and its logarithm is then 0.
    ratios = (after[left] * total_before) / (before[left] * total_after)
    terms = after[left] * np.log(ratios)
    return max(0.0, math.fsum(terms) / max(1, total_after))


def util_mining(before: Rules, after: Rules) -> Fraction:
    """The Jaccard distance of two sets of rules X → Y; 0 where both are empty."""
    one, other = (
        {(rule.antecedent, rule.consequent) for rule in rules} for rules in (before, after)
    )
    return 1 - Fraction(len(one & other), len(one | other)) if one | other else Fraction(0)
