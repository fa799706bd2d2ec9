"""Classes of people: who has several records counts once, everywhere, against loops over sets."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudare.engines.classes import ClassSource, open_classes
from sudare.engines.microdata import read_microdata
from sudare.facts.errors import InvalidPlan, UsageError
from sudare.facts.microdata import Microdata, number_column
from sudare.facts.schema import Schema, make_schema
from sudare.publish import anonymizing
from sudare.publish.anonymizing import anonymize_records, make_job
from sudare.publish.anonymizing_verify import VerificationFailed, verify
from sudare.publish.checking_records import check_records
from sudare.publish.counted_units import people_column, people_in
from sudare.risk.anonymize.demand import Demand
from sudare.risk.anonymize.keys import grouped, spread_of, whole_of
from sudare.risk.compare.sampling import halves
from sudare.risk.records.diversity import classes_of, distances, diversity
from sudare.risk.records.population import population
from sudare.risk.records.sizes import anonymity
from sudare.risk.records.subsets import riskiest
from support.bits import CountedBits

QUASI = ["age", "sex"]
# Person, two quasi-identifiers, a sensitive value; a person may be missing.
rows = st.lists(
    st.tuples(
        st.sampled_from(["p", "q", "r", "s", "t", ""]),
        st.sampled_from("012"),
        st.sampled_from("FM"),
        st.sampled_from("xyz"),
    ),
    min_size=1,
    max_size=14,
)
Row = tuple[str, str, str, str]


def opened(table: list[Row]) -> ClassSource:
    columns = zip(*table, strict=True)
    names = ["id", "age", "sex", "ill"]
    frame = pa.table(dict(zip(names, map(list, columns), strict=True)))
    return open_classes(frame, ["age", "sex", "ill"], None, people="id")


def members(table: list[Row]) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for person, age, sex, _ in table:
        found[age, sex].add(person)
    return dict(found)


@settings(max_examples=25, deadline=None)
@given(table=rows)
def test_sizes_are_those_of_sets_of_people(table: list[Row]) -> None:
    inside = members(table)
    with opened(table) as source:
        for is_merged in (False, True):
            if is_merged:
                source.merge(QUASI)
            found = source.sizes(QUASI)
            sizes = Counter(map(len, inside.values()))
            assert dict(zip(found.sizes, found.classes, strict=True)) == sizes
            assert found.records == len({person for person, *_ in table}) == source.units
            for k in (2, 3, 4):
                few = {p for own in inside.values() if len(own) < k for p in own}
                assert found.records_below(k) == source.failing(QUASI, k, ["ill"], 3) == len(few)
            assert source.sizes([]).sizes.tolist() == [found.records]
        least = {p: min(len(own) for own in inside.values() if p in own) for p, *_ in table}
        about = anonymity(found)
        assert about.average_risk == pytest.approx(np.mean([1 / n for n in least.values()]))
        assert sum(each.records for each in about.ranges) == found.records
        small = [n for n, (_, a, s, _) in enumerate(table, 1) if len(inside[a, s]) < 2]
        assert source.small_rows(QUASI, 2, 3) == small[:3]
        estimated = population(found, 0.5)
        if sum(map(len, inside.values())) > found.records:
            assert estimated.binomial_share is estimated.pitman_share is None


@settings(max_examples=25, deadline=None)
@given(table=rows)
def test_a_spread_counts_everybody_once(table: list[Row]) -> None:
    inside = members(table)
    values: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    everything: dict[str, set[str]] = defaultdict(set)
    for person, age, sex, ill in table:
        values[age, sex][person].add(ill)
        everything[person].add(ill)
    with opened(table) as source:
        spread = source.spread(QUASI, "ill")
        columns = [source.codes(name) for name in ("age", "sex", "ill")]
        whose = source.people
        assert source.spread([], "ill").sizes().tolist() == [source.units]
    order = sorted(inside)
    labels = sorted({ill for *_, ill in table})
    found = classes_of(spread)
    assert found.records.tolist() == [len(inside[own]) for own in order]
    shares = {v: sum((v in own) / len(own) for own in everything.values()) for v in labels}
    for number, own in enumerate(order):
        n = len(inside[own])
        having = {v: sum(v in each for each in values[own].values()) for v in labels}
        weight = {v: sum((v in e) / len(e) for e in values[own].values()) for v in labels}
        entries = spread.owner == number
        assert spread.count[entries].tolist() == [having[v] for v in labels if having[v]]
        assert spread.weights[entries] == pytest.approx([weight[v] for v in labels if having[v]])
        # No fewer values than this can cover the class, whoever has which.
        m = found.distinct[number]
        ranked = sorted(having.values(), reverse=True)
        assert sum(ranked[: m - 1]) < n <= sum(ranked[:m])
        far = sum(abs(weight[v] / n - shares[v] / len(everything)) for v in labels) / 2
        assert distances(spread)[number] == pytest.approx(far)
    about = diversity(spread)
    certain = [own for own in order
               if any(all(v in each for each in values[own].values()) for v in labels)]  # fmt: skip
    assert about.certain_classes == len(certain)
    assert about.certain == len({p for own in certain for p in inside[own]})
    most = max(sum(v in own for own in everything.values()) for v in labels)
    assert about.blind_guess == pytest.approx(most / len(everything))
    # What the search works out with arrays is what the check works out with queries.
    assert whose is not None
    other = spread_of(grouped(columns[:2]), columns[2], spread.codes, False, whose,
                      whole_of(columns[2], spread.codes, whose))  # fmt: skip
    for name in ("owner", "code", "count", "weight"):
        assert getattr(other, name) == pytest.approx(getattr(spread, name))
    assert other.whole is not None
    assert spread.whole is not None
    assert other.whole.shares == pytest.approx(spread.whole.shares)


@settings(max_examples=15, deadline=None)
@given(here=rows, there=rows)
def test_matches_are_of_people(here: list[Row], there: list[Row]) -> None:
    own, other = members(here), members(there)
    with opened(here) as source, opened(there) as second:
        found = source.matches(second, QUASI, 3)
    matched = {p: [len(other.get(key, ())) for key in own if p in own[key]] for p, *_ in here}
    assert found.records == len(matched)
    assert found.none == sum(not any(each) for each in matched.values())
    assert found.one == sum(1 in each for each in matched.values())
    assert found.few == sum(any(0 < n < 3 for n in each) for each in matched.values())
    alone = {p for key, o in own.items() if len(o) == len(other.get(key, ())) == 1 for p in o}
    assert found.both_unique == len(alone)


@settings(max_examples=15, deadline=None)
@given(table=rows)
def test_no_set_of_columns_is_skipped_that_singles_out_more(table: list[Row]) -> None:
    with opened(table) as source:
        names = ("age", "sex", "ill")
        values = {name: source.columns[name].size for name in names}
        found = riskiest(values, source.sizes, 2, keep=1)
        for size in (1, 2):
            best = max(each.uniques for each in found.worst if len(each.columns) == size)
            subsets = [list(each) for each in combinations(names, size)]
            assert best == max(source.sizes(each).records_below(2) for each in subsets)


def declared(**table: Any) -> Schema:
    return make_schema({
        "table": {"name": "t", **table},
        "columns": {
            "id": {"type": "key"},
            "age": {"type": "integer", "min": 0, "max": 99},
            "sex": {"type": "category", "values": ["F", "M"]},
            "ill": {"type": "category", "values": ["flu", "cold", "none"]},
        },
        "levels": {"ten": {"of": "age", "width": 10}, "half": {"of": "age", "width": 50}},
    })  # fmt: skip


UNIT = {"unit": "id", "max_rows_per_unit": 3}


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """150 people with one to three records; some of a person differ in age and illness."""
    rng, path = Random(3), tmp_path_factory.mktemp("visits") / "visits.csv"
    listed = []
    for person in range(150):
        age, sex = rng.randint(20, 79), rng.choice("FM")
        for _ in range(rng.randint(1, 3)):
            ill = rng.choice(["flu", "cold", "none"])
            listed.append([person, min(79, age + rng.randint(0, 1)), sex, ill])
    rng.shuffle(listed)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["id", *QUASI, "ill"], *listed])
    return path


@pytest.mark.parametrize("method", ["lattice", "mondrian"])
@pytest.mark.parametrize(("k", "ell", "t"), [(5, 1, None), (4, 2, None), (6, 2, 0.3)])
def test_every_class_of_the_file_has_k_people(
    visits: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    k: int,
    ell: int,
    t: float | None,
) -> None:
    """Whose record each line is, is caught on its way to the verifier, and counted with sets."""
    handed: list[Any] = []

    def listen(*given: Any) -> dict[str, Any]:
        handed.append(given[-1])
        return verify(*given)

    monkeypatch.setattr(anonymizing, "verify", listen)
    out = tmp_path / "out.csv"
    job = make_job(quasi=QUASI, sensitive=["ill"], k=k, diversity=ell, closeness=t,
                   method=method, suppress="10%")  # fmt: skip
    found = anonymize_records(visits, job, out, declared(**UNIT))
    with out.open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    inside: dict[tuple[str, ...], dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for person, line in zip(handed[0].tolist(), lines, strict=True):
        inside[line["age"], line["sex"]][person].add(line["ill"])
    assert list(lines[0]) == [*QUASI, "ill"]
    assert min(map(len, inside.values())) >= k
    for own in inside.values():
        for value in ("flu", "cold", "none"):
            assert ell == 1 or not all(value in each for each in own.values())
    assert found["unit"] == "id"
    assert found["people"]["all"] == 150
    assert found["people"]["suppressed"] <= 15
    assert found["anonymity"]["k"] == min(map(len, inside.values()))
    # By rows the same demand is met with classes that are no coarser.
    rows_alone = anonymize_records(
        visits, make_job(quasi=QUASI, sensitive=["ill"], k=k, method=method, unit="row"),
        tmp_path / "rows.csv", declared(**UNIT),
    )  # fmt: skip
    assert rows_alone["people"] is None
    assert rows_alone["anonymity"]["classes"] >= found["anonymity"]["classes"]


def test_the_verifier_counts_people_by_itself(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("age,ill\n1,flu\n1,cold\n1,flu\n1,cold\n", encoding="utf-8")
    four, two = np.arange(4), np.array([0, 0, 1, 1])
    assert verify(out, ["age"], ["ill"], Demand(4, 2), None, four)["anonymity"]["k"] == 4
    with pytest.raises(VerificationFailed):
        verify(out, ["age"], ["ill"], Demand(3), None, two)
    # Both have both values: each is certain, though there are two.
    with pytest.raises(VerificationFailed):
        verify(out, ["age"], ["ill"], Demand(2, 2), None, two)
    assert verify(out, ["age"], ["ill"], Demand(2), None, two)["anonymity"]["k"] == 2


def test_people_are_counted_wherever_a_column_names_them(visits: Path) -> None:
    by_unit = check_records(visits, QUASI, ["ill"], declared(**UNIT))
    by_key = check_records(visits, QUASI, ["ill"], declared())
    named = check_records(visits, QUASI, ["ill"], unit="id")
    plain = check_records(visits, QUASI, ["ill"], declared(**UNIT), unit="row")
    assert by_unit == by_key
    assert by_unit["anonymity"] == named["anonymity"]
    assert by_unit["unit"] == named["unit"] == "id"
    assert plain["unit"] == "row"
    assert by_unit["anonymity"]["records"] == 150 < plain["anonymity"]["records"]
    assert by_unit["anonymity"]["below"][0][1] > plain["anonymity"]["below"][0][1]


def test_which_column_names_people() -> None:
    two = {"columns": {"a": {"type": "key"}, "b": {"type": "key"}}}
    assert people_column(None, None) is None
    assert people_column(None, "x") == "x"
    assert people_column(declared(), None) == people_column(declared(**UNIT), None) == "id"
    assert people_column(declared(**UNIT), "row") is None
    both = make_schema({"table": {"name": "t"}, **two})
    assert people_column(both, "b") == "b"
    with pytest.raises(InvalidPlan, match="several keys"):
        people_column(both, None)
    with pytest.raises(InvalidPlan, match="--unit names column 'c'"):
        people_column(both, "c")


def test_refusals(visits: Path, tmp_path: Path) -> None:
    job = make_job(quasi=QUASI, sensitive=["ill"], keep=["id"], k=5)
    with pytest.raises(UsageError, match="names people"):
        anonymize_records(visits, job, tmp_path / "out.csv", declared(**UNIT))
    bare = tmp_path / "bare.csv"
    bare.write_text("age,sex\n1,F\n")
    with pytest.raises(InvalidPlan, match="says whose record"):
        check_records(bare, QUASI, (), declared(**UNIT))
    assert not (tmp_path / "out.csv").exists()


def test_halves_part_people_not_rows() -> None:
    people = np.repeat(np.arange(200), 3)
    data = Microdata((number_column("x", people.astype(float)),), people)
    one, other = halves(data, 250, CountedBits("halves"))
    assert one.people is not None
    assert other.people is not None
    assert not set(one.people) & set(other.people)
    assert (one.rows, other.rows) == (250, 250)
    # Rows of nobody known are cut as they come.
    bare = Microdata((number_column("x", people.astype(float)),))
    one, other = halves(bare, 250, CountedBits("halves"))
    assert set(one["x"].values) & set(other["x"].values)  # type: ignore[union-attr]


def test_compare_reads_whose_rows_they_are(visits: Path) -> None:
    found = read_microdata(visits, QUASI, declared(**UNIT), people="id")
    assert found.people is not None
    assert len(np.unique(found.people)) == 150
    assert found.names == tuple(QUASI)
    assert people_in(declared(**UNIT), ["id", "age"]) == "id"
    assert people_in(declared(**UNIT), ["age"]) is None
