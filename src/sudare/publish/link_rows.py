"""An organisation's rows made ready to leave: paid for, randomised, permuted, sealed, blinded.

Claim    what leaves is drawn once: chunks are on the disk, and the ledger has the release, before
         the first of them is sent; a run that was cut off sends the same bytes again, or none.
Order    reserve → read and randomise → permute → keep one row a key → seal and raise → disk →
         commit. The permutation and the randomised rows are in memory alone; on the disk lie
         sealed rows, which their own sender cannot open.
Needs    rows whose order the engine did not choose by their values; the permutation sees to that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.engines.linked import keyed_reports, record_width, records
from sudare.engines.open import open_source
from sudare.facts.cost import Cost
from sudare.facts.engine import EngineChoice
from sudare.facts.errors import LinkRefused, RunUnfinished, SudareError
from sudare.facts.link_plan import LinkPlan
from sudare.ledger.charge import StoredRelease
from sudare.link.compile import LinkJob
from sudare.link.dummies import dummy_columns
from sudare.link.gathering import Growing, Places, leaving
from sudare.link.normalizing import normalize
from sudare.link.packets import POINT, Sum, packed, stretches
from sudare.link.pseudonyms import hashed, raised
from sudare.link.ring import laid_stream
from sudare.link.salting import salted
from sudare.link.sealing import Seal
from sudare.local.randomizer import Randomizer
from sudare.publish.charging import open_ledger
from sudare.publish.link_files import session_bytes
from sudare.publish.recording import charge_for, found_at, release_for, source_facts
from sudare.randomness.bits import SystemBits, run_key
from sudare.randomness.keys import new_private_key
from sudare.wires.folder import Folder

Bytes = NDArray[np.uint8]
# What is being done, how far it is, and of how much (None: not known).
Progress = Callable[[str, int, int | None], None]
PREPARED = "prepared"
# Rows read, without a usable key, and with the key of another row: told to nobody else.
OWN = "own"


@dataclass(frozen=True)
class Secrets:
    """What pseudonyms are made with: an exponent, or the shared salt. Keys of dummies, where the
    plan has them."""

    exponent: bytes
    dummies: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Rows:
    """Where an organisation's rows come from, and which ledger pays."""

    data: object
    ledger: str | Path
    engine: EngineChoice


def prepare(
    rows: Rows,
    job: LinkJob,
    folder: Folder,
    secrets: Secrets,
    collector_key: Any,
    progress: Progress,
) -> dict[str, Any]:
    """Charge, and lay the own stream into the mailbox; what is announced of it."""
    name = folder.identity.name

    def laid(source: Any) -> dict[str, Any]:
        read = _read(source, job, folder, secrets, progress)
        return _laid(job, folder, secrets, collector_key, *read, progress)

    def described(told: dict[str, Any]) -> dict[str, Any]:
        return {
            "facts": job.party_facts(name).to_dict(),
            "rows": told["rows"],
            "sha256": told["sha256"],
            "statistics": list(job.jobs[name].statistics),
            "considered": job.jobs[name].reasons(),
            "shuffle": None,
        }

    columns = list(job.party_facts(name).domains)
    return paid(rows, job.plan, folder, job.cost(name), columns, laid, described)


def paid(
    rows: Rows,
    plan: LinkPlan,
    folder: Folder,
    cost: Cost,
    columns: list[str],
    laid: Callable[[Any], dict[str, Any]],
    described: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Reserve, have the rows of a source laid out, commit; what `laid` told, with what was spent.
    What was paid for once is not made again: it lies in the folder, or nowhere."""
    name = folder.identity.name
    schema, noted = plan.party(name).schema, folder.noted(PREPARED)
    key = f"link {plan.session} {name}"
    charge = charge_for(rows.data, schema, cost, plan.digest(), "link", None, key)
    wanted = [*(key.column for key in plan.party(name).key), *columns]
    with (
        open_source(rows.data, schema, list(dict.fromkeys(wanted)), rows.engine) as source,
        open_ledger(rows.ledger, schema) as books,
    ):
        try:
            reserved = books.reserve(found_at(charge, source))
        except RunUnfinished:
            # Rows may have been drawn, and are not drawn twice for one charge.
            raise LinkRefused(
                "This party was cut off after it had paid and before its rows were laid down.",
                "What was charged stays charged. Begin again with another session name in "
                "link.toml on all sides.",
                "cut-off",
            ) from None
        if isinstance(reserved, StoredRelease):
            if noted is not None:
                return noted
            raise LinkRefused(
                "The rows of this session were made once, and are not in this folder.",
                "Name the folder that the first run used with --folder. If it is lost, begin a new "
                "session: rows are not drawn twice for one charge.",
                "folder-lost",
            )
        try:
            told = laid(source)
        except SudareError as error:
            error.hint += " What was charged stays charged."
            raise
        release = release_for(
            schema,
            charge,
            "laplace" if described is None else "local",
            reserved,
            books,
            source_facts(rows.data, rows.engine),
            randomized=None if described is None else described(told),
        )
        told |= {"release": release.id, "spent": release.spent}
        folder.note(PREPARED, told)
        books.commit(reserved, release.to_bytes())
    return told


def _read(
    source: Any, job: LinkJob, folder: Folder, secrets: Secrets, progress: Progress
) -> tuple[Bytes, Bytes, Places]:
    """Points (or salted keys), randomised records, and which rows leave in which order: permuted,
    one row a key. What became of the rows is noted for their owner alone."""
    name = folder.identity.name
    facts, bits = job.party_facts(name), SystemBits()
    randomizer = Randomizer(facts)
    columns, rules = zip(*((k.column, k.rule) for k in job.plan.party(name).key), strict=True)
    points, reports = Growing(POINT), Growing(record_width(facts, randomizer))
    done, unusable, total = 0, 0, job.plan.party(name).schema.table.public_rows
    for texts, made in keyed_reports(source, list(columns), facts, randomizer, run_key(bits)):
        keys = normalize(texts, list(rules))
        usable = [place for place, key in enumerate(keys) if key is not None]
        points.add(pseudonyms(job.plan, [keys[place] or b"" for place in usable], secrets))
        reports.add(made[usable])
        done, unusable = done + len(keys), unusable + len(keys) - len(usable)
        progress("reading", done, total)
    if secrets.dummies:
        points.add(pseudonyms(job.plan, list(secrets.dummies), secrets))
        count = len(secrets.dummies)
        reports.add(records(randomizer(dummy_columns(facts, count, bits), count), count))
    every = points.whole()
    order = leaving(every, bits)
    note_own(folder, source, done, unusable, len(every) - len(order))
    return every, reports.whole(), order[: job.plan.max_rows]


def note_own(folder: Folder, source: Any, done: int, unusable: int, repeated: int) -> None:
    """What became of the rows, for their owner alone. What the bound on a unit's rows leaves out
    never comes here; the file's own length tells."""
    read = max(done, source.most_rows or done)
    own = {"read": read, "unusable": unusable, "repeated": repeated, "bounded": read - done}
    folder.note(OWN, own)


def pseudonyms(plan: LinkPlan, keys: list[bytes], secrets: Secrets) -> Bytes:
    """Salted keys, or points that are still to be raised: equal keys are equal in both."""
    if plan.pseudonyms == "salt":
        return salted(keys, secrets.exponent, session_bytes(plan))
    return hashed(keys, session_bytes(plan))


def _laid(
    job: LinkJob,
    folder: Folder,
    secrets: Secrets,
    collector_key: Any,
    points: Bytes,
    reports: Bytes,
    order: Places,
    progress: Progress,
) -> dict[str, Any]:
    """Seal and raise chunk by chunk, onto the disk."""
    plan, name = job.plan, folder.identity.name
    stream, total = laid_stream(plan, name), Sum()
    seal = Seal.to(collector_key, seal_context(plan, name), new_private_key())
    for number, (first, end, is_last) in enumerate(stretches(len(order))):
        chosen = order[first:end]
        own, sealed = points[chosen], seal.sealed(first, reports[chosen])
        if plan.pseudonyms == "commutative":
            own = raised(own, secrets.exponent)
        total.add(sealed)
        folder.mailbox.put(stream, number, packed(own, sealed), is_last)
        progress("sealing", end, len(order))
    return {
        "header": seal.header.hex(),
        "rows": total.rows,
        "width": int(reports.shape[1]),
        "sha256": total.hexdigest(),
    }


def seal_context(plan: LinkPlan, name: str) -> bytes:
    """What a sealed row is bound to: the session, the plan and its sender."""
    return session_bytes(plan) + b"\n" + name.encode()
