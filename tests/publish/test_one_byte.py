"""One byte in one person's row, in a column that nobody declared: every job answers about everyone
else as before. Budgets are so large that a noisy count is the exact one but for once in 10^20
runs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pyarrow.compute as pc
import pytest
from pyarrow import parquet

import sudare
from sudare.engines.crossing import tally
from sudare.engines.linked import keyed_columns
from sudare.engines.open import open_source
from sudare.facts.schema import make_schema
from sudare.facts.sets_plan import SetsPlan
from sudare.publish.sets_input import SetsInput
from sudare.publish.suppress_sets import suppress_sets

KEY = bytes(32)
SCHEMA = {
    "table": {"name": "people", "neighbours": "replace-one", "expected_rows": 1000},
    "budget": {"epsilon": 1000.0},
    "columns": {
        "sex": {"type": "category", "values": ["男性", "女性"]},
        "name": {"type": "key"},
    },
}
MEN, WOMEN = 601, 400


@pytest.fixture(params=[b"\xff", b"\0", b"\x81", b"\xe7"])
def people(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A thousand people, and one whose remark ends in a byte that is no UTF-8."""
    rows = [f"{'男性' if n < MEN else '女性'},人{n},x".encode() for n in range(MEN + WOMEN)]
    rows[700] += request.param
    path = tmp_path / "people.csv"
    path.write_bytes(b"\n".join([b"sex,name,remark", *rows, b""]))
    return path


def test_questions_tables_and_reports(people: Path, tmp_path: Path) -> None:
    table = sudare.open(people, schema=SCHEMA, ledger=tmp_path / "l")
    answers = table.ask("count() where sex = '男性'", "histogram(sex)", epsilon=100)
    assert [answers[0].value, answers[1].value] == [MEN, {"男性": MEN, "女性": WOMEN}]
    assert table.tabulate("sex", epsilon=100)["sex"].tolist() == [MEN, WOMEN]
    table.randomize(tmp_path / "r.parquet", epsilon=16, columns=["sex"])
    reports = parquet.read_table(tmp_path / "r.parquet").column(0)
    counts = {each["values"]: each["counts"] for each in pc.value_counts(reports).to_pylist()}
    # A report lies once in 10^7 rows: more than six of a thousand do once in 10^30 runs.
    assert abs(max(counts.values()) - MEN) <= 6
    assert sum(counts.values()) == MEN + WOMEN


def test_what_synthesis_counts_and_link_joins_by(people: Path) -> None:
    facts = make_schema(SCHEMA)
    with open_source(people, facts, {"sex", "name"}) as source:
        assert tally(source, ("sex",), KEY)["sex"].counts.tolist() == [MEN, WOMEN]
        batches = list(keyed_columns(source, ["name"], ["sex"], KEY))
    keys = {key for texts, _ in batches for key in texts[0]}
    assert keys == {f"人{n}" for n in range(MEN + WOMEN)}


@pytest.mark.parametrize("byte", [b"\xff", b"\0"])
def test_a_key_that_does_not_decode_is_missing(tmp_path: Path, byte: bytes) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes("sex,name\n女性,花".encode() + byte + "\n男性,太郎\n".encode())
    with open_source(path, make_schema(SCHEMA), {"sex", "name"}) as source:
        ((texts, batch),) = keyed_columns(source, ["name"], ["sex"], KEY)
    assert texts == [[None, "太郎"]]
    assert batch.num_rows == 2


@pytest.mark.integration
def test_sets_are_suppressed_as_without_the_byte(tmp_path: Path) -> None:
    rows = b"user,item\n" + "".join(f"u{n},牛乳\nu{n},薬{n % 2}\n" for n in range(8)).encode()
    (tmp_path / "s.csv").write_bytes("user,item\n*,薬1\n".encode())
    plan = SetsPlan(rho=Fraction(1, 2))
    found = []
    for name, more in (("a", b""), ("b", b"u9,\xff\n\xff\xff,x\n")):
        (tmp_path / f"{name}.csv").write_bytes(rows + b"u9,x\n" + more)
        given = SetsInput(tmp_path / f"{name}.csv", tmp_path / "s.csv")
        found.append(suppress_sets(given, plan, tmp_path / f"{name}-out.csv"))
    assert found[0]["released"] == found[1]["released"]
    assert (tmp_path / "a-out.csv").read_bytes() == (tmp_path / "b-out.csv").read_bytes()
    assert [each["notices"]["unnamed"] for each in found] == [0, 1]
    assert [each["notices"]["undecodable"] for each in found] == [0, 2]
