"""Tables that fit no data set: the smallest contradicting set is named, by part and by row."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudare.facts.errors import InvalidTables
from sudare.publish.checking_tables import TableOptions, check_tables
from sudare.risk.tables.ways import smallest_sets


def refusal(folder: Path, tables: list[str], population: str | None, facts: str = "") -> str:
    files = [folder / f"t{number}.csv" for number in range(1, len(tables) + 1)]
    for file, text in zip(files, tables, strict=True):
        file.write_text(text, encoding="utf-8")
    (folder / "facts.toml").write_text(facts, encoding="utf-8")
    with pytest.raises(InvalidTables) as refused:
        check_tables(files, folder / "facts.toml", TableOptions(population=population))
    assert refused.value.exit_code == 4
    assert "--noisy" in refused.value.hint
    return refused.value.what


RESULTS = "result,count\npass,10\nfail,10\n"


def test_a_total_that_does_not_add_up(tmp_path: Path) -> None:
    table = "sex,result,count\nf,pass,1\nf,fail,5\nm,fail,5\ntotal,fail,11\n"
    said = refusal(tmp_path, [table, RESULTS.replace("fail,10", "fail,11")], None)
    assert said == ("No data set fits t1.csv (row 2, row 3, row 4): they contradict each other.")


def test_more_people_than_there_are(tmp_path: Path) -> None:
    said = refusal(tmp_path, [RESULTS, "sex,count\nf,9\nm,9\n"], "18")
    assert "t1.csv (row 1, row 2) and the population" in said or "t1.csv" in said
    assert "t2.csv" not in said


def test_two_tables_of_which_one_is_wrong(tmp_path: Path) -> None:
    tables = [RESULTS, "sex,result,count\nf,pass,8\nm,pass,3\nf,fail,4\n", "sex,count\nf,12\n"]
    said = refusal(tmp_path, tables, None)
    assert "t1.csv (row 1)" in said
    assert "t2.csv (row 1, row 2)" in said
    assert "t3.csv" not in said


def test_a_fact_and_a_person_can_contradict(tmp_path: Path) -> None:
    facts = '[persons."A"]\nresult = "pass"\n'
    said = refusal(tmp_path, ["result,count\npass,0\nfail,3\n"], None, facts)
    assert "t1.csv (row 1)" in said
    assert "“A”" in said


@pytest.mark.parametrize(
    "minimal",
    [
        [{0}],
        [{1, 2}],
        [{0, 1}, {1, 2}, {0, 2, 3}],
        [{4, 5, 6}, {0, 5}],
        [set()],
        [{0, 1, 2, 3, 4, 5, 6}],
    ],
)
def test_all_smallest_sets_are_found_in_order_of_size(minimal: list[set[int]]) -> None:
    found = list(smallest_sets(7, lambda chosen: any(each <= chosen for each in minimal)))
    assert sorted(map(sorted, found)) == sorted(map(sorted, minimal))
    assert [len(each) for each in found] == sorted(len(each) for each in minimal)


def test_of_many_parts_one_set_is_found_that_cannot_be_thinned() -> None:
    minimal = [{3, 17, 30}, {4, 5}]
    (found,) = smallest_sets(40, lambda chosen: any(each <= chosen for each in minimal))
    assert set(found) in minimal
