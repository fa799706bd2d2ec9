"""The independent verifier's word on a released file of sets, for every model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any

import numpy as np

from sudare.facts.baskets import Baskets, Sensitive
from sudare.facts.errors import VerificationFailed
from sudare.facts.item_tree import Hierarchy
from sudare.facts.sets_plan import SetsPlan
from sudare.randomness.bits import SystemBits
from sudare.sets.verify.attackers import verify
from sudare.sets.verify.km import verify_km
from sudare.sets.verify.sampled import audit_sampled

Watch = Callable[[str, float], None]


def verified(
    original: Baskets, released: Baskets, sensitive: Sensitive, plan: SetsPlan, tell: Watch
) -> dict[str, Any]:
    """The verdict, ready for JSON; it raises if the promise is not kept."""
    if plan.model == "km":
        return asdict(verify_km(released, plan.k or 1, plan.max_knowledge or 1))
    rho = plan.rho or Fraction(1)
    if plan.model == "sampled":
        found = audit_sampled(
            original,
            released,
            sensitive,
            rho,
            plan.max_knowledge or 1,
            plan.eps or 0.0,
            plan.delta or 0.0,
            SystemBits(),
        )
        return {"shares": [asdict(each) for each in found]}
    return asdict(
        verify(
            original,
            released,
            sensitive,
            rho,
            max_knowledge=plan.max_knowledge,
            with_base_rate=plan.base_rate,
            watch=lambda share: tell("verifying", share),
        )
    )


def in_codes_of(names: tuple[str, ...], read: Baskets) -> Baskets:
    """What was read, by the codes of these names; -1 stands for a name that is not among them."""
    code = {name: number for number, name in enumerate(names)}
    codes = np.array([code.get(name, -1) for name in read.names], np.int32)
    return replace(read, items=codes[read.items], names=names)


def check_users(original: Baskets, released: Baskets) -> None:
    """Records are compared by their place, so their owners must stand at the same places. A form
    with a line a record names no users, and may be the release of one that does."""
    if released.users is None:
        return
    if original.users is None or tuple(original.users) != tuple(released.users):
        raise VerificationFailed(
            "The release names other users than the original data, or in another order.",
            "Both must have the same users in the same order.",
        )


def check_coarser(original: Baskets, released: Baskets, tree: Hierarchy) -> None:
    """Each released name stands for an item of the original record, or is above one."""
    width = len(tree.names) + 1
    allowed, node = [], original.items.astype(np.int64)
    owner = np.repeat(np.arange(original.records), original.lengths)
    while node.size:
        allowed.append(owner * width + node)
        node = tree.parent[node].astype(np.int64)
        owner, node = owner[node >= 0], node[node >= 0]
    same = released.records == original.records
    held = np.repeat(np.arange(released.records), released.lengths) * width + released.items
    is_new = (released.items < 0) | ~np.isin(held, np.concatenate([*allowed, np.empty(0, int)]))
    if not same or is_new.any():
        raise VerificationFailed(
            "The release holds names that are not above the items of its original records.",
            "Check it with the data and the hierarchy that it was made of.",
        )
