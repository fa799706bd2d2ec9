"""The certificate: one envelope for what every job releases.

Claim    Two certificates whose files have different bytes state something different, or one of
         them is not read: a file is read only if it is, byte for byte, the one way in which what
         it states is written.
Rule     `to_text` writes the envelope's keys in one order, all keys below them sorted; `from_text`
         parses, writes again and compares. What is signed is `signed_bytes`: everything but the
         signature, as compact JSON with sorted keys, behind a label that no other use has.
Needs    a signature and its check (wires/signing.py), and digests of the files (publish).
Gaps     none known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sudare.facts.errors import VerificationFailed
from sudare.facts.reading import read_json

FORMAT = 1
ENDING = "certificate.json"
_LABEL = b"sudare certificate 1\n"
_KEYS = (
    "format", "job", "created", "guarantee", "provenance", "files", "body", "signer", "signature",
)  # fmt: skip
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")

_RELEASE = ("id", "table", "asked", "spent", "left", "not_covered", "sha256")
_LINK = (
    "job", "session", "rows", "warnings", "pseudonyms", "collector", "sha256", "parties",
)  # fmt: skip


@dataclass(frozen=True)
class Form:
    """What the body of a job's certificate holds. `is_release`: all that is stated follows from the
    bytes that a ledger keeps of the release."""

    keys: tuple[str, ...]
    optional: tuple[str, ...] = ()
    is_release: bool = False


# Every job that writes a certificate.
JOBS: Mapping[str, Form] = MappingProxyType(
    {
        "ask": Form(_RELEASE, is_release=True),
        "tabulate": Form(_RELEASE, is_release=True),
        "aggregate": Form(_RELEASE, is_release=True),
        "randomize": Form((*_RELEASE, "file"), is_release=True),
        "statistics": Form(("table", "origin", "rows", "columns", "two_way_tables")),
        "synthesize": Form(
            (
                "table",
                "rows",
                "origin",
                "mode",
                "preserve",
                "used",
                "marginals",
                "correlations",
                "drawn",
                "before",
                "after",
                "rounded",
                "two_way",
                "two_way_of",
                "rules",
                "clashes",
                "exclusive",
                "proposals",
                "closeness",
                "nearness",
                "recovered",
                "lost",
                "panel",
            )
        ),
        "suppress": Form(("records", "verified", "promise", "not_promised")),
        "anonymize": Form(("published", "quasi", "sensitive", "not_promised")),
        "link": Form(_LINK, ("account", "dummies", "k", "helper", "dealer")),
    }
)


@dataclass(frozen=True)
class Sealed:
    """A file as the certificate knows it."""

    sha256: str
    bytes: int

    def to_dict(self) -> dict[str, Any]:
        return {"sha256": self.sha256, "bytes": self.bytes}


@dataclass(frozen=True)
class Statement:
    """What a job says of its release. `guarantee` is None where nothing is promised."""

    job: str
    created: str
    guarantee: Mapping[str, Any] | None
    provenance: Mapping[str, Any]
    body: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as they are read back from a file."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain: dict[str, Any] = read_json(json.dumps(told, allow_nan=False))
        return plain


@dataclass(frozen=True)
class Certificate:
    """A statement bound to files, by a signer. `signer` is the public key itself, in hexadecimal:
    no shorter name stands between a reader and the key."""

    statement: Statement
    files: Mapping[str, Sealed]
    signer: str
    signature: str

    def to_dict(self) -> dict[str, Any]:
        files = {name: each.to_dict() for name, each in self.files.items()}
        told = {"format": FORMAT, **self.statement.to_dict(), "files": files}
        told |= {"signer": self.signer, "signature": self.signature}
        return {key: _in_order(told[key]) for key in _KEYS}

    def to_text(self) -> str:
        """The file, in the only way it is written."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"

    def signed_bytes(self) -> bytes:
        """What the signature is over."""
        told = self.to_dict()
        del told["signature"]
        return _LABEL + canonical(told)

    @staticmethod
    def from_text(raw: bytes, place: Path) -> Certificate:
        """The certificate of a file, or VerificationFailed."""
        try:
            text = raw.decode("utf-8")
            found = _read(read_json(text))
            if found.to_text() == text:
                return found
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            pass
        raise VerificationFailed(
            f"{place} is not a sudare certificate, or it was changed.",
            "Ask its sender for it again.",
            place=place,
        )


def canonical(value: object) -> bytes:
    """The one way in which a plain value is written to be signed or compared."""
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def beside(path: Path) -> Path:
    """Where the certificate of a released file is written."""
    return path.with_name(f"{path.stem}.{ENDING}")


def _in_order(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _in_order(value[key]) for key in sorted(value)}
    return [_in_order(each) for each in value] if isinstance(value, list) else value


def _read(told: dict[str, Any]) -> Certificate:
    _check_keys(told, _KEYS)
    form = JOBS[told["job"]]
    _check_keys(told["body"], form.keys, form.optional)
    if told["format"] != FORMAT or type(told["format"]) is not int:
        raise ValueError
    for key, pattern in (("created", _TIME), ("signer", _DIGEST), ("signature", _SIGNATURE)):
        if not pattern.fullmatch(told[key]):
            raise ValueError
    if not isinstance(told["provenance"], dict) or not isinstance(told["guarantee"], dict | None):
        raise ValueError
    statement = Statement(
        told["job"], told["created"], told["guarantee"], told["provenance"], told["body"]
    )
    files = {name: _sealed(name, each) for name, each in told["files"].items()}
    return Certificate(statement, files, told["signer"], told["signature"])


def _sealed(name: str, told: dict[str, Any]) -> Sealed:
    _check_keys(told, ("sha256", "bytes"))
    size = told["bytes"]
    # A file lies beside its certificate: no name leads elsewhere.
    if name in ("", ".", "..") or any(sign in name for sign in "/\\\0"):
        raise ValueError
    if not _DIGEST.fullmatch(told["sha256"]) or type(size) is not int or size < 0:
        raise ValueError
    return Sealed(told["sha256"], size)


def _check_keys(
    told: Mapping[str, Any], keys: tuple[str, ...], optional: tuple[str, ...] = ()
) -> None:
    if not set(keys) <= set(told) or set(told) - set(keys) - set(optional):
        raise ValueError
