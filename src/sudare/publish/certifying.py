"""Certificates signed: what a job states, the files beside it, the steward's key.

The key is found, or made, before anything is charged; the certificate is signed last, when every
file that it binds is written. A ledger that was charged learns who signs before the signature is
made, so no certificate is out whose signer its ledger does not know.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from sudare.facts.certificate import Certificate, Sealed, Statement
from sudare.facts.errors import UsageError
from sudare.ledger.ledger import Ledger
from sudare.publish.charging import KEY_VARIABLE, second_place
from sudare.publish.outputs import OutputSet
from sudare.wires.files import write_durably
from sudare.wires.signing import SigningKey, find_key

__all__ = [
    "SigningKey", "certified", "certify", "created_now", "sealed", "stage_certificate",
    "steward_key",
]  # fmt: skip


def steward_key() -> SigningKey:
    """The key that signs here, made at first use."""
    return find_key(key_place())


def key_place() -> Path:
    """Where the steward's key lies, or will."""
    if named := os.environ.get(KEY_VARIABLE):
        return Path(named)
    if named := os.environ.get("XDG_DATA_HOME"):
        return Path(named) / "sudare" / "steward.key"
    try:
        return Path.home() / ".local" / "share" / "sudare" / "steward.key"
    except RuntimeError:
        raise UsageError(
            "There is no home to keep a signing key in.",
            f"Name a place for it with {KEY_VARIABLE}.",
        ) from None


def created_now() -> str:
    """The time of a certificate whose job keeps none."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def sealed(path: Path) -> Sealed:
    """A written file as a certificate names it."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Sealed(digest, file.tell())


def certified(
    statement: Statement, files: Mapping[str, Sealed], ledger: str | Path | None = None
) -> Certificate:
    """What is stated, bound to the files and signed; `ledger` is the one that was charged."""
    key = steward_key()
    if ledger is not None:
        with Ledger.open(ledger, second=second_place()) as books:
            books.add_signer(key.fingerprint)
    unsigned = Certificate(statement, dict(files), key.fingerprint, "")
    return Certificate(statement, dict(files), key.fingerprint, key.sign(unsigned.signed_bytes()))


def stage_certificate(
    files: OutputSet,
    name: Path,
    statement: Statement,
    ledger: str | Path | None = None,
    *,
    besides: Iterable[Path] = (),
    private: Iterable[Path] = (),
) -> None:
    """Stage the certificate of a set, the last of its files: it binds all that are staged, but for
    those that are private to whoever runs the job, and what lies `besides` in the folder."""
    left_out = {name, *private}
    staged = [each for each in files.names if each not in left_out and files.place(each).exists()]
    bound = {each.name: sealed(files.place(each)) for each in staged}
    bound |= {each.name: sealed(each) for each in besides}
    files.write(name, certified(statement, bound, ledger).to_text())


def certify(
    statement: Statement, target: Path, paths: Iterable[Path], ledger: str | Path | None = None
) -> None:
    """Write the certificate of files that stand there already."""
    bound = {path.name: sealed(path) for path in paths}
    write_durably(target, certified(statement, bound, ledger).to_text().encode(), 0o644)
