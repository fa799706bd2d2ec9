"""What a ledger says after a fault, by the functions of `sudare ledger`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from faults.scenes import Scene
from sudare.facts.errors import SudareError
from sudare.facts.release import Release
from sudare.ledger.entries import Committed, Reserved
from sudare.ledger.ledger import Ledger
from sudare.publish import books as keepers


@dataclass
class Books:
    """How many charges there are, what was released for them, and what is wrong with the rest."""

    charged: int = 0
    committed: dict[str, bytes] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def releases(self) -> list[Release]:
        return [Release.from_bytes(text) for text in self.committed.values()]


def books_of(scene: Scene, folder: Path) -> Books:
    return Books() if scene.ledger is None else books_of_file(folder / scene.ledger, "people")


def books_of_file(path: Path, dataset: str) -> Books:
    found = Books()
    if not path.exists():
        return found
    try:
        _read(path, dataset, found)
    except SudareError as error:
        found.wrong.append(f"the ledger cannot be read: {error}")
    return found


def _read(path: Path, dataset: str, found: Books) -> None:
    verdict = keepers.verify(path, None)
    if not verdict.ok:
        found.wrong.append(f"the ledger does not verify: {verdict}")
    spent = 0.0
    with Ledger.open(path) as ledger:
        entries = list(ledger.entries())
        reserved = {e.seq: e for e in entries if isinstance(e.body, Reserved)}
        found.charged = len(reserved)
        for entry in entries:
            if isinstance(entry.body, Committed):
                name = reserved[entry.body.reserve].release_id or ""
                found.committed[name] = ledger.find_release(name) or b""
        if reserved:
            spent = ledger.balance(dataset).spent.epsilon
    claimed = sum(release.spent["epsilon"] for release in found.releases())
    if spent < claimed - 1e-9:
        found.wrong.append(f"ε = {spent} is on record and {claimed} was released")
