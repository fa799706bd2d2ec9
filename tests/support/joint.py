"""Organisations with numbers and categories, for joint statistics: tables, plans, whole sessions
with a helper, and what SQL says of the joined rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from sudare.publish.link_assist import Assistance, assist
from sudare.publish.link_collect import Collection, collect
from sudare.publish.link_files import helper_of, load_identity, result_file
from sudare.wires.authority import make_identity
from support.linking import COLLECTOR, Ended, Meeting, free_ports, identities, phone

HELPER = "notary"
LABELS = ("viridian", "vermilion", "cobalt")
# Few steps, so that noise of a huge ε is none at all.
HIGHEST = 2


def known_to_all(folder: Path) -> Path:
    """Everybody's identity, the helper's too."""
    identities(folder)
    make_identity(folder / HELPER, HELPER, folder / "authority", 30)
    return folder


def number(person: int, place: int, which: int) -> int:
    """Values of different organisations hang together: that is what is to be found."""
    return (person // 2 + (person % 5 == place + which)) % (HIGHEST + 1)


def label(person: int, place: int) -> str:
    return LABELS[(person // 3 + (person % 4 == place)) % 3]


def write_joint(
    folder: Path,
    names: Sequence[str],
    size: int,
    top: str,
    helper: str | None = None,
    central: dict[str, str] | None = None,
    numbers: int = 1,
    budget: float = 5000.0,
) -> Path:
    """Tables, schemas and the plan; the plan's path. The p-th organisation lacks every (p + 3)-th
    person."""
    folder.mkdir(parents=True)
    ports = free_ports(len(names) + 2)
    text = f'session = "s1"\n{top}\n[collector]\nname = "{COLLECTOR}"\n'
    text += f'address = "127.0.0.1:{ports[-1]}"\n'
    if helper is not None:
        text += f'[helper]\nname = "{helper}"\naddress = "127.0.0.1:{ports[-2]}"\n'
    for place, name in enumerate(names):
        columns = [*(f"{name}_{which}" for which in range(numbers)), f"{name}_label"]
        _write_table(folder, name, place, columns, size, numbers)
        (folder / f"{name}.schema.toml").write_text(_schema(name, columns, budget))
        own = "" if name not in (central or {}) else f"central = {(central or {})[name]}\n"
        listed = ", ".join(f'"{column}"' for column in columns)
        text += (
            f'[[parties]]\nname = "{name}"\naddress = "127.0.0.1:{ports[place]}"\n'
            f'schema = "{name}.schema.toml"\ncolumns = [{listed}]\n{own}'
            'key = [{ column = "phone", rule = "phone" }]\n'
        )
    (folder / "link.toml").write_text(text, encoding="utf-8")
    return folder / "link.toml"


def _write_table(
    folder: Path, name: str, place: int, columns: list[str], size: int, numbers: int
) -> None:
    lines = [",".join(["phone", *columns])]
    for person in range(size):
        if person % (place + 3):
            own = [str(number(person, place, which)) for which in range(numbers)]
            lines.append(",".join([phone(person), *own, label(person, place)]))
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _schema(name: str, columns: list[str], budget: float) -> str:
    text = f'[table]\nname = "{name}"\nneighbours = "replace-one"\nunit = "phone"\n'
    text += "max_rows_per_unit = 1\n"
    text += f'[budget]\nepsilon = {budget}\n[columns.phone]\ntype = "key"\n'
    for column in columns[:-1]:
        text += f'[columns.{column}]\ntype = "integer"\nmin = 0\nmax = {HIGHEST}\ncomplete = true\n'
    values = ", ".join(f'"{each}"' for each in LABELS)
    return (
        text + f'[columns.{columns[-1]}]\ntype = "category"\nvalues = [{values}]\nother = "none"\n'
    )


def from_join(folder: Path, names: Sequence[str], what: str) -> list[tuple[Any, ...]]:
    """What SQL says of the joined tables."""
    first, *others = [f"read_csv('{folder / name}.csv') AS {name}" for name in names]
    joins = " ".join(f"JOIN {each} USING (phone)" for each in others)
    with duckdb.connect() as base:
        return base.sql(f"SELECT {what} FROM {first} {joins}").fetchall()


@dataclass(frozen=True)
class Joint(Meeting):
    """A session that may have a helper."""

    @property
    def result(self) -> Path:
        return result_file(self.plan, self.output)

    def collect(self) -> dict[str, Any]:
        plan = self.plan
        own = load_identity(self.identities / plan.collector, plan, plan.collector)
        place = self.place(f"{plan.collector}.collector")
        return collect(Collection(plan, own, place, self.result, self.wait))

    def assist(self) -> dict[str, Any]:
        plan = self.plan
        own = load_identity(self.identities / helper_of(plan), plan, helper_of(plan))
        place = self.place(f"{own.name}.helper")
        return assist(Assistance(plan, own, place, self.wait, lambda *_: None))

    def run(self, **other: Any) -> Ended:
        helping = {} if self.plan.helper is None else {"helper": partial(self.assist)}
        return super().run(**(helping | other))
