"""Who calls which items sensitive: against a loop over the rows, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.baskets_made import assert_silent, made, write
from engines.postgres_tables import execute
from sudare.engines.baskets.categories import Categories, read_categories
from sudare.engines.baskets.forms import Read
from sudare.engines.baskets.sensitive import Marked, read_sensitive
from sudare.facts.errors import InvalidFile, UsageError
from support.tiers import examples

CANARY = "CANARY4711"
RECORDS = [["tea", "pills"], [], ["pills", "test"]]
LINES = Read(made(RECORDS), "blank")
PEOPLE = Read(made(RECORDS, ("ann", "bob", "cy")), "long", user="who", item="what")
DRUGS = Categories({"drugs": ("pills", "test", "gone"), "tea": ("tea",), "none": ("gone",)})


def marks(found: Marked, read: Read) -> list[set[str]]:
    """What is sensitive to each record; the layout must be ascending and without repeats."""
    sensitive, names = found.sensitive, read.baskets.names
    assert len(sensitive.starts) == read.baskets.records + 1
    assert sensitive.starts.dtype == np.int64
    assert sensitive.items.dtype == np.int32
    for record in range(read.baskets.records):
        own = sensitive.items[sensitive.starts[record] : sensitive.starts[record + 1]]
        assert np.all(np.diff(own) > 0)
    return [
        {names[code] for code in np.flatnonzero(sensitive.of(record))}
        for record in range(read.baskets.records)
    ]


def rows(*pairs: tuple[Any, Any]) -> pa.Table:
    users, items = zip(*pairs, strict=True)
    return pa.table({"user": pa.array(users), "item": pa.array(items)})


def test_rows_of_a_file(tmp_path: Path) -> None:
    text = 'user,item\n1,pills\n1,pills\n"3","tea"\n2, test \n*,tea\n'
    for name in ("s.csv", "s.csv.gz", "s.tsv"):
        given = text.replace(",", "\t") if name == "s.tsv" else text
        found = read_sensitive(write(tmp_path / name, given), LINES)
        assert marks(found, LINES) == [{"pills", "tea"}, {"tea", "test"}, {"tea"}]
        assert (found.unknown_items, found.unknown_users, found.pairs) == (0, 0, 5)
    # Also an item that its owner does not have, and only what everyone does not have already.
    assert found.sensitive.items.tolist() == [1, 2]


def test_users_and_items_in_one_file_only_are_counted() -> None:
    table = rows(("ann", "gone"), ("zed", "tea"), ("zed", "pills"), ("*", "lost"), ("cy", "tea"))
    found = read_sensitive(table, PEOPLE)
    assert marks(found, PEOPLE) == [set(), set(), {"tea"}]
    assert (found.unknown_items, found.unknown_users, found.pairs) == (2, 1, 5)


def test_everyone_and_everything() -> None:
    assert marks(read_sensitive(rows(("*", "*")), LINES), LINES) == [{"tea", "pills", "test"}] * 3
    found = marks(read_sensitive(rows((2, "*")), Read(made([["*"], ["a"]]), "blank")), LINES_STAR)
    assert found == [set(), {"*", "a"}]
    assert marks(read_sensitive(rows((1, "item:*")), LINES_STAR), LINES_STAR)[0] == {"*"}


LINES_STAR = Read(made([["*"], ["a"]]), "blank")


def test_the_columns_may_be_called_as_in_the_baskets() -> None:
    table = pa.table({"who": ["ann"], "what": ["tea"]})
    assert marks(read_sensitive(table, PEOPLE), PEOPLE)[0] == {"tea"}


def test_a_category_stands_for_its_items() -> None:
    found = read_sensitive(rows((1, "drugs"), (3, "category:tea")), LINES, categories=DRUGS)
    assert marks(found, LINES) == [{"pills", "test"}, set(), {"tea"}]
    found = read_sensitive(rows(("*", "none"), ("2", "item:tea")), LINES, categories=DRUGS)
    assert marks(found, LINES) == [set(), {"tea"}, set()]
    assert found.unknown_items == 1


def test_names_that_begin_like_a_prefix() -> None:
    read = Read(made([["item:tea", "tea", "category:drugs"]]), "blank")
    assert marks(read_sensitive(rows((1, "item:item:tea")), read), read) == [{"item:tea"}]
    assert marks(read_sensitive(rows((1, "category:drugs")), read), read) == [{"category:drugs"}]
    for name in ("item:tea", "category:drugs"):
        with pytest.raises(InvalidFile, match=r"A row .* in two ways"):
            read_sensitive(rows((1, name)), read, categories=DRUGS)


REFUSED = {
    "not a number": ([(1, "tea"), (CANARY, "tea")], "A row .* not the number of a record"),
    "zero": ([("1", "tea"), ("0", "tea")], "A row .* not the number of a record"),
    "too many": ([("1", "tea"), ("1", "a"), ("4", CANARY)], "A row .* not the number"),
    "negative": ([("-1", "tea")], "A row .* not the number"),
    "huge": ([("9" * 40, "tea")], "A row .* not the number"),
    "no user": ([("1", "tea"), (None, CANARY)], "A row .* names no user"),
    "no item": ([("1", CANARY), ("2", " ")], "A row .* names no item"),
    "both": ([("1", "pills"), ("1", "tea")], "A row .* can be read in two ways"),
    "no category": ([("1", f"category:{CANARY}")], "A row .* a category that is not declared"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_name_a_row_and_nothing_else(case: str) -> None:
    pairs, said = REFUSED[case]
    table = rows(*((None if user is None else str(user), item) for user, item in pairs))
    with pytest.raises(InvalidFile, match=said) as caught:
        read_sensitive(table, LINES, categories=DRUGS)
    assert caught.value.exit_code == 4
    assert_silent(caught.value, CANARY)


def test_files_that_are_not_what_they_should_be(tmp_path: Path) -> None:
    path = write(tmp_path / "s.csv", f"1,{CANARY}\n")
    with pytest.raises(InvalidFile, match="no columns 'user' and 'item'") as caught:
        read_sensitive(path, LINES)
    assert_silent(caught.value, CANARY)
    with pytest.raises(InvalidFile, match="sensitive items has no rows"):
        read_sensitive(write(path, "user,item\n"), LINES)
    with pytest.raises(UsageError, match="no such encoding"):
        read_sensitive(path, LINES, encoding="klingon")
    text = "user,item\n1,茶\n".encode("cp932")
    assert read_sensitive(write(path, text), LINES, encoding="cp932").unknown_items == 1


def test_more_pairs_than_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudare.engines.baskets.sensitive._MOST_PAIRS", 4)
    assert read_sensitive(rows((1, "*")), LINES).pairs == 1
    with pytest.raises(InvalidFile, match="more than 4 pairs"):
        read_sensitive(rows((1, "*"), (2, "*")), LINES)


def test_pairs_in_postgresql(postgres_url: str) -> None:
    execute(
        postgres_url,
        "CREATE TABLE secret AS SELECT 3 AS \"user\", item FROM (VALUES ('tea')) AS t(item)",
    )
    assert marks(read_sensitive(f"{postgres_url}#secret", LINES), LINES)[2] == {"tea"}


texts = st.sampled_from(["tea", "pills", "test", "gone", "drugs", "*", "item:tea", "category:none"])
users = st.sampled_from(["ann", "bob", "cy", "zed", "*"])
CALM = Categories({key: value for key, value in DRUGS.items.items() if key != "tea"})


@examples(60)
@given(pairs=st.lists(st.tuples(users, texts), min_size=1, max_size=12))
def test_marks_are_those_of_a_loop(pairs: list[tuple[str, str]]) -> None:
    known = {"tea", "pills", "test"}
    wanted: list[set[str]] = [set(), set(), set()]
    for user, text in pairs:
        name = text.removeprefix("item:").removeprefix("category:")
        meant = known if name == "*" else set(CALM.items.get(name, (name,))) & known
        for place, person in enumerate(("ann", "bob", "cy")):
            wanted[place] |= meant if user in (person, "*") else set()
    found = read_sensitive(rows(*pairs), PEOPLE, categories=CALM)
    assert marks(found, PEOPLE) == wanted
    assert found.unknown_users == ("zed" in {user for user, _ in pairs})
    assert found.unknown_items == len({text for _, text in pairs} & {"gone", "category:none"})


@pytest.mark.parametrize("broken", [b"\xff", b"\0", b"tea\x81"])
@pytest.mark.parametrize("row", [b"bob,%s", b"%s,tea", b"%s,%s"])
def test_a_row_that_does_not_decode_is_refused_as_one_that_names_nothing(
    tmp_path: Path, row: bytes, broken: bytes
) -> None:
    """Read around it, what somebody called sensitive could be released."""
    path = write(tmp_path / "s.csv", b"user,item\nann,tea\n" + row.replace(b"%s", broken))
    with pytest.raises(InvalidFile, match="sensitive items has names that do not decode") as caught:
        read_sensitive(path, PEOPLE)
    assert_silent(caught.value, "tea")


def test_categories_that_do_not_decode_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "c.csv", "category,item\n薬,pills\n", "cp932")
    with pytest.raises(InvalidFile, match="categories has names that do not decode"):
        read_categories(path)
    assert read_categories(path, encoding="cp932").items == {"薬": ("pills",)}


def test_categories_of_a_file(tmp_path: Path) -> None:
    text = "category,item\ndrugs,pills\nhome,test\ndrugs,test\ndrugs,pills\n"
    found = read_categories(write(tmp_path / "c.csv", text))
    assert found.items == {"drugs": ("pills", "test"), "home": ("test",)}
    with pytest.raises(InvalidFile, match="Row 2 of the categories lacks") as caught:
        read_categories(write(tmp_path / "c.csv", f"item,category\na,b\n{CANARY},\n"))
    assert_silent(caught.value, CANARY)
    with pytest.raises(InvalidFile, match="no columns 'item' and 'category'"):
        read_categories(write(tmp_path / "c.csv", "a,b\n"))
