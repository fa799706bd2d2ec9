"""A party's folder of one session: secrets, notes, mailbox and log, and their deletion.

Claim    what `keep` and `note` were given is there after a crash, whole; after `forget_secrets`
         the files are overwritten and gone.
Gaps     as in `files`: what a journal, a snapshot or a solid-state disk keeps is out of reach.
"""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock
from typing import Any

from sudare.facts.errors import LinkRefused
from sudare.wires.entries import read_entries
from sudare.wires.files import private_folder, sync_folder, write_durably
from sudare.wires.identity import Identity
from sudare.wires.log import Log
from sudare.wires.mailbox import Mailbox

_SECRET, _LOG = ".secret", "log.jsonl"


class Folder:
    """Everything that one party keeps of one session while it lasts."""

    def __init__(self, path: Path, identity: Identity, plan_digest: str) -> None:
        self.path, self.identity = private_folder(path), identity
        self.log = Log(path / _LOG, identity.name, plan_digest)
        self.mailbox = Mailbox(path / "mail")
        self._lock = Lock()

    @property
    def log_path(self) -> Path:
        return self.path / _LOG

    def keep(self, name: str, secret: bytes) -> bytes:
        """Keep a secret under a name; what was kept first stays, and is returned."""
        path = self.path / (name + _SECRET)
        # The server's threads may be asked for what the main thread is just drawing.
        with self._lock:
            if not path.exists():
                write_durably(path, secret)
            return path.read_bytes()

    def secret(self, name: str) -> bytes | None:
        path = self.path / (name + _SECRET)
        return path.read_bytes() if path.exists() else None

    def forget_secrets(self) -> None:
        """Overwrite and delete them all; fine if they are gone."""
        for path in self.path.glob("*" + _SECRET):
            write_durably(path, bytes(path.stat().st_size))
            path.unlink()
        sync_folder(self.path)

    def note(self, name: str, facts: dict[str, Any]) -> None:
        """Keep facts that are no secret, once; the same again is fine."""
        if self.noted(name) is None:
            text = json.dumps(facts, ensure_ascii=False, sort_keys=True)
            write_durably(self.path / f"{name}.json", text.encode())
        elif self.noted(name) != facts:
            raise LinkRefused(
                "A party said something else than it had said before.",
                "A session sends one thing once: give a new run a new session name in link.toml.",
                "replay",
            )

    def noted(self, name: str) -> dict[str, Any] | None:
        path = self.path / f"{name}.json"
        return json.loads(path.read_bytes()) if path.exists() else None

    def has_logged(self, kind: str, **facts: Any) -> bool:
        """Whether the log has an entry of this kind with these facts."""
        return any(
            entry["kind"] == kind and facts.items() <= entry["facts"].items()
            for entry in read_entries(self.log_path)
        )

    def log_once(self, kind: str, **facts: Any) -> None:
        """An entry that a run that was cut off may have written already."""
        if not self.has_logged(kind, **facts):
            self.log.append(kind, facts)
