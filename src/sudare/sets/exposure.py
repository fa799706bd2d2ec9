"""How exposed people are before anything is suppressed: which attackers succeed, and through what.

Claim    H_ℓ is the probability that an attacker with ℓ known items succeeds, where the target is
         drawn evenly among the records with at least ℓ items and the items evenly from the record
         (Nakagawa, Arai, Nakagawa, section 3.3). Exact where all attackers are walked through; else
         the share of drawn ones with a Clopper-Pearson interval.
Symbols  (u, Q) -> attacker; he succeeds if some e that u minds has q·supp(Q ∪ e) > p·supp(Q).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.layout import Layout
from sudare.sets.minding import minds

# Rules that are kept for each root item; the worst of all are among them.
KEPT_RULES = 20


class Exposed(NamedTuple):
    """Sums over the sets that were walked through; those of several roots add up."""

    hits: Places  # By size and record: the attackers who succeed.
    inferred: Places  # By item: attackers who infer it.
    known: Places  # By item: successful attackers who know it.
    rules: Places  # Rows of (people exposed, supp(Q ∪ e), supp(Q), e, size), the worst first.
    sets: Items  # The known items of each rule, in as many columns as the largest size.


@compiled
def _keep(
    rules: Places, sets: Items, people: int, both: int, alone: int, e: int, known: Items, size: int
) -> None:
    """Let a rule take the place of the least bad one, if it is worse."""
    least = 0
    for row in range(len(rules)):
        if rules[row, 0] < rules[least, 0] or (
            rules[row, 0] == rules[least, 0]
            and rules[row, 1] * rules[least, 2] < rules[least, 1] * rules[row, 2]
        ):
            least = row
    if people > rules[least, 0]:
        rules[least, 0], rules[least, 1], rules[least, 2] = people, both, alone
        rules[least, 3], rules[least, 4] = e, size
        sets[least, :size] = known[:size]


@compiled
def _judge(
    layout: Layout,
    p: int,
    q: int,
    known: Items,
    size: int,
    owners: Items,
    counts: Places,
    touched: Items,
    seen: int,
    hits: Places,
    inferred: Places,
    known_by: Places,
    rules: Places,
    sets: Items,
) -> None:
    """Note who of the owners of Q is exposed, and through which items."""
    won = np.zeros(len(owners), np.bool_)
    for place in range(seen):
        e = touched[place]
        if not layout.minded[e] or q * counts[e] <= p * len(owners):
            continue
        people = 0
        for which in range(len(owners)):
            if minds(layout, owners[which], e):
                people += 1
                won[which] = True
        inferred[e] += people
        if people > 0:
            _keep(rules, sets, people, counts[e], len(owners), e, known, size)
    total = 0
    for which in range(len(owners)):
        if won[which]:
            hits[size - 1, owners[which]] += 1
            total += 1
    for place in range(size):
        known_by[known[place]] += total


@compiled
def _tally(layout: Layout, owners: Items, in_known: Places, counts: Places, touched: Items) -> int:
    """How often each item beside Q stands in the records of Q's owners; how many items these are.
    `counts` and `touched` are filled anew."""
    counts[:] = 0
    seen = 0
    for record in owners:
        for place in range(layout.at[record], layout.at[record + 1]):
            i = layout.original[place]
            if in_known[i] == 0:
                if counts[i] == 0:
                    touched[seen] = i
                    seen += 1
                counts[i] += 1
    return seen


@compiled
def _owners_with(layout: Layout, owners: Items, item: int, into: Items) -> int:
    """The owners who hold the item too; how many they are."""
    found = 0
    for record in owners:
        for place in range(layout.at[record], layout.at[record + 1]):
            if layout.original[place] == item:
                into[found] = record
                found += 1
                break
    return found


@compiled
def expose(layout: Layout, p: int, q: int, limit: int, roots: Items) -> Exposed:
    """Walk through every set of at most `limit` items whose first in rank order is a root."""
    items = len(layout.item)
    hits = np.zeros((limit, max(len(layout.at) - 1, 1)), np.int64)
    inferred, known_by = np.zeros(items, np.int64), np.zeros(items, np.int64)
    rules = np.zeros((KEPT_RULES, 5), np.int64)
    sets = np.zeros((KEPT_RULES, limit), np.int32)
    known = np.empty(limit, np.int32)
    in_known = np.zeros(items, np.int64)
    counts, touched = np.empty((limit, items), np.int64), np.empty((limit, items), np.int32)
    seen, following = np.zeros(limit, np.int64), np.zeros(limit, np.int64)
    most = np.max(np.diff(layout.owner_at)) if items else 0
    lists, lengths = np.empty((limit, most), np.int32), np.zeros(limit, np.int64)
    for root in roots:
        lengths[0] = layout.owner_at[root + 1] - layout.owner_at[root]
        if lengths[0] == 0:
            continue
        lists[0, : lengths[0]] = layout.owner[layout.owner_at[root] : layout.owner_at[root + 1]]
        known[0] = root
        in_known[root] = 1
        size, enters = 1, True
        while size > 0:
            level = size - 1
            owners = lists[level, : lengths[level]]
            if enters:
                seen[level] = _tally(layout, owners, in_known, counts[level], touched[level])
                following[level] = 0 if size < limit else seen[level]
                _judge(
                    layout,
                    p,
                    q,
                    known,
                    size,
                    owners,
                    counts[level],
                    touched[level],
                    seen[level],
                    hits,
                    inferred,
                    known_by,
                    rules,
                    sets,
                )
            if following[level] == seen[level]:
                in_known[known[level]] = 0
                size, enters = size - 1, False
                continue
            i = touched[level, following[level]]
            following[level] += 1
            enters = i > known[level]
            if enters:
                lengths[size] = _owners_with(layout, owners, i, lists[size])
                known[size] = i
                in_known[i] = 1
                size += 1
    return Exposed(hits, inferred, known_by, rules, sets)


def expose_roots(layout: Layout, p: int, q: int, limit: int, roots: Items) -> Exposed:
    """The same as a function that travels: compiled ones are found by name where they arrive."""
    return expose(layout, p, q, limit, roots)


def together(one: Exposed, other: Exposed) -> Exposed:
    """The sums of both, and the worst rules of either."""
    rules, sets = np.concatenate([one.rules, other.rules]), np.concatenate([one.sets, other.sets])
    return ranked(
        Exposed(
            one.hits + other.hits,
            one.inferred + other.inferred,
            one.known + other.known,
            rules,
            sets,
        )
    )


def ranked(found: Exposed) -> Exposed:
    """The worst rules first, and no more than are kept."""
    order = _worst_first(found.rules)[:KEPT_RULES]
    return found._replace(rules=found.rules[order], sets=found.sets[order])


def _worst_first(rules: Places) -> Places:
    """Most people first, then the surest, then by items, so that the order is one."""
    sure = rules[:, 1] / np.maximum(rules[:, 2], 1)
    return np.lexsort((rules[:, 3], rules[:, 4], -sure, -rules[:, 0])).astype(np.int64)
