"""What checking a certificate found, as codes; `report` has the words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# What makes a check fail. Everything else that is found changes nothing.
FAULTS = frozenset(
    {
        "form",
        "signature",
        "uncertified",
        "changed",
        "another-key",
        "ledger-broken",
        "stranger",
        "no-release",
        "differs",
    }
)
KINDS = FAULTS | {
    "signed",
    "same",
    "absent",
    "unbound",
    "pinned",
    "known",
    "agrees",
    "words",
    "brought",
    "nobody",
    "no-ledger",
}


@dataclass(frozen=True)
class Finding:
    """One line: which file, what was found, and what fills the gaps of its words."""

    file: str
    code: str
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_fault(self) -> bool:
        return self.code in FAULTS

    def to_dict(self) -> dict[str, Any]:
        return {
            "file": self.file, "code": self.code, "fault": self.is_fault, **dict(self.words)
        }  # fmt: skip


@dataclass(frozen=True)
class Checked:
    """All that was found."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        return not any(each.is_fault for each in self.findings)

    @property
    def is_vouched(self) -> bool:
        """Whether the ledger or a key that was named says who signed, everywhere."""
        return self.ok and not any(each.code == "nobody" for each in self.findings)

    @property
    def is_complete(self) -> bool:
        """Whether every certified file was there, and every file that was there is certified."""
        return not any(each.code in ("absent", "unbound") for each in self.findings)

    def to_dict(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "vouched": self.is_vouched,
            "complete": self.is_complete,
            "findings": [each.to_dict() for each in self.findings],
        }
