"""A process of its own that compiles and keeps what a job is going to call.

    python -m sudare.sets.compiling FOLDER PART DRIVE…

A drive does a job with a few made records, with the functions of one part as machine code and the
others in Python; what it calls is compiled for the types that it is called with. Two parts need
about the same time and share little.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from sudare.facts.baskets import Baskets, Sensitive
from sudare.randomness.bits import SystemBits
from sudare.sets import kept
from sudare.sets.compiled import Compiled, chosen_by
from sudare.sets.machine import Machine

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

# Modules whose functions the second part compiles; the first does all others.
_SECOND = ("returning", "grouping", "verify", "settling", "exposure")
_RECORDS = ((0, 1, 2), (0, 1), (1, 3), (0, 2, 3), (1,), (0, 1, 2, 3), tuple(range(9)))
_ITEMS = 9
_HALF = Fraction(1, 2)


def main(place: Path, part: int, drives: list[str]) -> None:
    """Compile one part of what the drives call."""
    machine = Machine(place)
    _wait_for_turn(place, part)

    def form(one: Compiled) -> Callable[..., Any]:
        if _part(one) != part or kept.is_ready(place, one):
            return one.plain
        made = machine.entry(one)

        def run(*given: Any) -> Any:
            found = made(*given)
            kept.note(place, one)
            return found

        return run

    with chosen_by(form):
        for drive in drives:
            DRIVES[drive](_baskets(), _sensitive())


def _wait_for_turn(place: Path, part: int) -> None:
    """Of several processes that would compile the same, the first does it."""
    if fcntl is not None:
        # The lock goes with the process, whatever ends it.
        descriptor = os.open(place / f"{part}.lock", os.O_CREAT | os.O_RDWR)
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _part(one: Compiled) -> int:
    return int(any(name in _SECOND for name in one.__module__.split(".")))


def _baskets() -> Baskets:
    starts = np.concatenate([[0], np.cumsum([len(each) for each in _RECORDS])]).astype(np.int64)
    items = np.array([item for each in _RECORDS for item in each], np.int32)
    return Baskets(starts, items, tuple("abcdefghi"[:_ITEMS]))


def _sensitive() -> Sensitive:
    """The third item is what all mind, and the last what one does."""
    everyone = np.arange(_ITEMS) == 2
    starts = np.minimum(np.arange(len(_RECORDS) + 1), 1).astype(np.int64)
    return Sensitive(everyone, starts, np.array([3], np.int32))


def _suppress(baskets: Baskets, sensitive: Sensitive) -> None:
    from sudare.sets.suppress import suppress

    suppress(baskets, sensitive, _HALF, SystemBits())


def _sampled(baskets: Baskets, sensitive: Sensitive) -> None:
    from sudare.sets.sampled import suppress_sampled

    more: Any = {"max_knowledge": 2, "eps": 0.5, "delta": 0.5}
    suppress_sampled(baskets, sensitive, _HALF, SystemBits(), **more)


def _paper(baskets: Baskets, sensitive: Sensitive) -> None:
    from sudare.sets.paper import suppress_as_paper

    suppress_as_paper(baskets, sensitive, _HALF, SystemBits(), max_knowledge=2)


def _verify(baskets: Baskets, sensitive: Sensitive) -> None:
    from sudare.sets.verify.attackers import verify

    nobody = Sensitive(sensitive.everyone & False, sensitive.starts * 0, sensitive.items[:0])
    verify(baskets, baskets, nobody, _HALF, max_knowledge=None)


def _km(baskets: Baskets, sensitive: Sensitive) -> None:
    from sudare.sets.km.suppression import by_suppression
    from sudare.sets.verify.km import verify_km

    kept_items = by_suppression(baskets, 2, 2, SystemBits())
    verify_km(baskets.kept(kept_items), 2, 2)


def _audit(baskets: Baskets, sensitive: Sensitive) -> None:
    from sudare.sets.verify.sampled import audit_sampled

    audit_sampled(baskets, baskets, sensitive, _HALF, 2, 0.5, 0.5, SystemBits())


def _rules(baskets: Baskets, sensitive: Sensitive) -> None:
    from sudare.sets.mining.rules import top_rules

    top_rules(baskets, _HALF, _HALF)


def _exposure(baskets: Baskets, sensitive: Sensitive) -> None:
    from sudare.sets.exposure import expose_roots
    from sudare.sets.layout import lay_out

    roots = np.arange(_ITEMS, dtype=np.int32)
    expose_roots(lay_out(baskets, sensitive), 1, 2, 2, roots)


DRIVES: dict[str, Callable[[Baskets, Sensitive], None]] = {
    "suppress": _suppress,
    "sampled": _sampled,
    "paper": _paper,
    "verify": _verify,
    "audit": _audit,
    "km": _km,
    "rules": _rules,
    "exposure": _exposure,
}

if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
