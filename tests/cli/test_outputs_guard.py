"""No command writes over what it reads, nor over what is there already: each is tried, and a new
option that names a file is not left out by accident."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from sudare.cli.app import app, main
from sudare.demo.town import people_csv, schema_text

ASK = ("ask", "people.csv", "--epsilon", "1", "count()")
SYNTHESIZE = ("synthesize", "people.csv", "--epsilon", "1", "--columns", "age,sex")
RECORDS = ("people.csv", "--quasi", "age,sex")
SETS = ("b.dat", "--sensitive", "s.csv", "--categories", "c.csv")
ALL = ("people.csv", "people.schema.toml", "people.ledger", "linked.csv", "hard.csv")
GIVEN = (*ALL, "there.csv", "there.json", "there.parquet", "there.html", "there.dat", "there.toml")
# Command → option → the words before it, and what the command reads beside what all name.
CASES: dict[str, dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "ask": {"--output": (ASK, ALL)},
    "run": {"--output": (("run", "plan.toml"), (*ALL, "plan.toml"))},
    "tabulate": {
        "--output": (("tabulate", "people.csv", "--by", "sex", "--epsilon", "1"), ALL),
    },
    "aggregate": {
        "--to": (
            ("aggregate", "people.csv", "--epsilon", "1", "--columns", "age", "--output",
             "age=0..99:1", "--command", "cat mean.py"),
            (*ALL, "mean.py"),
        ),
    },
    "randomize": {
        "--output": (("randomize", "p.parquet", "--epsilon", "1"), ("p.parquet", "p.schema.toml")),
    },
    "estimate": {"--report": (("estimate", "there.parquet"), ("there.parquet",))},
    "link init": {},
    "link collect": {
        "--output": (
            ("link", "collect", "town/link.toml", "--identity", "town/institute"),
            ("town/link.toml", "town/hospital.schema.toml", "town/institute/key.pem"),
        ),
    },
    "link simulate": {},
    "synthesize": {
        "--output": (SYNTHESIZE, ALL),
        "--statistics": ((*SYNTHESIZE, "-o", "new.csv"), (*ALL, "new.csv")),
    },
    "compare": {
        "--output": (("compare", "people.csv", "there.csv", "--holdout", "s.csv"),
                     (*ALL, "there.csv", "s.csv")),
    },
    "suppress": {"--output": (("suppress", *SETS, "--rho", "0.5"), ("b.dat", "s.csv", "c.csv"))},
    "check tables": {"--output": (("check", "tables", "there.csv", "--facts", "plan.toml"),
                                  ("there.csv", "plan.toml"))},
    "check records": {"--output": (("check", "records", *RECORDS, "--against", "there.csv"),
                                   ("people.csv", "people.schema.toml", "there.csv", "hard.csv"))},
    "check sets": {"--output": (("check", "sets", *SETS), ("b.dat", "s.csv", "c.csv"))},
    "anonymize records": {"--output": (("anonymize", "records", *RECORDS, "--k", "5"),
                                       ("people.csv", "linked.csv", "hard.csv"))},
    "reproduce shuffle-paper": {
        "--output": (("reproduce", "shuffle-paper", "--data", "report.html"), (".",)),
    },
    "reproduce synthesis-paper": {
        "--output": (("reproduce", "synthesis-paper", "--data", "papers"), ("papers/page.html",)),
    },
    "reproduce sets-paper": {
        "--output": (("reproduce", "sets-paper", "--data", "papers"), ("bms",)),
    },
    "demo": {},
    "init": {"--output": (("init", "people.csv"), ("people.csv", "people.ledger", "linked.csv"))},
    "ledger export-head": {
        "--output": (("ledger", "export-head", "people"), ("people.ledger", "people.ledger-wal")),
    },
    "ledger release": {
        "--output": (("ledger", "release", "RELEASE"), ("people.ledger", "people.ledger-wal")),
    },
}  # fmt: skip
# Folders that a command fills, if they are new; tried in tests of their own below.
FOLDERS = {("link init", "--output"), ("link simulate", "--output"), ("demo", "--output")}
# Options with a path that name what is read, or where a session is kept.
READ = {
    "--schema", "--from-statistics", "--from-randomized", "--facts", "--sensitive", "--categories",
    "--hierarchy", "--released", "--head", "--certificate", "--identity", "--folder", "--by",
    "--sign", "--ca", "--data",
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that a command may name."""
    folder = tmp_path_factory.mktemp("made")
    lines = people_csv().splitlines(keepends=True)[:200]
    (folder / "people.csv").write_text("".join(lines), encoding="utf-8")
    schema = schema_text("en").replace("add-remove", "replace-one")
    (folder / "people.schema.toml").write_text(schema, encoding="utf-8")
    (folder / "plan.toml").write_text(
        'data = "people.csv"\nepsilon = 1\noutput = "people.csv"\n[[questions]]\nask = "count()"\n'
    )
    (folder / "mean.py").write_text("print(1)\n")
    (folder / "b.dat").write_text("a b\nb c\n")
    (folder / "s.csv").write_text("user,item\n1,a\n")
    (folder / "c.csv").write_text("item,category\na,x\n")
    (folder / "report.html").write_text("sex,age\n")
    for ending in ("csv", "json", "parquet", "html", "dat", "toml"):
        (folder / f"there.{ending}").write_text("mine\n")
    (folder / "papers").mkdir()
    (folder / "papers" / "page.html").write_text("mine\n")
    for number in (1, 2):
        (folder / "papers" / f"bms-webview-{number}.dat").write_text("1 2\n")
    (folder / "bms").mkdir()
    os.link(folder / "papers" / "bms-webview-1.dat", folder / "bms" / "report.html")
    (folder / "p.parquet").write_text("mine\n")
    (folder / "p.schema.toml").write_text(schema, encoding="utf-8")
    _make_consortium(folder / "town")
    return folder


def _make_consortium(folder: Path) -> None:
    from sudare.demo.linked import COLUMNS, write_consortium

    holdings = {"hospital": COLUMNS[:2], "shop": COLUMNS[2:4]}
    write_consortium(folder, holdings, 5, "4", "salt")


@pytest.fixture(scope="module")
def release(made: Path) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        done = CliRunner().invoke(app, ["ask", *ASK[1:], "--json"])
        assert done.exit_code == 0, done.output
    os.link(made / "people.csv", made / "hard.csv")
    (made / "linked.csv").symlink_to(made / "people.csv")
    import json

    return str(json.loads(done.stdout)["release"])


def digests(folder: Path) -> dict[str, str]:
    """Every file; what SQLite keeps beside an open ledger, and a begun session, come and go."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not name.endswith(("-wal", "-shm")) and ".collector.link" not in name:
            content = path.read_bytes() if path.is_file() else b""
            found[name] = hashlib.sha256(content).hexdigest()
    return found


def commands(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if hasattr(command, "commands"):
        for name, each in command.commands.items():
            yield from commands(each, f"{path} {name}".strip())
    else:
        yield path, command


def options_with_paths() -> set[tuple[str, str]]:
    """Each command's options that name a file or a folder."""
    found = set()
    for path, command in commands(typer.main.get_command(app)):
        for option in command.params:
            if option.param_type_name == "option" and "Path" in str(
                option.type_descriptor.annotation
            ):
                found.add((path, next(each for each in option.opts if each.startswith("--"))))
    return found


# A name that the job's files cannot have is refused for that first.
REFUSED = (
    "would replace", "cannot be written to", "not an HTML file", "written as Parquet",
    "belongs to a ledger", "is a folder", "Nothing can be written", "is there already",
)  # fmt: skip
TRIED = sorted(
    (command, option, target)
    for command, options in CASES.items()
    for option, (_, targets) in options.items()
    for target in targets
)


def test_every_option_that_names_a_file_is_tried_or_known_to_be_read() -> None:
    tried = {(command, option) for command, option, _ in TRIED}
    found = options_with_paths()
    assert {each for each in found if each[1] not in READ} == tried | FOLDERS
    assert {option for _, option in found} >= READ - {"--data", "--schema"}


def test_every_command_that_writes_takes_force() -> None:
    writing = {command for command, options in CASES.items() if options}
    forced = {
        path
        for path, command in commands(typer.main.get_command(app))
        if any("--force" in option.opts for option in command.params)
    }
    assert forced == writing


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(("command", "option", "target"), TRIED)
def test_what_a_command_reads_is_not_written_over(
    made: Path,
    release: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    option: str,
    target: str,
    force: bool,
) -> None:
    monkeypatch.chdir(made)
    words = [release if each == "RELEASE" else each for each in CASES[command][option][0]]
    before = digests(made)
    monkeypatch.setattr(
        "sys.argv", ["sudare", *words, option, target, *(["--force"] if force else [])]
    )
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err
    assert ended.value.code in (2, 4), said
    assert any(each in said for each in REFUSED), said
    assert digests(made) == before


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (ASK, "there.csv"),
        (("run", "plan.toml"), "there.json"),
        (("tabulate", "people.csv", "--by", "sex", "--epsilon", "1"), "full"),
        (CASES["aggregate"]["--to"][0], "there.json"),
        (CASES["randomize"]["--output"][0], "there.parquet"),
        (("estimate", "people.csv"), "there.html"),
        (SYNTHESIZE, "there.csv"),
        (("compare", "people.csv", "s.csv"), "there.html"),
        (("suppress", *SETS, "--rho", "0.5"), "there.dat"),
        (("check", "tables", "c.csv"), "there.html"),
        (("check", "records", *RECORDS), "there.html"),
        (("check", "sets", *SETS), "there.html"),
        (("anonymize", "records", *RECORDS, "--k", "5"), "there.csv"),
        (("init", "people.csv"), "there.toml"),
        (("ledger", "export-head", "people"), "there.json"),
        (("ledger", "release", "RELEASE"), "people.csv"),
        (("link", "collect", "town/link.toml", "--identity", "town/institute"), "there.parquet"),
    ],
)
def test_what_is_there_already_needs_force_and_nothing_is_paid(
    made: Path,
    release: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    target: str,
) -> None:
    monkeypatch.chdir(made)
    (made / "full").mkdir(exist_ok=True)
    (made / "full" / "crosstab.csv").write_text("mine")
    before = digests(made)
    option = "--report" if words[0] == "estimate" else "-o"
    named = [release if each == "RELEASE" else each for each in words]
    monkeypatch.setattr("sys.argv", ["sudare", *named, option, target])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err
    assert ended.value.code == 2, said
    assert "is there already" in said
    assert "--force" in said
    assert digests(made) == before


def test_a_folder_of_others_is_no_place_for_a_tour_or_a_session(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made)
    before = digests(made)
    for words in (("demo", "-o", "."), ("link", "simulate", "-o", ".")):
        monkeypatch.setattr("sys.argv", ["sudare", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
    assert digests(made) == before


def test_a_paid_table_under_its_own_name_is_told_and_fetched_again(
    made: Path, tmp_path: Path, release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release is written, refused over itself, replaced with --force, and fetched again."""
    monkeypatch.chdir(made)
    place = str(tmp_path / "out" / "a.csv")
    fetch = ["ledger", "release", release, "-o", place]
    assert CliRunner().invoke(app, fetch).exit_code == 0
    first = digests(tmp_path)
    assert CliRunner().invoke(app, fetch).exit_code == 0
    (tmp_path / "out" / "a.report.html").unlink()
    assert CliRunner().invoke(app, fetch).exit_code == 0
    assert digests(tmp_path) == first
    monkeypatch.setattr("sys.argv", ["sudare", *ASK[:3], "0.1", *ASK[4:], "-o", place])
    with pytest.raises(SystemExit):
        main()
    replaced = CliRunner().invoke(app, [*ASK[:3], "0.1", *ASK[4:], "-o", place, "--force"])
    assert replaced.exit_code == 0, replaced.output
    assert f"The files of release {release} will be replaced" in replaced.stderr
    assert f"sudare ledger release {release}" in replaced.stderr
    (tmp_path / "out" / "a.csv").write_text("lost")
    differs = CliRunner().invoke(app, fetch)
    assert differs.exception is not None
    assert "with something else" in str(differs.exception)
    assert CliRunner().invoke(app, [*fetch, "--force"]).exit_code == 0
    assert digests(tmp_path) == first
