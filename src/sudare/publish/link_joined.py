"""The collector's work on rows: open the seals, bring together what has one pseudonym, permute,
write. Pseudonyms are dropped here; no file has them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.engines.linked import record_width, write_joined
from sudare.link.compile import LinkJob
from sudare.link.gathering import Growing
from sudare.link.joining import joined
from sudare.link.packets import POINT, Sum, unpacked
from sudare.link.pseudonyms import check_points
from sudare.link.ring import last_legs
from sudare.link.sealing import TAG, Opening
from sudare.local.randomizer import Randomizer
from sudare.publish.link_rows import Progress, seal_context
from sudare.publish.link_watch import altered
from sudare.randomness.bits import SystemBits
from sudare.randomness.choice import permutation
from sudare.wires.folder import Folder

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Opened:
    """Everybody's pseudonyms and records, and what the owners may be told of having sent."""

    points: dict[str, Bytes]
    records: dict[str, Bytes]
    receipts: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Sizes:
    """How many people each class has, by its members in ring order."""

    counts: tuple[tuple[tuple[str, ...], int], ...]

    def told(self) -> list[dict[str, Any]]:
        return [{"members": list(members), "n": n} for members, n in self.counts]

    def logged(self) -> dict[str, int]:
        return {"classes": len(self.counts), "rows": sum(n for _, n in self.counts)}


def opened(job: LinkJob, folder: Folder, key: Any, progress: Progress) -> Opened:
    """Open every stream; refuse one that is not what its owner announced."""
    plan = job.plan
    found = Opened({}, {}, {})
    for leg in last_legs(plan):
        told = folder.noted(f"party-{leg.place}") or {}
        context = seal_context(plan, leg.owner)
        opening, total = Opening.of(key, _header(told), context), Sum()
        facts = job.party_facts(leg.owner)
        width = record_width(facts, Randomizer(facts))
        points, rows = Growing(POINT), Growing(width)
        for chunk in folder.mailbox.chunks(leg.stream):
            own, sealed = unpacked(chunk.data)
            if sealed.shape[1] != width + TAG:
                raise altered()
            if plan.pseudonyms == "commutative":
                check_points(own)
            numbers = np.arange(total.rows, total.rows + len(own), dtype=np.uint64)
            rows.add(opening.opened(numbers, sealed))
            points.add(own)
            total.add(sealed)
            progress("opening", total.rows, told["rows"])
        receipt = {"rows": total.rows, "sha256": total.hexdigest()}
        if receipt != {key: told[key] for key in receipt}:
            raise altered()
        found.points[leg.owner] = points.whole()
        found.records[leg.owner] = rows.whole()
        found.receipts[leg.owner] = receipt
    return found


def written(job: LinkJob, rows: Opened, part: Path) -> Sizes:
    """Write the rows of all parties' people, and with rows = "all" a file for each other class.
    The pseudonyms are gone afterwards."""
    names, bits = job.plan.names, SystemBits()
    classes = joined(rows.points)
    # Pseudonyms have done their work, and are most of what is in memory.
    rows.points.clear()
    everybody = frozenset(names)
    # Rows of everybody's people are a file even if there are none.
    classes.setdefault(everybody, {name: np.empty(0, np.int64) for name in names})
    counts = []
    for who in sorted(
        classes, key=lambda each: (-len(each), [names.index(n) for n in sorted(each)])
    ):
        members = tuple(name for name in names if name in who)
        count = len(next(iter(classes[who].values())))
        counts.append((members, count))
        if who == everybody or job.plan.rows == "all":
            extra = "" if who == everybody else "." + "+".join(members)
            order = permutation(bits, count)
            parts = [
                (own, Randomizer(own), rows.records[name], classes[who][name])
                for name in members
                for own in (job.party_facts(name),)
            ]
            facts = job.joined_facts(members, guarantee=guarantee_of(job, members))
            write_joined(part.with_name(part.name + extra), facts, parts, order)
    return Sizes(tuple(counts))


def _header(told: dict[str, Any]) -> bytes:
    try:
        return bytes.fromhex(told["header"])
    except ValueError:
        pass
    raise altered()


def guarantee_of(job: LinkJob, members: tuple[str, ...]) -> dict[str, Any]:
    """What a joined file says of itself: the local promise, which holds whoever looks."""
    epsilon = float(sum(job.event(name).epsilon for name in members))
    return {"epsilon": epsilon, "neighbours": "replace-one", "unit": "person", "shuffle": None}
