"""Published tables and facts as files: marks, encodings, groups, and what is refused."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest

from sudare.facts.disclosure import Interval, TableCheck
from sudare.facts.errors import EngineUnavailable, InvalidTables, UsageError
from sudare.publish.checking_tables import TableOptions, check_tables
from sudare.risk.tables.background import parse_background
from sudare.risk.tables.counts import parse_count


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("12", Interval(12, 12)),
        (" 1,234 ", Interval(1234, 1234)),
        ("10 人", Interval(10, 10)),
        ("１０", Interval(10, 10)),
        ("", Interval(0, None)),
        ("*", Interval(0, None)),
        ("※", Interval(0, None)),
        ("x", Interval(0, None)),
        ("<5", Interval(0, 4)),
        ("≤5", Interval(0, 5)),
        ("1-4", Interval(1, 4)),
        ("1～4", Interval(1, 4)),
        ("-3", Interval(-3, -3)),
        ("4-1", None),
        ("<0", None),
        ("-", None),
        ("2.5", None),
        ("many", None),
        (",", None),
    ],
)
def test_counts(text: str, wanted: Interval | None) -> None:
    assert parse_count(text) == wanted


def check(
    folder: Path, tables: list[str], facts: str = "", encoding: str = "utf-8", **options: object
) -> TableCheck:
    files = []
    for number, text in enumerate(tables, 1):
        files.append(folder / f"t{number}.csv")
        files[-1].write_bytes(text.encode(encoding))
    (folder / "facts.toml").write_text(facts, encoding="utf-8")
    return check_tables(files, folder / "facts.toml", TableOptions(**options))  # type: ignore[arg-type]


def certain(found: TableCheck) -> set[tuple[object, ...]]:
    return {(each.person or each.who, each.attribute, each.value) for each in found.certain}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_japanese_tables_in_every_usual_encoding(tmp_path: Path, encoding: str) -> None:
    table = "性別,合否,人数\n女性,合格,10\n女性,落第,5\n男性,落第,5\n"
    found = check(tmp_path, [table], 'sensitive = ["合否"]', encoding, population="20")
    assert certain(found) == {((("性別", "男性"),), "合否", "落第")}
    assert found.inferred == ("性別", "合否")


def test_a_total_row_gives_the_withheld_count_away(tmp_path: Path) -> None:
    table = "town,ill,count\nA,yes,*\nA,no,8\nA,total,11\n"
    found = check(tmp_path, [table])
    assert [(each.row, each.count) for each in found.narrow if each.table] == [(1, Interval(3, 3))]
    assert not found.ok


def test_a_withheld_count_that_stays_open_is_not_reported(tmp_path: Path) -> None:
    table = "town,ill,count\nA,yes,*\nA,no,*\nA,total,11\n"
    found = check(tmp_path, [table])
    assert found.ok
    assert not [each for each in found.narrow if each.table]


def test_a_table_of_part_of_the_people_by_a_constant_column(tmp_path: Path) -> None:
    table = "club,result,count\nyes,pass,0\nyes,fail,4\n"
    found = check(tmp_path, [table], 'sensitive = ["result"]')
    assert certain(found) == {((("club", "yes"),), "result", "fail")}


def test_a_complete_table_has_no_other_people(tmp_path: Path) -> None:
    table = "sex,result,count\nf,pass,3\nm,fail,4\n"
    facts = 'sensitive = ["result"]\n'
    assert check(tmp_path, [table], facts).certain == ()
    found = check(tmp_path, [table], facts + "[tables.t1]\ncomplete = true\n")
    who = {(("sex", "f"),): "pass", (("sex", "m"),): "fail"}
    assert {each.who: each.value for each in found.certain} == who
    assert all(way.manner == "alone" for each in found.certain for way in each.ways)


def test_groups_of_values(tmp_path: Path) -> None:
    table = "age,ill,count\nyoung,yes,0\nyoung,no,6\n70,yes,2\n"
    facts = (
        'sensitive = ["ill"]\n[attributes]\nage = ["20", "30", "70"]\nill = ["yes", "no"]\n'
        '[groups.age]\nyoung = ["20", "30"]\n'
    )
    found = check(tmp_path, [table], facts)
    assert certain(found) == {((("age", a),), "ill", "no") for a in ("20", "30")}


SUBTOTALS = "region,town,ill,count\nN,A,yes,2\nN,B,yes,3\nN,*,yes,5\n"


def test_a_subtotal_is_not_counted_twice(tmp_path: Path) -> None:
    domain = '[attributes]\nregion = ["N"]\ntown = ["A", "B"]\nill = ["yes", "no"]\n'
    read_once = check(tmp_path, [SUBTOTALS], domain, population="5-20")
    assert read_once.population == Interval(10, 20)
    assert read_once.overlapping == ("t1.csv",)
    facts = domain + "[tables.t1]\nsubtotals = true\n"
    found = check(tmp_path, [SUBTOTALS], facts, population="5-20")
    assert found.population == Interval(5, 20)
    assert found.overlapping == ()


def test_a_known_person_frees_or_takes_a_place(tmp_path: Path) -> None:
    """Two people, one passed; who is known to have passed leaves failure to the other."""
    table = "result,count\npass,1\nfail,1\n"
    facts = 'sensitive = ["result"]\n[persons.A]\nclub = "yes"\n[persons.B]\n'
    club = '[attributes]\nclub = ["yes", "no"]\nresult = ["pass", "fail"]\n'
    assert check(tmp_path, [table], facts + 'club = "yes"\n' + club).certain == ()
    found = check(tmp_path, [table], facts + 'result = "pass"\n' + club)
    assert ("A", "result", "fail") in certain(found)
    assert {part.kind for part in found.certain[0].ways[0].parts} == {"table", "person"}


def test_all_who_are_one_thing_are_another(tmp_path: Path) -> None:
    table = "sex,count\nf,4\nm,0\n"
    facts = (
        'sensitive = ["ward"]\n[attributes]\nsex = ["f", "m"]\nward = ["1", "2"]\n'
        '[[known]]\nwhere = { sex = "f" }\nall = { ward = "2" }\n'
    )
    # What the fact says alone is no disclosure of the table; that everyone is in ward 2 is.
    assert certain(check(tmp_path, [table], facts)) == {((), "ward", "2")}


def test_a_certificate_beside_a_table_marks_it_as_noisy(tmp_path: Path) -> None:
    stated = {"guarantee": {"epsilon": 1.0}}
    (tmp_path / "t1.certificate.json").write_text(json.dumps(stated), encoding="utf-8")
    found = check(tmp_path, ["query,label,value\ncount(),,-3\n", "result,count\npass,0\nfail,2\n"])
    assert found.noisy == ("t1.csv",)
    assert certain(found) == {((), "result", "fail")}


def test_noise_is_marked_in_the_facts_file(tmp_path: Path) -> None:
    table = "result,count\npass,-2\nfail,2\n"
    found = check(tmp_path, [table], "[tables.t1]\nnoise = { error95 = 6 }\n")
    assert (found.ok, found.noisy, found.tables) == (True, ("t1.csv",), ())


def test_noisy_counts_passed_as_exact_contradict_each_other(tmp_path: Path) -> None:
    tables = ["result,count\npass,12\nfail,7\n", "sex,count\nf,16\nm,5\n"]
    with pytest.raises(InvalidTables, match="contradict"):
        check(tmp_path, tables, population="20")
    assert check(tmp_path, tables, population="20", noisy=True).ok


def test_the_facts_file_of_the_page_is_read() -> None:
    page = Path(__file__).parents[2] / "docs" / "check-tables.md"
    text = page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    found = parse_background(tomllib.loads(text), "facts.toml")
    assert found.population == Interval(20, 20)
    assert set(found.tables) == {"table4", "table9"}
    assert found.tables["table9"].noisy
    assert [known.count for known in found.known] == [Interval(0, 0)] * 2 + [Interval(2, 4)]
    assert found.persons["A-kun"] == {"sex": ("male",), "sports": ("yes",), "culture": ("yes",)}


def test_without_the_solver_the_hint_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(EngineUnavailable) as refused:
        check(tmp_path, ["sex,count\nf,2\n"])
    assert refused.value.exit_code == 5
    assert "sudare[risk]" in refused.value.hint


REFUSED = {
    "has no rows": ("sex,count\n", ""),
    "has two columns of one name": ("sex,sex,count\nf,m,1\n", ""),
    "has no column of counts": ("sex,number\nf,1\n", ""),
    "has too few or too many fields": ("sex,count\nf\n", ""),
    "is neither a whole number nor withheld": ("sex,count\nf,2.5\n", ""),
    "is negative": ("sex,count\nf,-2\n", ""),
    "describe the same people": ("sex,count\nf,2\nf,3\n", ""),
    "that is not declared": ("sex,count\nx,2\n", '[attributes]\nsex = ["f", "m"]\n'),
    "is in no table and not declared": ("sex,count\nf,2\n", 'sensitive = ["ill"]\n'),
    "is not valid TOML": ("sex,count\nf,2\n", "sensitive = \n"),
    "has an unknown key": ("sex,count\nf,2\n", "sensitiv = 1\n"),
    "has a value of the wrong form": ("sex,count\nf,2\n", "population = -1\n"),
    "says neither nobody, nor all, nor count": ("sex,count\nf,2\n", '[[known]]\nsay = "x"\n'),
    "Person 'A' has a value": (
        "sex,count\nf,2\n",
        '[attributes]\nsex = ["f"]\n[persons.A]\nsex = "m"\n',
    ),
}


@pytest.mark.parametrize("said", REFUSED)
def test_refusals(tmp_path: Path, said: str) -> None:
    table, facts = REFUSED[said]
    with pytest.raises(InvalidTables) as refused:
        check(tmp_path, [table], facts)
    assert said in refused.value.what
    assert refused.value.exit_code == 4


def test_a_value_is_never_quoted(tmp_path: Path) -> None:
    with pytest.raises(InvalidTables) as refused:
        check(tmp_path, ["sex,count\nsecretvalue,2\n"], '[attributes]\nsex = ["f", "m"]\n')
    assert "secretvalue" not in str(refused.value)


def test_too_many_combinations(tmp_path: Path) -> None:
    values = ", ".join(f'"{n}"' for n in range(1000))
    facts = f"[attributes]\na = [{values}]\nb = [{values}]\n"
    with pytest.raises(InvalidTables, match="combinations"):
        check(tmp_path, ["a,count\n1,2\n"], facts)


def test_a_population_that_is_no_number(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="population"):
        check(tmp_path, ["sex,count\nf,2\n"], population="many")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidTables, match="cannot be read"):
        check_tables([tmp_path / "none.csv"])
    (tmp_path / "t.csv").write_bytes(b"sex,count\n\x81,2\n")
    with pytest.raises(InvalidTables, match="neither UTF-8 nor cp932"):
        check_tables([tmp_path / "t.csv"])
