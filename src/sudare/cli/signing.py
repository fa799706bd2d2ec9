"""The key that signs what a command writes, looked for before anything is charged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudare.cli import console

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.publish.certifying import SigningKey


def ready_to_sign(language: Code) -> None:
    """Make the key if there is none, and say so; refused where none can be made, since a
    certificate cannot be written without it."""
    from sudare.publish.certifying import steward_key

    say_if_new(steward_key(), language)


def say_if_new(key: SigningKey, language: Code) -> None:
    from sudare.report.verified import said

    if key.is_new:
        console.say(said("key_made", language, path=key.place, fingerprint=key.fingerprint))
