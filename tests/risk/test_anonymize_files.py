"""Anonymized files, read with csv alone and measured by hand."""

from __future__ import annotations

import csv
import datetime as dt
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from sudare.engines.classes import open_classes
from sudare.facts.errors import InvalidPlan, InvalidSchema, UsageError
from sudare.facts.schema import Schema, make_schema
from sudare.publish import anonymizing
from sudare.publish.anonymizing import anonymize_records, make_job
from sudare.publish.anonymizing_levels import hierarchies
from sudare.publish.anonymizing_verify import VerificationFailed

CITIES = {"北": ["札幌", "函館"], "南": ["那覇", "鹿児島", "宮崎"]}
QUASI = ["年齢", "sex", "city"]
SICK = ["flu", "cold", "cancer", "none", "none", "none"]


def schema(**levels: Any) -> Schema:
    cities = [city for group in CITIES.values() for city in group]
    return make_schema({
        "table": {"name": "t"},
        "columns": {
            "年齢": {"type": "integer", "min": 0, "max": 99},
            "sex": {"type": "category", "values": ["F", "M"]},
            "city": {"type": "category", "values": cities},
            "disease": {"type": "category", "values": ["flu", "cold", "cancer", "none"]},
            "pay": {"type": "integer", "min": 0, "max": 500},
        },
        "levels": {
            "band": {"of": "年齢", "width": 5},
            "wide": {"of": "band", "width": 25},
            "region": {"of": "city", "groups": CITIES},
            **levels,
        },
    })  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng, path = random.Random(11), tmp_path_factory.mktemp("people") / "people.csv"
    cities = [city for group in CITIES.values() for city in group]
    rows = [
        [n, rng.randint(18, 80), rng.choice("FM"), rng.choice(cities), rng.choice(SICK),
         rng.randint(0, 9) * 50]
        for n in range(600)
    ]  # fmt: skip
    with path.open("w", encoding="cp932", newline="") as file:
        csv.writer(file).writerows([["id", "年齢", "sex", "city", "disease", "pay"], *rows])
    return path


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def classes(rows: list[dict[str, str]], sensitive: str) -> dict[tuple[str, ...], Counter[str]]:
    found: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for row in rows:
        found[tuple(row[name] for name in QUASI)][row[sensitive]] += 1
    return found


@pytest.mark.parametrize("method", ["lattice", "mondrian"])
@pytest.mark.parametrize(("k", "diversity", "t"), [(5, 1, None), (4, 3, None), (8, 2, 0.25)])
def test_the_file_meets_the_demand(
    data: Path, tmp_path: Path, method: str, k: int, diversity: int, t: float | None
) -> None:
    out = tmp_path / "out.csv"
    job = make_job(quasi=QUASI, sensitive=["disease"], k=k, diversity=diversity, closeness=t,
                   suppress="10%", method=method)  # fmt: skip
    found = anonymize_records(data, job, out, schema())
    rows = read(out)
    inside = classes(rows, "disease")
    overall = Counter(row["disease"] for row in rows)
    assert min(own.total() for own in inside.values()) >= k
    assert min(len(own) for own in inside.values()) >= diversity
    far = max(
        sum(abs(own[v] / own.total() - overall[v] / len(rows)) for v in overall) / 2
        for own in inside.values()
    )
    assert t is None or far <= t + 1e-9
    assert found["diversity"]["disease"]["t"] == pytest.approx(far)
    assert list(rows[0]) == [*QUASI, "disease"]
    assert len(rows) == found["published"] == 600 - found["dropped"]
    assert found["starred_records"] + found["dropped"] <= 60
    assert "epsilon" not in str(found)
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_labels_are_those_of_the_levels(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    job = make_job(quasi=QUASI, sensitive=["pay"], k=10, suppress=0)
    found = anonymize_records(data, job, out, schema())
    assert found["search"]["nodes"] == 4 * 2 * 3
    assert found["starred_records"] == found["dropped"] == 0
    chosen = dict(zip(QUASI, found["search"]["levels"], strict=True))
    shown = {name: {row[name] for row in read(out)} for name in QUASI}
    expected = {
        "band": {f"{n}–{n + 4}" for n in range(15, 85, 5)},
        "wide": {"0–24", "25–49", "50–74", "75–99"},
        "region": set(CITIES),
        "sex": {"F", "M"},
        "*": {"*"},
    }
    for name, level in chosen.items():
        assert shown[name] == expected.get(level, shown[name]), level
    assert {"band", "wide", "region", "*"} & set(chosen.values())


def test_the_same_bytes_whatever_the_order(data: Path, tmp_path: Path) -> None:
    job = make_job(quasi=QUASI, sensitive=["disease"], k=5, keep=["pay"])
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    lines = data.read_text("cp932").splitlines()
    other = tmp_path / "turned.csv"
    other.write_text("\n".join([lines[0], *reversed(lines[1:])]), encoding="utf-8")
    anonymize_records(data, job, first, schema())
    anonymize_records(other, job, second, schema())
    assert first.read_bytes() == second.read_bytes()


def test_parquet_and_kept_columns(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    job = make_job(quasi=QUASI, sensitive=["disease"], k=5, keep=["pay"], method="mondrian")
    anonymize_records(data, job, out, schema())
    table = parquet.read_table(out)
    assert table.column_names == [*QUASI, "disease", "pay"]
    with data.open(encoding="cp932", newline="") as file:
        raw = Counter(row["pay"] for row in csv.DictReader(file))
    assert Counter(table.column("pay").to_pylist()) == raw


def test_a_file_that_fails_is_never_named(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = anonymizing.write_records

    def careless(path: Path, columns: dict[str, Any]) -> None:
        labels, codes = columns["sex"]
        columns["sex"] = [*labels, "someone"], codes.copy()
        columns["sex"][1][7] = len(labels)
        write(path, columns)

    monkeypatch.setattr(anonymizing, "write_records", careless)
    job = make_job(quasi=QUASI, sensitive=["disease"], k=5)
    with pytest.raises(VerificationFailed):
        anonymize_records(data, job, tmp_path / "out.csv", schema())
    assert not list(tmp_path.iterdir())


def test_missing_values_are_values(tmp_path: Path) -> None:
    data, out = tmp_path / "d.csv", tmp_path / "out.csv"
    rows = [["", "F", "札幌", "flu", "1"]] * 3 + [["40", "F", "", "cold", "2"]] * 3
    with data.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[*QUASI, "disease", "pay"], *rows])
    job = make_job(quasi=QUASI, sensitive=["disease"], k=3, suppress=0)
    found = anonymize_records(data, job, out, schema())
    assert found["loss"] == 0
    assert Counter(row["年齢"] for row in read(out)) == {"": 3, "40": 3}


def test_refusals(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    job = make_job(quasi=QUASI, sensitive=["disease"], k=5)
    with pytest.raises(InvalidPlan, match="No quasi-identifier has a level"):
        anonymize_records(data, job, out)
    with pytest.raises(InvalidPlan, match="No generalization meets"):
        anonymize_records(data, make_job(quasi=QUASI, sensitive=[], k=601), out, schema())
    strict = make_job(quasi=QUASI, sensitive=["disease"], k=5, diversity=5, method="mondrian")
    with pytest.raises(InvalidPlan, match="No generalization meets"):
        anonymize_records(data, strict, out, schema())
    across = schema(odd={"of": "年齢", "cuts": [18, 33]}, even={"of": "年齢", "cuts": [20, 40, 50]})
    with pytest.raises(InvalidSchema, match="across each"):
        anonymize_records(data, job, out, across)
    with pytest.raises(UsageError, match="replace the data"):
        anonymize_records(data, job, data, schema())
    with pytest.raises(UsageError, match="cannot be written to"):
        anonymize_records(data, job, tmp_path / "out.xlsx", schema())
    for wrong in ({"diversity": 2}, {"closeness": 0.5}, {"suppress": "x"}, {"keep": ["sex"]},
                  {"method": "magic"}):  # fmt: skip
        with pytest.raises(UsageError):
            make_job(**{"quasi": QUASI, "sensitive": [], "k": 5, **wrong})
    assert not list(tmp_path.iterdir())


def test_levels_of_reals_dates_and_single_values(tmp_path: Path) -> None:
    declared = make_schema({
        "table": {"name": "t"},
        "columns": {
            "hours": {"type": "real", "min": 1.0, "max": 9.0, "step": 0.5},
            "born": {"type": "date", "min": dt.date(2000, 1, 1), "max": dt.date(2000, 1, 20)},
            "rank": {"type": "integer", "min": 3, "max": 6},
        },
        "levels": {
            "shift": {"of": "hours", "cuts": [4.5]},
            "week": {"of": "born", "width": 7},
            "same": {"of": "rank", "width": 1},
        },
    })  # fmt: skip
    data = tmp_path / "d.csv"
    data.write_text("hours,born,rank\n1,2000-01-07,3\n4.5,2000-01-08,6\n20,2000-02-01,\n")
    with open_classes(data, list(declared.columns), declared) as source:
        found = hierarchies(source, list(declared.columns), declared)
    shown = {each.steps[1].name: [each.steps[1].labels[g] for g in each.steps[1].groups]
             for each in found}  # fmt: skip
    assert shown == {
        "shift": ["[1, 4.5)", "[4.5, 9]", "[4.5, 9]"],
        "week": ["2000-01-01–2000-01-07", "2000-01-08–2000-01-14", "2000-01-15–2000-01-20"],
        "same": ["3", "6", ""],
    }


def test_t_holds_for_what_is_published_not_for_what_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leaving records out moves the whole: the search is repeated until the file itself fits."""
    searches, searched = Counter(), anonymizing.by_lattice

    def counted(*given: Any) -> Any:
        searches["all"] += 1
        return searched(*given)

    monkeypatch.setattr(anonymizing, "by_lattice", counted)
    job = make_job(quasi=["a", "b"], sensitive=["s"], k=3, closeness=0.2, suppress=0.5)
    columns = {name: {"type": "category", "values": list("wxyz")} for name in "abs"}
    levels = {"half": {"of": "a", "groups": {"p": ["w", "x"], "q": ["y", "z"]}}}
    declared = make_schema({"table": {"name": "t"}, "columns": columns, "levels": levels})
    data, out = tmp_path / "d.csv", tmp_path / "out.csv"
    done = 0
    # Tables on which the first search leaves out 3 to 10 records and misses t by that.
    for seed in (23, 31, 60, 183):
        rng = random.Random(seed)
        rows = [["wxyz"[rng.randrange(4)], "wx"[rng.randrange(2)], rng.choice("wxxxy")]
                for _ in range(24)]  # fmt: skip
        with data.open("w", newline="") as file:
            csv.writer(file).writerows([list("abs"), *rows])
        searches.clear()
        try:
            found = anonymize_records(data, job, out, declared, force=True)
        except InvalidPlan:
            found = None
        assert searches["all"] > 1
        if found is not None:
            done += 1
            assert found["diversity"]["s"]["t"] <= 0.2 + 1e-8
    assert done
