"""How far one person can move the sums that a secure computation opens: exact, from bounds alone.

Claim    `numbers_sensitivity` and 2 for a table are the least numbers that bound the L1 distance,
         each cell in its own unit, between the sums of two joined tables that differ in one person.
Source   derived here; tests/link/test_reaching.py compares it with all neighbours of tiny tables.
Symbols  u_i in [−1, 1] -> the i-th number of a row in units of its reach; d_p -> how many of them
         organisation p has; F -> a set of organisations.
Needs    replace-one: one person's rows are replaced by those of one other person, in some or all of
         the organisations; an organisation has one row a person. One row leaves the common rows at
         most and one comes, and an absent one contributes 0.
Gaps     none known.

Derivation, numbers. The cells are Σ u_i for every number, Σ u_i·u_j for every pair of numbers of
two organisations, and w·(number of rows). All are sums over rows, so that one person moves them by
v(u) − v(u′), or by ±v(u) where one of the two rows is absent.
  Both rows present. |v(u) − v(u′)|₁ is convex in each coordinate of u and u′ while the others are
  held, since every cell is linear in it. So its maximum is where all coordinates are ±1. There a
  sum moves by 2 if its coordinate is flipped and else by 0, a product by 2 if exactly one of its
  two coordinates is. With f_i in {0, 1} for "flipped" this is Σ 2f_i + Σ 2(f_i + f_j − 2f_i·f_j).
  No product has both factors in one organisation, so that for fixed flips elsewhere all coordinates
  of an organisation have the same factor in front of their f_i: they are best flipped all or none.
  What is left is the greatest over F of
      2·(Σ_{p in F} d_p + Σ_{p in F, q not in F} d_p·d_q) =: L.
  One absent. |v(u)|₁ <= K + w with K = Σ d_p + Σ_{p<q} d_p·d_q, attained where all u are ±1. Over
  all F alike the mean of the bracket's double is K, and the empty F has 0, so L > K: the count
  may have the weight w = L − K >= 1 and costs nothing.
Adding up every cell's own 2 would give 2K, which is more than L.

Derivation, table. A row adds 1 to one cell of a table of two labels; two rows differ by at most 2.

One organisation's attributes alone (keys as they are) move the numbers by at most
2·d_p·(1 + Σ_{q≠p} d_q), and only the tables that it is part of.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

TABLE_SENSITIVITY = 2


def numbers_sensitivity(counts: Sequence[int]) -> int:
    """L, for organisations with so many numbers each."""
    return max(
        2 * _moved(counts, flips) for flips in itertools.product((False, True), repeat=len(counts))
    )


def _moved(counts: Sequence[int], flips: Sequence[bool]) -> int:
    flipped = sum(count for count, flip in zip(counts, flips, strict=True) if flip)
    return flipped + flipped * (sum(counts) - flipped)


def attributes_sensitivity(counts: Sequence[int], place: int) -> int:
    """The same where only the attributes of one organisation change."""
    return 2 * counts[place] * (1 + sum(counts) - counts[place])


def count_weight(counts: Sequence[int]) -> int:
    """w: how many units the number of rows may count for."""
    pairs = itertools.combinations(counts, 2)
    return numbers_sensitivity(counts) - sum(counts) - sum(a * b for a, b in pairs)
