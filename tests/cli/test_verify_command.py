"""sudare verify, sudare key, and the signed certificates of every command."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sudare.cli.app import app
from sudare.facts.errors import UsageError
from support.certificates import another_key, read, written

pytestmark = pytest.mark.integration

SCHEMA = """
[table]
name = "people"
neighbours = "replace-one"
[budget]
epsilon = 100
delta = 1e-6
[columns.sex]
type = "category"
values = ["F", "M"]
[columns.region]
type = "category"
values = ["north", "south"]
[columns.age]
type = "integer"
min = 0
max = 99
"""
EVERY = {
    "answers": ("ask", "people.csv", "-e", "1", "count()", "-o", "out.csv"),
    "table": ("tabulate", "people.csv", "-e", "1", "--by", "sex,region", "-o", "out"),
    "reports": ("randomize", "people.csv", "-e", "4", "-o", "out.parquet"),
    "private rows": ("synthesize", "people.csv", "-e", "1", "-o", "out.csv"),
    "exact rows": ("synthesize", "people.csv", "-o", "out.csv", "--statistics", "s.json"),
    "statistics": ("synthesize", "people.csv", "--statistics-only", "-o", "out.json"),
    "rows and statistics": (
        "synthesize", "people.csv", "-e", "1", "-o", "out.csv", "--statistics", "out.json",
    ),
    "records": (
        "anonymize", "records", "people.csv", "--quasi", "age,sex", "--k", "5", "--method",
        "mondrian", "-o", "out.csv",
    ),
    "sets": ("suppress", "b.dat", "--sensitive", "s.csv", "--rho", "0.7", "-o", "out.dat"),
}  # fmt: skip
CHARGED = ("answers", "table", "reports", "private rows", "rows and statistics")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Path("people.schema.toml").write_text(SCHEMA, encoding="utf-8")
    rows = [f"{'FM'[i % 2]},{'north' if i % 10 < 7 else 'south'},{i * 7 % 100}" for i in range(500)]
    Path("people.csv").write_text("sex,region,age\n" + "\n".join(rows) + "\n", encoding="utf-8")
    Path("b.dat").write_text("1 2 3\n1 2\n2 3\n1 3\n1 2 3\n1 2\n")
    Path("s.csv").write_text("user,item\n*,3\n")
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def done(*words: str) -> Result:
    found = run(*words)
    assert found.exit_code == 0, found.output
    return found


def made(case: str) -> Path:
    words = EVERY[case]
    done(*words)
    return Path(words[words.index("-o") + 1])


@pytest.mark.parametrize("case", EVERY)
def test_what_every_command_writes_is_verified(case: str) -> None:
    output = made(case)
    told = json.loads(done("verify", str(output), "--json").stdout)
    assert told["ok"]
    codes = {each["code"] for each in told["findings"]}
    assert codes == ({"signed", "same"} | ({"known", "agrees"} if case in CHARGED else {"nobody"}))
    assert told["vouched"] is (case in CHARGED)
    done("key", "export", "-o", "steward.pub")
    pinned = json.loads(done("verify", str(output), "--public-key", "steward.pub", "--json").stdout)
    assert pinned["vouched"]
    # Whatever file of it is changed, it is found by naming that file or its folder's certificate.
    place = output if output.is_dir() else Path()
    certificate = next(iter(sorted(place.glob("*certificate.json"))))
    for name in read(certificate)["files"]:
        path = place / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert run("verify", str(path)).exit_code == 4
        assert run("verify", str(certificate)).exit_code == 4
        path.write_bytes(whole)
    told = read(certificate)
    told["created"] = "2020-01-01T00:00:00+00:00"
    certificate.write_text(written(told, another_key()), encoding="utf-8")
    forged = run("verify", str(output))
    assert forged.exit_code == (4 if case in CHARGED else 0)
    assert "Who signed is not shown" in forged.stdout or forged.exit_code == 4
    assert run("verify", str(output), "--public-key", "steward.pub").exit_code == 4


def test_private_pages_are_no_part_of_the_certificate() -> None:
    """Whoever guessed their figures could try them by the digest."""
    for case in ("records", "sets"):
        for path in Path().glob("out*"):
            path.unlink()
        output = made(case)
        stem = output.with_suffix("")
        assert stem.with_name(stem.name + ".report.html").exists()
        files = read(stem.with_name(stem.name + ".certificate.json"))["files"]
        assert list(files) == [output.name]


def test_a_released_release_has_the_same_certificate() -> None:
    done(*EVERY["answers"])
    release = read(Path("out.certificate.json"))["body"]["id"]
    done("ledger", "release", release, "-o", "again.csv")
    first, again = read(Path("out.certificate.json")), read(Path("again.certificate.json"))
    assert first["body"] == again["body"]
    assert first["files"]["out.csv"] == again["files"]["again.csv"]
    done("verify", "again.csv")


def test_the_key_is_made_once_and_said(folder: Path) -> None:
    first = done(*EVERY["answers"])
    place = folder / "data" / "sudare" / "steward.key"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    fingerprint = done("key", "show").stdout.strip()
    assert f"Its fingerprint: {fingerprint}" in first.stderr
    assert "Made the key" not in done(*EVERY["table"]).stderr
    assert json.loads(done("key", "show", "--json").stdout)["fingerprint"] == fingerprint
    assert read(Path("out.certificate.json"))["signer"] == fingerprint
    assert fingerprint in done("ledger", "show", "people").stdout
    shown = json.loads(done("ledger", "show", "people", "--json").stdout)
    assert [each["fingerprint"] for each in shown["signers"]] == [fingerprint]
    assert "BEGIN PUBLIC KEY" in done("key", "export").stdout
    done("key", "export", "-o", "steward.pub")
    for words in (("steward.pub",), (str(place), "--force")):
        refused = run("key", "export", "-o", *words)
        assert isinstance(refused.exception, UsageError)
    assert "PRIVATE" in place.read_text()


def test_no_key_is_refused_before_the_charge(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("")
    monkeypatch.setenv("SUDARE_KEY", str(Path("file", "steward.key").absolute()))
    for case in EVERY:
        refused = run(*EVERY[case])
        assert refused.exit_code != 0, case
        assert "No signing key can be made" in str(refused.exception), case
    assert not Path("people.ledger").exists()
    assert not list(Path().glob("out*"))
    # Without files there is no certificate, so nothing has to be signed.
    done("ask", "people.csv", "-e", "1", "count()")


def test_a_tampered_certificate_is_told_in_words(folder: Path) -> None:
    output = made("answers")
    told = read(Path("out.certificate.json"))
    told["guarantee"]["epsilon"] = 0.1
    Path("out.certificate.json").write_text(written(told), encoding="utf-8")
    shown = run("verify", str(output))
    assert shown.exit_code == 4
    assert "✗ out.certificate.json: the signature does not fit" in shown.stdout
    assert shown.stdout.endswith("NOT valid: do not rely on what is marked with ✗.\n")
    shown = run("verify", str(output), "--lang", "ja")
    assert "署名が合いません" in shown.stdout
    assert run("verify", "nothing.csv").exit_code != 0
    checked = run("ledger", "verify", "people", "--certificate", "out.certificate.json")
    assert checked.exit_code == 4
    found = run("ledger", "verify", "people", "--certificate", "out.certificate.json", "--json")
    assert json.loads(found.stdout)["ok"] is False
    assert os.path.exists(folder / "people.ledger")
