"""What the certificate of a join states."""

from __future__ import annotations

from typing import Any

from sudare.facts.certificate import Statement

_PROMISED = ("epsilon", "neighbours", "costs", "guarantee")
_COMES_FROM = ("plan_sha256", "log_head", "software")


def statement(told: dict[str, Any]) -> Statement:
    """All that the collector may publish of a session; no key, no value."""
    apart = {*_PROMISED, *_COMES_FROM, "created"}
    return Statement(
        "link",
        told["created"],
        {key: told[key] for key in _PROMISED if key in told},
        {key: told[key] for key in _COMES_FROM},
        {key: value for key, value in told.items() if key not in apart},
    )
