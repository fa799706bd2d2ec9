"""Whole joins for tests: made organisations, run as threads or as processes, and what should come
out of them, joined by SQL from the very reports that were drawn."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sudare.engines.linked import _kinds
from sudare.engines.shuffled import record_type, table_of
from sudare.facts.engine import EngineChoice
from sudare.facts.errors import SudareError
from sudare.facts.link_plan import LinkPlan
from sudare.ledger.entries import Reserved
from sudare.ledger.ledger import Ledger
from sudare.link.compile import LinkJob, compile_link
from sudare.local.randomizer import Randomizer
from sudare.publish import link_collect, link_rows
from sudare.publish.link_collect import Collection, collect
from sudare.publish.link_files import load_identity, load_link, session_folder
from sudare.publish.link_party import Part, take_part
from sudare.publish.link_rows import Rows
from sudare.wires.authority import make_authority, make_identity
from sudare.wires.log import VerifiedLog, verify_log

NAMES = ("hospital", "shop", "office")
COLLECTOR = "institute"
COLORS = ("viridian", "vermilion", "cobalt")
# Far more than any run takes, and short enough that a stuck test ends by itself.
LONGEST = 240.0
Table = list[tuple[str | None, str]]
Ended = dict[str, dict[str, Any] | SudareError]


def phone(person: int) -> str:
    return f"090{(person * 7_368_787 + 11) % 10**8:08d}"


def color(person: int, place: int) -> str:
    return COLORS[(person * 7 + place * 5 + person // 3) % 3]


def tables(size: int, names: Sequence[str] = NAMES) -> dict[str, Table]:
    """Overlapping people: the p-th organisation lacks every (p + 3)-th."""
    return {
        name: [(phone(n), color(n, place)) for n in range(size) if n % (place + 3)]
        for place, name in enumerate(names)
    }


def identities(folder: Path) -> Path:
    """One authority, and everybody's key and certificate."""
    make_authority(folder / "authority", "consortium", 30)
    for name in (*NAMES, COLLECTOR):
        make_identity(folder / name, name, folder / "authority", 30)
    return folder


def free_ports(count: int) -> list[int]:
    """Ports below those that the system gives to callers, so that none is taken meanwhile."""
    found: list[int] = []
    while len(found) < count:
        port = random.SystemRandom().randrange(15_000, 32_000)
        with socket.socket() as tried:
            if port not in found and tried.connect_ex(("127.0.0.1", port)):
                found.append(port)
    return found


def write_consortium(
    folder: Path,
    people: Mapping[str, Table],
    top: str = "epsilon = 6",
    unreachable: Iterable[str] = (),
    collector: str = COLLECTOR,
    budgets: Mapping[str, float] | None = None,
) -> Path:
    """Tables, schemas and the plan in a folder of their own; the plan's path."""
    folder.mkdir(parents=True, exist_ok=True)
    ports = free_ports(len(people) + 1)
    text = f'session = "s1"\n{top}\n'
    place = f'[collector]\nname = "{collector}"\naddress = "127.0.0.1:{ports[-1]}"\n'
    # Sub-tables of the plan come after what stands at its top.
    head, _, rest = text.partition("[")
    text = head + place + (f"[{rest}" if rest else "")
    for port, (name, rows) in zip(ports, people.items(), strict=False):
        lines = [f"phone,{name}_color", *(f"{key or ''},{value}" for key, value in rows)]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / f"{name}.schema.toml").write_text(
            _schema(name, (budgets or {}).get(name, 100.0)), encoding="utf-8"
        )
        address = "" if name in unreachable else f'address = "127.0.0.1:{port}"\n'
        text += (
            f'\n[[parties]]\nname = "{name}"\n{address}schema = "{name}.schema.toml"\n'
            f'key = [{{ column = "phone", rule = "phone" }}]\ncolumns = ["{name}_color"]\n'
        )
    (folder / "link.toml").write_text(text, encoding="utf-8")
    return folder / "link.toml"


def _schema(name: str, budget: float) -> str:
    values = ", ".join(f'"{each}"' for each in COLORS)
    return (
        f'[table]\nname = "{name}"\nneighbours = "replace-one"\n'
        f"[budget]\nepsilon = {budget}\ndelta = 1e-6\n"
        '[columns.phone]\ntype = "key"\n'
        f'[columns.{name}_color]\ntype = "category"\nvalues = [{values}]\nother = "none"\n'
    )


@dataclass
class Drawn:
    """The reports that every organisation drew, before they were sealed, by hidden key."""

    found: dict[str, list[tuple[Any, Any]]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def add(self, name: str, points: Any, reports: Any) -> None:
        with self.lock:
            self.found.setdefault(name, []).append((points.copy(), reports.copy()))

    def watch(self, patch: pytest.MonkeyPatch) -> Drawn:
        """See everything that is laid out from now on."""
        laid = link_rows._laid

        def watched(job: Any, folder: Any, secrets: Any, key: Any, points: Any, *rest: Any) -> Any:
            reports, order, _ = rest
            self.add(folder.identity.name, points[order], reports[order])
            return laid(job, folder, secrets, key, points, *rest)

        patch.setattr(link_rows, "_laid", watched)
        return self

    def joined(self, job: LinkJob, names: Sequence[str], absent: Sequence[str] = ()) -> list[str]:
        """What SQL makes of them: people whom all the names hold, and none of the absent."""
        with duckdb.connect() as base:
            for name in (*names, *absent):
                ((points, _),) = self.found[name]
                keys = [bytes(each).hex() for each in points]
                table = pa.table({"key": pa.array(keys, pa.string()), "n": range(len(keys))})
                base.register(name, table)
            chosen = ", ".join(f"{name}.n AS {name}" for name in names)
            joins = " ".join(f"JOIN {name} USING (key)" for name in names[1:])
            left = " AND ".join(f"key NOT IN (SELECT key FROM {each})" for each in absent)
            rows = base.sql(
                f"SELECT {chosen} FROM {names[0]} {joins} WHERE {left or 'true'}"
            ).to_arrow_table()
        columns: list[Any] = []
        for name in names:
            facts = job.party_facts(name)
            kinds = _kinds(facts, Randomizer(facts))
            records = self.found[name][0][1][rows[name].to_numpy()]
            columns += table_of(records.view(record_type(kinds)).ravel(), kinds).columns
        items = [item.name for item in job.joined_facts(names).items]
        return table_rows(pa.table(dict(zip(items, columns, strict=True))))


def table_rows(table: pa.Table) -> list[str]:
    """Rows in an order of their own."""
    return sorted(repr(sorted(row.items())) for row in table.to_pylist())


def file_rows(path: Path) -> list[str]:
    return table_rows(pq.read_table(path))


@dataclass(frozen=True)
class Meeting:
    """One session in one folder."""

    plan_file: Path
    identities: Path
    wait: float = 20.0

    @property
    def folder(self) -> Path:
        return self.plan_file.parent

    @property
    def plan(self) -> LinkPlan:
        return load_link(self.plan_file)

    @property
    def job(self) -> LinkJob:
        return compile_link(self.plan)

    @property
    def output(self) -> Path:
        return self.folder / "joined.parquet"

    def place(self, role: str) -> Path:
        return session_folder(self.plan, self.plan_file, role)

    def collect(self) -> dict[str, Any]:
        plan = self.plan
        own = load_identity(self.identities / plan.collector, plan, plan.collector)
        place = self.place(f"{plan.collector}.collector")
        return collect(Collection(plan, own, place, self.output, self.wait))

    def take_part(self, name: str, plan_file: Path | None = None) -> dict[str, Any]:
        plan = load_link(plan_file or self.plan_file)
        own = load_identity(self.identities / name, plan, name)
        listens = plan.party(name).address is not None
        rows = Rows(
            str(self.folder / f"{name}.csv"),
            self.folder / f"{name}.ledger",
            EngineChoice("auto", None),
        )
        return take_part(Part(plan, own, self.place(name), self.wait, listens), rows)

    def run(self, **other: Any) -> Ended:
        """Everybody at once; `other` replaces what an organisation does."""
        jobs = {name: partial(self.take_part, name) for name in self.plan.names}
        jobs |= other
        with ThreadPoolExecutor(len(jobs) + 1) as threads:
            running = {name: threads.submit(_ended, job) for name, job in jobs.items()}
            running["collector"] = threads.submit(_ended, self.collect)
            return {name: each.result(LONGEST) for name, each in running.items()}

    def reserved(self, name: str) -> int:
        """How often an organisation's ledger was charged; it must hold together."""
        path = self.folder / f"{name}.ledger"
        if not path.exists():
            return 0
        with Ledger.open(path) as books:
            assert books.verify().ok
            return sum(isinstance(entry.body, Reserved) for entry in books.entries())

    def log(self, role: str) -> VerifiedLog:
        """A log whose chain and signatures hold."""
        names = {*self.plan.names, self.plan.collector}
        known = {name: (self.identities / name / "certificate.pem").read_bytes() for name in names}
        return verify_log(self.place(role) / "log.jsonl", known)


def _ended(job: Any) -> Any:
    try:
        return job()
    except SudareError as error:
        return error


def hurry(patch: pytest.MonkeyPatch) -> None:
    """Nobody in a test needs long to read a last answer."""
    patch.setattr(link_collect, "_LINGER", 0.3)


def left_behind(place: Path) -> list[str]:
    """Secrets and chunks in a session's folder."""
    kinds = ("*.secret*", "*.part", "*.chunk", "*.last")
    return sorted(each.name for kind in kinds for each in place.rglob(kind))


def said(folder: Path) -> str:
    """Everything that logs, notes, certificates and reports say."""
    paths = [path for kind in ("*.json", "*.jsonl", "*.html", "*.err", "*.out")
             for path in folder.rglob(kind)]  # fmt: skip
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)
