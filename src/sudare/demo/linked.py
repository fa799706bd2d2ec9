"""A join between made organisations on one machine: separate processes, real TLS over loopback.

The town's columns are split over the organisations; each holds about five sixths of the people and
writes their telephone numbers in its own way. Nobody in the town exists.
"""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sudare.demo.town import PEOPLE, people, schema_text
from sudare.facts.errors import LinkRefused, UsageError
from sudare.facts.plan import read_epsilon
from sudare.facts.reading import read_json
from sudare.publish.charging import own_state
from sudare.publish.link_init import make

NAMES = ("hospital", "shop", "office", "bank", "school", "club")
COLUMNS = ("age", "income", "hours", "household", "sex", "region")
COLLECTOR = "institute"
HELPER = "notary"
_WAYS: tuple[Callable[[str], str], ...] = (
    lambda digits: f"{digits[:3]}-{digits[3:7]}-{digits[7:]}",
    lambda digits: digits.translate(str.maketrans("0123456789", "０１２３４５６７８９")),
    lambda digits: f"+81 {digits[1:3]} {digits[3:7]} {digits[7:]}",
)
_WAIT = "120"
Tell = Callable[[str], None]
# Which columns each organisation holds, in the order of the ring.
Holdings = Mapping[str, tuple[str, ...]]


def simulate(
    folder: Path,
    parties: int,
    size: int,
    epsilon: str,
    pseudonyms: str,
    tell: Tell,
    job: str = "randomize",
    central: str | None = None,
) -> dict[str, Any]:
    """Make everything, run it, and give back the collector's certificate."""
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(
            f"{folder} is not empty.",
            "Name a new folder with --output; a session runs once.",
            place=folder,
        )
    holdings = {name: COLUMNS[place::parties] for place, name in enumerate(NAMES[:parties])}
    tell("making identities and tables")
    write_consortium(folder, holdings, min(size, PEOPLE), epsilon, pseudonyms, job, central)
    tell(f"{parties} organisations and a collector at work")
    with own_state((folder / ".state").resolve()):
        return run(folder, tuple(holdings), job)


def write_consortium(
    folder: Path,
    holdings: Holdings,
    size: int,
    epsilon: str,
    pseudonyms: str,
    job: str = "randomize",
    central: str | None = None,
) -> None:
    """Authority, identities, tables, schemas and the plan; a secure computation has a helper, and
    `central` is what every organisation spends on a release of its own."""
    total = float(read_epsilon(epsilon)) + (0 if central is None else float(read_epsilon(central)))
    folder.mkdir(parents=True, exist_ok=True)
    told = make("consortium", folder / "consortium", True, None, None, None, None, (), 365)
    for name in (*holdings, COLLECTOR, *((HELPER,) if job == "secure" else ())):
        make(name, folder / name, False, folder / "consortium", None, None, None, (), 365)
    town = people()
    for place, (name, columns) in enumerate(holdings.items()):
        _write_table(folder, name, place, columns, town, size)
        _write_schema(folder, name, columns, total)
    plan = _plan(holdings, epsilon, pseudonyms, str(told["ca_sha256"]), job, central)
    (folder / "link.toml").write_text(plan, encoding="utf-8")


def is_held(place: int, person: int) -> bool:
    """Whether the organisation at this place of the ring knows this person of the town."""
    return _byte(f"{place} {person}") < 213


def run(folder: Path, names: tuple[str, ...], job: str = "randomize") -> dict[str, Any]:
    """Start everybody, wait for all; the certificate."""
    started = {COLLECTOR: _start(folder, "collect", "--identity", COLLECTOR)}
    if job == "secure":
        started[HELPER] = _start(folder, "assist", "--identity", HELPER)
    for name in names:
        words = ("serve", f"{name}.csv", "--as", name, "--identity", name)
        started[name] = _start(folder, words[0], *words[1:], "--ledger", f"{name}.ledger")
    outcomes = {name: process.communicate() for name, process in started.items()}
    failed = [name for name, process in started.items() if process.returncode]
    if failed:
        for name in failed:
            sys.stderr.write(f"{name}: {outcomes[name][1]}")
        raise LinkRefused(
            f"{', '.join(failed)} did not finish.", "Their own words stand above.", "failed"
        )
    found: dict[str, Any] = read_json(outcomes[COLLECTOR][0])
    return found


def _start(folder: Path, command: str, *words: str) -> subprocess.Popen[str]:
    """One party as a process of its own, in the session's folder."""
    has_table = command not in ("collect", "assist")
    plan = ["link.toml", words[0]] if has_table else ["link.toml"]
    rest = words[1:] if has_table else words
    return subprocess.Popen(
        [sys.executable, "-m", "sudare.cli.app", "link", command, *plan, *rest,
         "--wait", _WAIT, "--json"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip


def _write_table(
    folder: Path,
    name: str,
    place: int,
    columns: tuple[str, ...],
    town: dict[str, list[str]],
    size: int,
) -> None:
    lines = [",".join(["phone", *columns])]
    for person in range(size):
        if is_held(place, person):
            digits = f"090{_number(person):08d}"
            phone = _WAYS[place % len(_WAYS)](digits)
            lines.append(",".join([phone, *(town[column][person] for column in columns)]))
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_schema(folder: Path, name: str, columns: tuple[str, ...], epsilon: float) -> None:
    """The town's schema with this organisation's columns and key."""
    table = f'[table]\nname = "{name}"\nunit = "phone"\nmax_rows_per_unit = 1\n'
    table += 'neighbours = "replace-one"\n'
    budget = f"[budget]\nepsilon = {2 * epsilon}\ndelta = 1e-6\n"
    blocks = schema_text("en").split("\n\n")
    own = [text for text in blocks if any(f"[columns.{column}]" in text for column in columns)]
    key = '[columns.phone]\ntype = "key"'
    text = "\n\n".join([table.strip(), budget.strip(), key, *(each.strip() for each in own)])
    (folder / f"{name}.schema.toml").write_text(text + "\n", encoding="utf-8")


def _plan(
    holdings: Holdings, epsilon: str, pseudonyms: str, ca: str, job: str, central: str | None
) -> str:
    ports = free_ports(len(holdings) + 2)
    lines = [
        'session = "town"',
        f"epsilon = {epsilon}",
        f'pseudonyms = "{pseudonyms}"',
        f'job = "{job}"',
        f'ca_sha256 = "{ca}"',
        "",
        "[collector]",
        f'name = "{COLLECTOR}"',
        f'address = "127.0.0.1:{ports[-1]}"',
    ]
    if job == "secure":
        lines += ["", "[helper]", f'name = "{HELPER}"', f'address = "127.0.0.1:{ports[-2]}"']
    for place, (name, held) in enumerate(holdings.items()):
        columns = ", ".join(f'"{column}"' for column in held)
        lines += [
            "",
            "[[parties]]",
            f'name = "{name}"',
            f'address = "127.0.0.1:{ports[place]}"',
            f'schema = "{name}.schema.toml"',
            'key = [{ column = "phone", rule = "phone" }]',
            f"columns = [{columns}]",
            *([] if central is None else [f"central = {central}"]),
        ]
    return "\n".join(lines) + "\n"


def free_ports(count: int) -> list[int]:
    opened = [socket.socket() for _ in range(count)]
    try:
        for each in opened:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in opened]
    finally:
        for each in opened:
            each.close()


def _byte(label: str) -> int:
    return hashlib.sha256(f"sudare link {label}".encode()).digest()[0]


def _number(person: int) -> int:
    """A telephone number that is each person's own."""
    return (person * 7_368_787 + 11) % 100_000_000
