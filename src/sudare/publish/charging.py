"""The ledger opened to be charged, with this machine's second place beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sudare.facts.schema import Schema
from sudare.ledger.ledger import Ledger
from sudare.ledger.second_place import SecondPlace
from sudare.randomness.bits import SystemBits

# Names another folder for the second place; by default it is where programs keep their state.
VARIABLE = "SUDARE_STATE"
# Names another file for the key that signs certificates.
KEY_VARIABLE = "SUDARE_KEY"


def open_ledger(ledger: str | Path, schema: Schema) -> Ledger:
    """The ledger of every job that charges; the first charge makes it where it is not there and
    was not there before."""
    return Ledger.to_charge(ledger, schema.table.neighbours, second_place())


@contextmanager
def own_state(folder: Path) -> Iterator[None]:
    """Ledgers of made people are remembered beside them, and go with them, as does the key that
    signs for them; so it is in the processes that are started meanwhile."""
    own = {VARIABLE: str(folder), KEY_VARIABLE: str(folder / "steward.key")}
    before = {name: os.environ.get(name) for name in own}
    os.environ.update(own)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def second_place() -> SecondPlace:
    """Where this machine remembers its ledgers."""
    return SecondPlace(state_folder(), lambda: SystemBits().take(32))


def state_folder() -> Path | None:
    """The folder of the second place; None where this user has no home."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    if named := os.environ.get("XDG_STATE_HOME"):
        return Path(named) / "sudare"
    try:
        return Path.home() / ".local" / "state" / "sudare"
    except RuntimeError:
        return None
