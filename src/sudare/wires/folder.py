"""A party's folder of one session: secrets, notes, mailbox and log, and their deletion.

Claim    what `keep` and `note` were given is there after a crash, whole; after `forget_secrets`
         the files are overwritten and gone, also those that a crash left half written.
Needs    one process at a time, which `locked` sees to; its threads may share it.
Gaps     as in `files`: what a journal, a snapshot or a solid-state disk keeps is out of reach.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from sudare.facts.errors import LinkRefused, UsageError
from sudare.facts.reading import read_json
from sudare.wires.entries import drop_torn_line, read_entries
from sudare.wires.files import PART, private_folder, sync_folder, write_durably
from sudare.wires.identity import Identity
from sudare.wires.log import COUNTERSIGNED, Log
from sudare.wires.mailbox import Mailbox

_SECRET, _LOG, _LOCK, _MAIL = ".secret", "log.jsonl", "lock", "mail"
# The secret that a collector has before anybody comes.
SESSION_KEY = "session-key"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Nobody else works in the folder meanwhile; a process that was killed holds it no longer."""
    opened = os.open(private_folder(path) / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _taken(opened):
            raise UsageError(
                f"Another process works on the session in {path}.",
                "Wait until it ends; started again, the session goes on where it was.",
                place=path,
            )
        yield
    finally:
        os.close(opened)


class Folder:
    """Everything that one party keeps of one session while it lasts."""

    def __init__(self, path: Path, identity: Identity, plan_digest: str) -> None:
        self.path, self.identity = private_folder(path), identity
        for part in path.glob("*" + PART):
            _overwrite(part)
        self.log = Log(path / _LOG, identity.name, plan_digest)
        self.mailbox = Mailbox(path / _MAIL)
        # The server's threads may say again what another thread is just writing down.
        self._lock = RLock()

    @staticmethod
    def is_begun(path: Path, owner: str, plan_digest: str) -> bool:
        """Whether this plan's session was ever begun there. Of one that another plan began under
        the same name, and in which nothing had happened yet, nothing is left; any other is refused.
        """
        if not (path / _LOG).exists():
            return False
        drop_torn_line(path / _LOG)
        entries = read_entries(path / _LOG)
        if not entries or entries[0]["facts"].get("owner") != owner:
            return True
        if entries[0]["facts"].get("plan") == plan_digest:
            return True
        if len(entries) > 1 or _has_more(path):
            raise LinkRefused(
                f"The folder {path} holds a session of this name under another plan.",
                "Put that plan back to go on with it, or give the new plan a new session name in "
                "link.toml on all sides.",
                "plan",
                place=path,
            )
        for left in (*path.glob("*" + _SECRET), path / _LOG):
            _overwrite(left)
        sync_folder(path)
        return False

    @property
    def log_path(self) -> Path:
        return self.path / _LOG

    def keep(self, name: str, secret: bytes) -> bytes:
        """Keep a secret under a name; what was kept first stays, and is returned."""
        path = self.path / (name + _SECRET)
        with self._lock:
            if not path.exists():
                write_durably(path, secret)
            return path.read_bytes()

    def secret(self, name: str) -> bytes | None:
        path = self.path / (name + _SECRET)
        return path.read_bytes() if path.exists() else None

    def forget_secrets(self) -> None:
        """Overwrite and delete them all; fine if they are gone."""
        with self._lock:
            for path in self.path.glob("*" + _SECRET):
                _overwrite(path)
            sync_folder(self.path)

    def note(self, name: str, facts: dict[str, Any]) -> None:
        """Keep facts that are no secret, once; the same again is fine."""
        with self._lock:
            known = self.noted(name)
            if known is None:
                text = json.dumps(facts, ensure_ascii=False, sort_keys=True)
                write_durably(self.path / f"{name}.json", text.encode())
            elif known != facts:
                raise LinkRefused(
                    "A party said something else than it had said before.",
                    "A session sends one thing once: give a new run a new session name in "
                    "link.toml.",
                    "replay",
                )

    def noted(self, name: str) -> dict[str, Any] | None:
        path = self.path / f"{name}.json"
        return read_json(path.read_bytes()) if path.exists() else None

    def has_logged(self, kind: str, **facts: Any) -> bool:
        """Whether the log has an entry of this kind with these facts."""
        return self.head_after(kind, **facts) is not None

    def head_after(self, kind: str, **facts: Any) -> str | None:
        """The head of the log after its first entry of this kind with these facts."""
        for entry in self.log.entries():
            if entry["kind"] == kind and facts.items() <= entry["facts"].items():
                return str(entry["hash"])
        return None

    def log_once(self, kind: str, **facts: Any) -> None:
        """An entry that a run that was cut off may have written already."""
        with self._lock:
            if not self.has_logged(kind, **facts):
                self.log.append(kind, facts)

    def sign_once(self, certificate_pem: bytes, head: str, signature: str) -> None:
        """Keep another party's signature over a head of the log, if it holds; one for each."""
        by = self.identity.vouched(certificate_pem)
        with self._lock:
            if not self.has_logged(COUNTERSIGNED, by=by, head=head):
                self.log.add_countersignature(self.identity, certificate_pem, head, signature)


def _has_more(path: Path) -> bool:
    """Whether anything was drawn, noted or sent: more than a log, a lock, an empty mailbox, and the
    key that a collector offers from the start."""
    known = {_LOG, _LOCK, _MAIL, SESSION_KEY + _SECRET}
    mail = path / _MAIL
    has_mail = mail.exists() and any(mail.iterdir())
    return has_mail or any(each.name not in known for each in path.iterdir())


def _taken(opened: int) -> bool:
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False


def _overwrite(path: Path) -> None:
    """Zeros where the content was, on the disk. The old name goes first: whoever comes after a
    crash shall not take zeros for a secret."""
    if not path.name.endswith(PART):
        path = path.rename(path.with_name(path.name + PART))
        sync_folder(path.parent)
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))
        file.flush()
        os.fsync(file.fileno())
    path.unlink()
