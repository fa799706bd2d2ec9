"""Comparing files: what is read, what is left out, what is refused, and that nothing is written."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from sudare.facts.errors import InvalidFile, InvalidPlan
from sudare.facts.schema import Schema, make_schema
from sudare.publish.compare import STEPS, compare
from support.bits import CountedBits

SCHEMA: Schema = make_schema(
    {
        "table": {"name": "人々", "encoding": "cp932"},
        "columns": {
            "年齢": {"type": "integer", "min": 0, "max": 99},
            "pay": {"type": "real", "min": 0, "max": 100},
            "sex": {"type": "category", "values": ["F", "M"]},
            "ok": {"type": "boolean"},
            "name": {"type": "key"},
            "only_real": {"type": "boolean"},
        },
    }
)
CANARY = "canary-4711"


def rows(shift: int) -> list[list[str]]:
    return [
        [str((n * 7 + shift) % 80), str(n * 13 % 97), "FM"[n * n % 3 % 2], str(n % 5 < 2), CANARY]
        for n in range(120)
    ]


def write(path: Path, header: list[str], lines: list[list[str]], encoding: str) -> str:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file).writerows([header, *lines])
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    names = ["年齢", "pay", "sex", "ok", "name"]
    real = [[*line, "true"] for line in rows(0)]
    one = write(tmp_path / "real.csv", [*names, "only_real"], real, "cp932")
    made = rows(3)
    made[0][0] = "150"
    two = write(tmp_path / "made.csv", names, made, "utf-8")
    return one, two


def test_two_files(files: tuple[str, str]) -> None:
    steps: list[tuple[int, str]] = []
    found = compare(
        *files, SCHEMA, bits=lambda: CountedBits("c"), progress=lambda *step: steps.append(step)
    )
    assert found.columns == ("年齢", "pay", "sex", "ok")
    assert found.left_out == ("name", "only_real")
    assert (found.target, found.target_chosen) == ("ok", True)
    assert found.measures.rows == (120, 120)
    # The value beyond its bounds is counted, and moves the mean: it is not clamped.
    assert found.outside == {"年齢": 1}
    ages = [float(line[0]) for line in rows(3)]
    ages[0] = 150
    assert found.measures.moments.columns[0].means[1] == pytest.approx(sum(ages) / 120)
    assert found.attacks.membership is None
    assert [step for _, step in steps] == [*STEPS, STEPS[-1]]
    assert CANARY not in str(found.to_dict())


def test_the_same_bits_give_the_same(files: tuple[str, str]) -> None:
    twice = [compare(*files, SCHEMA, bits=lambda: CountedBits("c")) for _ in range(2)]
    assert twice[0] == twice[1]


def test_a_target_and_a_holdout(files: tuple[str, str]) -> None:
    found = compare(*files, SCHEMA, target="年齢", holdout=files[0], bits=lambda: CountedBits("h"))
    assert found.regression is not None
    assert (found.regression.kind, found.target_chosen) == ("linear", False)
    assert found.holdout_rows == 120
    assert found.attacks.membership is not None
    # The holdout is the real file itself, so nobody can tell members from others.
    assert found.attacks.membership.auc.value == pytest.approx(0.5)


def test_refusals(files: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(InvalidPlan, match="target is not among"):
        compare(*files, SCHEMA, target="name")
    other = write(tmp_path / "other.csv", ["x"], [["1"]], "utf-8")
    with pytest.raises(InvalidPlan, match="no declared column in common"):
        compare(files[0], other, SCHEMA)
    few = write(tmp_path / "few.csv", ["sex"], [["F"]] * 9, "utf-8")
    with pytest.raises(InvalidFile, match="fewer than 10 rows"):
        compare(files[0], few, SCHEMA)
