"""Randomise end to end: the order of paying and reading, keys, what leaves, and what is charged."""

from __future__ import annotations

import errno
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from local.test_ways import plan
from sudare.engines import reports
from sudare.engines.duck import DuckSource
from sudare.engines.reports import open_reports
from sudare.facts.errors import (
    BudgetRefused,
    InvalidFile,
    InvalidPlan,
    RunUnfinished,
    SudareError,
    UsageError,
)
from sudare.facts.schema import Schema, make_schema
from sudare.ledger.ledger import Ledger
from sudare.mechanisms.local.named import mechanism_of
from sudare.publish import books
from sudare.publish.outputs import Beside, digest_of
from sudare.publish.randomize import fetch, price_local, randomize
from support.failing_calls import Killed, faults

ROWS = 5000


def schema(**table: Any) -> Schema:
    return make_schema(
        {
            "table": {"name": "town", "neighbours": "replace-one", "public_rows": ROWS} | table,
            "budget": {"epsilon": 10, "delta": 1e-6},
            "columns": {
                "age": {"type": "integer", "min": 0, "max": 100},
                "sex": {"type": "category", "values": ["m", "f"], "other": "?"},
            },
        }
    )


def people(rows: int = ROWS) -> pa.Table:
    numbers = np.arange(rows)
    return pa.table({"age": numbers % 101, "sex": [("m", "f")[n % 2] for n in numbers.tolist()]})


def left(ledger: Path) -> float:
    with Ledger.open(ledger) as books:
        return books.balance("town").left.epsilon


def test_a_file_with_its_release(tmp_path: Path) -> None:
    ledger, output = tmp_path / "t.ledger", tmp_path / "r.parquet"
    seen: list[int] = []
    release = randomize(
        people(),
        schema(),
        plan("4", budget="split"),
        output,
        ledger=ledger,
        progress=lambda done, rows: seen.append(done),
    )
    told = release.randomized
    assert told is not None
    assert release.spent["epsilon"] == 4
    assert release.guarantee["neighbours"] == "replace-one"
    assert told["sha256"] == digest_of(output)
    assert told["rows"] == seen[-1] == ROWS
    assert left(ledger) == 6
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []
    found = open_reports(output)
    (batch,) = found.batches()
    age: Any = mechanism_of(next(i for i in found.facts.items if i.name == "age"))
    scores = age.scores(batch.reports["age"][1])
    # The mean of 0..100 is the middle; six standard errors.
    assert abs(scores.mean()) < 6 * scores.std() / np.sqrt(ROWS)


def test_shuffled_rows_come_in_another_order(tmp_path: Path) -> None:
    """At an ε where reports hardly stray, they follow the table only if they are not shuffled."""
    found = {}
    for shuffle in (False, True):
        output = tmp_path / f"{shuffle}.parquet"
        wide = schema().model_copy(update={"budget": None})
        wide = make_schema(wide.model_dump(mode="json") | {"budget": {"epsilon": 100}})
        randomize(
            people(),
            wide,
            plan("16", columns=("sex",), shuffle=shuffle),
            output,
            ledger=tmp_path / f"{shuffle}.ledger",
        )
        (batch,) = open_reports(output).batches()
        found[shuffle] = batch.reports["sex"][1]
    expected = np.arange(ROWS) % 2
    assert (found[False] == expected).mean() > 0.999
    assert 0.4 < (found[True] == expected).mean() < 0.6
    assert abs(int(found[True].sum()) - ROWS // 2) < 10


def test_shuffling_is_charged_at_what_it_is_worth(tmp_path: Path) -> None:
    asked = plan("2", "grr", columns=("sex",), shuffle=True, delta=Fraction(1, 10**9))
    priced = price_local(schema(), asked)
    assert priced.amplified is not None
    assert priced.cost.delta == 1e-9
    assert 0.05 < priced.cost.epsilon < 0.6
    assert priced.cost.epsilon >= priced.amplified["bounds"]["blanket"]
    release = randomize(
        people(), schema(), asked, tmp_path / "r.parquet", ledger=tmp_path / "t.ledger"
    )
    assert release.spent["epsilon"] == priced.cost.epsilon
    # Without a δ the local ε is paid, and what shuffling gives is only told.
    free = plan("2", "grr", columns=("sex",), shuffle=True)
    told = randomize(people(), schema(), free, tmp_path / "s.parquet", ledger=tmp_path / "t.ledger")
    assert told.spent["epsilon"] == 2
    assert told.randomized is not None
    assert told.randomized["shuffle"]["epsilon"] < 0.7


def test_fewer_rows_than_declared_are_refused_before_anything_is_charged(tmp_path: Path) -> None:
    asked = plan("2", columns=("sex",), shuffle=True, delta=Fraction(1, 10**9))
    ledger = tmp_path / "t.ledger"
    with pytest.raises(InvalidFile, match="fewer rows"):
        randomize(people(ROWS - 1), schema(), asked, tmp_path / "r.parquet", ledger=ledger)
    assert not (tmp_path / "r.parquet").exists()
    assert not ledger.exists()


def test_where_only_reading_tells_fewer_rows_are_not_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As a view in PostgreSQL, which is not counted before.
    monkeypatch.setattr(DuckSource, "most_rows", None)
    asked = plan("2", columns=("sex",), shuffle=True, delta=Fraction(1, 10**9))
    ledger = tmp_path / "t.ledger"
    with pytest.raises(InvalidFile, match=r"fewer rows.*stays charged"):
        randomize(people(ROWS - 1), schema(), asked, tmp_path / "r.parquet", ledger=ledger)
    assert not (tmp_path / "r.parquet").exists()
    assert left(ledger) < 10


@pytest.mark.parametrize("rows", [0, ROWS - 1])
@pytest.mark.parametrize("name", ["town", "parted"])
def test_a_server_counts_its_rows_before_anything_is_charged(
    tmp_path: Path, postgres_url: str, rows: int, name: str
) -> None:
    import psycopg

    with psycopg.connect(postgres_url) as db:
        db.execute("CREATE TABLE town AS SELECT 5 AS age, 'm' AS sex FROM generate_series(1, 4999)")
        db.execute("CREATE TABLE parted (age int, sex text) PARTITION BY LIST (sex)")
        db.execute("CREATE TABLE part PARTITION OF parted DEFAULT")
        db.execute("INSERT INTO parted SELECT * FROM town")
        if rows == 0:
            db.execute("TRUNCATE town, parted")
    asked = plan("2", columns=("sex",), shuffle=True, delta=Fraction(1, 10**9))
    ledger, output = tmp_path / "t.ledger", tmp_path / "r.parquet"
    with pytest.raises(InvalidFile, match="fewer rows") as caught:
        randomize(f"{postgres_url}#{name}", schema(), asked, output, ledger=ledger)
    assert "charged" not in str(caught.value)
    assert not ledger.exists()


def test_rows_that_are_not_public_are_not_counted(postgres_url: str) -> None:
    import psycopg

    from sudare.engines.open import open_source
    from sudare.facts.engine import AUTO

    with psycopg.connect(postgres_url) as db:
        db.execute("CREATE TABLE town AS SELECT 5 AS age, 'm' AS sex")
        db.execute("CREATE VIEW seen AS SELECT 1 / (age - 5) AS age, sex FROM town")
    private = schema(neighbours="add-remove", public_rows=None)
    for name, facts, known in (
        ("town", private, None),
        ("seen", schema(), None),
        ("town", schema(), 1),
    ):
        with open_source(f"{postgres_url}#{name}", facts, ["sex"], AUTO) as source:
            assert source.most_rows == known


def test_shuffling_needs_the_number_of_rows_and_one_row_a_person() -> None:
    asked = plan("2", columns=("sex",), shuffle=True, delta=Fraction(1, 10**9))
    with pytest.raises(InvalidPlan, match="number of rows, which is not declared"):
        price_local(schema(public_rows=None), asked)


def test_the_same_key_draws_once(tmp_path: Path) -> None:
    ledger, output = tmp_path / "t.ledger", tmp_path / "r.parquet"
    one = randomize(people(), schema(), plan("4"), output, ledger=ledger, key="k")
    first = output.read_bytes()
    again = randomize(people(), schema(), plan("4"), output, ledger=ledger, key="k")
    assert again.to_bytes() == one.to_bytes()
    assert output.read_bytes() == first
    gone = randomize(tmp_path / "gone.csv", schema(), plan("4"), output, ledger=ledger, key="k")
    assert gone.to_bytes() == one.to_bytes()
    assert left(ledger) == 6
    with pytest.raises(InvalidFile, match="not drawn again"):
        randomize(people(), schema(), plan("4"), tmp_path / "o.parquet", ledger=ledger, key="k")
    assert left(ledger) == 6


def test_the_charge_comes_before_the_rows_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "t.ledger"

    class Broken(reports.OnRows):
        def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
            assert left(ledger) == 6
            raise ValueError("a secret value")

    monkeypatch.setattr(
        "sudare.publish.randomize.on_rows", lambda facts, function: Broken(function, frozenset())
    )
    with pytest.raises(SudareError) as caught:
        randomize(people(), schema(), plan("4"), tmp_path / "r.parquet", ledger=ledger)
    assert "secret" not in str(caught.value)
    assert "stays charged" in caught.value.hint
    assert left(ledger) == 6
    assert (
        sorted(path.suffix for path in tmp_path.iterdir()) == [".ledger"]
        or not (tmp_path / "r.parquet").exists()
    )


def test_refusals_read_nothing_and_charge_nothing(tmp_path: Path) -> None:
    ledger = tmp_path / "t.ledger"
    with pytest.raises(BudgetRefused):
        randomize(people(), schema(), plan("11"), tmp_path / "r.parquet", ledger=ledger)
    with pytest.raises(UsageError, match="Nothing can be written"):
        randomize(people(), schema(), plan("4"), "/proc/none/r.parquet", ledger=ledger)
    assert not ledger.exists()


def test_an_empty_table(tmp_path: Path) -> None:
    empty = people().slice(0, 0)
    release = randomize(
        empty,
        schema(public_rows=None),
        plan("4", shuffle=True),
        tmp_path / "r.parquet",
        ledger=tmp_path / "t.ledger",
    )
    assert release.randomized is not None
    assert release.randomized["rows"] == 0
    assert open_reports(tmp_path / "r.parquet").rows == 0


def test_spark_randomises_where_the_rows_are(tmp_path: Path, spark_master: str) -> None:
    from pyarrow import parquet

    from sudare.facts.engine import EngineChoice

    parquet.write_table(people(), tmp_path / "p.parquet")
    release = randomize(
        tmp_path / "p.parquet",
        schema(),
        plan("4", shuffle=True),
        tmp_path / "r.parquet",
        ledger=tmp_path / "t.ledger",
        engine=EngineChoice("spark", spark_master),
    )
    assert release.randomized is not None
    assert release.randomized["rows"] == ROWS == open_reports(tmp_path / "r.parquet").rows


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """Not the data, not a folder, not reports that were paid for before."""
    from pyarrow import parquet

    ledger, data = tmp_path / "t.ledger", tmp_path / "p.parquet"
    parquet.write_table(people(), data)
    before = data.read_bytes()
    (tmp_path / "folder.parquet").mkdir()
    folder = tmp_path / "folder.parquet"
    for target, key in ((data, None), (data, "k"), (folder, None)):
        for force in (False, True):
            with pytest.raises(UsageError, match=r"would replace the data|is a folder"):
                randomize(data, schema(), plan("4"), target, ledger=ledger, key=key, force=force)
    assert data.read_bytes() == before
    assert not ledger.exists()


def small(folder: Path, key: str = "k") -> Any:
    return randomize(
        people(50),
        schema(public_rows=50),
        plan("4", columns=("sex",)),
        folder / "r.parquet",
        ledger=folder / "t.ledger",
        key=key,
        beside=Beside(
            (folder / "r.certificate.json",),
            lambda release, files: files.write(files.names[1], release.id),
        ),
    )


@pytest.mark.integration
@pytest.mark.parametrize("fails", [None, errno.ENOSPC])
def test_a_paid_file_is_never_lost_nor_given_before_it_was_committed(
    tmp_path: Path, fails: int | None
) -> None:
    """Killed, or with a failing disk, at every call: the same key has the file of a release that
    was committed, and no file of one that was not."""
    error = None if fails is None else OSError(fails, "x")
    (tmp_path / "whole").mkdir()
    with faults(0) as counted:
        small(tmp_path / "whole")
    outcomes = set()
    for at in range(1, counted.calls + 1):
        folder = tmp_path / str(at)
        folder.mkdir()
        with faults(at, error), suppress(SudareError, Killed):
            small(folder)
        ledger = folder / "t.ledger"
        entries = _entries(ledger)
        assert (folder / "r.parquet").exists() <= ("Committed" in entries), at
        try:
            release = small(folder)
        except RunUnfinished:
            assert entries == ["Reserved"], at
            assert not (folder / "r.parquet").exists()
            small(folder, "another")
        else:
            assert digest_of(folder / "r.parquet") == release.randomized["sha256"]
            assert (folder / "r.certificate.json").read_text() == release.id
            assert _entries(ledger) == ["Reserved", "Committed"], at
        assert not [each.name for each in folder.iterdir() if ".sudare-" in each.name], at
        with Ledger.open(ledger) as books:
            assert books.verify().ok
        outcomes.add(tuple(entries))
    assert outcomes == {(), ("Reserved",), ("Reserved", "Committed")}


def _entries(ledger: Path) -> list[str]:
    if not ledger.exists():
        return []
    with Ledger.open(ledger) as books:
        found = [type(entry.body).__name__ for entry in books.entries()]
    return [each for each in found if each in ("Reserved", "Committed")]


def test_the_reports_of_a_release_are_finished_by_name_and_never_made_a_folder(
    tmp_path: Path,
) -> None:
    """Cut off after the commit: `fetch` has the ledger's word, and finishes."""
    ledger = tmp_path / "t.ledger"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sudare.publish.outputs.OutputSet.finish", _cut_off)
        with pytest.raises(Killed):
            small(tmp_path)
    assert not (tmp_path / "r.parquet").exists()
    stored = books.stored_release(ledger, books.show(ledger)["releases"][0]["release"])
    with pytest.raises(InvalidFile) as told:
        fetch(stored, tmp_path / "elsewhere.parquet", ledger=ledger)
    assert "r.parquet" in told.value.hint
    assert digest_of(tmp_path / "r.parquet") == (stored.randomized or {})["sha256"]
    for name in ("again.csv", "again"):
        with pytest.raises(UsageError, match="written as Parquet"):
            fetch(stored, tmp_path / name, ledger=ledger)
    names = sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith("t."))
    assert names == ["r.certificate.json", "r.parquet"]


def _cut_off(files: object) -> None:
    raise Killed


def test_the_file_says_what_is_promised(tmp_path: Path) -> None:
    asked = plan("2", columns=("sex",), shuffle=True, delta=Fraction(1, 10**9))
    randomize(people(), schema(), asked, tmp_path / "r.parquet", ledger=tmp_path / "t.ledger")
    promised = open_reports(tmp_path / "r.parquet").facts.guarantee
    assert promised["neighbours"] == "replace-one"
    assert promised["shuffle"]["delta"] == 1e-9
