"""Help fits 80 columns, in both languages, without a cut sentence; commands load one by one."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from sudare.cli import japanese
from sudare.cli.app import app
from sudare.cli.help import written
from sudare.cli.lazy import Group
from sudare.cli.registry import GROUPS, ROOT
from sudare.report.columns import text_width

LANGUAGES = ("en", "ja")
ORDER = [
    "Ask and publish", "Randomise and join", "Synthesise", "Sets", "Check", "Ledger and set-up",
]  # fmt: skip
MARKS = re.compile(r"\s*\[(required|default|env var|x[<>]|[\d.]+<)[^\]]*\]$")


def found() -> Iterator[tuple[str, Any, Any]]:
    """Every command: its name, itself and its context."""
    waiting = [("sudare", typer.main.get_command(app), None)]
    while waiting:
        name, command, parent = waiting.pop(0)
        context = typer.Context(command, info_name=name.split()[-1], parent=parent)
        yield name, command, context
        if isinstance(command, Group):
            waiting += [
                (f"{name} {each}", command.commands[each], context)
                for each in command.list_commands(context)
            ]


COMMANDS = list(found())
NAMES = [name for name, _, _ in COMMANDS]


def page(command: Any, context: Any, monkeypatch: pytest.MonkeyPatch, **variables: str) -> str:
    for name, value in ({"COLUMNS": "80"} | variables).items():
        monkeypatch.setenv(name, value)
    shown: str = command.get_help(context)
    return shown


def paragraphs(text: str) -> list[str]:
    return [" ".join(each.split()) for each in inspect.cleandoc(text).split("\n\n")]


def squeezed(text: str) -> str:
    """Without blanks, line ends and the backslashes of long examples."""
    return re.sub(r"\\\n|\s", "", text)


@pytest.mark.parametrize(("name", "command", "context"), COMMANDS, ids=NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [80, 60])
def test_no_line_is_wider_than_the_terminal(
    name: str,
    command: Any,
    context: Any,
    language: str,
    columns: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = page(command, context, monkeypatch, SUDARE_LANG=language, COLUMNS=str(columns))
    wide = [line for line in shown.splitlines() if text_width(line) > columns]
    # On a narrower one a single word may be, such as the address of a table.
    assert wide == [] if columns == 80 else all(len(line.split()) == 1 for line in wide)


@pytest.mark.parametrize(("name", "command", "context"), COMMANDS, ids=NAMES)
def test_every_sentence_is_whole_and_there_is_an_example(
    name: str, command: Any, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = squeezed(page(command, context, monkeypatch, SUDARE_LANG="en"))
    assert squeezed(f"Example: {name.split()[0]}") in shown
    for words in paragraphs(f"{command.help}\n\n{command.epilog or ''}"):
        assert squeezed(words) in shown
    for parameter in command.params:
        assert squeezed(parameter.help or "") in shown
    if isinstance(command, Group):
        for entry in command.entries:
            assert squeezed(entry.name + entry.summary) in shown


def test_commands_stand_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    _, command, context = COMMANDS[0]
    shown = page(command, context, monkeypatch, SUDARE_LANG="en").splitlines()
    headings = [line[:-1] for line in shown if line and line[0] != " " and line.endswith(":")]
    assert headings == [*ORDER, "Options"]
    # One line a command, so that the page can be taken in at a glance.
    assert len(shown) <= 52
    for entry in ROOT:
        assert any(line.split(maxsplit=1) == [entry.name, entry.summary] for line in shown)


def test_everything_is_said_in_japanese_and_nothing_else_is_kept() -> None:
    english = {entry.heading for entry in ROOT} | {"Commands", "Arguments", "Options"}
    english |= {"Usage", "Example"}
    for _, command, context in COMMANDS:
        told = [*paragraphs(command.help), *paragraphs(command.epilog or "")]
        english |= {words for words in told if words and not words.startswith("Example: ")}
        english |= {entry.summary for entry in getattr(command, "entries", ())}
        for parameter in command.get_params(context):
            _, words = parameter.get_help_record(context)
            english.add(MARKS.sub("", " ".join(words.split())))
    assert english - set(japanese.JAPANESE) == set()
    assert set(japanese.JAPANESE) - english == set()


def test_the_language_of_help(monkeypatch: pytest.MonkeyPatch) -> None:
    _, command, context = COMMANDS[0]
    monkeypatch.setattr(sys, "argv", ["sudare", "--lang", "ja", "--help"])
    assert "質問と公表:" in page(command, context, monkeypatch, SUDARE_LANG="en")
    monkeypatch.setattr(sys, "argv", ["sudare", "ask", "--lang=en", "--help"])
    assert "Ask and publish:" in page(command, context, monkeypatch, SUDARE_LANG="ja")


def test_marks_of_typer_are_translated() -> None:
    rows = [("--x <int>", "How many organisations. [env var: X; default: 3]")]
    shown = written("sudare x", "", [("Options", rows)], "", 80, "ja")
    assert "--x <int>  組織の数。 [環境変数: X; 既定値: 3]" in shown
    # What an English sentence says of defaults stays as it is.
    rows = [("--x", "A default that is required.")]
    assert "A default that is required." in written("x", "", [("Options", rows)], "", 80, "ja")


def test_long_examples_can_be_copied() -> None:
    words = 'Example: sudare ask people.csv "sum(income) by (sex)" --output a-folder/of-answers'
    shown = written("x", words, [], "", 44)
    lines = shown.split("Example:\n")[1].splitlines()
    assert len(lines) > 1
    joined = subprocess.run(
        ["bash", "-c", "sudare() { printf '%s|' \"$@\"; }\n" + "\n".join(lines)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert joined.stdout == "ask|people.csv|sum(income) by (sex)|--output|a-folder/of-answers|"


def test_every_group_of_the_registry_is_listed() -> None:
    assert set(GROUPS) == {entry.name for entry in ROOT if entry.module is None}


@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [
        (["--help"], set()),
        (["ledger", "--help"], set()),
        (["--version"], set()),
        (["explain", "0.5"], {"sudare.cli.explaining"}),
        (["ask", "--help"], {"sudare.cli.asking"}),
        (["nothing"], set()),
    ],
)
def test_a_command_loads_its_own_module_alone(arguments: list[str], loaded: set[str]) -> None:
    code = (
        "import sys\n"
        "from sudare.cli.app import app\n"
        f"try: app({arguments!r}, prog_name='sudare')\n"
        "except SystemExit: pass\n"
        "print('@@', *(n for n in sys.modules if n.startswith('sudare.cli.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(run.stdout.split("@@")[1].split())
    commands = {e.module for e in ROOT} | {e.module for g in GROUPS.values() for e in g.entries}
    assert modules & commands == loaded
