"""What shuffling makes of a job's reports: the law of one person's whole report, and its bound.

Claim    `law_of_job` lies above the true law of a report in the order of accounting/shuffle/law.py:
         a product over the items that are reported, mixed over which ones are, since the report
         shows that.
Source   docs/shuffle.md.
Needs    one row a unit; every row of the table is shuffled among all of them.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from sudare.accounting.shuffle import laws
from sudare.accounting.shuffle.amplify import amplified
from sudare.accounting.shuffle.law import Law, mixture, power, product
from sudare.facts.randomized import Item
from sudare.local.compile import LocalJob
from sudare.mechanisms.local.named import mechanism_of
from sudare.mechanisms.local.piecewise import POSITIONS

# Floating point moves an ε or a mass by less than this; both are moved to the safe side.
_SLACK = 1e-12
# More ways to choose the reported items than this are not told apart: the clones bound is used.
_MOST_CHOICES = 2000


def amplified_job(job: LocalJob, rows: int, delta: float) -> dict[str, Any]:
    """The central guarantee of the shuffled reports of so many people."""
    local = float(job.event().epsilon)
    found = amplified(rows, local * (1 + _SLACK), delta, law_of_job(job))
    bounds = {"theorem4": found.theorem4, "clones": found.clones, "blanket": found.blanket}
    return {"n": rows, "delta": delta, "epsilon": min(found.epsilon, local), "bounds": bounds}


def law_of_job(job: LocalJob) -> Law | None:
    """The law of a whole report; None where it is too intricate to be told."""
    items, asked = job.facts.items, job.facts.asked
    kinds = Counter(_key(item) for item in items)
    chosen = list(_choices(list(kinds.values()), asked))
    if len(chosen) > _MOST_CHOICES:
        return None
    known = [_law(next(item for item in items if _key(item) == key)) for key in kinds]
    total = math.comb(len(items), asked)
    parts = [
        (
            math.prod(map(math.comb, kinds.values(), counts)) / total,
            product([power(law, k) for law, k in zip(known, counts, strict=True) if k]),
        )
        for counts in chosen
    ]
    return parts[0][1] if len(parts) == 1 else mixture(parts)


def _key(item: Item) -> tuple[Any, ...]:
    """Items with one law."""
    return item.mechanism, item.epsilon, tuple(sorted(item.parameters.items()))


def _choices(sizes: list[int], asked: int) -> Iterator[tuple[int, ...]]:
    """How many of each kind are reported, in every way that is possible."""
    ranges = [range(min(size, asked) + 1) for size in sizes]
    if math.prod(map(len, ranges)) > 10**6:
        yield from itertools.repeat((), _MOST_CHOICES + 1)
        return
    yield from (counts for counts in itertools.product(*ranges) if sum(counts) == asked)


def _law(item: Item) -> Law:
    epsilon = float(item.exact_epsilon) * (1 + _SLACK)
    mechanism: Any = mechanism_of(item)
    match item.mechanism:
        case "two-point":
            return laws.two_point(epsilon)
        case "piecewise" | "square-wave":
            return _window(epsilon, mechanism)
        case "hybrid":
            wave = _window(epsilon, mechanism.piecewise)
            alpha = mechanism.alpha
            return mixture([(alpha, wave), (1 - alpha, laws.two_point(epsilon))])
        case "laplace":
            return laws.grid_laplace(epsilon, POSITIONS)
        case "oue":
            return laws.oue(epsilon, item.parameters["values"])
        case "one-hot":
            # In paper mode the bits cost less than the item was charged.
            own = math.log(mechanism.odds) * (1 + _SLACK)
            if mechanism.bits == 1:
                return laws.two_point(own)
            return laws.unary(own, item.parameters["values"], mechanism.own / 2**32)
        case "olh":
            return laws.olh(epsilon, item.parameters["groups"])
        case _:
            return laws.two_point(epsilon) if mechanism.values == 2 else _window(epsilon, mechanism)


def _window(epsilon: float, mechanism: Any) -> Law:
    """Every report has at least the probability of a far cell, whatever the value."""
    mass = mechanism.cells * mechanism.shares.chance_far
    return laws.corner(epsilon, max(mass * (1 - _SLACK), math.exp(-epsilon)))
