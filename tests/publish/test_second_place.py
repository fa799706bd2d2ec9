"""The ledger belongs to where the rows lie: under another name there is no fresh budget."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.facts.errors import BudgetRefused, InvalidLedger, SudareError, UsageError
from sudare.facts.plan import Plan
from sudare.facts.release import Release
from sudare.facts.schema import Schema, make_schema
from sudare.ledger.ledger import Ledger
from sudare.publish import books
from sudare.publish.ask import ask
from sudare.publish.charging import state_folder
from sudare.publish.files import ledger_path, load_schema

SCHEMA = """
[table]
name = "people"
[budget]
epsilon = 3.0
[columns.age]
type = "integer"
min = 0
max = 120
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project on a machine of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "people.csv").write_text("age\n" + "30\n" * 40)
    (folder / "people.schema.toml").write_text(SCHEMA)
    return folder


def asked(folder: Path, schema: str = "people.schema.toml", **given: Any) -> Release:
    """What `sudare ask people.csv --schema …` does."""
    path = folder / schema
    data = given.pop("data", folder / "people.csv")
    ledger = given.pop("ledger", ledger_path(path))
    plan = Plan(("count()",), Fraction(given.pop("epsilon", 1)))
    return ask(data, load_schema(path), plan, ledger=ledger, **given)


def rewrite(folder: Path, schema: str = "people.schema.toml", **table: str) -> None:
    lines = [f'{name} = "{value}"' for name, value in ({"name": "people"} | table).items()]
    text = SCHEMA.replace('name = "people"', "\n".join(lines))
    (folder / schema).write_text(text)


def spent(ledger: Path, dataset: str = "people") -> float:
    with Ledger.open(ledger) as opened:
        return opened.balance(dataset).spent.epsilon


def test_a_copied_schema_is_no_fresh_budget(project: Path) -> None:
    asked(project)
    shutil.copy(project / "people.schema.toml", project / "copy.schema.toml")
    with pytest.raises(BudgetRefused, match="charged in another ledger") as refused:
        asked(project, "copy.schema.toml")
    assert str(project / "people.ledger") in refused.value.hint
    assert 'population = "…"' in refused.value.hint
    found = asked(project, "copy.schema.toml", ledger=project / "people.ledger")
    assert found.left["epsilon"] == 1


@pytest.mark.parametrize(
    "name",
    [
        lambda folder: folder / "link.csv",
        lambda folder: os.path.relpath(folder / "people.csv"),
        lambda folder: f"{folder}/../project/./people.csv",
    ],
    ids=["symlink", "relative", "dots"],
)
def test_a_file_is_the_same_under_any_name(project: Path, name: Callable[[Path], Any]) -> None:
    asked(project)
    (project / "link.csv").symlink_to("people.csv")
    rewrite(project, "copy.schema.toml")
    with pytest.raises(BudgetRefused, match="another ledger"):
        asked(project, "copy.schema.toml", data=name(project))


def test_a_renamed_table_is_no_fresh_budget(project: Path) -> None:
    asked(project)
    rewrite(project, name="citizens")
    with pytest.raises(BudgetRefused, match='charged as "people" before') as refused:
        asked(project)
    assert 'population = "people"' in refused.value.hint
    rewrite(project, name="citizens", population="people")
    assert asked(project).left["epsilon"] == 1
    assert spent(project / "people.ledger") == 2


def test_the_steward_may_part_populations_and_it_is_on_record(project: Path) -> None:
    asked(project)
    rewrite(project, population="people of 2025")
    found = asked(project)
    assert found.left["epsilon"] == 2
    assert found.notes["parted"] == {"was": "people", "now": "people of 2025"}
    with Ledger.open(project / "people.ledger") as ledger:
        assert ledger.verify().ok
        kinds = [(e.kind, e.dataset) for e in ledger.entries() if e.kind == "place"]
    assert kinds == [("place", "people"), ("place", "people of 2025")]
    # From here on the schema has to say whom it means.
    rewrite(project)
    with pytest.raises(BudgetRefused, match='charged as "people of 2025"'):
        asked(project)


def test_a_population_joins_two_tables(project: Path) -> None:
    asked(project)
    (project / "visits.csv").write_text("age\n" + "30\n" * 9)
    rewrite(project, "visits.schema.toml", name="visits", population="people")
    found = asked(
        project, "visits.schema.toml", data=project / "visits.csv", ledger=project / "people.ledger"
    )
    assert found.left["epsilon"] == 1


def test_a_named_population_cannot_be_counted_in_two_ledgers(project: Path) -> None:
    asked(project)
    rewrite(project, "copy.schema.toml", population="people")
    with pytest.raises(BudgetRefused, match='as the population "people"'):
        asked(project, "copy.schema.toml")
    rewrite(project, "copy.schema.toml", population="others")
    assert asked(project, "copy.schema.toml").left["epsilon"] == 2


def test_every_ledger_that_charged_the_rows_is_remembered(project: Path) -> None:
    """The second ledger's word on whose rows these are does not wipe out the first one's."""
    asked(project, epsilon=3)
    rewrite(project, "b.schema.toml", population="p2")
    second = asked(project, "b.schema.toml", epsilon=3)
    assert second.notes["parted_elsewhere"] == {"now": "p2"}
    rewrite(project, "c.schema.toml", name="x", population="people")
    with pytest.raises(BudgetRefused, match='as the population "people"') as refused:
        asked(project, "c.schema.toml")
    assert str(project / "people.ledger") in refused.value.hint
    assert "b.ledger" not in refused.value.hint
    # The first one goes on, and has nothing left.
    with pytest.raises(BudgetRefused, match=r"only ε=0\.00 is left"):
        asked(project)
    rewrite(project, "d.schema.toml")
    with pytest.raises(BudgetRefused, match="charged in another ledger"):
        asked(project, "d.schema.toml")


def test_both_of_two_populations_go_on_and_the_word_is_said_once(project: Path) -> None:
    asked(project)
    rewrite(project, "b.schema.toml", population="p2")
    assert "parted_elsewhere" in asked(project, "b.schema.toml").notes
    # A changed file has another time of change; neither side is asked again.
    (project / "people.csv").write_text("age\n" + "31\n" * 40)
    for schema, left in (("b.schema.toml", 1), ("people.schema.toml", 1)):
        found = asked(project, schema)
        assert found.left["epsilon"] == left
        assert found.notes == {}


def test_a_second_place_of_the_first_format_is_brought_up_to_date(project: Path) -> None:
    asked(project)
    folder = state_folder()
    assert folder is not None
    with sqlite3.connect(folder / "ledgers.sqlite") as db:
        db.executescript(
            "CREATE TABLE old (place BLOB PRIMARY KEY, ledger BLOB NOT NULL, "
            "dataset BLOB NOT NULL) STRICT;"
            "INSERT INTO old SELECT * FROM charged; DROP TABLE charged;"
            "ALTER TABLE old RENAME TO charged; PRAGMA user_version = 1;"
        )
    db.close()
    rewrite(project, "copy.schema.toml")
    with pytest.raises(BudgetRefused, match="charged in another ledger"):
        asked(project, "copy.schema.toml")
    found = asked(project)
    assert found.left["epsilon"] == 1
    assert found.notes == {}


@pytest.mark.parametrize("epsilon", [1, 4], ids=["known rows", "over the cap"])
def test_a_refused_charge_leaves_no_ledger(project: Path, epsilon: int) -> None:
    if epsilon == 1:
        asked(project)
    before = {path.name for path in project.iterdir()}
    rewrite(project, "copy.schema.toml")
    with pytest.raises(BudgetRefused) as refused:
        asked(project, "copy.schema.toml", epsilon=epsilon)
    assert "ledger show" not in refused.value.hint
    assert {path.name for path in project.iterdir()} == before | {"copy.schema.toml"}


def test_a_hard_link_is_the_same_file(project: Path) -> None:
    asked(project)
    os.link(project / "people.csv", project / "p.csv")
    with (project / "people.csv").open("a") as more:
        more.write("30\n")
    rewrite(project, "copy.schema.toml")
    with pytest.raises(BudgetRefused, match="another ledger"):
        asked(project, "copy.schema.toml", data=project / "p.csv")
    # In the same ledger under another name of the table.
    rewrite(project, name="citizens")
    with pytest.raises(BudgetRefused, match='charged as "people" before'):
        asked(project, data=project / "p.csv")
    rewrite(project, name="citizens", population="citizens")
    assert asked(project, data=project / "p.csv").notes["parted"]["was"] == "people"


def test_a_renamed_file_is_the_same_file(project: Path) -> None:
    asked(project)
    (project / "people.csv").rename(project / "p.csv")
    rewrite(project, "copy.schema.toml")
    with pytest.raises(BudgetRefused, match="another ledger"):
        asked(project, "copy.schema.toml", data=project / "p.csv")


def test_a_population_changes_no_plan() -> None:
    def digest(**table: str) -> str:
        values = {"table": {"name": "people", **table}, "columns": {"age": {"type": "key"}}}
        return make_schema(values).digest()

    assert digest() == digest(population="people")


def test_a_deleted_ledger_is_noticed(project: Path) -> None:
    asked(project)
    (project / "people.ledger").unlink()
    for leftover in project.glob("people.ledger-*"):
        leftover.unlink()
    with pytest.raises(InvalidLedger, match="is gone; this machine knew it with 5 entries"):
        asked(project)
    with pytest.raises(InvalidLedger, match="is gone"):
        books.find_ledger("people", project)
    assert not (project / "people.ledger").exists()


def test_a_ledger_that_is_lost_may_be_given_up(project: Path) -> None:
    asked(project)
    (project / "people.ledger").unlink()
    for leftover in project.glob("people.ledger-*"):
        leftover.unlink()
    assert books.accept("people", project)["is_gone"] is True
    assert asked(project).left["epsilon"] == 2
    with Ledger.open(project / "people.ledger") as ledger:
        accepted = [entry.body for entry in ledger.entries() if entry.kind == "accept"]
        assert ledger.verify().ok
    assert [each.known_seq for each in accepted] == [5]  # type: ignore[union-attr]
    assert asked(project).left["epsilon"] == 1


def test_a_ledger_that_was_set_back_is_noticed(project: Path) -> None:
    asked(project)
    shutil.copy(project / "people.ledger", project / "yesterday")
    asked(project)
    replace_by(project / "people.ledger", project / "yesterday")
    verify = partial(books.verify, project / "people.ledger", None)
    for work in (partial(asked, project), verify):
        with pytest.raises(InvalidLedger, match=r"ends at entry 5; this machine knew it with 7"):
            work()
    assert "ends at entry 5" in books.show(project / "people.ledger")["doubt"]
    assert books.accept("people", project) == {
        "ledger": str(project / "people.ledger"), "known_entries": 7, "is_gone": False,
    }  # fmt: skip
    assert asked(project).left["epsilon"] == 1
    assert books.verify(project / "people.ledger", None).ok


def test_whoever_reads_a_ledger_that_was_set_back_is_warned(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    first = asked(project)
    shutil.copy(project / "people.ledger", project / "yesterday")
    asked(project)
    replace_by(project / "people.ledger", project / "yesterday")
    with pytest.raises(InvalidLedger, match="ends at entry 5; this machine knew it with 7"):
        books.move(project / "people.ledger", "postgresql://nobody@127.0.0.1:1/nowhere")
    for words in (("export-head", "people.ledger"), ("release", first.id)):
        done = CliRunner().invoke(app, ["ledger", *words], catch_exceptions=False)
        assert done.exit_code == 0
        assert "this machine knew it with 7" in " ".join(done.stderr.split())


def replace_by(ledger: Path, copy: Path) -> None:
    for leftover in ledger.parent.glob(f"{ledger.name}-*"):
        leftover.unlink()
    shutil.copy(copy, ledger)


def test_another_history_and_another_ledger_are_noticed(project: Path) -> None:
    asked(project)
    shutil.copy(project / "people.ledger", project / "fork")
    asked(project)
    shutil.copy(project / "people.ledger", project / "first")
    replace_by(project / "people.ledger", project / "fork")
    # On another machine the fork goes on unnoticed.
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setenv("XDG_STATE_HOME", str(project / "elsewhere"))
        asked(project)
        asked(project, "people.schema.toml", epsilon="0.5")
    with pytest.raises(InvalidLedger, match=r"Entry 7 of .* is not the one"):
        asked(project)
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setenv("XDG_STATE_HOME", str(project / "third"))
        (project / "people.ledger").unlink()
        asked(project)
    with pytest.raises(InvalidLedger, match="is not the ledger that this machine knew there"):
        asked(project)


def test_a_project_may_move(project: Path) -> None:
    asked(project)
    moved = project.rename(project.with_name("moved"))
    assert asked(moved).left["epsilon"] == 1
    assert asked(moved).left["epsilon"] == 0


def test_two_machines_with_one_ledger_need_no_word(project: Path) -> None:
    asked(project)
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setenv("XDG_STATE_HOME", str(project / "elsewhere"))
        asked(project)
    assert asked(project).left["epsilon"] == 0


def test_a_copied_project_is_a_fork(project: Path) -> None:
    asked(project)
    copy = shutil.copytree(project, project.with_name("copy"))
    asked(project)
    with pytest.raises(InvalidLedger, match="ends at entry 5"):
        asked(copy)


def test_where_nothing_can_be_kept_the_run_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(project / "file"))
    found = asked(project)
    assert found.notes["unwatched"] == {"why": "its folder cannot be written"}
    assert found.left["epsilon"] == 2
    # The ledger itself still knows its rows.
    rewrite(project, name="citizens")
    with pytest.raises(BudgetRefused, match='charged as "people"'):
        asked(project)


def test_a_damaged_second_place_is_no_reason_to_refuse(project: Path) -> None:
    folder = state_folder()
    assert folder is not None
    folder.mkdir(parents=True)
    (folder / "ledgers.sqlite").write_bytes(b"not a database" * 100)
    assert asked(project).notes["unwatched"] == {"why": "ledgers.sqlite is damaged"}


def test_the_second_place_holds_no_name_and_no_path(project: Path) -> None:
    rewrite(project, population="canary-4711")
    asked(project)
    folder = state_folder()
    assert folder is not None
    kept = (folder / "ledgers.sqlite").read_bytes()
    assert (folder / "ledgers.sqlite").stat().st_mode & 0o077 == 0
    for word in (b"canary", b"project", b"people", str(project.parent.name).encode()):
        assert word not in kept
    with Ledger.open(project / "people.ledger") as ledger:
        bodies = " ".join(str(entry.body) for entry in ledger.entries() if entry.kind == "place")
    assert "project" not in bodies
    assert "people.csv" not in bodies


def test_dataframes_have_no_place(project: Path) -> None:
    import polars as pl

    data = pl.read_csv(project / "people.csv")
    asked(project, data=data)
    rewrite(project, "copy.schema.toml")
    assert asked(project, "copy.schema.toml", data=data).left["epsilon"] == 2


def test_part_of_a_folder_is_the_folder(project: Path) -> None:
    import polars as pl

    (project / "parts").mkdir()
    for name in ("a", "b"):
        pl.DataFrame({"age": [30] * 20}).write_parquet(project / "parts" / f"{name}.parquet")
    asked(project, data=str(project / "parts" / "*.parquet"))
    rewrite(project, "copy.schema.toml")
    for part in ("a.parquet", "[ab].parquet", "**/*.parquet"):
        with pytest.raises(BudgetRefused, match="another ledger"):
            asked(project, "copy.schema.toml", data=str(project / "parts" / part))


def test_the_whole_is_not_fresh_after_a_part(project: Path) -> None:
    import polars as pl

    pl.DataFrame({"age": [30] * 20}).write_parquet(project / "a.parquet")
    asked(project, data=str(project / "a.parquet"))
    rewrite(project, "copy.schema.toml")
    with pytest.raises(BudgetRefused, match="another ledger"):
        asked(project, "copy.schema.toml", data=str(project / "*.parquet"))


def test_two_runs_at_once_cannot_begin_two_ledgers(project: Path) -> None:
    """Eight processes, eight schemas, one table: one ledger is charged, the others refuse."""
    program = (
        "import sys; from pathlib import Path; sys.path.insert(0, 'tests');"
        "from publish.test_second_place import asked\n"
        "try: asked(Path(sys.argv[1]), sys.argv[2]); print('paid')\n"
        "except Exception as error: print(type(error).__name__)"
    )
    for number in range(8):
        rewrite(project, f"copy{number}.schema.toml")
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(project), f"copy{number}.schema.toml"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for number in range(8)
    ]
    said = sorted(run.communicate()[0].strip() for run in runs)
    assert said == ["BudgetRefused"] * 7 + ["paid"]
    assert len(list(project.glob("*.ledger"))) == 1


def test_nothing_can_be_accepted_without_a_doubt(project: Path) -> None:
    asked(project)
    for name in ("people", "nobody"):
        with pytest.raises(UsageError, match="nothing to accept"):
            books.accept(name, project)


def test_the_command_line_says_it_all(project: Path) -> None:
    def sudare(*words: str) -> subprocess.CompletedProcess[str]:
        run = [sys.executable, "-m", "sudare.cli.app", *words]
        return subprocess.run(run, cwd=project, capture_output=True, text=True, timeout=120)

    ask_copy = ("ask", "people.csv", "count()", "--epsilon", "1", "--schema", "copy.schema.toml")
    assert sudare("ask", "people.csv", "count()", "--epsilon", "1").returncode == 0
    rewrite(project, "copy.schema.toml")
    found = sudare(*ask_copy)
    assert found.returncode == 3
    assert "Name that one with --ledger" in found.stderr
    rewrite(project, "copy.schema.toml", population="others")
    parted = sudare(*ask_copy, "--ledger", "people.ledger")
    assert 'The schema names the population "others"' in parted.stderr
    (project / "people.ledger").unlink()
    assert "is gone; this machine knew it with" in sudare("ledger", "show", "people").stderr
    assert "is given up" in sudare("ledger", "accept", "people").stdout
    assert sudare("ask", "people.csv", "count()", "--epsilon", "1").returncode == 0


JOBS: dict[str, Callable[[Path, Schema, Path], object]] = {}


def job(work: Callable[[Path, Schema, Path], object]) -> Callable[[Path, Schema, Path], object]:
    JOBS[work.__name__] = work
    return work


@job
def tabulate(data: Path, schema: Schema, ledger: Path) -> object:
    from sudare.facts.table_plan import TablePlan
    from sudare.publish.tabulate import tabulate as run

    return run(data, schema, TablePlan(("sex",), Fraction(1)), ledger=ledger)


@job
def randomize(data: Path, schema: Schema, ledger: Path) -> object:
    from sudare.facts.local_plan import LocalPlan
    from sudare.publish.randomize import randomize as run

    return run(data, schema, LocalPlan(Fraction(1)), ledger.with_suffix(".parquet"), ledger=ledger)


@job
def synthesize(data: Path, schema: Schema, ledger: Path) -> object:
    from sudare.publish.private_statistics import PrivatePlan, private_statistics

    return private_statistics(data, schema, PrivatePlan(Fraction(1)), ledger=ledger)


@job
def aggregate(data: Path, schema: Schema, ledger: Path) -> object:
    from sudare.facts.block_plan import BlockPlan, Output
    from sudare.publish.aggregate import aggregate as run
    from sudare.publish.aggregate import of_function

    program = of_function(mean_age)
    output = Output("age", Fraction(0), Fraction(120), Fraction(1), None)
    plan = BlockPlan(("age",), (output,), Fraction(1), program.digest, blocks=8)
    return run(data, schema, plan, program, ledger=ledger)


def mean_age(block: dict[str, Any]) -> float:
    return float(block["age"].mean())


@pytest.mark.parametrize("name", JOBS)
def test_every_job_that_charges_knows_the_rows(project: Path, name: str) -> None:
    (project / "people.csv").write_text("age,sex\n" + "30,F\n40,M\n" * 40)
    sex = '[columns.sex]\ntype = "category"\nvalues = ["F", "M"]\n'
    text = SCHEMA.replace('"people"', '"people"\nneighbours = "replace-one"')
    (project / "people.schema.toml").write_text(text.replace("3.0", "9.0") + sex)
    schema = load_schema(project / "people.schema.toml")
    JOBS[name](project / "people.csv", schema, project / "people.ledger")
    with pytest.raises(SudareError) as refused:
        asked(project, ledger=project / "copy.ledger")
    assert "charged in another ledger" in refused.value.what
    other = project / "other.ledger"
    with pytest.raises(BudgetRefused, match="charged in another ledger"):
        JOBS[name](project / "people.csv", schema, other)


def test_the_database_of_the_second_place_is_sound(project: Path) -> None:
    asked(project)
    folder = state_folder()
    assert folder is not None
    with sqlite3.connect(folder / "ledgers.sqlite") as db:
        assert db.execute("SELECT seq FROM ledger").fetchall() == [(5,)]
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
