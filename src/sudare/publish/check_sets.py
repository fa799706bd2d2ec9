"""Check sets: how exposed people are in records that are sets, before anything is suppressed.

The steward's own, like `check records`: nothing is charged, nothing of it is a release. It names
items and the numbers of records, never who calls what sensitive.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import numpy as np

from sudare.engines.spark.tasks import run_tasks
from sudare.facts.baskets import Baskets, Places
from sudare.facts.engine import EngineChoice
from sudare.facts.sets_plan import check_knowledge
from sudare.publish.sets_input import SetsInput, marked_of, notices_of, read_given
from sudare.publish.sets_question import check_sensitive
from sudare.randomness.bits import SystemBits
from sudare.sets.exposure import Exposed, expose_roots, ranked, together
from sudare.sets.layout import Layout, lay_out, start
from sudare.sets.pace import at_pace, cost_of
from sudare.sets.sampled import count_attackers, draw_attackers
from sudare.sets.suppress import make_rule
from sudare.sets.targets import try_all
from sudare.sets.verify.shares import at_least, at_most

Watch = Callable[[str, float], None]
# Up to so many attackers are looked at one by one; else so many are drawn, with an interval that
# misses one time in a hundred.
MOST_ATTACKERS = 5_000_000
DRAWN = 20_000
_ERROR = 0.005
_SHOWN = 20
# Roots are given out in so many parts, so that a bar can move and Spark has something to share.
_PARTS = 64


def check_sets(
    given: SetsInput,
    rho: Fraction,
    max_knowledge: int,
    *,
    watch: Watch | None = None,
) -> dict[str, Any]:
    """Everything that `sudare check sets` shows, ready for JSON."""
    check_knowledge(max_knowledge)
    check_sensitive(given)
    read = read_given(given)
    marked = marked_of(given, read)
    baskets = read.baskets
    longest = min(max_knowledge, int(baskets.lengths.max(initial=0)))
    exact = _walked(baskets.lengths, longest)
    with at_pace(cost_of(baskets.lengths), watch or _silent, "exposure"):
        layout = lay_out(baskets, marked.sensitive)
        found = _exposed(layout, rho, max(exact, 1), given.engine, watch or _silent)
        shares = [_exact_share(baskets.lengths, found, size) for size in range(1, exact + 1)]
        shares += [
            _drawn_share(layout, rho, size, baskets.lengths)
            for size in range(exact + 1, longest + 1)
        ]
    return {
        "rho": str(rho),
        "max_knowledge": max_knowledge,
        "records": baskets.records,
        "items": len(baskets.names),
        "occurrences": len(baskets.items),
        "shares": shares,
        "looked_at_all_up_to": exact,
        "exposed_records": int((found.hits.sum(axis=0) > 0).sum()),
        "rules": _rules(layout, baskets, found),
        "people": _people(found),
        "causes": _causes(layout, baskets, found),
        "notices": notices_of(read, marked),
    }


def _walked(lengths: Places, longest: int) -> int:
    """How many known items all attackers are looked at for."""
    size, total = 0, 0
    while size < longest:
        total += count_attackers(lengths, size + 1)
        if total > MOST_ATTACKERS:
            break
        size += 1
    return size


def _exposed(
    layout: Layout, rho: Fraction, size: int, engine: EngineChoice, tell: Watch
) -> Exposed:
    """All roots in parts, here or on Spark's workers: every set has one first item."""
    roots = np.arange(len(layout.item), dtype=np.int32)
    parts = [roots[part::_PARTS].copy() for part in range(_PARTS)]
    one = partial(expose_roots, layout, rho.numerator, rho.denominator, size)
    if engine.name == "spark":
        return ranked(run_tasks(one, together, parts, engine))
    found = one(parts[0])
    for number, part in enumerate(parts[1:], start=1):
        tell("looking", number / _PARTS)
        found = together(found, one(part))
    return ranked(found)


def _exact_share(lengths: Places, found: Exposed, size: int) -> dict[str, Any]:
    able = lengths >= size
    many = np.array([float(comb(int(length), size)) for length in lengths[able]])
    share = float((found.hits[size - 1][: len(lengths)][able] / many).mean())
    return {
        "known": size,
        "attackers": int(many.sum()),
        "share": share,
        "low": share,
        "high": share,
        "is_exact": True,
    }


def _drawn_share(layout: Layout, rho: Fraction, size: int, lengths: Places) -> dict[str, Any]:
    bits = SystemBits()
    targets, knowns = draw_attackers(layout, size, DRAWN, bits)
    rule = make_rule(layout, rho, bits)
    changed = np.zeros(max(layout.records, 1), np.uint8)
    hits = try_all(layout, start(layout), rule, targets, knowns, size, False, changed)
    return {
        "known": size,
        "attackers": count_attackers(lengths, size),
        "share": hits / DRAWN,
        "low": at_least(hits, DRAWN, _ERROR),
        "high": at_most(hits, DRAWN, _ERROR),
        "is_exact": False,
    }


def _rules(layout: Layout, baskets: Baskets, found: Exposed) -> list[dict[str, Any]]:
    def name(rank: int) -> str:
        return baskets.names[int(layout.item[rank])]

    return [
        {
            "known": [name(rank) for rank in known[:size]],
            "inferred": name(e),
            "together": int(both),
            "alone": int(alone),
            "exposed": int(people),
        }
        for (people, both, alone, e, size), known in zip(found.rules, found.sets, strict=True)
        if people
    ]


def _people(found: Exposed) -> list[dict[str, int]]:
    total = found.hits.sum(axis=0)
    worst = np.argsort(-total, kind="stable")[:_SHOWN]
    return [{"record": int(u) + 1, "attackers": int(total[u])} for u in worst if total[u]]


def _causes(layout: Layout, baskets: Baskets, found: Exposed) -> list[dict[str, Any]]:
    worst = np.argsort(-(found.inferred + found.known), kind="stable")[:_SHOWN]
    return [
        {
            "item": baskets.names[layout.item[i]],
            "inferred": int(found.inferred[i]),
            "known": int(found.known[i]),
        }
        for i in worst
        if found.inferred[i] + found.known[i]
    ]


def _silent(step: str, share: float) -> None:
    """Nobody watches."""
