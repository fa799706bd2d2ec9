"""One case: a command meets a fault at one place, is looked at, is typed again, is looked at again.

Nothing here knows how the product writes. What is looked at is what a user and an auditor have:
what was printed, the files under their final names, and the ledger as `sudare ledger verify` reads
it, beside the second place that this machine keeps.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults.books import Books, books_of
from faults.ground import Command, Ground, Said
from faults.joining import Joining
from faults.mutants import MUTANTS
from faults.scenes import SCENES, Scene
from faults.shim import arm
from faults.whole import not_whole

SAYS_UNFINISHED = "has not finished"
SAYS_THERE = "is there already"
GOOD_CODES = (0, 2, 3, 4, 5)


@dataclass(frozen=True)
class Case:
    """`at` counts from 1; 0 lets nothing fail and lists the places. The scene `link shop` is a
    join in which the shop is hit."""

    scene: str
    mode: str
    at: int
    mutant: str | None = None

    @property
    def is_killed(self) -> bool:
        return self.mode in ("kill", "tear") and self.at > 0

    def spoil(self) -> None:
        if self.mutant is not None:
            MUTANTS[self.mutant]()

    def hit(self, ground: Ground) -> None:
        """In the process that meets the fault, before it begins."""
        self.spoil()
        listed = None if self.at else ground.folder / "places"
        arm(ground.root, self.mode, self.at, listed)


def held(case: Case, folder: Path, identities: Path) -> dict[str, Any]:
    """What is wrong after this case; nothing, if all is well."""
    ground = Ground(folder)
    ground.make()
    told = _joined(case, ground, identities) if case.scene not in SCENES else _typed(case, ground)
    places = [] if case.at else (folder / "places").read_text().splitlines()
    return {"places": places, **told}


def _joined(case: Case, ground: Ground, identities: Path) -> dict[str, Any]:
    who = case.scene.removeprefix("link ")
    ground.enter()
    joining = Joining(ground, identities, who, lambda: case.hit(ground))
    joining.run()
    findings = joining.wrong()
    said = joining.first
    if said is not None and not case.is_killed:
        findings += [f"at first: {each}" for each in _honest(said)]
    again = {name: each.code for name, each in joining.said.items()}
    how = None if said is None else said.code
    return {"findings": findings, "code": how, "again": str(again), "new_key": False}


def _typed(case: Case, ground: Ground) -> dict[str, Any]:
    scene = SCENES[case.scene]
    scene.lay(ground.work)
    given = ground.files()
    first = Command(ground, scene.typed(), lambda: case.hit(ground)).wait()
    seen = ground.copy("seen")
    seen.enter()
    before = books_of(scene, seen.work)
    findings = [f"at first: {each}" for each in _first(case, seen, first, before)]
    again = Command(ground, scene.typed(), case.spoil).wait()
    new_key = again.code == 3 and SAYS_UNFINISHED in again.err
    if new_key:
        findings += _unfinished(before)
        again = Command(ground, scene.typed("another"), case.spoil).wait()
    if scene.ledger is not None and SAYS_THERE in again.err:
        # It never came to the ledger; the next command that does is this one.
        Command(ground, ["ledger", "verify", scene.ledger], case.spoil).wait()
    # To look into the ledger would take away what was left behind.
    left = sorted(ground.files() - given - _expected(scene) - _empty(ground.tmp))
    ground.enter()
    after = books_of(scene, ground.work)
    last = _last(case, ground, again, before, after)
    last += [f"left behind: {left}"] if left else []
    findings += [f"at last: {each}" for each in last]
    said = [first.err, again.err] if findings else []
    ended = {"code": first.code, "again": again.code, "new_key": new_key}
    return {"findings": findings, "said": said, **ended}


def _honest(said: Said) -> list[str]:
    """Whoever is not killed says what happened, and is not at fault."""
    found = []
    if said.code not in GOOD_CODES:
        found.append(f"it ended with {said.code}: {said.err[-300:]}")
    if said.code and "error: " not in said.err:
        found.append("it did not say why it failed")
    return found


def _first(case: Case, ground: Ground, said: Said, books: Books) -> list[str]:
    """What must hold whenever a command was cut off, before anything is set right."""
    scene, found = SCENES[case.scene], list(books.wrong)
    if not case.is_killed:
        found += _honest(said)
    value = said.value()
    shown = None if value is None else value.get("release")
    if shown is not None and shown not in books.committed:
        found.append(f"{shown} was shown and is not in the ledger")
    there = [name for name in scene.files if (ground.work / name).exists()]
    if scene.ledger is not None and there and not books.committed:
        found.append(f"{there} are there and no release is")
    # The main file gets its name last.
    is_promised = said.code == 0 or scene.files[0] in there
    if is_promised and len(there) < len(scene.files):
        found.append(f"it ended with {said.code}, and only {there} are there")
    return found + not_whole(case.scene, ground.work, books.releases())


def _unfinished(books: Books) -> list[str]:
    """A key is closed only where its charge was made and its release was not."""
    if books.charged == 1 and not books.committed:
        return []
    return [f"the key is closed with {books.charged} charges, {len(books.committed)} releases"]


def _last(case: Case, ground: Ground, said: Said, before: Books, after: Books) -> list[str]:
    """What must hold when the command was typed again."""
    scene, found = SCENES[case.scene], list(after.wrong)
    is_there = scene.is_drawn_anew and said.code == 2 and SAYS_THERE in said.err
    if said.code != 0 and not is_there:
        found.append(f"the same key ended with {said.code}: {said.err[-400:]}")
    missing = [name for name in scene.files if not (ground.work / name).exists()]
    if missing:
        found.append(f"{missing} are missing")
    if scene.ledger is not None:
        found += _charges(before, after)
    return found + not_whole(case.scene, ground.work, after.releases())


def _expected(scene: Scene) -> set[str]:
    found = {f"work/{name}" for name in (*scene.files, scene.ledger)}
    # A journal of SQLite's that was cut off before it began to count goes with the next charge.
    kept = ("", "ledgers.sqlite", "ledgers.sqlite-journal")
    return found | {"work/out/"} | {f"state/sudare/{name}" for name in kept}


def _empty(tmp: Path) -> set[str]:
    """Empty folders among the temporary files: a sandbox is made in one, and nothing of it is ever
    written there."""
    return {
        f"tmp/{path.name}/" for path in tmp.iterdir() if path.is_dir() and not any(path.iterdir())
    }


def _charges(before: Books, after: Books) -> list[str]:
    """One charge, and one more only where the first was cut off before its release."""
    found = []
    for name, text in before.committed.items():
        if after.committed.get(name) != text:
            found.append(f"release {name} is another one than before")
    wanted = 1 if before.committed or not before.charged else before.charged + 1
    if after.charged != wanted:
        found.append(f"{after.charged} charges where {wanted} are right")
    if len(after.committed) != 1:
        found.append(f"{len(after.committed)} releases")
    return found
