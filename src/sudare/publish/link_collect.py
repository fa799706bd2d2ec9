"""The collector's part in a join: take everybody's sealed rows, join them by pseudonym, permute
them, write the file; sign and be signed; delete; account for what is seen.

Order    all streams complete → open, join, permute, write without a name → "collected" → every
         party has signed and deleted → delete rows, pseudonyms and the session's key → all files
         get their names, the certificate and the report with them → the parts go → "finished".
Claim    each step is on the disk before the next begins; a collector that was cut off goes on at
         the step it had reached.
Needs    parties that are alive say so by asking for the state of the session.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from sudare.facts.errors import LinkRefused, SudareError, TurnedAway, Unreachable, UsageError
from sudare.facts.link_plan import LinkPlan
from sudare.link.ring import last_legs
from sudare.publish.link_gather import Gathering, ReportsGathering, announced
from sudare.publish.link_rows import Progress
from sudare.publish.link_secure_gather import SecureGathering
from sudare.publish.link_session import Session
from sudare.publish.link_watch import WAITING, code_of, not_heard
from sudare.publish.outputs import Beside, Input, OutputSet, digest_of
from sudare.wires.files import sync_file
from sudare.wires.folder import Folder, locked
from sudare.wires.identity import Identity
from sudare.wires.serving import Post

_PAUSE = 0.05
# How long a finished collector still answers those whose last answer was lost.
_LINGER = 2.0
# How long it waits at most for all to hear how the session ended.
_BREAKING = 10.0
_NOTHING: Beside[dict[str, Any]] = Beside()


def _silent(step: str, done: int, total: int | None) -> None:
    """Nobody is watching."""


@dataclass(frozen=True)
class Collection:
    """How a session is collected: by whom, where it is kept, where the file goes."""

    plan: LinkPlan
    identity: Identity
    folder: Path
    output: Path
    wait: float = 600.0
    progress: Progress = _silent

    @property
    def part(self) -> Path:
        """The file before it has its name."""
        return self.output.with_name(f".{self.output.name}.part")


def collect(
    collection: Collection,
    *,
    inputs: tuple[Input, ...] = (),
    force: bool = False,
    beside: Beside[dict[str, Any]] = _NOTHING,
) -> dict[str, Any]:
    """Run until the joined file is there and everybody has deleted; its certificate."""
    name, digest = collection.identity.name, collection.plan.digest()
    with locked(collection.folder):
        Folder.is_begun(collection.folder, name, digest)
        folder = Folder(collection.folder, collection.identity, digest)
        with OutputSet(
            (collection.output, *beside.names),
            inputs,
            force=force,
            is_again=lambda: folder.noted("result") is not None,
        ) as files:
            beside.begun(files)
            done = folder.noted("finished")
            if done is not None and collection.output.exists():
                _check_unchanged(collection, done)
                _give(collection, done, files, beside)
                return done
            given = partial(_give, collection, files=files, beside=beside)
            return _held(collection, folder, given)


def _held(
    collection: Collection, folder: Folder, give: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """The session, from wherever it was cut off."""
    gathering = _gathering(collection, folder)
    session = Session(collection.plan, folder, gathering)
    try:
        with _post(collection, session, gathering, folder):
            return _attended(_Collector(collection, gathering, folder, session, give), session)
    except SudareError:
        if folder.noted("aborted") is not None:
            _discard(collection, folder)
        raise


def _give(
    collection: Collection,
    told: dict[str, Any],
    files: OutputSet,
    beside: Beside[dict[str, Any]],
) -> None:
    """The files of a certificate get their names with it. They were made long ago, and only here:
    until all names are there they stay where they are."""
    for key in told["sha256"]:
        path, part = _path_of(collection, key), _part_of(collection, key)
        files.add(path)
        files.adopt(path, part if part.exists() else path)
    beside.stage(told, files)
    beside.wrote(files.finish())


def _part_of(collection: Collection, key: str) -> Path:
    part, extra = collection.part, f".{key}" if key else ""
    # Of a secure computation the statistics are the output itself.
    is_output = bool(key) and collection.output.name.endswith(extra)
    return part if is_output else part.with_name(part.name + extra)


def _path_of(collection: Collection, key: str) -> Path:
    """joined.parquet, and for other classes joined.<class>.parquet."""
    output, made = collection.output, _part_of(collection, key)
    if made == collection.part:
        return output
    extra = made.name.removeprefix(collection.part.name)
    suffix = "" if extra.endswith(".json") else output.suffix
    return output.with_name(f"{output.stem}{extra}{suffix}")


def _check_unchanged(collection: Collection, done: dict[str, Any]) -> None:
    """The files of an earlier run must still be those that its certificate speaks of."""
    for key, digest in done["sha256"].items():
        path = _path_of(collection, key)
        if not path.exists() or digest_of(path) != digest:
            raise LinkRefused(
                f"{path} is not the file that this session wrote.",
                "The session has ended and is not run again. Put the file back, or hold a new "
                "session under a new name.",
                "changed",
                place=path,
            )


def has_finished(collection: Collection) -> bool:
    """Whether an earlier run has done everything, so that `collect` only tells it again."""
    return (collection.folder / "finished.json").exists() and collection.output.exists()


def _gathering(collection: Collection, folder: Folder) -> Gathering:
    plan = collection.plan
    if plan.job == "secure":
        return SecureGathering.of(plan, collection.identity, folder, collection.wait)
    return ReportsGathering.of(plan)


def _post(collection: Collection, session: Session, gathering: Gathering, folder: Folder) -> Post:
    plan = collection.plan
    return Post(
        collection.identity,
        plan.collector_address,
        plan.digest(),
        plan.callers,
        folder.mailbox,
        session.actions(),
        {leg.stream: leg.sender for leg in last_legs(plan)} | gathering.senders,
        {},
        session.turned_away,
    )


def _attended(collector: _Collector, session: Session) -> dict[str, Any]:
    """Run, and stay until the others know how it ended."""
    try:
        told = collector.run()
        sleep(_LINGER)
        return told
    except TurnedAway:
        _stay_until(session.others_know)
        raise
    except Unreachable:
        # So that the others hear who is missing, and do not take this side for it.
        sleep(_LINGER)
        raise
    except SudareError as error:
        session.abort(collector.name, code_of(error))
        _stay_until(session.everybody_knows)
        raise


def _stay_until(is_known: Callable[[], bool]) -> None:
    ends = monotonic() + _BREAKING
    while not is_known() and monotonic() < ends:
        sleep(_PAUSE)


def _discard(collection: Collection, folder: Folder) -> None:
    """Nothing of a session that was given up stays, but its log."""
    folder.mailbox.forget()
    folder.forget_secrets()
    for made in _made(collection):
        made.unlink()
    folder.log_once("deleted", rows=True, pseudonyms=True, key=True)


def _made(collection: Collection) -> list[Path]:
    return sorted(collection.part.parent.glob(f"{collection.part.name}*"))


class _Collector:
    """One run of the collector."""

    def __init__(
        self,
        collection: Collection,
        gathering: Gathering,
        folder: Folder,
        session: Session,
        give: Callable[[dict[str, Any]], None],
    ) -> None:
        self._asked, self._gathering, self._give = collection, gathering, give
        self._folder, self._session = folder, session
        self._plan, self.name = collection.plan, collection.identity.name

    def run(self) -> dict[str, Any]:
        if self._session.state == WAITING:
            self._until(self._is_complete, "receiving", self._received)
            self._gather()
        if self._folder.noted("result") is None:
            self._until(self._is_deleted, "deleting", self._deletions)
        told = self._finish()
        self._session.finished()
        return told

    def _gather(self) -> None:
        """From sealed rows to a file without a name."""
        noted = self._gathering.gather(
            self._folder, self._session.key, self._asked.part, self._waited, self._asked.progress
        )
        for made in _made(self._asked):
            # The others delete once this is noted, so it must survive whatever happens next.
            sync_file(made)
        self._session.collected({**noted, "head": self._folder.log.head})

    def _finish(self) -> dict[str, Any]:
        """Delete, certify, and give the file its name."""
        folder, output = self._folder, self._asked.output
        folder.mailbox.forget()
        folder.forget_secrets()
        folder.log_once("deleted", rows=True, pseudonyms=True, key=True)
        if not self._asked.part.exists() and not output.exists():
            raise UsageError(
                f"The joined rows were not written beside {output}.",
                "Name the same file with --output as the first run did.",
                place=output,
            )
        told = folder.noted("result") or self._certified()
        folder.note("result", told)
        self._give(told)
        for made in _made(self._asked):
            made.unlink()
        folder.note("finished", told)
        return told

    def _certified(self) -> dict[str, Any]:
        folder, plan = self._folder, self._plan
        statements = {name: self._session.statement(name) for name in plan.members}
        return self._gathering.certify(
            folder.noted("collected") or {},
            announced(plan, folder),
            statements,
            folder,
            self._asked.part,
        )

    def _until(
        self,
        is_there: Callable[[], bool],
        step: str,
        progress: Callable[[], tuple[int, int | None]],
    ) -> None:
        """Wait; raise what ended the session, or the names of those who were not heard of."""
        while not is_there():
            self._asked.progress(step, *progress())
            self._look()
            sleep(_PAUSE)

    def _waited(self, is_there: Callable[[], bool]) -> None:
        """Wait without a word; raise as `_until` does."""
        while not is_there():
            self._look()
            sleep(_PAUSE)

    def _look(self) -> None:
        self._session.check()
        if silent := self._session.silent(self._asked.wait):
            raise not_heard(silent)

    def _is_complete(self) -> bool:
        return all(
            self._folder.mailbox.is_complete(leg.stream) for leg in last_legs(self._plan)
        ) and all(
            self._folder.noted(f"party-{place}") is not None
            for place in range(len(self._plan.names))
        )

    def _received(self) -> tuple[int, int | None]:
        held = sum(self._folder.mailbox.held(leg.stream) for leg in last_legs(self._plan))
        return held, None

    def _is_deleted(self) -> bool:
        return all(self._session.has_left(name) for name in self._plan.members)

    def _deletions(self) -> tuple[int, int | None]:
        return sum(map(self._session.has_left, self._plan.members)), len(self._plan.members)
