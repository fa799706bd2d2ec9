"""How much of the records a release of sets keeps: the paper's measures and what lies behind."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from sudare.facts.baskets import Baskets, Flags
from sudare.sets.measures import frequencies, util1, util2, util_mining
from sudare.sets.mining.rules import top_rules

# Nakagawa, Arai, Nakagawa, section 4.2.2.
SUPPORT, CONFIDENCE, TOP = Fraction(5, 10_000), Fraction(3, 10), 100
_SHOWN = 30


def figures(original: Baskets, released: Baskets, kept: Flags | None) -> dict[str, Any]:
    """Counts, util1, util2, util_mining and frequencies, ready for JSON. Where items were
    generalized there is no `kept`, and what an item lost is not counted; where all is gone there
    are no frequencies, and no util2."""
    found = frequencies(original, released)
    is_gone = len(original.items) > len(released.items) == 0
    order = np.argsort(-found.before, kind="stable")
    lost = np.argsort(found.after - found.before, kind="stable")[:_SHOWN]
    before = top_rules(original, SUPPORT, CONFIDENCE, TOP)
    after = top_rules(released, SUPPORT, CONFIDENCE, TOP)
    # A rule is the same whatever its support.
    sides = [{(rule.antecedent, rule.consequent) for rule in rules} for rules in (before, after)]
    return {
        "records": original.records,
        "items": int((found.before > 0).sum()),
        "occurrences": len(original.items),
        "released": len(released.items),
        "changed": int((released.lengths != original.lengths).sum()),
        "emptied": int(((released.lengths == 0) & (original.lengths > 0)).sum()),
        "util1": None if kept is None else float(util1(original, kept)),
        "util2": None if kept is None or is_gone else float(util2(original, kept)),
        "mining": {
            "support": "0.05%",
            "confidence": "30%",
            "before": len(before),
            "after": len(after),
            "common": len(sides[0] & sides[1]),
            "distance": float(util_mining(before, after)),
        },
        "frequencies": {
            "before": found.before[order].tolist(),
            "after": found.after[order].tolist(),
        },
        "most_suppressed": [
            {
                "item": original.names[item],
                "before": int(found.before[item]),
                "after": int(found.after[item]),
            }
            for item in lost
            if kept is not None and found.after[item] < found.before[item]
        ],
    }
