"""sudare suppress and sudare check sets, as typed: files, pages, refusals without a name."""

from __future__ import annotations

import json
import subprocess
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
    (tmp_path / "b.dat").write_text(BASKETS, encoding="utf-8")
    (tmp_path / "s.csv").write_text(SENSITIVE, encoding="utf-8")


def test_a_release_with_certificate_and_page() -> None:
    words = ["suppress", "b.dat", "--sensitive", "s.csv", "--rho", "0.5", "-o", "r.dat", "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["rho"] == "1/2"
    assert len(Path("r.dat").read_text(encoding="utf-8").splitlines()) == 6
    certificate = json.loads(Path("r.certificate.json").read_text(encoding="utf-8"))
    assert certificate["guarantee"]["kind"] == "syntactic"
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
    assert "ρ = 1/2 を超える確信度" in CliRunner().invoke(app, words).stdout


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


def ended(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[object, str]:
    monkeypatch.setattr(sys, "argv", ["sudare", *words])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code, capsys.readouterr().err


CHECK = ["check", "sets", "b.dat"]
KM = ["--model", "km", "--k", "2", "--max-knowledge", "2"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([*CHECK, "--released", "b.dat"], 2),
        ([*CHECK, "--released", "b.dat", "--sensitive", "s.csv", "--max-knowledge", "0"], 2),
        ([*CHECK, "--released", "b.dat", "--sensitive", "s.csv", "-o", "p.html"], 2),
        ([*CHECK, "--sensitive", "s.csv", "--base-rate"], 2),
        ([*CHECK, "--sensitive", "s.csv", "--model", "km", "--k", "2"], 2),
        ([*CHECK, "--sensitive", "s.csv", "-o", "s.csv"], 2),
        ([*CHECK, "--sensitive", "s.csv", "--engine", "spark"], 2),
        ([*CHECK, "--released", "b.dat", *KM], 4),
        (["suppress", "b.dat", "--sensitive", "s.csv", "--rho", "0.5", "-o", "s.csv"], 2),
        (["suppress", "b.dat", "--sensitive", "s.csv", *KM, "-o", "r.dat"], 2),
    ],
)
def test_no_verdict_without_a_question(
    words: list[str],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = Path("s.csv").read_bytes()
    found, told = ended(words, monkeypatch, capsys)
    assert found == code
    assert "hint: " in told
    assert Path("s.csv").read_bytes() == before
    assert not Path("r.dat").exists()


@pytest.mark.integration
def test_a_release_of_the_other_models_is_verified() -> None:
    done = CliRunner().invoke(app, ["suppress", "b.dat", *KM, "-o", "r.csv"])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(app, [*CHECK, "--released", "r.csv", *KM])
    assert done.exit_code == 0, done.output
    assert "found no set of items in too few records" in done.stdout
    done = CliRunner().invoke(
        app, [*CHECK, "--released", "r.csv", "--released-format", "comma", "--json", *KM]
    )
    assert json.loads(done.stdout)["verified"]["fewest"] >= 2


def test_certificates_do_not_tell_what_is_sensitive() -> None:
    # Nothing needs to be suppressed for either wish, so only the verifier's counts differ.
    Path("b.dat").write_text("a x\na y\nb x\nb y\n")
    found = []
    for wish in ("user,item\n1,x\n", "user,item\n*,x\n*,y\n"):
        Path("w.csv").write_text(wish)
        words = ["suppress", "b.dat", "--sensitive", "w.csv", "--rho", "0.5", "-o", "r.dat"]
        assert CliRunner().invoke(app, [*words, "--force"]).exit_code == 0
        stated = json.loads(Path("r.certificate.json").read_text(encoding="utf-8"))
        found.append({**stated, "created": None, "signature": None})
    assert found[0] == found[1]


def refused_runs(times: int) -> set[int]:
    """The exit codes of a program that ends right after a CSV file was read."""
    Path("wrong.csv").write_text("user,item\n99,x\n")
    words = ["suppress", "b.dat", "--sensitive", "wrong.csv", "--rho", "0.5", "-o", "r.dat"]
    line = [sys.executable, "-m", "sudare.cli.app", *words]
    return {
        subprocess.run(line, capture_output=True, timeout=120, check=False).returncode
        for _ in range(times)
    }


def test_a_refusal_after_reading_ends_cleanly() -> None:
    assert refused_runs(2) == {4}


@pytest.mark.slow
def test_refusals_after_reading_end_cleanly_each_time() -> None:
    assert refused_runs(20) == {4}


def _cp932_rows(rows: int) -> None:
    """An ASCII header over rows that are not UTF-8, as Excel saves them in Japan."""
    text = "user,item\n" + "".join(f"u{n},牛乳\nu{n},薬{n % 2}\n" for n in range(rows))
    Path("t.csv").write_bytes(text.encode("cp932") + b"u0,tea\nu1,tea\n")


@pytest.mark.parametrize("words", [["suppress", "-o", "r.csv"], ["check", "sets"]])
def test_names_that_do_not_decode_are_said_everywhere(words: list[str]) -> None:
    _cp932_rows(3)
    Path("e.csv").write_text("user,item\n*,tea\n", encoding="utf-8")
    asked = [*words, "t.csv", "--sensitive", "e.csv", "--rho", "1"]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    assert "6 names do not decode" in " ".join(done.output.split())
    again = ["--force"] if words[0] == "suppress" else []
    told = CliRunner().invoke(app, [*asked, *again, "--json"])
    assert json.loads(told.stdout)["notices"]["undecodable"] == 6
    if words[0] == "suppress":
        page = Path("r.report.html").read_text(encoding="utf-8")
        assert "6 names do not decode" in page
        assert "名前 6 個" in page


def test_records_without_an_item_are_refused() -> None:
    Path("t.csv").write_bytes("user,item\n1,牛乳\n2,薬\n".encode("cp932"))
    for words in (["suppress", "-o", "r.csv"], ["check", "sets"]):
        asked = [*words, "t.csv", "--sensitive", "s.csv", "--rho", "1/2"]
        done = CliRunner().invoke(app, asked)
        assert done.exit_code != 0
        assert "No record of the data holds an item" in str(done.exception) + done.output
    assert not Path("r.csv").exists()


def test_an_empty_release_is_no_success() -> None:
    Path("t.dat").write_text("a b\n", encoding="utf-8")
    asked = [
        "suppress",
        "t.dat",
        "--model",
        "km",
        "--k",
        "2",
        "--max-knowledge",
        "1",
        "-o",
        "r.dat",
    ]
    done = CliRunner().invoke(app, asked)
    assert "The released file is empty" in done.output
