"""The shipped town, the tour's parts and the page that links what they made."""

from __future__ import annotations

import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from typer.testing import CliRunner

from sudare.cli import demonstrating
from sudare.cli.app import app
from sudare.cli.demonstrating import COLUMNS, LINES, PartName
from sudare.demo import needs
from sudare.demo.parts import PARTS
from sudare.demo.town import PEOPLE, people_csv, schema_text
from sudare.facts.schema import parse_schema
from sudare.publish.steward import validate
from sudare.report.columns import text_width

# Parts that take a second or two; the others have tests of their own.
QUICK = ("ask", "tables", "exam")
_HEADING = re.compile(r"^(step \d+ of \d+: |手順 \d+／\d+：).* … \d+\.\d s$")


class _Addresses(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def walk(folder: Path, *options: str) -> str:
    run = CliRunner().invoke(app, ["demo", "-o", str(folder), *options])
    assert run.exit_code == 0, run.output
    return run.stdout


def only(*names: str) -> list[str]:
    return [word for name in names for word in ("--only", name)]


def screens(shown: str) -> list[list[str]]:
    """The lines of every step, its heading first; the last step has the end below it."""
    found: list[list[str]] = []
    for line in shown.splitlines():
        if _HEADING.match(line):
            found.append([])
        found[-1].append(line)
    return found


def is_prose(line: str) -> bool:
    """Whether a line names no file: the name of a file stays whole, however long."""
    return "→" not in line and "index.html" not in line


def untimed(shown: str) -> str:
    return re.sub(r" … \d+\.\d s$", "", shown, flags=re.MULTILINE)


def cards(folder: Path) -> list[str]:
    return [card["name"] for card in json.loads((folder / "demo.json").read_text("utf-8"))["cards"]]


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("demo") / "out"
    return folder, walk(folder, *only(*QUICK))


def test_the_town_is_the_same_everywhere_and_fits_its_schema(tmp_path: Path) -> None:
    text = people_csv()
    assert text.count("\n") == PEOPLE + 1
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert digest == hashlib.sha256(people_csv().encode()).hexdigest()
    path = tmp_path / "people.csv"
    path.write_text(text, encoding="utf-8")
    report = validate(path, parse_schema(schema_text("ja"), "town"))
    assert report.ok, report
    assert not report.findings


def test_the_command_knows_every_part() -> None:
    assert [part.name for part in PARTS] == [name.value for name in PartName]
    assert all(part.steps for part in PARTS)
    assert CliRunner().invoke(app, ["demo", "--only", "nothing"]).exit_code == 2


def test_what_the_parts_promise_is_there(walked: tuple[Path, str]) -> None:
    folder, _ = walked
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    assert names >= {
        "people.csv", "people.schema.toml", "people.ledger", "answers.csv", "certificate.json",
        "report.html", "regions.csv", "regions.certificate.json", "regions.report.html",
        "table/table.csv", "table/crosstab.csv", "table/table.xlsx", "table/certificate.json",
        "table/report.html", "exam/en/exam.html", "exam/en/exam.csv", "index.html",
    }  # fmt: skip
    assert not [name for name in names if "unfinished" in name]
    certificate = json.loads((folder / "certificate.json").read_text("utf-8"))
    assert certificate["guarantee"]["epsilon"] == 1.0


def test_steps_are_numbered_and_fit_on_a_screen(walked: tuple[Path, str]) -> None:
    _, shown = walked
    found = screens(shown)
    assert len(found) == 6
    assert [each[0].split(":")[0] for each in found] == [
        f"step {number} of 6" for number in range(1, 7)
    ]
    # Redirected output is plain: no bar, no colours, no carriage returns.
    assert "\x1b" not in shown
    assert "\r" not in shown
    for each in found:
        assert len(each) <= LINES
        assert all(text_width(line) <= COLUMNS for line in each if is_prose(line)), each
    end = found[-1][-4:]
    assert "index.html" in end[0]
    assert "sudare init" in end[1]
    assert "tutorial" in end[3]


def test_the_index_links_what_is_there_and_fetches_nothing(walked: tuple[Path, str]) -> None:
    folder, _ = walked
    assert cards(folder) == ["overview", "regions", "table", "exam", "refusal"]
    page = (folder / "index.html").read_text(encoding="utf-8")
    addresses = [each for each in _Addresses(page).found if not each.startswith("data:")]
    assert {"report.html", "regions.report.html", "table/report.html"} <= set(addresses)
    assert len(addresses) > 15
    for each in addresses:
        assert (folder / unquote(each)).is_file(), each
    for kind in ("badge epsilon", "badge none"):
        assert kind in page
    assert "Refused at the cap" in page
    # Parts that were not run stand there with their command.
    assert "sudare demo --only link" in page
    assert "sudare demo --only ask<" not in page


def test_once_more_pays_nothing(walked: tuple[Path, str]) -> None:
    folder, shown = walked
    runs = ["ledger", "show", str(folder / "people.ledger"), "--json"]
    before = CliRunner().invoke(app, runs)
    assert before.exit_code == 0, before.output
    assert untimed(walk(folder, *only(*QUICK))) == untimed(shown)
    japanese = walk(folder, "--lang", "ja", *only("ask"))
    assert "平均" in japanese
    assert all(
        len(each) <= LINES and all(text_width(line) <= COLUMNS for line in each if is_prose(line))
        for each in screens(japanese)
    )
    assert CliRunner().invoke(app, runs).stdout == before.stdout
    assert cards(folder) == ["overview", "regions", "table", "exam", "refusal"]
    assert '<html lang="ja"' in (folder / "index.html").read_text(encoding="utf-8")


def test_json_names_the_index(walked: tuple[Path, str]) -> None:
    folder, _ = walked
    shown = walk(folder, "--json", *only("tables"))
    decoder, place, found = json.JSONDecoder(), 0, []
    while place < len(shown.rstrip()):
        value, place = decoder.raw_decode(shown, place)
        found.append(value)
        place += len(shown[place:]) - len(shown[place:].lstrip())
    assert [set(each) >= {"answers", "release"} for each in found] == [True, False]
    assert found[-1]["index"] == str(folder / "index.html")
    assert "table" in found[-1]["cards"]


def test_a_part_without_its_packages_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needs, "find_spec", lambda name: None)
    monkeypatch.setattr(
        needs, "requires", lambda name: ["ortools>=9; extra == 'risk'", "rbcl; extra == 'all'"]
    )
    shown = walk(tmp_path, *only("link", "synthesis", "exam", "tables"))
    assert "pip install 'sudare[risk]'" in " ".join(shown.split())
    assert "pip install 'sudare[all]'" in " ".join(shown.split())
    assert shown.count("Skipped:") == 4
    # Nothing was spent, so nothing is refused, and the page offers every part.
    assert not (tmp_path / "people.ledger").exists()
    assert cards(tmp_path) == []
    assert "sudare demo --only exam" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_another_part_adds_to_the_page(tmp_path: Path) -> None:
    walk(tmp_path, *only("exam"))
    assert cards(tmp_path) == ["exam"]
    walk(tmp_path, *only("tables"))
    assert cards(tmp_path) == ["table", "exam", "refusal"]
    assert "exam/en/exam.html" in (tmp_path / "index.html").read_text(encoding="utf-8")
    # A manifest that was damaged costs the cards of earlier runs, never the run.
    (tmp_path / "demo.json").write_text("{", encoding="utf-8")
    walk(tmp_path, *only("exam"))
    assert cards(tmp_path) == ["exam"]


def test_a_ledger_spent_by_something_else_is_refused(tmp_path: Path) -> None:
    walk(tmp_path, *only("tables"))
    for key in ("one", "two"):
        spent = CliRunner().invoke(
            app, ["ask", str(tmp_path / "people.csv"), "count()", "-e", "1", "--key", key]
        )
        assert spent.exit_code == 0, spent.output
    run = CliRunner().invoke(app, ["demo", "-o", str(tmp_path), *only("ask")])
    assert run.exit_code != 0
    assert "--output" in f"{run.output}{run.exception and getattr(run.exception, 'hint', '')}"


@pytest.mark.parametrize(
    "words",
    [
        "「年齢」別の行数（11 区分）は、約 221（[100, 110]）から約 3,062（[0, 10)）までです"
        "（いずれも 95 % の確率で ± 56以内）。「年齢」は減る傾向があります（約 -50）。",
        "A sentence whose number (about 15,100,000, ± 1,200,000 with 95 % probability) and whose "
        "words stay whole, however long the sentence – or its dashes — may be: ε = 3.",
    ],
)
def test_wrapped_lines_lose_nothing(words: str) -> None:
    lines = demonstrating._wrapped(words)
    assert len(lines) > 1
    assert all(text_width(line) <= COLUMNS for line in lines)
    assert "".join("".join(lines).split()) == "".join(words.split())
    assert not any(line.strip()[0] in "。、）」%" for line in lines)
