"""One case: a command meets a fault at one place, is looked at, is typed again, is looked at again.

Nothing here knows how the product writes. What is looked at is what a user and an auditor have:
what was printed, the files under their final names, and the ledger as `sudare ledger verify` reads
it, beside the second place that this machine keeps.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults.books import Books, books_of
from faults.mutants import MUTANTS
from faults.scenes import KEY, SCENES, Scene
from faults.shim import arm
from faults.whole import not_whole

# Far longer than any command here runs.
SECONDS = 120
SAYS_UNFINISHED = "has not finished"
SAYS_THERE = "is there already"


@dataclass(frozen=True)
class Case:
    """`at` counts from 1; 0 lets nothing fail and lists the places."""

    scene: str
    mode: str
    at: int
    mutant: str | None = None


@dataclass(frozen=True)
class Said:
    """How a command ended: its exit code, or the signal that killed it, and what it printed."""

    code: int
    out: str
    err: str

    def value(self) -> dict[str, Any] | None:
        try:
            found = json.loads(self.out)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None


class Ground:
    """The folders of a case: where the command works, where this machine remembers its ledgers,
    where it puts temporary files. Faults happen below all of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "machine"
        self.work, self.state, self.tmp = (self.root / n for n in ("work", "state", "tmp"))

    def lay(self, scene: Scene) -> None:
        for each in (self.work, self.state, self.tmp):
            each.mkdir(parents=True)
        scene.lay(self.work)

    def copy(self, name: str) -> Ground:
        """As it is now: to look into a ledger changes the files of a ledger that was cut off."""
        found = Ground(self.folder / name)
        shutil.copytree(self.root, found.root, symlinks=True)
        return found

    def files(self) -> set[str]:
        """All that is there, folders with a line at the end."""
        return {
            f"{path.relative_to(self.root)}{'/' if path.is_dir() else ''}"
            for path in self.root.rglob("*")
        }


def run(ground: Ground, words: list[str], case: Case, is_hit: bool = False) -> Said:
    """A command in a process of its own, which meets the fault of the case if it is hit."""
    told = [ground.folder / f"{kind}.{time.monotonic_ns()}" for kind in ("out", "err")]
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            code = _typed(ground, words, case, is_hit, told)
        finally:
            os._exit(code)
    code = _wait(pid)
    out, err = (path.read_text(encoding="utf-8") for path in told)
    return Said(code, out, err)


def _typed(ground: Ground, words: list[str], case: Case, is_hit: bool, told: list[Path]) -> int:
    from sudare.cli.app import main

    for number, path in enumerate(told, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    os.chdir(ground.work)
    enter(ground)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
    sys.argv = ["sudare", *words]
    if case.mutant is not None:
        MUTANTS[case.mutant]()
    if is_hit:
        arm(ground.root, case.mode, case.at, ground.folder / "places" if not case.at else None)
    try:
        main()
        return 0
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def enter(ground: Ground) -> None:
    import tempfile

    os.environ["XDG_STATE_HOME"] = str(ground.state)
    os.environ["TMPDIR"] = str(ground.tmp)
    tempfile.tempdir = None


def _wait(pid: int) -> int:
    until = time.monotonic() + SECONDS
    pause = 0.001
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return 71
        time.sleep(pause)
        pause = min(2 * pause, 0.02)


def held(case: Case, folder: Path) -> dict[str, Any]:
    """What is wrong after this case; nothing, if all is well."""
    scene, ground = SCENES[case.scene], Ground(folder)
    ground.lay(scene)
    given = ground.files()
    first = run(ground, scene.typed(), case, is_hit=True)
    seen = ground.copy("seen")
    enter(seen)
    before = books_of(scene, seen.work)
    findings = [f"at first: {each}" for each in _first(case, scene, seen, first, before)]
    again = run(ground, scene.typed(), case)
    new_key = again.code == 3 and SAYS_UNFINISHED in again.err
    if new_key:
        findings += _unfinished(scene, before)
        again = run(ground, scene.typed("another"), case)
    enter(ground)
    after = books_of(scene, ground.work)
    findings += [f"at last: {each}" for each in _last(case, ground, given, again, before, after)]
    places = (folder / "places").read_text().splitlines() if not case.at else []
    ended = {"code": first.code, "again": again.code, "charged": after.charged}
    said = [first.err, again.err] if findings else []
    return {"findings": findings, "places": places, "new_key": new_key, **ended, "said": said}


def _first(case: Case, scene: Scene, ground: Ground, said: Said, books: Books) -> list[str]:
    """What must hold whenever a command was cut off, before anything is set right."""
    found = list(books.wrong)
    killed = case.mode in ("kill", "tear") and case.at
    if not killed and said.code not in (0, 2, 3, 4, 5):
        found.append(f"it ended with {said.code}: {said.err[-300:]}")
    if not killed and said.code and "error: " not in said.err:
        found.append("it did not say why it failed")
    value = said.value()
    shown = None if value is None else value.get("release")
    if shown is not None and shown not in books.committed:
        found.append(f"{shown} was shown and is not in the ledger")
    there = [name for name in scene.files if (ground.work / name).exists()]
    if scene.ledger is not None and there and not books.committed:
        found.append(f"{there} are there and no release is")
    if said.code == 0 and len(there) < len(scene.files):
        found.append(f"it ended well, and only {there} are there")
    found += not_whole(case.scene, ground.work, books.releases())
    return found


def _unfinished(scene: Scene, books: Books) -> list[str]:
    """A key is closed only where its charge was made and its release was not."""
    if books.charged == 1 and not books.committed:
        return []
    return [f"the key is closed with {books.charged} charges, {len(books.committed)} releases"]


def _last(
    case: Case, ground: Ground, given: set[str], said: Said, before: Books, after: Books
) -> list[str]:
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
    found += not_whole(case.scene, ground.work, after.releases())
    expected = given | {f"work/{name}" for name in scene.files} | {f"work/{scene.ledger}"}
    expected |= {"work/out/", "state/sudare/", "state/sudare/ledgers.sqlite"}
    # SQLite's own; a journal that was cut off before it began to count goes with the next charge.
    expected.add("state/sudare/ledgers.sqlite-journal")
    left = sorted(ground.files() - expected)
    return [*found, f"left behind: {left}"] if left else found


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


__all__ = ["KEY", "Case", "held"]
