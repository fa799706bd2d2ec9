"""An organisation's rows for a secure computation: paid for, split in two, sealed to two.

Claim    what leaves is drawn once, as in link_rows: chunks are on the disk, and the ledger has the
         release, before the first of them is sent.
Order    reserve → read → permute → keep one row a key → split → seal to collector and helper →
         raise → disk → commit. Values and whole shares are in memory alone.
Rule     the sealed part of a row is the collector's share, then the helper's. It goes around the
         ring as one; the collector sends the helper's part on, which it cannot open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.engines.linked import keyed_vectors
from sudare.facts.link_plan import LinkPlan
from sudare.facts.reported import Column
from sudare.link.gathering import Growing, Places, leaving
from sudare.link.normalizing import normalize
from sudare.link.packets import POINT, Sum, packed, stretches, unpacked
from sudare.link.pseudonyms import check_points, raised
from sudare.link.ring import Leg, laid_stream, last_legs
from sudare.link.sealing import TAG, Opening, Seal
from sudare.link.secure import Side
from sudare.link.secure_plan import SecureLink
from sudare.link.shares import WORD_BYTES, Words, from_records, split, to_records
from sudare.publish.link_rows import (
    Progress,
    Rows,
    Secrets,
    note_own,
    paid,
    pseudonyms,
    seal_context,
)
from sudare.publish.link_watch import altered
from sudare.randomness.bits import SystemBits, run_key
from sudare.randomness.keys import new_private_key
from sudare.wires.chunks import Chunk
from sudare.wires.folder import Folder

Bytes = NDArray[np.uint8]


def prepare_shares(
    rows: Rows,
    link: SecureLink,
    folder: Folder,
    secrets: Secrets,
    keys: dict[Side, Any],
    progress: Progress,
) -> dict[str, Any]:
    """Charge, and lay the own stream into the mailbox; what is announced of it. `keys` are those
    of collector and helper."""
    name = folder.identity.name

    def laid(source: Any) -> dict[str, Any]:
        read = _read(source, link, folder, secrets, progress)
        return _laid(link, folder, secrets, keys, *read, progress)

    columns = list(link.domains(name))
    return paid(rows, link.plan, folder, link.job.cost(), columns, laid)


def _read(
    source: Any, link: SecureLink, folder: Folder, secrets: Secrets, progress: Progress
) -> tuple[Bytes, NDArray[np.int64], Places]:
    """Points (or salted keys), vectors, and which rows leave in which order: permuted, one row a
    key. What became of the rows is noted for their owner alone."""
    name = folder.identity.name
    vector, shown, bits = link.vector(name), link.shown[name], SystemBits()
    columns, rules = zip(*((k.column, k.rule) for k in link.plan.party(name).key), strict=True)

    def coded(found: dict[str, Column], rows: int) -> NDArray[np.int64]:
        return vector.coded({shown[own]: column for own, column in found.items()}, rows)

    points, values = Growing(POINT), Growing(WORD_BYTES * vector.width)
    done, unusable, total = 0, 0, link.plan.party(name).schema.table.public_rows
    for texts, made in keyed_vectors(
        source, list(columns), link.domains(name), coded, run_key(bits)
    ):
        keys = normalize(texts, list(rules))
        usable = [place for place, key in enumerate(keys) if key is not None]
        points.add(pseudonyms(link.plan, [keys[place] or b"" for place in usable], secrets))
        values.add(made[usable].view(np.uint8))
        done, unusable = done + len(keys), unusable + len(keys) - len(usable)
        progress("reading", done, total)
    every = points.whole()
    order = leaving(every, bits)
    note_own(folder, source, done, unusable, len(every) - len(order))
    return every, values.whole().view(np.int64), order


def _laid(
    link: SecureLink,
    folder: Folder,
    secrets: Secrets,
    keys: dict[Side, Any],
    points: Bytes,
    values: NDArray[np.int64],
    order: Places,
    progress: Progress,
) -> dict[str, Any]:
    """Split, seal and raise chunk by chunk, onto the disk."""
    plan, name, bits = link.plan, folder.identity.name, SystemBits()
    stream, whole, helpers = laid_stream(plan, name), Sum(), Sum()
    seals = {
        side: Seal.to(key, share_context(plan, name, side), new_private_key())
        for side, key in keys.items()
    }
    for number, (first, end, is_last) in enumerate(stretches(len(order))):
        chosen = order[first:end]
        one, two = (to_records(each) for each in split(values[chosen], bits))
        mine, theirs = seals["collector"].sealed(first, one), seals["helper"].sealed(first, two)
        sealed, own = np.concatenate([mine, theirs], axis=1), points[chosen]
        if plan.pseudonyms == "commutative":
            own = raised(own, secrets.exponent)
        whole.add(sealed)
        helpers.add(theirs)
        folder.mailbox.put(stream, number, packed(own, sealed), is_last)
        progress("sealing", end, len(order))
    return {
        "header": seals["collector"].header.hex(),
        "rows": whole.rows,
        "sha256": whole.hexdigest(),
        "helper": {
            "header": seals["helper"].header.hex(),
            "rows": helpers.rows,
            "sha256": helpers.hexdigest(),
        },
    }


@dataclass(frozen=True)
class Halves:
    """One side's shares by organisation, and what the owners may be told of having sent."""

    points: dict[str, Bytes]
    words: dict[str, Words]
    receipts: dict[str, dict[str, Any]]


def opened_half(
    link: SecureLink, folder: Folder, key: Any, side: Side, progress: Progress
) -> Halves:
    """Open one side's share of every stream; refuse one that is not what its owner announced."""
    found = Halves({}, {}, {})
    for leg in last_legs(link.plan):
        told, width = folder.noted(f"party-{leg.place}") or {}, link.vector(leg.owner).width
        context, total = share_context(link.plan, leg.owner, side), Sum()
        opening = Opening.of(key, bytes.fromhex(told["header"]), context)
        points, words = Growing(POINT), Growing(WORD_BYTES * width)
        for chunk in folder.mailbox.chunks(stream_to(leg, side)):
            own, sealed = unpacked(chunk.data)
            if link.plan.pseudonyms == "commutative":
                check_points(own)
            numbers = np.arange(total.rows, total.rows + len(own), dtype=np.uint64)
            records = opening.opened(numbers, np.ascontiguousarray(sealed[:, : _half(width)]))
            words.add(records)
            points.add(own)
            total.add(sealed)
            progress("opening", total.rows, told["rows"])
        receipt = {"rows": total.rows, "sha256": total.hexdigest()}
        if receipt != {name: told[name] for name in receipt}:
            raise altered()
        found.points[leg.owner] = points.whole()
        found.words[leg.owner] = from_records(words.whole(), width)
        found.receipts[leg.owner] = receipt
    return found


def helpers_half(link: SecureLink, folder: Folder, leg: Leg, start: int) -> Iterator[Chunk]:
    """The chunks of a stream as the collector sends them on: without its own share."""
    half = _half(link.vector(leg.owner).width)
    for chunk in folder.mailbox.chunks(leg.stream):
        if chunk.number < start:
            continue
        points, sealed = unpacked(chunk.data)
        data = packed(points, np.ascontiguousarray(sealed[:, half:]))
        yield Chunk(chunk.number, data, chunk.last)


def stream_to(leg: Leg, side: Side) -> str:
    """The stream in which a side gets an organisation's shares."""
    return leg.stream if side == "collector" else f"helper-{leg.place}"


def share_context(plan: LinkPlan, name: str, side: Side) -> bytes:
    """What a sealed share is bound to: the session, the plan, its sender and whom it is for."""
    return seal_context(plan, name) + b"\n" + side.encode()


def _half(width: int) -> int:
    return WORD_BYTES * width + TAG
