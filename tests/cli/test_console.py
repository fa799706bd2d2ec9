"""Output at the width of a terminal, on a real one and in a file, in both languages."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.cli import console
from sudare.report.columns import LEAST, MOST, fitted, text_width, wrapped

JAPANESE = (
    "すべての質問を合わせた「ε」は 1 です。表（people.csv）の行は、外に出す前に撹乱されます。"
    "データ、スキーマ、ラグ付きの値、っと小さな仮名、100 % などの数も扱います！"
)
SCHEMA = """
[table]
name = "people"
neighbours = "add-remove"
[budget]
epsilon = 100.0
[columns.age]
type = "integer"
min = 0
max = 120
[columns.occupation]
type = "category"
values = [
  "{}-specialist-of-{}",
  "technician",
]
"""
WORDS = st.lists(st.text("ab(%、。「」ー表っ", min_size=1, max_size=12), min_size=1, max_size=12)
CELLS = st.text("abc 0123.表", max_size=30)
TABLES = st.integers(1, 6).flatmap(
    lambda wide: st.lists(st.lists(CELLS, min_size=wide, max_size=wide), min_size=1, max_size=5)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.schema.toml").write_text(SCHEMA.replace("{}", "x" * 60))
    lines = [f"{n % 90},{'technician' if n % 2 else ''}\n" for n in range(60)]
    (tmp_path / "people.csv").write_text("age,occupation\n" + "".join(lines))
    return tmp_path


def in_terminal(columns: int, folder: Path, *arguments: str) -> list[str]:
    """What the command shows on a terminal of so many columns, its words on stderr included."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    variables = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    with subprocess.Popen(
        [sys.executable, "-m", "sudare", *arguments],
        cwd=folder,
        env=variables | {"TERM": "dumb"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ):
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                # Linux says so when the last writer has closed the terminal.
                break
            if not part:
                break
            shown += part
    os.close(ours)
    return shown.decode().replace("\r\n", "\n").splitlines()


def in_file(folder: Path, *arguments: str) -> list[str]:
    variables = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    run = subprocess.run(
        [sys.executable, "-m", "sudare", *arguments],
        cwd=folder, env=variables, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.splitlines()


@pytest.mark.parametrize("columns", [40, 72])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_terminal_gets_lines_of_its_width(folder: Path, columns: int, language: str) -> None:
    shown = in_terminal(
        columns, folder, "ask", "people.csv", "--epsilon", "1", "mean(age)", "--lang", language
    )
    assert len(shown) > 4
    assert [line for line in shown if text_width(line) > columns] == []
    # No word is broken.
    assert "mean(age)" in shown
    assert any("people" in line for line in shown[1:])


def test_errors_and_hints_wrap_too(folder: Path) -> None:
    shown = in_terminal(40, folder, "ask", "people.csv", "--epsilon", "1", "mean(weight)")
    words = " ".join(" ".join(shown).split())
    assert words.startswith("error: Column 'weight' is not declared in the schema. hint: ")
    assert max(map(text_width, shown)) <= 40


def test_a_file_gets_one_sentence_a_line(folder: Path) -> None:
    shown = in_file(folder, "ask", "people.csv", "--epsilon", "1", "mean(age)")
    assert len(shown) == 2
    assert shown[1].startswith("  The mean of age is about")


@pytest.mark.integration
def test_tables_in_a_file_are_at_most_100_places_wide(folder: Path) -> None:
    """The occupation's name alone is wider than that, and stays whole on a line of its own."""
    shown = in_file(folder, "ask", "people.csv", "--epsilon", "1", "histogram(occupation)")
    rows = shown[2:]
    name = f"{'x' * 60}-specialist-of-{'x' * 60}"
    assert name in [line.strip() for line in rows]
    assert [line for line in rows if text_width(line) > MOST and line.strip() != name] == []
    tabulated = in_file(folder, "tabulate", "people.csv", "--by", "occupation", "--epsilon", "1")
    assert [line for line in tabulated if text_width(line) > MOST and name not in line] == []


def test_long_lines_break_between_words() -> None:
    words = "  a sentence that is broken between its words, and continues under its beginning"
    lines = wrapped(words, 30)
    assert lines[0] == "  a sentence that is broken"
    assert all(line.startswith("  ") and text_width(line) <= 30 for line in lines)
    assert " ".join(" ".join(lines).split()) == words.strip()
    assert wrapped("x" * 50, 20) == ["x" * 50]


@pytest.mark.parametrize("width", range(20, 60))
def test_japanese_lines_do_not_begin_or_end_with_the_wrong_sign(width: int) -> None:
    lines = wrapped(JAPANESE, width)
    assert "".join(lines).replace(" ", "") == JAPANESE.replace(" ", "")
    assert max(map(text_width, lines)) <= width
    for line in lines[1:]:
        assert line[0] not in "、。）」ーっゃ！%"
    for line in lines[:-1]:
        assert line[-1] not in "（「"
        # English words and numbers inside stay whole.
    assert "people.csv" in "|".join(lines)


@given(WORDS, st.integers(LEAST, 60))
def test_nothing_is_lost_by_wrapping(words: list[str], width: int) -> None:
    text = " ".join(words)
    lines = wrapped(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    for line in lines:
        # Only what may not be broken is wider.
        assert text_width(line) <= width or len(wrapped(line, LEAST)) <= len(wrapped(line, width))


@given(TABLES, st.integers(LEAST, MOST), st.booleans())
def test_tables_keep_every_cell(rows: list[list[str]], width: int, has_head: bool) -> None:
    lines = fitted(rows, width, has_head=has_head)
    shown = "".join("".join(lines).split())
    body = rows[1:] if has_head else rows
    for row in body:
        for sign in {sign for cell in row for sign in cell if sign != " "}:
            assert sign in shown
    widest = max((text_width(word) for row in rows for word in " ".join(row).split()), default=0)
    assert max(map(text_width, lines), default=0) <= max(width, 2 * widest + 6)


HEAD = ["group", "value", "note"]


def test_a_table_that_fits_stands_under_its_names() -> None:
    rows = [HEAD, ["north", "12", "x"], ["表", "3.5", ""]]
    assert fitted(rows, 100) == ["group  value  note", "north     12     x", "表       3.5"]


def test_a_wide_table_wraps_inside_its_columns() -> None:
    rows = [HEAD, ["north", "12", "a remark that is rather long for a screen of this width"]]
    lines = fitted(rows, 40, to_right=False)
    assert lines[0] == "group  value  note"
    assert len(lines) > 2
    assert lines[1].startswith("north  12     a remark")
    assert all(line.startswith(" " * 14) for line in lines[2:])
    assert max(map(text_width, lines)) <= 40


def test_a_table_too_wide_for_that_becomes_records() -> None:
    names = [f"column-number-{n}" for n in range(5)]
    lines = fitted([names, [f"value{n}" for n in range(5)]], 40)
    assert lines == [
        "column-number-0: value0",
        *(f"  column-number-{n}: value{n}" for n in range(1, 5)),
    ]


def test_numbers_are_not_broken() -> None:
    rows = [["name", "value"], ["x" * 30, "1,234,567 ± 89"], ["y", "−5.5 %"]]
    for width in range(LEAST, 60):
        shown = "\n".join(fitted(rows, width))
        assert "1,234,567" in shown
        assert "−5.5 %" in shown


def test_columns_sets_the_width_of_tables_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [HEAD, ["north", "12", "a remark that is rather long for a screen of this width"]]
    monkeypatch.setenv("COLUMNS", "40")
    console.table(rows, indent=2)
    assert max(map(text_width, capsys.readouterr().out.splitlines())) <= 40
    monkeypatch.delenv("COLUMNS")
    console.table(rows, indent=2)
    assert len(capsys.readouterr().out.splitlines()) == 2
