"""Paper 001, section 2: the class of 20 and A-kun, with the shipped tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudare.demo.exam import CLASSROOM
from sudare.facts.disclosure import Certain, Interval, TableCheck
from sudare.publish.checking_tables import TableOptions, check_tables
from sudare.report.disclosure import sentences

EN, JA = CLASSROOM / "en", CLASSROOM / "ja"
CLUBS = "everyone is in at least one club"


def check(*numbers: int, folder: Path = EN, **options: object) -> TableCheck:
    files = [folder / f"table{n}.csv" for n in numbers]
    return check_tables(files, folder / "facts.toml", TableOptions(**options))  # type: ignore[arg-type]


def about(found: TableCheck, *who: tuple[str, str]) -> Certain:
    return next(each for each in found.certain if each.person is None and each.who == who)


def ways(each: Certain) -> list[tuple[str, set[str]]]:
    return [(way.manner, {part.name or part.kind for part in way.parts}) for way in each.ways]


def test_a_zero_that_is_not_shown() -> None:
    found = check(1)
    men = about(found, ("sex", "male"))
    assert (men.attribute, men.value, men.people) == ("result", "fail", Interval(5, 5))
    assert ways(men) == [("fills", {"table 1", "population"})]
    assert [each.value for each in found.certain if each.person == "A-kun"] == ["fail"]
    assert not found.ok
    assert found.finished


def test_without_the_population_a_missing_row_says_nothing() -> None:
    found = check_tables([EN / "table1.csv"])
    assert found.ok
    assert found.certain == ()


def test_k_anonymity_with_k_10_does_not_help() -> None:
    men = about(check(2), ("sex", "male"))
    assert (men.value, men.people) == ("fail", Interval(1, 10))
    assert ways(men) == [("fills", {"table 2", "population"})]


@pytest.mark.parametrize("numbers", [(3,), (4,), (5,), (3, 4), (4, 5), (3, 5)])
def test_fewer_tables_than_the_mosaic_are_safe(numbers: tuple[int, ...]) -> None:
    assert check(*numbers).certain == ()


def test_the_mosaic() -> None:
    found = check(3, 4, 5)
    both = about(found, ("sports", "yes"), ("culture", "yes"))
    assert (both.value, both.people) == ("fail", Interval(3, 3))
    assert ways(both) == [("together", {"table 3", "table 4", "table 5", CLUBS})]
    what, how = sentences(both)
    assert what.en == "Whoever has sports = yes and culture = yes has result = fail (3 people)."
    assert how.en == (
        f"Laid together, table 3, table 4, table 5 and the fact “{CLUBS}” leave nobody with "
        "sports = yes and culture = yes and result other than fail."
    )


def test_all_five_tables_show_all_three_disclosures() -> None:
    found = check(1, 2, 3, 4, 5)
    men = ways(about(found, ("sex", "male")))
    assert ("fills", {"table 1", "population"}) in men
    assert ("fills", {"table 2", "population"}) in men
    both = ways(about(found, ("sports", "yes"), ("culture", "yes")))
    assert ("together", {"table 3", "table 4", "table 5", CLUBS}) in both


def test_in_japanese_too() -> None:
    found = check(1, folder=JA)
    what, how = sentences(found.certain[0])
    assert what.ja == "A君：合否 = 落第。"
    assert "第1表の人数を足すと全体の人数になる" in how.ja


def test_without_the_known_fact_the_mosaic_does_not_hold(tmp_path: Path) -> None:
    told = (EN / "facts.toml").read_text(encoding="utf-8")
    without = told[: told.index("[[known]]")] + told[told.index("[persons") :]
    (tmp_path / "facts.toml").write_text(without, encoding="utf-8")
    files = [EN / f"table{n}.csv" for n in (3, 4, 5)]
    assert check_tables(files, tmp_path / "facts.toml").certain == ()


def test_tables_marked_as_noisy_make_nothing_certain() -> None:
    found = check(1, 2, 3, 4, 5, noisy=True)
    assert found.ok
    assert len(found.noisy) == 5
    assert found.certain == found.excluded == found.narrow == ()
