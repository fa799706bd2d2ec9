"""Pairs know how many hold both of two items, and who, also after records have moved."""

from __future__ import annotations

import pytest

from sets.brute import HALF, begin, random_case
from sudare.sets.grouping import Groups, grouped, with_more
from sudare.sets.pairing import Pairs, first_link, is_wide, paired, support_of, weigh, with_group


def chained(pairs: Pairs, groups: Groups, i: int, j: int) -> int:
    """How many records the chain of a pair has."""
    total, link = 0, first_link(pairs, i, j)
    while link >= 0:
        total += int(groups.weight[pairs.link_group[link]])
        link = int(pairs.link_next[link])
    return total


def check(pairs: Pairs, groups: Groups, items: int) -> int:
    """Compare with counting; how many records are wide."""
    rows = [
        (set(groups.held[at : at + size].tolist()), int(weight))
        for at, size, weight in list(zip(groups.at, groups.size, groups.weight, strict=True))
    ][: groups.used[0]]
    wide = [row for g, row in enumerate(rows) if is_wide(groups, g)]
    others = [row for g, row in enumerate(rows) if not is_wide(groups, g)]
    for i in range(items):
        assert chained(pairs, groups, i, i) == sum(n for held, n in wide if i in held)
        for j in range(i):
            both = sum(n for held, n in others if {i, j} <= held)
            assert support_of(pairs, i, j) == support_of(pairs, j, i) == both
            assert chained(pairs, groups, i, j) == both
    return sum(n for _, n in wide)


@pytest.mark.parametrize(("items", "has_wide"), [(6, False), (30, True)])
def test_who_holds_both(items: int, has_wide: bool) -> None:
    """Of thirty items, some records hold more than are kept by pairs."""
    case = random_case(2, 60, items, "fixed")
    layout, state, _ = begin(case, HALF)
    groups = grouped(layout, state)
    pairs = paired(groups, items)
    wide = check(pairs, groups, items)
    assert (wide > 0) == has_wide
    for old in range(int(groups.used[0])):
        start, size = groups.at[old], groups.size[old]
        lacking = sorted(set(range(items)) - set(groups.held[start : start + size].tolist()))
        if lacking:
            groups, new = with_more(groups, old, lacking[0])
            pairs = with_group(pairs, groups, new)
            weigh(pairs, groups, old, -1)
            weigh(pairs, groups, new, 1)
    more = check(pairs, groups, items)
    # A record that holds as many as are kept by pairs becomes a wide one.
    assert (more > wide) == has_wide
