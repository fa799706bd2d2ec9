"""Every number, date and text that a user can write in a schema, a plan, link.toml or a question:
whatever stands there, only SudareError leaves, and soon."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest

from sudare.facts.errors import InvalidPlan, InvalidSchema, SudareError
from sudare.facts.limits import MOST_LABELS, MOST_QUESTIONS
from sudare.facts.link_file import read_link_file
from sudare.facts.numbers import exact_share
from sudare.facts.plan import Plan, read_delta, read_epsilon
from sudare.facts.schema import Schema, make_schema, parse_schema
from sudare.facts.table_plan import TablePlan
from sudare.publish.files import load_plan
from sudare.publish.pricing import find_epsilon, price
from sudare.publish.tabulate import price_table

SCHEMA = """
[table]
name = "people"
population = "p"
unit = "id"
max_rows_per_unit = 2
neighbours = "replace-one"
expected_rows = 200
encoding = "utf-8"
delimiter = ","
confirmed = true
[budget]
epsilon = 10.0
delta = 0.5
composition = "zcdp"
confirmed = true
[budget.analysts]
ana = 2.0
[columns.id]
type = "key"
[columns.age]
type = "integer"
min = 0
max = 120
step = 1
complete = true
label = "Age"
[columns.born]
type = "date"
min = 1950-01-01
max = 2020-01-01
[columns.month]
type = "date"
min = 2020-01-01
max = 2020-12-31
[columns.sex]
type = "category"
values = ["F", "M"]
other = "x"
[columns.region]
type = "category"
values = ["n", "s"]
[columns.hours]
type = "real"
min = 0.0
max = 80.0
step = 0.5
[columns.pay]
type = "real"
min = 0.0
max = 80.0
[levels.band]
of = "age"
width = 10
[levels.bandh]
of = "hours"
width = 10.0
[levels.bandc]
of = "age"
cuts = [10, 20]
[levels.cuth]
of = "hours"
cuts = [10.5, 20]
[levels.cutd]
of = "born"
cuts = [1960-01-01, 1970-01-01]
[levels.grp]
of = "region"
groups = { all = ["n", "s"] }
[invariants.total]
by = ["region"]
counts = { n = 3, s = 4 }
source = "x"
[[rules]]
if = "age < 15"
then = "hours = 0"
[panel]
person = "id"
time = "month"
every = "month"
fixed = ["sex"]
lags = 2
"""
PLAN = """
data = "people.csv"
schema = "people.schema.toml"
ledger = "l"
output = "o"
analyst = "a"
idempotency_key = "k"
epsilon = 1.0
delta = 1e-9
mechanism = "laplace"
engine = "duckdb"
questions = ["count()", { ask = "count()", epsilon = 0.2 }]
"""
LINK = """
session = "s"
job = "randomize"
epsilon = 4
delta = 1e-9
statistics = ["mean"]
bins = 8
k = 5
joined_rows = 100
max_rows = 1000
[collector]
name = "c"
[dummies]
epsilon = 1
delta = 1e-9
[[parties]]
name = "a"
schema = "s.toml"
columns = ["age"]
epsilon = 1
central = 2
key = [{ column = "id" }]
[[parties]]
name = "b"
schema = "t.toml"
columns = ["hours"]
key = [{ column = "id" }]
"""
LONG = "9" * 400
VALUES = [
    "0",
    "-0",
    "-1",
    "1",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "1e-400",
    "1e308",
    "-1.7e308",
    "1e-308",
    "5e-324",
    LONG,
    "-" + LONG,
    "9" * 5000,
    "0x" + "f" * 400,
    "4611686018427387904",
    "9223372036854775808",
    '"1/0"',
    '"1e999"',
    '""',
    f'"{LONG}"',
    "[]",
    "{}",
    "[[]]",
    "true",
    "0001-01-01",
    "9999-12-31",
    "0000-01-01",
    "99999-01-01",
    "2020-02-30",
    "2020-01-01T00:00:00",
    "2020-01-01T00:00:00Z",
    "12:00:00",
    "[nan, inf, 1e999]",
    f"[{LONG}]",
    "[1960-01-01, 3]",
    "[0001-01-01, 9999-12-31]",
    "{ a = { b = 1 } }",
    "[" * 5000,
    "{a=" * 5000,
]
QUESTIONS = [
    "count() where age < 15",
    "mean(hours) where hours < 3",
    "histogram(born, bins=5)",
    "count() by (age)",
    "median(pay)",
    "variance(pay)",
    "histogram(pay, bins=7)",
    "count() where born < '1960-01-01'",
    "trimmed_mean(age)",
    "kmeans(age, hours; k=2)",
    "pca(age, pay)",
    "sq(within=0.01) where age < 3",
]
LEVELS = ["band", "bandh", "bandc", "cuth", "cutd", "grp"]


def mutated(text: str) -> Iterator[str]:
    for line in re.finditer(r"^\S+ = (.*)$", text, re.MULTILINE):
        for value in VALUES:
            yield text[: line.start(1)] + value + text[line.end(1) :]


def test_the_texts_are_valid_as_they_are(tmp_path: Path) -> None:
    schema = parse_schema(SCHEMA, "x")
    for level in LEVELS:
        price_table(schema, TablePlan((level,), Fraction(1)))
    (tmp_path / "p.toml").write_text(PLAN)
    load_plan(tmp_path / "p.toml")
    read_link_file(LINK)


@pytest.mark.integration
def test_whatever_stands_in_a_schema() -> None:
    for text in mutated(SCHEMA):
        schema = None
        with suppress(SudareError):
            schema = parse_schema(text, "x")
        if schema is None:
            continue
        schema.digest()
        for question in QUESTIONS:
            with suppress(SudareError):
                price(schema, Plan((question,), Fraction(1)))
        for level in LEVELS:
            with suppress(SudareError):
                price_table(schema, TablePlan((level,), Fraction(1)))


def test_whatever_stands_in_a_plan(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    for text in mutated(PLAN):
        path.write_text(text)
        with suppress(SudareError):
            load_plan(path)


def test_whatever_stands_in_link_toml() -> None:
    for text in mutated(LINK):
        with suppress(SudareError):
            read_link_file(text)


def plain() -> Schema:
    return make_schema(
        {
            "table": {"name": "p", "neighbours": "replace-one", "public_rows": 200},
            "columns": {
                "age": {"type": "integer", "min": 0, "max": 120},
                "born": {"type": "date", "min": "1950-01-01", "max": "2020-01-01"},
                "sex": {"type": "category", "values": ["F", "M"]},
                "hours": {"type": "real", "min": 0.0, "max": 80.0},
            },
        }
    )


NUMBERS = [
    "0",
    "-0",
    "-1",
    "0.5",
    "3",
    "nan",
    "inf",
    "1e999",
    "-1e999",
    "1e-400",
    "1e308",
    "1e300",
    "1e-300",
    LONG,
    "0." + "0" * 398 + "1",
    "1/0",
    "1e18",
    "9223372036854775808",
    "0." + "9" * 40,
]
TEMPLATES = [
    "count() where age < {n}",
    "count() where hours >= {n}",
    "count() where age in ({n}, {n})",
    "count() where hours between {n} and {n}",
    "count() where not ({n} < hours)",
    "count() where sex = {n}",
    "mean(age) @ {n}",
    "mean(age) ± {n}",
    "mean(age) ± {n}%",
    "histogram(age, bins={n})",
    "histogram(hours, edges=({n}, 20))",
    "quantile(age, {n})",
    "trimmed_mean(hours, {n})",
    "kmeans(age, hours; k={n})",
    "kmeans(age, hours; k=2, rounds={n})",
    "pca(age, hours; components={n})",
    "ridge(hours ~ age; alpha={n})",
    "logistic(sex ~ age; rounds={n})",
    "logistic(sex ~ age; alpha={n})",
    "sq(within={n}) where age < 3",
    "sq(within=0.01, beta={n}) where age < 3",
    "count() where born < '{n}'",
    "count() where born < {n}",
]


@pytest.mark.parametrize("template", TEMPLATES)
def test_whatever_stands_in_a_question(template: str) -> None:
    schema = plain()
    for number in NUMBERS:
        plan = Plan((template.format(n=number),), Fraction(1))
        with suppress(SudareError):
            if "±" in template:
                find_epsilon(schema, plan, None, None)
            else:
                price(schema, plan)


@pytest.mark.parametrize(
    "day",
    [
        "0000-01-01",
        "0001-01-01",
        "9999-12-31",
        "99999-01-01",
        "2020-02-30",
        "-1-01-01",
        "20200101",
        "",
    ],
)
def test_whatever_day_is_asked_for(day: str) -> None:
    for operator in ("<", "=", "!=", ">="):
        with suppress(SudareError):
            price(plain(), Plan((f"count() where born {operator} '{day}'",), Fraction(1)))


AMOUNTS = ["1e-9", "1", "1000"]
DELTAS = ["0", "1e-18", "1e-9", "0.9999"]


@pytest.mark.parametrize(
    "question", ["count()", "mean(age)", "median(age)", "kmeans(age, hours; k=2)"]
)
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "geometric"])
def test_the_ends_of_what_may_be_spent(question: str, mechanism: str) -> None:
    for epsilon in AMOUNTS:
        for delta in DELTAS:
            with suppress(SudareError):
                plan = Plan((question,), read_epsilon(epsilon), read_delta(delta), mechanism)  # type: ignore[arg-type]
                assert price(plain(), plan).cost.epsilon <= float(epsilon)


@pytest.mark.parametrize(
    "delta", ["1e-400", "1e-19", "-1e-9", "nan", "1", "0." + "9" * 40, "1e999"]
)
def test_no_such_delta(delta: str) -> None:
    with pytest.raises(InvalidPlan):
        read_delta(delta)


@pytest.mark.parametrize("error", ["1e300", "1e-300", "1"])
def test_wanted_errors_of_any_size(error: str) -> None:
    wanted = exact_share(error)
    for question in ("count()", "mean(age)", "median(hours)"):
        with suppress(SudareError):
            find_epsilon(plain(), Plan((question,)), wanted, None)
        with suppress(SudareError):
            find_epsilon(plain(), Plan((question,)), None, wanted)


def category(labels: int) -> dict[str, object]:
    return {"type": "category", "values": [f"v{each}" for each in range(labels)]}


def wide() -> Schema:
    thousand = {name: category(1000) for name in ("s", "u", "v")}
    age = {"type": "integer", "min": 0, "max": 999}
    real = {"type": "real", "min": 0.0, "max": 1.0}
    return make_schema(
        {"table": {"name": "p"}, "columns": {**thousand, "a": age, "b": age, "h": real}}
    )


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("count() by (s, u, v)", "1,000,000,000 cells"),
        ("covariance(a, b) by (s, u)", "noisy numbers"),
        ("median(a) by (s, u)", "chooses a value privately in 1,000,000 groups"),
        ("iqr(a) by (s, u)", "chooses a value privately in 1,000,000 groups"),
        ("histogram(h, bins=100000)", "not of one width"),
        ("histogram(h, bins=1000000000)", "from 1 to 100000"),
        ("kmeans(a, b; k=1000000)", "from 1 to 1000"),
        ("count() where " + "(" * 1000 + "a < 1" + ")" * 1000, "nested too deeply"),
        ("count() where " + "not " * 2000 + "a < 1", "nested too deeply"),
        ("count() where a in (" + "1, " * 500_000 + "1)", "too long"),
    ],
    ids=lambda each: each[:24],
)
def test_what_would_not_end_is_refused_before_the_charge(question: str, said: str) -> None:
    with pytest.raises(InvalidPlan, match=re.escape(said)):
        price(wide(), Plan((question,), Fraction(1)))


def test_questions_add_up() -> None:
    with pytest.raises(InvalidPlan, match="noisy numbers"):
        price(wide(), Plan(("count() by (s, u)",) * 3, Fraction(1)))
    with pytest.raises(InvalidPlan, match="chooses a value privately in 6,000 groups"):
        price(wide(), Plan(("median(a) by (s)",) * 6, Fraction(1)))
    with pytest.raises(InvalidPlan, match="51 questions that learn"):
        price(wide(), Plan(("kmeans(a, b; k=2)",) * 51, Fraction(1)))
    with pytest.raises(InvalidPlan, match="asks 501 questions"):
        Plan(("count()",) * (MOST_QUESTIONS + 1), Fraction(1))


def test_a_table_of_too_many_cells_is_refused() -> None:
    with pytest.raises(InvalidPlan, match="1,000,000,000 cells"):
        price_table(wide(), TablePlan(("s", "u", "v"), Fraction(1)))


def test_a_level_of_too_many_groups_is_refused() -> None:
    told = {
        "table": {"name": "p"},
        "columns": {"a": {"type": "integer", "min": 0, "max": 10**6}},
        "levels": {"w": {"of": "a", "width": 1}, "c": {"of": "a", "cuts": list(range(1, 20_000))}},
    }
    for level in ("w", "c"):
        with pytest.raises(InvalidPlan, match="groups"):
            price_table(make_schema(told), TablePlan((level,), Fraction(1)))


def test_messages_about_long_names_are_short() -> None:
    with pytest.raises(InvalidSchema) as refused:
        parse_schema(f"[table]\nname = 'p'\n[columns.{'a' * 100_000}]\ntype = 'x'\n", "x")
    assert len(refused.value.what) < 600


def test_a_category_of_too_many_labels_is_refused() -> None:
    with pytest.raises(InvalidSchema, match="at most 100,000"):
        make_schema({"table": {"name": "p"}, "columns": {"x": category(MOST_LABELS + 1)}})


def test_a_plan_that_says_queries_learns_the_word(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('data = "p.csv"\nqueries = ["count()"]\n')
    with pytest.raises(InvalidPlan) as refused:
        load_plan(tmp_path / "p.toml")
    assert "Did you mean 'questions'?" in refused.value.hint
