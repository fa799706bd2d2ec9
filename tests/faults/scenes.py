"""The commands that meet faults: what lies in their folder, what is typed, and what they leave."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

KEY = "month"
SCHEMA = """
[table]
name = "people"
neighbours = "replace-one"
public_rows = 60
[budget]
epsilon = 100
delta = 1e-3
[columns.age]
type = "integer"
min = 0
max = 99
[columns.pay]
type = "integer"
min = 0
max = 500
[columns.sex]
type = "category"
values = ["F", "M"]
"""
BASKETS = """milk bread pills
apple
milk coffee bread
milk pills
coffee bread apple
orange pills
"""
SENSITIVE = "user,item\n1,pills\n4,pills\n6,pills\n"


def people(folder: Path) -> None:
    rows = [f"{n * 37 % 91},{40 + n * 53 % 400},{'FM'[n * 7 % 5 % 2]}" for n in range(60)]
    (folder / "people.csv").write_text("\n".join(["age,pay,sex", *rows]) + "\n")
    (folder / "people.schema.toml").write_text(SCHEMA)


def baskets(folder: Path) -> None:
    (folder / "baskets.dat").write_text(BASKETS)
    (folder / "sensitive.csv").write_text(SENSITIVE)


@dataclass(frozen=True)
class Scene:
    """One command in its folder. `files` is the whole set that it leaves; `ledger` is where it
    pays, if it pays. Where rows are drawn anew each time, a set that is there is not replaced, and
    the same command says so."""

    words: str
    files: tuple[str, ...]
    lay: Callable[[Path], None] = people
    ledger: str | None = "people.ledger"
    is_drawn_anew: bool = False

    def typed(self, key: str = KEY) -> list[str]:
        keyed = [] if self.ledger is None else ["--key", key]
        return [*shlex.split(self.words), *keyed, "--json"]


TABLE_FILES = ("table.csv", "crosstab.csv", "table.xlsx", "certificate.json", "report.html")


def _beside(stem: str, *more: str) -> tuple[str, ...]:
    return (*more, f"{stem}.certificate.json", f"{stem}.report.html")


SCENES = {
    "ask": Scene(
        "ask people.csv --epsilon 1 'mean(age)' 'sum(pay) by (sex)' -o out/answers.csv",
        _beside("out/answers", "out/answers.csv"),
    ),
    "tabulate": Scene(
        "tabulate people.csv --by sex --epsilon 1 -o out",
        tuple(f"out/{name}" for name in TABLE_FILES),
    ),
    "synthesize": Scene(
        "synthesize people.csv --epsilon 1 --delta 1e-9 --rows 20 -o synthetic.csv "
        "--statistics used.json",
        _beside("synthetic", "synthetic.csv", "used.json", "used.certificate.json"),
        is_drawn_anew=True,
    ),
    "randomize": Scene(
        "randomize people.csv --epsilon 4 -o randomized.parquet",
        _beside("randomized", "randomized.parquet"),
    ),
    "aggregate": Scene(
        "aggregate people.csv --epsilon 1 --columns age --blocks 4 --output n=0..120:1 "
        "--command 'grep -c .' --seconds 0.05 --trust-program -o out.json",
        _beside("out", "out.json"),
    ),
    "suppress": Scene(
        "suppress baskets.dat --sensitive sensitive.csv --rho 0.5 -o released.dat",
        _beside("released", "released.dat"),
        baskets,
        None,
        is_drawn_anew=True,
    ),
}
