"""A machine on which faults happen: it has everything imported and forks one process a case.

Started with the shim preloaded, which sleeps here and wakes in the process that is to meet a
fault. Reads cases from standard input, a JSON object a line, and answers each with one line.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import sys
from pathlib import Path

import duckdb
import pandas
import pyarrow.parquet
import scipy.optimize
import typer

import sudare.cli
import sudare.engines
import sudare.publish
import sudare.report
from faults.case import Case, held
from sudare.cli import app

PRELOADED = (duckdb, pandas, pyarrow.parquet, scipy.optimize)
ROOMS = (sudare.cli, sudare.engines, sudare.publish, sudare.report)


def preload() -> None:
    for room in ROOMS:
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if "spark" not in found.name:
                importlib.import_module(found.name)
    # Building the commands anew in every process would take longer than running one.
    app.app = typer.main.get_command(app.app)


def child(line: str, out: int) -> None:
    asked = json.loads(line)
    try:
        told = held(Case(**asked["case"]), Path(asked["folder"]))
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
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            try:
                child(line, out)
            finally:
                os._exit(0)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
