"""Every option of a command that takes a number or a text, at every odd value: a refusal or an
answer, never a fault of sudare."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from sudare.cli import app as front

pytestmark = pytest.mark.integration

SCHEMA = """
[table]
name = "people"
neighbours = "replace-one"
public_rows = 60
[budget]
epsilon = 1000000.0
delta = 0.5
[columns.age]
type = "integer"
min = 0
max = 120
[columns.sex]
type = "category"
values = ["F", "M"]
[columns.region]
type = "category"
values = ["north", "south"]
"""
COMMANDS = [
    "ask people.csv -e 1 --delta 1e-9 --dry-run count()",
    "ask people.csv -e 1 --mechanism gaussian --delta 1e-9 --dry-run count()",
    "ask people.csv -e 1 count()",
    "plan --schema people.schema.toml --error 5 count()",
    "plan --schema people.schema.toml --relative 5% --delta 1e-9 --mechanism gaussian count()",
    "tabulate people.csv -e 1 --by sex,region --weight sex,region=4 --dry-run",
    "aggregate people.csv -e 1 --columns age --output x=0..100:1 --command true --dry-run",
    "anonymize records people.csv -o anon.csv --k 2 --quasi age,region --method mondrian",
    "check records people.csv --quasi age,sex --sensitive region",
    "check tables t.csv --population 30",
    "check sets baskets.dat --sensitive sensitive.csv --rho 0.5",
    "suppress baskets.dat --sensitive sensitive.csv --rho 0.5 -o rel.dat",
    "suppress baskets.dat --model km --k 2 --max-knowledge 2 -o rel.dat",
    "suppress baskets.dat --sensitive sensitive.csv --model sampled --rho 0.5 --max-knowledge 2 "
    "--eps 0.1 --delta 0.1 -o rel.dat",
    "explain 1 --values 5,2 --records 100",
    "explain --retention 0.8 --values 5,2",
    "account shuffle --n 1000 --epsilon0 1 --mechanism grr --values 5",
    "account shuffle --epsilon0 1 --mechanism two-point --joined 9 --a-only 9 --b-only 9 "
    "--attributes-a 1 --attributes-b 2",
    "randomize people.csv -e 4 -o r.parquet --dry-run --shuffle --delta 1e-6",
    "synthesize people.csv -e 1 -o s.csv --columns age,sex --dry-run",
    "init people.csv -o x.toml --force",
    "validate people.csv",
    "ledger show people.ledger",
]
VALUES = [
    "0",
    "-0",
    "-1",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "1e-400",
    "1e308",
    "1e-308",
    "1e-320",
    "9" * 400,
    "9" * 5000,
    "0." + "0" * 398 + "1",
    "0." + "9" * 40,
    "1/0",
    "1/2",
    "",
    "1e",
    "x",
    "99999999999999999999",
]
# What names a file, a shell's text or a server is no number.
OTHER = {
    "--command",
    "--ledger",
    "--schema",
    "--master",
    "--key",
    "--analyst",
    "--encoding",
    "--output",
    "--facts",
    "--against",
    "--to",
    "--from-statistics",
    "--from-randomized",
    "--help",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    people = [f"{n % 50},{'FM'[n % 2]},{('north', 'south')[n % 3 % 2]}\n" for n in range(60)]
    baskets = [f"{n % 5} {n % 7 + 10} {n % 3 + 20}\n" for n in range(60)]
    texts = {
        "people.schema.toml": SCHEMA,
        "people.csv": "age,sex,region\n" + "".join(people),
        "baskets.dat": "".join(baskets),
        "sensitive.csv": "user,item\n*,20\n",
        "t.csv": "sex,count\nF,10\nM,20\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUDARE_STATE", str(tmp_path / "state"))
    return tmp_path


def options_of(words: list[str]) -> list[Any]:
    """The options of the command that the words begin with, but flags, names and files."""
    command: Any = typer.main.get_command(front.app)
    for word in words:
        if not hasattr(command, "get_command"):
            break
        command = command.get_command(None, word)
    found = [each for each in command.params if each.param_type_name == "option"]
    kinds = [repr(each.type_descriptor).lower() for each in found]
    return [
        each
        for each, kind in zip(found, kinds, strict=True)
        if not each.is_flag and "path" not in kind and "enum" not in kind
        if not OTHER & set(each.opts)
    ]


def left_out(words: list[str], names: list[str]) -> list[str]:
    """The command without an option and its value."""
    kept = list(words)
    while place := next((n for n, word in enumerate(kept) if word in names), None):
        del kept[place : place + 2]
    return kept


def code_of(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["sudare", *words])
    try:
        front.main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[:60])
def test_odd_values(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = command.split()
    if "ledger" in words:
        assert code_of(["ask", "people.csv", "-e", "1", "count()"], monkeypatch) == 0
    assert code_of(words, monkeypatch) in (0, 4)
    options = options_of(words)
    assert options
    for option in options:
        name = next(each for each in option.opts if each.startswith("--"))
        for value in VALUES:
            asked = [*left_out(words, option.opts), f"{name}={value}"]
            assert code_of(asked, monkeypatch) in (0, 2, 3, 4, 5), asked
