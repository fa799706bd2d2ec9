"""A machine on which faults happen: it has everything imported and forks one process a case.

Started with the shim preloaded, which sleeps here and wakes in the process that is to meet a
fault. Reads cases from standard input, a JSON object a line, and answers each with one line.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import sys
import tempfile
from pathlib import Path

import typer

import sudare.cli
import sudare.engines
import sudare.publish
import sudare.report
from faults.case import Case, held
from faults.ground import Ground
from faults.scenes import SCENES
from sudare.cli import app
from sudare.publish import link_collect
from support.linking import identities

ROOMS = (sudare.cli, sudare.engines, sudare.publish, sudare.report)


def preload() -> None:
    """Whatever a command would import or compile at first use, so that no case waits for it."""
    for room in ROOMS:
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if "spark" not in found.name:
                importlib.import_module(found.name)
    link_collect._LINGER = 0.3
    # Building the commands anew in every process would take longer than running one.
    app.app = typer.main.get_command(app.app)
    with tempfile.TemporaryDirectory() as folder:
        for name, scene in SCENES.items():
            ground = Ground(Path(folder) / name)
            ground.make()
            scene.lay(ground.work)
            ground.enter()
            sys.argv = ["sudare", *scene.typed()]
            with contextlib.suppress(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                app.main()
    os.chdir("/")
    tempfile.tempdir = None
    del os.environ["TMPDIR"]
    gc.collect()


def child(line: str, known: Path, out: int) -> None:
    asked = json.loads(line)
    try:
        told = held(Case(**asked["case"]), Path(asked["folder"]), known)
    except BaseException as error:
        told = {"findings": [f"the test failed: {error!r}"]}
    os.write(out, (json.dumps({"number": asked["number"], **told}) + "\n").encode())


def main() -> None:
    """Until standard input ends. Each machine has one case at a time."""
    # What is started later, the program in a sandbox for example, runs without the shim.
    os.environ.pop("LD_PRELOAD", None)
    out = os.dup(1)
    os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
    preload()
    with tempfile.TemporaryDirectory() as folder:
        known = identities(Path(folder))
        for line in sys.stdin:
            pid = os.fork()
            if pid == 0:
                try:
                    child(line, known, out)
                finally:
                    os._exit(0)
            os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
