"""sudare link, as typed: identities in all five ways, a join, logs, refusals and their codes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app, main
from sudare.cli.link_output import beside_of, show
from sudare.cli.registry import GROUPS
from sudare.publish.outputs import OutputSet

Typed = Callable[..., int]


def told(*words: str) -> dict[str, Any]:
    """The JSON that a command prints; nothing of it is for people."""
    done = CliRunner().invoke(app, ["link", *words, "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """The exit code of what is typed in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["sudare", "link", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0)

    return run


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small join that has run, with a salt, since that is the quicker kind."""
    folder = tmp_path_factory.mktemp("link") / "town"
    words = ["simulate", "-o", str(folder), "--people", "60", "--pseudonyms", "salt"]
    found = told(*words)
    assert [party["name"] for party in found["parties"]] == ["hospital", "shop"]
    assert found["pseudonyms"] == "salt"
    return folder


def test_an_authority_and_a_party_in_one_step(typed: Typed) -> None:
    made = told("init", "consortium", "--authority", "-o", "ca")
    assert made["made"] == "authority"
    assert re.fullmatch("[0-9a-f]{64}", made["ca_sha256"])
    party = told("init", "shop", "--by", "ca", "-o", "shop")
    assert (party["made"], party["ca_sha256"]) == ("identity", made["ca_sha256"])
    assert (Path("shop") / "key.pem").stat().st_mode & 0o077 == 0


def test_a_request_a_signature_and_a_certificate(typed: Typed) -> None:
    told("init", "consortium", "--authority", "-o", "ca")
    assert told("init", "shop", "-o", "shop")["made"] == "request"
    Path("post").mkdir()
    (Path("post") / "request.pem").write_bytes(Path("shop/request.pem").read_bytes())
    signed = told("init", "shop", "--sign", "post/request.pem", "-o", "ca")
    assert (signed["made"], signed["path"]) == ("certificate", "post/certificate.pem")
    words = ("--certificate", "post/certificate.pem", "--ca", "ca/ca.pem")
    assert told("init", "shop", "-o", "shop", *words)["made"] == "adopted"


def test_an_authority_signs_the_name_it_was_asked_for(
    typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    typed("init", "consortium", "--authority", "-o", "ca")
    typed("init", "shop", "-o", "shop")
    capsys.readouterr()
    assert typed("init", "bank", "--sign", "shop/request.pem", "-o", "ca") == 2
    assert "for the name 'shop', not for 'bank'" in capsys.readouterr().err
    assert not Path("shop/certificate.pem").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("init", "a", "-o", "a", "--authority", "--by", "b"), 2),
        (("init", "a", "-o", "a", "--certificate", "x.pem"), 2),
        (("init", "a", "-o", "a", "--sign", "x.pem"), 2),
        (("init", "a", "-o", "a", "--by", "nobody"), 4),
        (("init", "a", "-o", "a", "--days", "0"), 2),
        (("init", "../a", "-o", "a", "--authority"), 4),
        (("serve", "link.toml", "a.csv", "--as", "a", "--identity", "a"), 4),
        (("collect", "link.toml", "--identity", "a"), 4),
        (("simulate", "-o", "x", "--parties", "7"), 2),
        (("verify-log", "log.jsonl", "--certificate", "x.pem"), 2),
        (("verify-log", "log.jsonl"), 2),
        (("collect", "link.toml", "--identity", "a", "--wait", "-1"), 2),
        (("collect", "link.toml", "--identity", "a", "--wait", "nan"), 2),
    ],
)
def test_refusals(typed: Typed, words: tuple[str, ...], code: int) -> None:
    assert typed(*words) == code
    assert not list(Path().glob("*.link"))


@pytest.mark.parametrize("lang", [("--lang", "ja"), ("--lang=ja",)])
def test_refusals_in_japanese(
    typed: Typed, capsys: pytest.CaptureFixture[str], lang: tuple[str, ...]
) -> None:
    """The kind of refusal, before the sentence that has the names."""
    assert typed("init", "a", "-o", "a", "--by", "nobody", *lang) == 4
    first, second, _ = capsys.readouterr().err.splitlines()
    assert first == "エラー：鍵または証明書に問題があります。sudare link init で作り直せます。"
    assert second.startswith("error: nobody/")
    assert typed("init", "b", "-o", "b", "--by", "nobody") == 4
    assert "エラー" not in capsys.readouterr().err


def test_no_folder_is_used_twice(typed: Typed, capsys: pytest.CaptureFixture[str]) -> None:
    Path("town").mkdir()
    (Path("town") / "mine").write_text("", encoding="utf-8")
    assert typed("simulate", "-o", "town") == 2
    assert "is not empty" in capsys.readouterr().err


@pytest.mark.integration
def test_a_plan_with_another_authority_is_refused(
    typed: Typed, session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed("init", "other", "--authority", "-o", "ca")
    typed("init", "institute", "--by", "ca", "-o", "institute")
    plan = str(session / "link.toml")
    assert typed("collect", plan, "--identity", "institute", "-o", "j.parquet") == 4
    assert "not the one that the plan pins" in capsys.readouterr().err
    assert typed("collect", plan, "--identity", str(session / "shop"), "-o", "j.parquet") == 4
    assert "is that of 'shop', not of 'institute'" in capsys.readouterr().err


def test_a_join_leaves_a_file_a_promise_and_a_page(session: Path) -> None:
    found = json.loads((session / "joined.certificate.json").read_text("utf-8"))
    assert found["rows"] == sum(
        each["n"] for each in found["account"]["classes"] if len(each["members"]) == 2
    )
    assert 10 < found["rows"] < 60
    assert all(party["deleted"]["signature"] for party in found["parties"])
    assert "<html" in (session / "joined.report.html").read_text("utf-8")
    estimated = CliRunner().invoke(app, ["estimate", str(session / "joined.parquet"), "--json"])
    assert json.loads(estimated.stdout)["rows"] == found["rows"]


def test_neither_report_nor_log_holds_a_key_or_a_secret(session: Path) -> None:
    phones = [
        line.split(",")[0] for line in (session / "hospital.csv").read_text("utf-8").splitlines()
    ][1:]
    left = [path for path in session.rglob("*") if path.suffix in (".jsonl", ".json", ".html")]
    assert len(left) > 5
    for path in left:
        text = path.read_text("utf-8")
        assert not [p for p in phones if p in text or p.replace("-", "") in text], path
    assert not list(session.rglob("*.secret"))


def test_every_log_is_signed_by_the_others(session: Path) -> None:
    names = ("hospital", "shop", "institute")
    known = [
        word
        for name in names
        for word in ("--certificate", str(session / name / "certificate.pem"))
    ]
    for role in ("hospital", "shop", "institute.collector"):
        log = str(session / f"town.{role}.link" / "log.jsonl")
        found = told("verify-log", log, *known, "--ca", str(session / "consortium" / "ca.pem"))
        signers = {each["by"] for each in found["countersigned"]}
        assert signers == ({"institute"} if role != "institute.collector" else set(names[:2]))
        assert found["deleted"]["entry"] <= found["entries"]
    shown = CliRunner().invoke(app, ["link", "verify-log", log, *known, "--lang", "ja"])
    assert "矛盾はありません" in shown.stdout
    # The organisations had left when the collector deleted.
    assert "その記載より後の署名はありません" in shown.stdout


def test_a_log_that_nobody_signed_is_no_evidence(typed: Typed, session: Path) -> None:
    log = (session / "town.hospital.link" / "log.jsonl").read_text("utf-8")
    Path("log.jsonl").write_text(log.split("\n", 1)[0] + "\n", "utf-8")
    known = ("--certificate", str(session / "institute" / "certificate.pem"))
    assert typed("verify-log", "log.jsonl", *known) == 4
    assert typed("verify-log", "log.jsonl", *known, "--unsigned") == 0


@pytest.mark.parametrize("as_json", [True, False])
def test_an_empty_join_warns_people(
    session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    certificate = json.loads((session / "joined.certificate.json").read_text("utf-8"))
    told = certificate | {"rows": 0, "warnings": ["empty"]}
    beside = beside_of(tmp_path / "j.parquet", [], "en")
    with OutputSet((tmp_path / "j.parquet", *beside.names)) as files:
        beside.stage(told, files)
        files.finish()
    show(told, [], as_json, "en")
    shown = capsys.readouterr()
    assert "WARNING: nobody is held by all organisations" in shown.err
    assert "WARNING" not in shown.out
    assert "WARNING" in (tmp_path / "j.report.html").read_text("utf-8")


def test_a_session_that_has_ended_says_so(
    typed: Typed, session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, output = str(session / "link.toml"), str(session / "joined.parquet")
    who = ("--identity", str(session / "institute"))
    assert typed("collect", plan, *who, "-o", output, "--lang", "ja") == 0
    said = capsys.readouterr().err
    assert "既に終了しています" in said
    assert "を書き出しました" not in said
    (session / "joined.report.html").unlink()
    assert typed("collect", plan, *who, "-o", output) == 0
    assert "joined.report.html" in capsys.readouterr().err
    hospital = ("--as", "hospital", "--identity", str(session / "hospital"), "--wait", "1")
    ledger = ("--ledger", str(session / "hospital.ledger"))
    assert typed("serve", plan, str(session / "hospital.csv"), *hospital, *ledger) == 0
    assert "nothing was sent or charged now" in capsys.readouterr().out


def test_a_changed_log_and_a_foreign_authority_are_refused(typed: Typed, session: Path) -> None:
    log = session / "town.hospital.link" / "log.jsonl"
    known = ("--certificate", str(session / "institute" / "certificate.pem"))
    Path("log.jsonl").write_text(log.read_text("utf-8").replace('"rows":', '"Rows":', 1))
    assert typed("verify-log", "log.jsonl", *known) == 4
    assert typed("init", "other", "--authority", "-o", "ca") == 0
    assert typed("verify-log", str(log), *known, "--ca", "ca/ca.pem") == 4
    assert typed("verify-log", str(log), *known) == 0


def test_every_help_has_an_example() -> None:
    names = {entry.name for entry in GROUPS["link"].entries}
    assert {"init", "serve", "join", "collect", "simulate", "verify-log"} <= names
    for name in names:
        shown = CliRunner().invoke(app, ["link", name, "--help"]).output
        assert f"Example: sudare link {name}" in " ".join(shown.split()), name
    shown = CliRunner().invoke(app, ["link", "--help"]).output
    assert "Example: sudare link" in " ".join(shown.split())
