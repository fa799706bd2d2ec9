"""Ways to spend ε on all two-way tables at once: what synthetic rows are made from.

blocks   every person reports one block of columns, as one joint label, at the full ε. Blocks are
         drawn up so that every pair of columns is in one of them; the larger they are, the fewer
         there are, and the more people tell each pair, as long as e^ε is well above the number of
         joint labels.
singles  every person reports k columns, each at ε/k; a pair is told by those who report both. At a
         large ε this is the better way, because e^ε then exceeds any joint label by far.

`error` compares them: √n times the root of the summed variances of a table's cells, averaged over
the pairs, for labels and bins that are evenly spread. It needs nothing of the data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from sudare.facts.errors import InvalidPlan
from sudare.facts.local_plan import LocalPlan
from sudare.facts.randomized import Domain, Item, LabelDomain
from sudare.local.blocks import size_of
from sudare.local.items import MOST_LABELS, Outline, Way, labels_mechanism, pairs, with_epsilon
from sudare.mechanisms.local.named import best_for_labels, mechanism_of
from sudare.mechanisms.local.shares import GREATEST_EPSILON as MOST

# The lowest value and five or ten equal parts.
_COARSE, _FINE = 6, 11
# Joint labels of a block, in parts of e^ε; 0 leaves pairs alone.
_CAPS = (0.0, 1 / 16, 1 / 4, 1.0)
# Reports are counted by joint label: more would not fit into memory for many blocks.
_MOST_JOINT = 4096
Sizes = dict[str, int]


def crossed_ways(plan: LocalPlan, domains: dict[str, Domain], epsilon: Fraction) -> Iterator[Way]:
    """All ways that the plan leaves open."""
    if plan.wishes or plan.paper:
        raise InvalidPlan(
            "Reports for synthesis choose their own mechanisms.",
            "Leave --mechanism and --paper out, or name other --statistics.",
        )
    sizes = {name: size_of(domain, _bins(plan, epsilon)) for name, domain in domains.items()}
    is_blocked = plan.budget in ("auto", "statistic") and plan.report is None
    if is_blocked and len(sizes) > 1 and (epsilon <= MOST or plan.budget == "statistic"):
        designs = {design(sizes, cap * math.exp(min(float(epsilon), 700.0))) for cap in _CAPS}
        for blocks in sorted(designs):
            outlines = [_block(names, sizes) for names in blocks]
            yield Way("statistic", 1, with_epsilon(outlines, epsilon, 1), "grr")
    singles = [_single(name, domains[name], size) for name, size in sizes.items()]
    for asked in _counts(plan, len(singles), epsilon):
        budget = "split" if asked == len(singles) else "sample"
        yield Way(budget, asked, with_epsilon(singles, epsilon, asked), "grr")


def _bins(plan: LocalPlan, epsilon: Fraction) -> int:
    """Fine ones where two binned numbers have at most e^ε joint labels."""
    is_fine = math.exp(min(float(epsilon), 20.0)) >= _FINE**2
    return min(plan.bins, _FINE if is_fine else _COARSE)


def _counts(plan: LocalPlan, columns: int, epsilon: Fraction) -> list[int]:
    """How many columns a person may report; tables need two."""
    if plan.report is not None:
        if plan.report >= columns:
            raise InvalidPlan(
                "There are not more columns than a person is to report.",
                "Lower --report, or use --budget split.",
            )
        return [plan.report]
    least = min(columns, max(2, math.ceil(epsilon / MOST)))
    some, every = list(range(least, columns)), [columns]
    return {"sample": some, "split": every, "statistic": [], "auto": some + every}[plan.budget]


def design(sizes: Sizes, most: float) -> tuple[tuple[str, ...], ...]:
    """Blocks that hold every pair of columns, of at most so many joint labels where they have more
    than two columns: each grows from a pair that is still open by the column that closes most."""
    names, most = list(sizes), min(most, _MOST_JOINT)
    open_pairs = dict.fromkeys(pairs(names))
    found = []
    while open_pairs:
        block = list(next(iter(open_pairs)))
        joint = math.prod(sizes[name] for name in block)
        while True:
            gains = {
                name: sum(pair in open_pairs for pair in _with(name, block, names))
                for name in names
                if name not in block and joint * sizes[name] <= most
            }
            best = max(gains, key=lambda name: (gains[name], -sizes[name]), default=None)
            if best is None or not gains[best]:
                break
            block.append(best)
            joint *= sizes[best]
        block.sort(key=names.index)
        for pair in pairs(block):
            open_pairs.pop(pair, None)
        found.append(tuple(block))
    return tuple(found)


def _with(name: str, block: list[str], names: list[str]) -> list[tuple[str, str]]:
    at = names.index(name)
    return [(name, other) if at < names.index(other) else (other, name) for other in block]


def _block(names: tuple[str, ...], sizes: Sizes) -> Outline:
    values = math.prod(sizes[name] for name in names)
    if values > MOST_LABELS:
        raise InvalidPlan(
            f"The table of '{names[0]}' and '{names[1]}' has too many cells to be reported at "
            "once.",
            "Group their values in the schema, or use --budget sample.",
        )
    choose = labels_mechanism(None, values, False) if len(names) == 2 else _response(values)
    return Outline("×".join(names), "labels", names, choose)


def _response(values: int) -> Any:
    return lambda epsilon: ("grr", best_for_labels("grr", epsilon, values).parameters())


def _single(name: str, domain: Domain, size: int) -> Outline:
    choose = labels_mechanism(None, size, False)
    if isinstance(domain, LabelDomain):
        return Outline(name, "label", (name,), choose)
    return Outline(f"{name} (bins)", "labels", (name,), choose)


def error(way: Way) -> float | None:
    """√n times the error of the tables; of one column alone, of its histogram."""
    names = list(dict.fromkeys(name for item in way.items for name in item.columns))
    if len(names) == 1:
        return math.sqrt(_spread(way.items[0]))
    total = 0.0
    for pair in pairs(names):
        told = [1 / _spread(item) for item in way.items if set(pair) <= set(item.columns)]
        precision = sum(told) * way.asked / len(way.items) or _of_two(way, pair)
        if not precision:
            return None
        total += 1 / math.sqrt(precision)
    return total / len(pairs(names))


def _spread(item: Item) -> float:
    """The variances of what a report says of a table's cells, added up: by randomised response
    they are the same, but for a small part, into however few cells the labels are gathered."""
    mechanism: Any = mechanism_of(item)
    if item.mechanism == "grr":
        away = float(mechanism.shares.chance_near - mechanism.shares.chance_far)
        return (1 - 1 / int(mechanism.values)) / away**2
    return float(mechanism.variance(1 / mechanism.values) * mechanism.values)


def _of_two(way: Way, pair: tuple[str, str]) -> float:
    """The precision of a table from those who report both columns."""
    count = len(way.items)
    if way.asked < 2:
        return 0.0
    own = [item for name in pair for item in way.items if item.columns == (name,)]
    evens = [1 / int(item.parameters["values"]) for item in own]
    squares = [_spread(item) + even for item, even in zip(own, evens, strict=True)]
    noise = squares[0] * squares[1] - evens[0] * evens[1]
    return way.asked * (way.asked - 1) / (count * (count - 1)) / noise
