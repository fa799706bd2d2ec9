"""What a command says of its own run: a key used before, a changed cap, both languages; and that
no password is repeated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.facts.address import check_place
from sudare.facts.errors import BudgetRefused, InvalidPlan, UsageError

SCHEMA = """
[table]
name = "people"
neighbours = "replace-one"
[budget]
epsilon = 1
[columns.age]
type = "integer"
min = 0
max = 99
[levels.band]
of = "age"
width = 25
"""
RAISED = 'The cap of "people" in this ledger was ε=1 and is now ε=3, as the schema says.'
BECOMES = "The cap in this ledger is ε=1 and becomes ε=3 with this run, as the schema says."


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "people.csv").write_text("age\n" + "30\n" * 50)
    (tmp_path / "people.schema.toml").write_text(SCHEMA)
    (tmp_path / "raised.schema.toml").write_text(SCHEMA.replace("epsilon = 1", "epsilon = 3"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Any:
    return CliRunner().invoke(app, words, catch_exceptions=False)


ASK = ("ask", "people.csv", "count()", "--epsilon", "0.5", "--key", "k")
RANDOMIZE = ("randomize", "people.csv", "--epsilon", "0.5", "--key", "k", "-o", "r.parquet")


@pytest.mark.parametrize("words", [ASK, RANDOMIZE])
def test_a_key_that_was_used_spends_and_writes_nothing(words: tuple[str, ...]) -> None:
    first, again = run(*words), run(*words)
    assert "Spent ε=0.5" in first.stderr
    assert "Spent" not in again.stderr
    assert "Wrote r.parquet" not in again.stderr
    assert "This key was used before: the stored release is shown again" in again.stderr
    assert "このキーは以前に使われました" in run(*words, "--lang", "ja").stderr
    told = run(*words, "--json")
    assert "nothing was spent" in told.stderr
    assert json.loads(told.stdout)["release"] in first.stderr


def test_what_was_spent_is_said_in_the_language_asked_for() -> None:
    found = run(*ASK, "--lang", "ja")
    assert "「people」に ε=0.5 を使い" in found.stderr
    assert "Spent" not in found.stderr


@pytest.mark.parametrize("words", [ASK[:-2], (*RANDOMIZE[:4], "-o", "s.parquet")])
def test_a_changed_cap_is_said(words: tuple[str, ...]) -> None:
    raised = ("--schema", "raised.schema.toml", "--ledger", "people.ledger")
    assert "The cap" not in run(*words).stderr
    found = run(*words, *raised, *(("-o", "t.parquet") if "randomize" in words else ()), "--json")
    assert BECOMES in found.stderr
    told = json.loads(found.stdout)["cap"]
    assert (told["was"]["epsilon"], told["now"]["epsilon"]) == (1, 3)
    same = run(*words, *raised, *(("-o", "u.parquet") if "randomize" in words else ()), "--json")
    assert "The cap" not in same.stderr
    assert "cap" not in json.loads(same.stdout)


RAISED_BY = ("--schema", "raised.schema.toml", "--ledger", "people.ledger")
JOBS = (
    ("ask", "people.csv", "count()"),
    ("randomize", "people.csv", "-o", "made.parquet"),
    ("synthesize", "people.csv", "-o", "made.parquet"),
    ("tabulate", "people.csv", "--by", "band"),
    ("aggregate", "people.csv", "--columns", "age", "--output", "age=0..99:1", "--command", "cat"),
)


@pytest.mark.parametrize("words", JOBS, ids=lambda words: words[0])
def test_a_dry_run_sees_a_raised_cap_as_the_run_does(words: tuple[str, ...]) -> None:
    """ε = 2.4 is over the cap of 1 that is on record, and under the 3 that the run brings."""
    assert run(*ASK[:-2]).exit_code == 0
    dry = (*words, "--epsilon", "2.4", "--dry-run")
    refused, raised = run(*dry), run(*dry, *RAISED_BY)
    assert "ε=0.5 is left, and this would be refused: this release costs ε=2.4" in refused.stderr
    assert BECOMES in raised.stderr
    assert raised.stderr.endswith("ε=2.5 is left.\n")
    told = json.loads(run(*dry, *RAISED_BY, "--json").stdout)
    assert told["fits"] is True
    assert told["left"]["epsilon"] == 2.5
    assert (told["cap"]["was"]["epsilon"], told["cap"]["now"]["epsilon"]) == (1, 3)
    told = json.loads(run(*dry, "--json").stdout)
    assert told["fits"] is False
    assert "only ε=0.50 is left" in told["refused"]
    assert "拒否されます" in run(*dry, "--lang", "ja").stderr


@pytest.mark.parametrize("words", JOBS[:4], ids=lambda words: words[0])
def test_what_the_dry_run_foresees_is_what_the_run_does(words: tuple[str, ...]) -> None:
    run(*ASK[:-2])
    for epsilon, schema in (("0.7", ()), ("0.7", RAISED_BY), ("1.7", RAISED_BY)):
        given = (*words, "--epsilon", epsilon, *schema, "--force")
        fits = json.loads(run(*given, "--dry-run", "--json").stdout)["fits"]
        assert fits is (schema != ())
        if fits:
            assert run(*given).exit_code == 0
        else:
            with pytest.raises(BudgetRefused):
                run(*given)


def test_a_changed_cap_is_said_before_anything_is_spent() -> None:
    run(*ASK[:-2])
    with pytest.raises(InvalidPlan):
        run("ask", "people.csv", "count(nothing)", "--epsilon", "0.5", *RAISED_BY)
    found = run("ask", "people.csv", "count()", "--epsilon", "0.5", *RAISED_BY).stderr
    assert found.index(BECOMES) < found.index("Spent")


def test_a_dry_run_foresees_quotas_keys_and_rows() -> None:
    quotas = SCHEMA.replace("epsilon = 1", "epsilon = 1\nanalysts = { aki = 0.2 }")
    Path("people.schema.toml").write_text(quotas)
    dry = (*ASK[:3], "--dry-run", "--epsilon")
    assert "no analyst is named" in run(*dry, "0.1").stderr
    assert "left of the quota" in run(*dry, "0.3", "--analyst", "aki").stderr
    assert "refused" not in run(*dry, "0.2", "--analyst", "aki").stderr
    run(*ASK[:3], "--epsilon", "0.2", "--analyst", "aki", "--key", "k")
    again = run(*dry, "0.2", "--analyst", "aki", "--key", "k").stderr
    assert "the stored release would be shown again" in again
    Path("people.schema.toml").write_text(quotas.replace('"people"', '"citizens"'))
    assert 'charged as "people" before' in run(*dry, "0.1", "--analyst", "aki").stderr
    Path("copy.schema.toml").write_text(SCHEMA)
    copied = run(*dry, "0.1", "--schema", "copy.schema.toml").stderr
    assert "charged in another ledger" in copied
    assert not Path("copy.ledger").exists()


def test_a_dry_run_makes_no_ledger() -> None:
    assert "ε=1 is left." in run(*ASK[:3], "--epsilon", "0.5", "--dry-run").stderr
    assert not Path("people.ledger").exists()


def test_a_changed_cap_is_said_by_the_refusal_that_it_makes() -> None:
    run("ask", "people.csv", "count()", "--epsilon", "0.5")
    raised = ("--schema", "raised.schema.toml", "--ledger", "people.ledger")
    with pytest.raises(BudgetRefused) as caught:
        run("ask", "people.csv", "count()", "--epsilon", "5", *raised)
    assert RAISED in caught.value.hint


@pytest.mark.parametrize("name", ["r.csv", "r", "r.parquet.gz"])
def test_reports_under_another_name_are_refused_unpaid(place: Path, name: str) -> None:
    with pytest.raises(UsageError, match="written as Parquet"):
        run("randomize", "people.csv", "--epsilon", "0.5", "-o", name)
    assert not (place / "people.ledger").exists()


SECRET = [
    "mysql://analyst:s3cretpw@host/db#t",
    "postgresql//analyst:s3cretpw@host/db#t",
    "postgresql/analyst:s3cretpw@host/db",
    "mysql:/analyst:s3cretpw@host/db",
    "analyst:s3cretpw@host/db",
    "mysql://analyst:s3cret/s3cretpw@host/db",
    "mysql://analyst:s3cretpw with@blanks@host/db",
]


@pytest.mark.parametrize("text", SECRET)
def test_no_password_is_repeated(text: str) -> None:
    plan = json.dumps(text)
    Path("p.toml").write_text(f'data = {plan}\nepsilon = 0.5\nquestions = ["count()"]\n')
    for words in (
        ("ask", text, "count()", "--epsilon", "0.5"),
        ("ask", text, "count()", "--epsilon", "0.5", "--schema", "people.schema.toml"),
        ("ask", "people.csv", "count()", "--epsilon", "0.5", "--ledger", text),
        ("ledger", "show", text),
        ("validate", text, "--schema", "people.schema.toml"),
        ("run", "p.toml"),
    ):
        with pytest.raises(UsageError) as caught:
            run(*words)
        assert "s3cret" not in str(caught.value)


def test_files_with_odd_names_and_file_systems_are_no_secrets(place: Path) -> None:
    (place / "data").mkdir()
    (place / "data" / "a:b@c.csv").write_text("")
    for text in ("data/a:b@c.csv", "hdfs://host:9000/p@x/*.parquet", "s3a://bucket/*.parquet"):
        check_place(text)
    check_place("wasbs://container@account/x.parquet")


def test_one_person_and_nobody() -> None:
    found = run("account", "shuffle", "--n", "1", "--epsilon", "0.1")
    assert found.stdout.startswith("1 person, 1 attribute each by any")
    assert "ε* = 0.1 at" in found.stdout
    Path("people.csv").write_text("age\n")
    one = run("randomize", "people.csv", "--epsilon", "0.5", "-o", "none.parquet")
    assert "Each row reports one item" in one.stdout
    assert "There are no people in this file" in run("estimate", "none.parquet").stdout
    assert "回答した人がいない" in run("estimate", "none.parquet", "--lang", "ja").stdout


def test_a_way_without_another_names_none() -> None:
    words = ("--mechanism", "two-point", "--statistics", "mean", "--dry-run")
    for language, said in (("en", "No other way was open"), ("ja", "ほかの方法はありません")):
        found = run(*RANDOMIZE[:4], "-o", "r.parquet", *words, "--lang", language)
        assert said in found.stdout
        assert "other way," not in found.stdout


def test_shuffling_never_shows_more_than_the_local_epsilon() -> None:
    facts = SCHEMA.replace('"replace-one"', '"replace-one"\npublic_rows = 50')
    Path("people.schema.toml").write_text(facts)
    words = ("--budget", "split", "--shuffle", "--delta", "1e-9", "--dry-run", "--json")
    found = json.loads(run("randomize", "people.csv", "-e", "16", "-o", "r.parquet", *words).stdout)
    assert found["shuffle"]["epsilon"] <= 16
