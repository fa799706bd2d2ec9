"""Other ways to k^m-anonymity, for benchmarks/sets_km.py: plain, or exact on small data."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np
from ortools.sat.python import cp_model

from sudare.facts.baskets import Baskets, Flags, Items
from sudare.facts.item_tree import Hierarchy
from sudare.sets.km.shape import Shape, make_shape
from sudare.sets.km.splitting import may_split, recoded

Set = tuple[int, ...]
# Rare sets that are helped before the records are counted again.
AT_ONCE = 1000


def rows_of(baskets: Baskets) -> list[list[int]]:
    return [sorted(baskets.items[low:high].tolist()) for low, high in pairwise(baskets.starts)]


def rare_sets(rows: list[list[int]], k: int, size: int) -> Iterator[Set]:
    """First item by first item, so that only a part of all sets is counted at a time."""
    owners: dict[int, list[list[int]]] = defaultdict(list)
    for row in rows:
        for place, item in enumerate(row):
            owners[item].append(row[place + 1 :])
    for item, rests in sorted(owners.items()):
        counts = Counter(rest for row in rests for rest in combinations(row, size - 1))
        yield from ((item, *rest) for rest, count in counts.items() if count < k)


def one_item_everywhere(baskets: Baskets, k: int, m: int) -> Flags:
    """Of every rare set the rarest item goes from all records that hold the set; sets of one item
    first, then two, …, and all again until nothing is rare. Nothing comes back."""
    rows = [set(row) for row in rows_of(baskets)]
    owners: dict[int, set[int]] = defaultdict(set)
    for record, row in enumerate(rows):
        for item in row:
            owners[item].add(record)
    size = 1
    while size <= m:
        changed = False
        for rare in rare_sets([sorted(row) for row in rows], k, size):
            holders = set.intersection(*(owners[item] for item in rare))
            if 0 < len(holders) < k:
                item = min(rare, key=lambda each: (len(owners[each]), each))
                owners[item] -= holders
                for record in holders:
                    rows[record].discard(item)
                changed = True
        size = 1 if changed else size + 1
    record = np.repeat(np.arange(baskets.records), baskets.lengths)
    pairs = zip(record.tolist(), baskets.items.tolist(), strict=True)
    return np.array([item in rows[u] for u, item in pairs], np.bool_)


def fewest_gone(baskets: Baskets, k: int, m: int, seconds: float) -> tuple[int, bool]:
    """The fewest suppressions by CP-SAT, and whether that is proved."""
    rows, model = rows_of(baskets), cp_model.CpModel()
    owners: dict[Set, list[int]] = defaultdict(list)
    for record, row in enumerate(rows):
        for size in range(1, m + 1):
            for known in combinations(row, size):
                owners[known].append(record)
    kept = {(u, i): model.new_bool_var("") for u, row in enumerate(rows) for i in row}
    for known, records in owners.items():
        shown = model.new_bool_var("")
        held = []
        for record in records:
            parts = [kept[record, item] for item in known]
            whole = model.new_bool_var("")
            model.add_bool_and(parts).only_enforce_if(whole)
            model.add_bool_or([whole, *(part.negated() for part in parts)])
            model.add_implication(whole, shown)
            held.append(whole)
        model.add(sum(held) >= k).only_enforce_if(shown)
    model.maximize(sum(kept.values()))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    return len(kept) - int(solver.objective_value), status == cp_model.OPTIMAL


def largest_clique(around: list[int]) -> int:
    """The largest set of nodes that are all neighbours; `around` holds neighbours as bits."""
    best = 0

    def grow(size: int, open_nodes: int) -> None:
        nonlocal best
        colored: list[tuple[int, int]] = []
        left, color = open_nodes, 0
        while left:
            color, same = color + 1, left
            while same:
                node = same.bit_length() - 1
                same &= ~(1 << node) & ~around[node]
                left &= ~(1 << node)
                colored.append((node, color))
        for node, color in reversed(colored):
            if size + color <= best:
                return
            best = max(best, size + 1)
            grow(size + 1, open_nodes & around[node])
            open_nodes &= ~(1 << node)

    grow(0, (1 << len(around)) - 1)
    return best


def least_gone(baskets: Baskets, k: int) -> int:
    """No release for m ≥ 2 suppresses less: in each record what is left are items of which every
    two are in k original records together."""
    rows = rows_of(baskets)
    counts = Counter(known for row in rows for known in combinations(row, 2))
    single = Counter(item for row in rows for item in row)
    gone = 0
    for row in rows:
        items = [item for item in row if single[item] >= k]
        around = [0] * len(items)
        for (x, one), (y, other) in combinations(enumerate(items), 2):
            if counts[one, other] >= k:
                around[x] |= 1 << y
                around[y] |= 1 << x
        gone += len(row) - largest_clique(around)
    return gone


def climbing(baskets: Baskets, tree: Hierarchy, k: int, m: int) -> Items:
    """Up from the items, as in the paper's Apriori-based anonymization: of every rare set the node
    climbs whose parent costs least; then every node is split again that may be."""
    shape, size = make_shape(tree), 1
    occurring = np.bincount(baskets.items, minlength=len(baskets.names))
    items: Items = np.arange(len(baskets.names), dtype=np.int32)
    cut = items.copy()
    while size <= m:
        found = list(rare_sets(rows_of(recoded(baskets, cut, tree.names)), k, size))
        for rare in found[:AT_ONCE]:
            standing = set(cut.tolist())
            parents = {int(tree.parent[node]) for node in rare if tree.parent[node] >= 0}
            if standing.issuperset(rare) and parents:
                costs = {p: cost_of(shape, occurring, items, cut, p) for p in parents}
                parent = min(costs, key=lambda p: (costs[p], p))
                cut[shape.below(parent, items)] = parent
        size = size if found else size + 1
    return split_again(baskets, tree, shape, cut, k, m)


def cost_of(shape: Shape, occurring: Items, items: Items, cut: Items, parent: int) -> int:
    below = shape.below(parent, items)
    before = np.where(cut[below] == items[below], 0, shape.leaves[cut[below]])
    return int((occurring[below] * (shape.leaves[parent] - before)).sum())


def split_again(
    baskets: Baskets, tree: Hierarchy, shape: Shape, cut: Items, k: int, m: int
) -> Items:
    items: Items = np.arange(len(cut), dtype=np.int32)
    left = [node for node in set(cut.tolist()) if node >= len(cut)]
    while left:
        node = left.pop()
        below, trial = shape.below(node, items), cut.copy()
        trial[below] = shape.towards(node, items[below])
        children = shape.children(node)
        if may_split(recoded(baskets, trial, tree.names), children, k, m):
            cut = trial
            left += [child for child in children.tolist() if len(shape.children(child))]
    return cut
