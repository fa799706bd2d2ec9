"""sudare suppress and sudare check sets, as typed: files, pages, refusals without a name."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app, main

BASKETS = "牛乳 パン 薬\nりんご\n牛乳 珈琲 パン\n牛乳 薬\n珈琲 パン りんご\n蜜柑 薬\n"
SENSITIVE = "user,item\n1,薬\n4,薬\n6,薬\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.dat").write_bytes(BASKETS.encode("cp932"))
    (tmp_path / "s.csv").write_bytes(SENSITIVE.encode("cp932"))


def test_a_release_with_certificate_and_page() -> None:
    words = ["suppress", "b.dat", "--sensitive", "s.csv", "--rho", "0.5", "-o", "r.dat", "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["rho"] == "1/2"
    assert len(Path("r.dat").read_text(encoding="utf-8").splitlines()) == 6
    certificate = json.loads(Path("r.certificate.json").read_text(encoding="utf-8"))
    assert certificate["guarantee"] == "syntactic"
    for secret in ("薬", "util1", "s.csv"):
        assert secret not in json.dumps(certificate, ensure_ascii=False)
    assert Path("r.report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    words = [
        "check",
        "sets",
        "b.dat",
        "--sensitive",
        "s.csv",
        "--released",
        "r.dat",
        "--lang",
        "ja",
    ]
    assert "確信度1/2" in CliRunner().invoke(app, words).stdout


def test_the_check_names_records_and_items() -> None:
    words = ["check", "sets", "b.dat", "--sensitive", "s.csv", "--rho", "1/2", "-o", "c.html"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "牛乳 → 薬" in done.stdout
    assert Path("c.html").is_file()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--rho", "1.5"], 4),
        (["--rho", "0"], 4),
        ([], 2),
        (["--model", "km", "--k", "2"], 2),
        (["--rho", "0.5", "--eps", "0.1"], 2),
    ],
)
def test_refusals_have_a_hint(
    words: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["sudare", "suppress", "b.dat", "--sensitive", "s.csv", "-o", "r.dat", *words]
    monkeypatch.setattr(sys, "argv", line)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == code
    assert "hint: " in capsys.readouterr().err
    assert not Path("r.dat").exists()


def test_a_file_without_records_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("b.dat").write_text("")
    line = ["sudare", "suppress", "b.dat", "--sensitive", "s.csv", "--rho", "1/2", "-o", "r.dat"]
    monkeypatch.setattr(sys, "argv", line)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 4
    assert "hint: " in capsys.readouterr().err
