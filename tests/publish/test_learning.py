"""Questions that learn, the whole way, over tables with nothing to learn from.

Whatever a table holds, it is answered, at the price that was forecast: a refusal or another price
would be a free exact bit. The report and the sentences are made of each answer too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.facts.plan import Plan
from sudare.facts.release import Release
from sudare.facts.schema import Schema, make_schema
from sudare.publish import ask as asking
from sudare.publish.ask import ask
from support.bits import CountedBits

QUESTIONS = (
    "kmeans(age, pay; k=7)",
    "kmeans(flag; k=3, rounds=1)",
    "kmeans(age; k=1)",
    "pca(age, pay, flag; components=3)",
    "pca(age, pay; scaled=true)",
    "linear(pay ~ age, flag)",
    "ridge(age ~ pay; alpha=2)",
    "logistic(works ~ age, pay)",
    "logistic(sex ~ pay; rounds=2)",
)
KINDS = {
    "id": pa.string(),
    "age": pa.int64(),
    "pay": pa.float64(),
    "flag": pa.int64(),
    "works": pa.bool_(),
    "sex": pa.string(),
}
ONE = {"id": "a", "age": 3, "pay": 0.5, "flag": 1, "works": True, "sex": "F"}
NONE: dict[str, Any] = dict.fromkeys(KINDS)
TABLES: dict[str, list[dict[str, Any]]] = {
    "empty": [],
    "one row": [ONE],
    "fewer rows than clusters": [ONE, ONE | {"id": "b", "age": 90, "sex": "M", "works": False}],
    "all missing": [NONE] * 8,
    "each lacks something": [ONE | {"age": None}, ONE | {"pay": None, "works": None, "sex": None}],
    "constant": [ONE | {"id": str(n)} for n in range(200)],
    "collinear and separable": [
        {"id": str(n), "age": n % 101, "pay": (n % 101) / 50 - 1, "flag": int(n % 101 > 50),
         "works": n % 101 > 50, "sex": "FM"[n % 101 > 50]} for n in range(500)
    ],
    "out of bounds": [
        {"id": str(n), "age": 10**12 * (-1) ** n, "pay": math.inf if n % 2 else math.nan,
         "flag": 7, "works": True, "sex": "?"} for n in range(50)
    ],
}  # fmt: skip

SCHEMA_TEXT = """
[table]
name = "few"
unit = "row"
neighbours = "add-remove"
expected_rows = 500
[budget]
epsilon = 1000.0
[columns]
age = { type = "integer", min = 0, max = 100 }
pay = { type = "real", min = -1, max = 1 }
flag = { type = "integer", min = 0, max = 1 }
works = { type = "boolean" }
sex = { type = "category", values = ["F", "M"] }
"""


def schema(relation: str, rows_per_unit: int) -> Schema:
    unit = {"unit": "id", "max_rows_per_unit": 2} if rows_per_unit > 1 else {"unit": "row"}
    return make_schema(
        {
            "table": {"name": "few", "neighbours": relation, "expected_rows": 500, **unit},
            "budget": {"epsilon": 1000.0, "delta": 1e-3},
            "columns": {
                "id": {"type": "key"},
                "age": {"type": "integer", "min": 0, "max": 100},
                "pay": {"type": "real", "min": -1, "max": 1},
                "flag": {"type": "integer", "min": 0, "max": 1},
                "works": {"type": "boolean"},
                "sex": {"type": "category", "values": ["F", "M"]},
            },
        }
    )


def table(name: str) -> pa.Table:
    return pa.Table.from_pylist(TABLES[name], schema=pa.schema(list(KINDS.items())))


@pytest.fixture(autouse=True)
def fixed_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "SystemBits", lambda: CountedBits("learning"))


@pytest.fixture(scope="module")
def of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Schema, Plan], Release]:
    """What the empty table is answered, asked once a plan and schema."""
    known: dict[tuple[str, str], Release] = {}

    def answered(facts: Schema, plan: Plan) -> Release:
        key = (facts.table.neighbours.value, plan.mechanism)
        if key not in known:
            ledger = tmp_path_factory.mktemp("nobody") / "few.ledger"
            known[key] = ask(table("empty"), facts, plan, ledger=ledger)
        return known[key]

    return answered


@pytest.mark.parametrize(
    ("relation", "rows", "mechanism"),
    [
        ("add-remove", 1, "laplace"),
        pytest.param("replace-one", 2, "gaussian", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", [name for name in TABLES if name != "empty"])
def test_every_table_is_answered_at_the_same_price(
    name: str,
    relation: str,
    rows: int,
    mechanism: Any,
    of_nobody: Callable[[Schema, Plan], Release],
    tmp_path: Path,
) -> None:
    delta = Fraction(int(mechanism == "gaussian"), 10**9)
    plan = Plan(QUESTIONS, Fraction(1), delta, mechanism)
    facts = schema(relation, rows)
    release, empty = (
        ask(table(name), facts, plan, ledger=tmp_path / "few.ledger"),
        of_nobody(facts, plan),
    )
    assert release.spent == empty.spent
    assert release.left == empty.left
    assert 0.99 < release.spent["epsilon"] <= 1
    assert [answer.noise for answer in release.answers] == [a.noise for a in empty.answers]
    for answer, question in zip(release.answers, QUESTIONS, strict=True):
        assert answer.query == question
        assert math.isfinite(answer.error95)
        assert all(map(math.isfinite, numbers(answer.value)))


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for each in value.values() for number in numbers(each)]
    return [float(value)]


@pytest.mark.parametrize(
    "name",
    ["one row", *(pytest.param(n, marks=pytest.mark.slow) for n in ("empty", "all missing"))],
)
def test_the_command_line_answers_too(name: str, tmp_path: Path) -> None:
    """With report, certificate and both languages' sentences, from a CSV file."""
    path = tmp_path / "few.csv"
    csv.write_csv(table(name), path)
    (tmp_path / "few.schema.toml").write_text(SCHEMA_TEXT, "utf-8")
    for language in ("en", "ja"):
        done = CliRunner().invoke(
            app,
            ["ask", str(path), "--epsilon", "1", "--lang", language, "--output",
             str(tmp_path / language), *QUESTIONS],
        )  # fmt: skip
        assert done.exit_code == 0, done.output
        assert (tmp_path / language / "report.html").stat().st_size > 10_000
