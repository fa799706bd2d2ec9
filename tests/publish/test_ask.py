"""The whole way: plan, structure, charge, aggregate, noise, record."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sudare.engines import open as engine
from sudare.facts.errors import (
    BudgetRefused,
    EngineUnavailable,
    InvalidFile,
    InvalidPlan,
    InvalidSchema,
    SudareError,
)
from sudare.facts.plan import Plan, read_epsilon
from sudare.facts.release import Release
from sudare.facts.schema import Budget, Schema, make_schema
from sudare.ledger.ledger import Ledger
from sudare.publish import ask as asking
from sudare.publish.ask import ask
from support.bits import CountedBits

QUESTIONS = (
    "count()",
    "sum(income)",
    "mean(age)",
    "variance(age)",
    "covariance(age, hours, income)",
    "histogram(sex)",
    "histogram(age, bins=10)",
    "sum(income) by (sex, region)",
    "quantile(age, 0.5)",
    "count() where age >= 65 and sex = 'F'",
)


def schema(**table: Any) -> Schema:
    return make_schema(
        {
            "table": {"name": "people", "expected_rows": 5000, **table},
            "budget": {"epsilon": 3.0, "delta": 1e-6},
            "columns": {
                "id": {"type": "key"},
                "age": {"type": "integer", "min": 0, "max": 120},
                "hours": {"type": "real", "min": 0, "max": 80},
                "income": {"type": "integer", "min": 0, "max": 1_000_000},
                "sex": {"type": "category", "values": ["F", "M"]},
                "region": {"type": "category", "values": ["北", "南"]},
            },
        }
    )


def people(n: int = 5000) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": [f"p{i % (n // 2)}" for i in range(n)],
            "age": [(i * 37) % 101 for i in range(n)],
            "hours": [(i * 13 % 81) / 1.0 for i in range(n)],
            "income": [(i * 7919) % 900_000 for i in range(n)],
            "sex": ["F" if i % 3 else "M" for i in range(n)],
            "region": ["北" if i % 5 else "南" for i in range(n)],
        }
    )


def plan(*questions: str, epsilon: str = "1") -> Plan:
    return Plan(questions, read_epsilon(epsilon))


def test_every_question_is_answered_near_the_truth(tmp_path: Path) -> None:
    data, ledger = people(), tmp_path / "people.ledger"
    found = ask(data, schema(), plan(*QUESTIONS, epsilon="3"), ledger=ledger)
    truth = {
        "count()": 5000,
        "sum(income)": data["income"].sum(),
        "mean(age)": data["age"].mean(),
        "variance(age)": data["age"].var(ddof=0),
        "quantile(age, 0.5)": data["age"].median(),
        "count() where age >= 65 and sex = 'F'": data.filter(
            (pl.col("age") >= 65) & (pl.col("sex") == "F")
        ).height,
    }
    for question, true in truth.items():
        # Five times the 95 % error is passed less than once in a million by Laplace noise.
        assert abs(float(found[question].value) - float(true)) <= 5 * found[question].error95  # type: ignore[arg-type]
    assert set(found["histogram(sex)"].value) == {"F", "M"}  # type: ignore[arg-type]
    assert set(found["sum(income) by (sex, region)"].value) == {"F, 北", "F, 南", "M, 北", "M, 南"}  # type: ignore[arg-type]
    assert sum(answer.epsilon for answer in found.answers) == pytest.approx(3)
    assert found.spent == {"epsilon": 3.0, "delta": 0.0}
    assert found.left["epsilon"] == 0


def test_scripted_bits_give_the_same_bytes_but_for_time_and_id(tmp_path: Path) -> None:
    def once(name: str) -> dict[str, Any]:
        bits = CountedBits("golden")
        release = ask(people(), schema(), plan(*QUESTIONS), ledger=tmp_path / name, bits=bits)
        return json.loads(release.to_bytes()) | {"id": "", "created": ""}  # type: ignore[no-any-return]

    assert once("a.ledger") == once("b.ledger")


def test_two_runs_draw_different_noise(tmp_path: Path) -> None:
    ledger = tmp_path / "people.ledger"
    values = {
        ask(people(), schema(), plan("sum(income)", epsilon="0.1"), ledger=ledger)[0].value
        for _ in range(3)
    }
    assert len(values) == 3


def test_a_key_returns_the_same_bytes_and_costs_nothing(tmp_path: Path) -> None:
    ledger = tmp_path / "people.ledger"
    first = ask(people(), schema(), plan("mean(age)"), ledger=ledger, key="k")
    again = ask(people(), schema(), plan("mean(age)"), ledger=ledger, key="k")
    assert again.to_bytes() == first.to_bytes()
    with Ledger.open(ledger) as books:
        assert books.balance("people").releases == 1
    with pytest.raises(SudareError, match="another plan"):
        ask(people(), schema(), plan("mean(hours)"), ledger=ledger, key="k")


def test_a_key_needs_the_table_no_more_once_it_has_released(tmp_path: Path) -> None:
    ledger, table = tmp_path / "people.ledger", tmp_path / "people.parquet"
    people().write_parquet(table)
    first = ask(table, schema(), plan("mean(age)"), ledger=ledger, key="k")
    table.unlink()
    again = ask(table, schema(), plan("mean(age)"), ledger=ledger, key="k")
    assert again.to_bytes() == first.to_bytes()
    with pytest.raises(InvalidFile):
        ask(table, schema(), plan("mean(age)"), ledger=ledger, key="other")


def test_the_cap_is_global(tmp_path: Path) -> None:
    ledger = tmp_path / "people.ledger"
    ask(people(), schema(), plan("count()", epsilon="2.5"), ledger=ledger)
    with pytest.raises(BudgetRefused) as refused:
        ask(people(), schema(), plan("count()", epsilon="0.8"), ledger=ledger)
    assert refused.value.exit_code == 3
    assert "0.8" in refused.value.what
    assert "0.5" in refused.value.what


def test_refusals_come_before_the_charge(tmp_path: Path) -> None:
    ledger = tmp_path / "people.ledger"
    broken = tmp_path / "people.csv"
    broken.write_text("id,age,hours,income,sex,region\n1,2,3,4,5,6,7\n")
    with pytest.raises(InvalidFile):
        ask(broken, schema(), plan("mean(age)"), ledger=ledger)
    with pytest.raises(InvalidPlan):
        ask(people(), schema(), plan("mean(nope)"), ledger=ledger)
    without = schema().model_copy(update={"budget": None})
    with pytest.raises(InvalidSchema, match="budget"):
        ask(people(), without, plan("mean(age)"), ledger=ledger)
    assert not ledger.exists()


def test_the_charge_is_durable_before_a_row_is_aggregated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A source that fails while aggregating finds its charge on the disk, and it stays there."""
    ledger = tmp_path / "people.ledger"

    def failing(*arguments: Any) -> Any:
        source = engine.open_source(*arguments)

        def moments(*_: Any) -> Any:
            with Ledger.open(ledger) as books:
                assert books.balance("people").spent.epsilon_nano == 10**9
            raise EngineUnavailable("The engine went away.", "Try again.")

        monkeypatch.setattr(source, "moments", moments)
        return source

    monkeypatch.setattr(asking, "open_source", failing)
    with pytest.raises(EngineUnavailable, match="stays charged"):
        ask(people(), schema(), plan("mean(age)"), ledger=ledger, key="k")
    monkeypatch.undo()
    with Ledger.open(ledger) as books:
        assert books.balance("people").spent.epsilon_nano == 10**9
    with pytest.raises(BudgetRefused, match="not finished"):
        ask(people(), schema(), plan("mean(age)"), ledger=ledger, key="k")


def test_quotas_lie_under_the_cap(tmp_path: Path) -> None:
    ledger = tmp_path / "people.ledger"
    base = schema()
    assert base.budget is not None
    limited = base.model_copy(
        update={"budget": base.budget.model_copy(update={"analysts": {"hanako": 1.0}})}
    )
    ask(people(), limited, plan("count()", epsilon="0.7"), ledger=ledger, analyst="hanako")
    for analyst in ("hanako", "taro", None):
        with pytest.raises(BudgetRefused):
            ask(people(), limited, plan("count()", epsilon="0.7"), ledger=ledger, analyst=analyst)


def test_a_person_with_many_rows_is_bounded(tmp_path: Path) -> None:
    """One person with 4,000 rows moves the count by at most max_rows_per_unit."""
    heavy = pl.concat([people(1000), people(4000).with_columns(id=pl.lit("one"))])
    bounded = schema(unit="id", max_rows_per_unit=2)
    found = ask(heavy, bounded, plan("count()", epsilon="3"), ledger=tmp_path / "l", bits=None)
    true = 1000 + 2
    assert abs(float(found[0].value) - true) <= 8 * found[0].error95 + 1  # type: ignore[arg-type]
    assert found.guarantee["unit"] == "id"
    assert found.guarantee["max_rows_per_unit"] == 2


def test_public_rows(tmp_path: Path) -> None:
    public = schema(neighbours="replace-one", public_rows=5000)
    found = ask(people(), public, plan("count()", "mean(age)"), ledger=tmp_path / "l")
    assert found[0].value == 5000
    assert (found[0].epsilon, found[0].error95, found[0].public) == (0.0, 0.0, True)
    assert found[1].epsilon == pytest.approx(1)


def test_missing_values_do_not_pull_a_mean_to_the_middle(tmp_path: Path) -> None:
    """Half of the ages are missing; public_rows counts rows, not values."""
    public = schema(neighbours="replace-one", public_rows=5000)
    half = people().with_columns(age=pl.when(pl.col("age") < 50).then(pl.col("age")))
    found = ask(half, public, plan("mean(age)", epsilon="3"), ledger=tmp_path / "l")
    true = float(half["age"].mean())  # type: ignore[arg-type]
    assert abs(float(found[0].value) - true) <= 5 * found[0].error95  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "true"),
    [
        ("count() where y >= 0.2", 1000),
        ("count() where y = 0.2", 500),
        ("count() where y <= 0.1", 500),
        ("count() where y in (0.7)", 500),
        ("count() where y > 0.7", 0),
        ("count() where y < 5e200", 1500),
    ],
)
@pytest.mark.parametrize("step", [None, 0.01])
def test_real_literals_meet_the_values_that_are_written_alike(
    tmp_path: Path, question: str, true: int, step: float | None
) -> None:
    column = {"type": "real", "min": 0.0, "max": 1.0} | ({"step": step} if step else {})
    reals = make_schema(
        {"table": {"name": "t"}, "budget": {"epsilon": 100.0}, "columns": {"y": column}}
    )
    data = pl.DataFrame({"y": [0.2] * 500 + [0.1] * 500 + [0.7] * 500})
    found = ask(data, reals, plan(question, epsilon="50"), ledger=tmp_path / "l")
    # At ε = 50 the noise is 0 but for one run in 1e21.
    assert found[0].value == true
    edges = plan("histogram(y, edges=(0.1, 0.2, 0.7))", epsilon="50")
    cells = ask(data, reals, edges, ledger=tmp_path / "l")[0].value
    assert list(cells.values()) == [0, 500, 500, 500]  # type: ignore[union-attr]


def test_gaussian_and_zcdp(tmp_path: Path) -> None:
    base = schema()
    assert base.budget is not None
    filtered = base.model_copy(
        update={"budget": base.budget.model_copy(update={"composition": "zcdp"})}
    )
    noisy = Plan(("mean(age)", "histogram(sex)"), Fraction(1), Fraction("1e-7"), "gaussian")
    ledger = tmp_path / "l"
    spent = [ask(people(), filtered, noisy, ledger=ledger).left["epsilon"] for _ in range(3)]
    assert spent == sorted(spent, reverse=True)
    # Under basic composition three times ε = 1 would exhaust the cap of 3; under zCDP it does not.
    ask(people(), filtered, noisy, ledger=ledger)


def test_a_release_survives_its_bytes(tmp_path: Path) -> None:
    found = ask(people(), schema(), plan(*QUESTIONS), ledger=tmp_path / "l")
    assert Release.from_bytes(found.to_bytes()).to_bytes() == found.to_bytes()


def test_an_add_remove_plan_counts_twice_in_replace_one_books(tmp_path: Path) -> None:
    ledger = tmp_path / "l"
    ask(people(), schema(neighbours="replace-one"), plan("count()", epsilon="1"), ledger=ledger)
    found = ask(people(), schema(), plan("count()", epsilon="0.5"), ledger=ledger)
    assert found.guarantee["epsilon"] == 0.5
    assert found.spent["epsilon"] == 1.0
    assert found.left["epsilon"] == 1.0


def test_a_replace_one_plan_is_refused_in_add_remove_books(tmp_path: Path) -> None:
    ledger = tmp_path / "l"
    ask(people(), schema(), plan("count()", epsilon="1"), ledger=ledger)
    with pytest.raises(SudareError, match="add-remove ledger"):
        ask(people(), schema(neighbours="replace-one"), plan("mean(age)"), ledger=ledger)


def test_truncated_counts_are_never_negative(tmp_path: Path) -> None:
    nobody = people(10).filter(pl.col("age") > 500)
    counts = Plan(("histogram(sex)", "sum(income)"), read_epsilon("0.01"), mechanism="geometric")
    for run in range(5):
        found = ask(nobody, schema(), counts, ledger=tmp_path / f"l{run}")
        assert min(found[0].value.values()) >= 0  # type: ignore[union-attr]


def test_a_strangers_key_releases_nothing(tmp_path: Path) -> None:
    shared = schema().model_copy(
        update={"budget": Budget(epsilon=3.0, delta=1e-6, analysts={"aki": 2.0, "ben": 1.0})}
    )
    ledger = tmp_path / "people.ledger"
    first = ask(people(), shared, plan("mean(age)"), ledger=ledger, analyst="aki", key="k")
    for stranger in (None, "eve"):
        with pytest.raises(BudgetRefused, match="shared out among analysts"):
            ask(people(), shared, plan("mean(age)"), ledger=ledger, analyst=stranger, key="k")
    other = ask(people(), shared, plan("mean(age)"), ledger=ledger, analyst="ben", key="k")
    assert other.id != first.id
    again = ask(people(), shared, plan("mean(age)"), ledger=ledger, analyst="aki", key="k")
    assert again.to_bytes() == first.to_bytes()
