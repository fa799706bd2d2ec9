"""Whether an attacker is left after suppression: the certificate, or VerificationFailed.

Claim    `verify` returns only where no attacker (u, Q), Q a set of items of u's ORIGINAL record,
         finds a released rule Q → e, e sensitive to u and not in Q, of confidence above ρ; and
         only where each released record is within its original one.
Source   Nakagawa, Arai and Nakagawa, definitions 3 and 4; docs/sets-verifier.md.
Symbols  ρ = p/q; `max_knowledge` -> m, the most items an attacker knows, None without bound;
         `with_base_rate` -> who knows nothing of u (Q = ∅) counts as an attacker, too.
Needs    nothing of what made the release: supports are counted here anew, in another way.
Gaps     walking.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sudare.facts.baskets import Baskets, Sensitive
from sudare.facts.errors import VerificationFailed
from sudare.sets.pace import paced
from sudare.sets.verify.bitmaps import Ints
from sudare.sets.verify.lists import lists, rarest_first
from sudare.sets.verify.roots import EVERYONE, SOME, UNBOUNDED, Demands, search
from sudare.sets.verify.subsets import check_subsets
from sudare.sets.verify.walking import ABOVE, BELOW, EXPOSED, LARGEST, TESTED, Limits

_SHARES = 100


@dataclass(frozen=True)
class Verified:
    """What the check looked at. `tested` -> rules Q → e, each for all who owned Q; `deepest` -> the
    most items in such a Q; `confidence` -> the highest met, as numerator and denominator, over the
    rules whose e some original owner of Q calls sensitive."""

    tested: int
    deepest: int
    confidence: tuple[int, int]


@paced("verify")
def verify(
    original: Baskets,
    released: Baskets,
    sensitive: Sensitive,
    rho: Fraction,
    *,
    max_knowledge: int | None,
    with_base_rate: bool = False,
    watch: Callable[[float], None] | None = None,
) -> Verified:
    """Check the release from scratch; VerificationFailed where one attacker is left."""
    check_subsets(original, released)
    most = UNBOUNDED if max_knowledge is None else max_knowledge
    limits = Limits(rho.numerator, rho.denominator, most)
    tally = np.array([0, 0, 0, 1, 0], np.int64)
    if with_base_rate:
        _check_base_rate(released, sensitive, limits, tally)
    numbers = rarest_first(released)
    before, after = lists(original, numbers), lists(released, numbers)
    demands = _demands(sensitive, numbers)
    for first, last, share in _pieces(after.places):
        if most and search(after, before, demands, limits, first, last, tally):
            raise _failure(tally)
        if watch is not None:
            watch(share)
    return Verified(int(tally[TESTED]), int(tally[LARGEST]), (int(tally[ABOVE]), int(tally[BELOW])))


def _demands(sensitive: Sensitive, numbers: Ints) -> Demands:
    called = np.zeros(len(numbers), np.int64)
    called[sensitive.items] = SOME
    called[sensitive.everyone] = EVERYONE
    codes = np.argsort(numbers)
    return Demands(called[codes], codes, sensitive.starts, sensitive.items)


def _pieces(places: Ints) -> Iterator[tuple[int, int, float]]:
    """Stretches of items that are held about equally often, and the share done after each."""
    items, held = len(places) - 1, max(int(places[-1]), 1)
    wanted = np.linspace(0, held, _SHARES + 1)[1:]
    ends = np.unique(np.append(np.searchsorted(places, wanted, side="left"), items).clip(0, items))
    for first, last in zip([0, *ends[:-1]], ends, strict=True):
        yield int(first), int(last), float(places[last]) / held


def _check_base_rate(released: Baskets, sensitive: Sensitive, limits: Limits, tally: Ints) -> None:
    """Q = ∅: how often e occurs at all, where somebody calls it sensitive."""
    held = np.bincount(released.items, minlength=len(released.names))
    callers = np.bincount(sensitive.items, minlength=len(released.names))
    callers[sensitive.everyone] = released.records
    rules = (callers > 0) & (held > 0)
    tally[TESTED] += np.count_nonzero(rules)
    if not rules.any():
        return
    tally[ABOVE], tally[BELOW] = held[rules].max(), released.records
    exposing = rules & (limits.q * held > limits.p * released.records)
    if exposing.any():
        tally[EXPOSED] = callers[exposing].max()
        raise _failure(tally)


def _failure(tally: Ints) -> VerificationFailed:
    return VerificationFailed(
        f"At least {int(tally[EXPOSED])} records of the release are exposed: "
        "what is known of them tells what they call sensitive.",
        "Do not publish it; suppress again from the original data.",
    )
