"""What is written is what is read again, in every form; and what cannot be written is refused."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import parquet

from engines.baskets_made import assert_silent, made, plain, write
from sudare.engines.baskets.forms import Form, Read
from sudare.engines.baskets.read import read_baskets
from sudare.engines.baskets.write import check_output, write_baskets, written_form
from sudare.engines.sql.nodes import BLANKS
from sudare.facts.errors import UsageError
from support.tiers import examples

TEXTS = {
    "blank": ("b.dat", "a b\n\nc\n"),
    "comma": ("b.txt", 'a,"b, c"\n\nc d\n'),
    "spmf": ("b.spmf", "@CONVERTED_FROM_TEXT\n@ITEM=7=a b\n@ITEM=2=c\n7 2\n\n2\n"),
    "long": ("b.csv", '\ufeff"user","item"\n"u","a"\n"u","b, ""c"\n"v",\n"w","c d"\n'),
}


@pytest.mark.parametrize("form", TEXTS)
def test_text_comes_back_byte_for_byte(tmp_path: Path, form: str) -> None:
    name, text = TEXTS[form]
    read = read_baskets(write(tmp_path / name, text), form="comma" if form == "comma" else "auto")
    assert read.form == form
    for copy in (f"copy{Path(name).suffix}", f"copy{Path(name).suffix}.gz"):
        write_baskets(tmp_path / copy, read, read.baskets)
        found = (tmp_path / copy).read_bytes()
        assert (gzip.decompress(found) if copy.endswith(".gz") else found).decode() == text


def test_packed_files_do_not_tell_when_and_what_they_were(tmp_path: Path) -> None:
    read = Read(made([["a"]]), "blank")
    write_baskets(tmp_path / "one.dat.gz", read, read.baskets)
    write_baskets(tmp_path / "two.dat.gz", read, read.baskets)
    assert (tmp_path / "one.dat.gz").read_bytes() == (tmp_path / "two.dat.gz").read_bytes()


def test_a_record_with_nothing_left_keeps_its_place(tmp_path: Path) -> None:
    read = read_baskets(write(tmp_path / "b.dat", "secret\na secret\n\n"))
    released = read.baskets.kept(read.baskets.items != read.baskets.names.index("secret"))
    wanted = {
        "o.dat": "\na\n\n",
        "o.csv": "\na\n\n",
        "o.spmf": "@CONVERTED_FROM_TEXT\n@ITEM=1=a\n\n1\n\n",
    }
    for name, text in wanted.items():
        write_baskets(tmp_path / name, read, released)
        # The name of what was suppressed everywhere is not in the file, either.
        assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_generalized_names_get_free_numbers(tmp_path: Path) -> None:
    read = read_baskets(write(tmp_path / "b.spmf", "@ITEM=1=apple\n1 2 3 007\n"))
    released = made([["fruit", "apple", "2", "1"]])
    write_baskets(tmp_path / "o.spmf", read, released)
    again = read_baskets(tmp_path / "o.spmf")
    assert plain(again.baskets) == [["fruit", "apple", "2", "1"]]
    assert again.numbers["apple"] == "1"
    assert len(set(again.numbers.values())) == 4


FORMS_BY_ENDING = [
    ("blank", False, "o.dat", "blank"),
    ("comma", False, "o.dat", "comma"),
    ("spmf", False, "o.txt", "spmf"),
    ("blank", False, "o.csv", "comma"),
    ("blank", False, ".partial-o.basket.gz", "blank"),
    ("comma", False, "o.spmf", "spmf"),
    ("blank", False, "o.parquet", "lists"),
    ("long", True, "o.parquet", "long"),
    ("lists", True, "o.feather", "lists"),
    ("lists", True, "o.csv.gz", "long"),
    ("lists", False, "o.csv", "comma"),
    ("long", True, "o.tsv", "long"),
    ("long", True, "o.txt", "blank"),
]


@pytest.mark.parametrize(("form", "has_users", "name", "written"), FORMS_BY_ENDING)
def test_the_ending_decides_where_it_names_a_form(
    tmp_path: Path, form: Form, has_users: bool, name: str, written: Form
) -> None:
    baskets = made([["7", "12"], [], ["12"]], ("u", "v", "w") if has_users else None)
    read = Read(baskets, form, user="who", item="what")
    assert written_form(tmp_path / name, read) == written
    write_baskets(tmp_path / name, read, baskets)
    again = read_baskets(tmp_path / name, form=written, user="who", item="what")
    assert plain(again.baskets) == plain(baskets)
    keeps_users = has_users and written in ("long", "lists")
    assert again.baskets.users == (baskets.users if keeps_users else None)


@pytest.mark.parametrize("name", ["o.tsv", "o.xlsx", "o", "o.parquet.gz"])
def test_other_endings_are_refused(tmp_path: Path, name: str) -> None:
    read = Read(made([["a"]]), "blank")
    with pytest.raises(UsageError, match="cannot be written"):
        write_baskets(tmp_path / name, read, read.baskets)
    with pytest.raises(UsageError, match="no folder"):
        check_output(tmp_path / "none" / "o.dat", read, read.baskets.names)


@pytest.mark.parametrize(
    ("name", "item"),
    [("o.dat", "a CANARY"), ("o.dat", "a\tCANARY"), ("o.spmf", "a\nCANARY"), ("o.csv", "\0CANARY")],
)
def test_a_name_that_the_form_cannot_hold_leaves_no_file(
    tmp_path: Path, name: str, item: str
) -> None:
    read = Read(made([["a"]]), "blank")
    with pytest.raises(UsageError, match="cannot hold") as caught:
        write_baskets(tmp_path / name, read, made([[item]]))
    assert ".csv" in caught.value.hint
    assert_silent(caught.value, "CANARY")
    assert list(tmp_path.iterdir()) == []


def test_many_records_are_written_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudare.engines.baskets.write._PART", 7)
    records = [["a", "b", "c"][: n % 4] for n in range(40)] + [[f"i{n}" for n in range(30)], []]
    read = Read(made(records, tuple(map(str, range(len(records))))), "long")
    for name, form in (("o.dat", "blank"), ("o.csv", "long")):
        write_baskets(tmp_path / name, read, read.baskets)
        assert plain(read_baskets(tmp_path / name, form=form).baskets) == records


def test_lists_are_written_as_lists_of_text(tmp_path: Path) -> None:
    read = read_baskets(pa.table({"user": [2, 1], "item": [[5, 6], []]}))
    write_baskets(tmp_path / "o.parquet", read, read.baskets)
    found = parquet.read_table(tmp_path / "o.parquet").to_pydict()
    assert found == {"user": ["2", "1"], "item": [["5", "6"], []]}


# Whatever text: no surrogates, which no file can hold, and no NUL.
names = (
    st.text(
        st.one_of(st.sampled_from(' \t,"\r\n=@#%-:*あ簾\u3000\ufeff\u2028'), st.characters()),
        min_size=1,
        max_size=6,
    )
    .map(lambda name: name.replace("\0", "").strip(BLANKS))
    .filter(lambda name: name and not any("\ud800" <= sign <= "\udfff" for sign in name))
)
records = st.lists(st.lists(names, max_size=5, unique=True), min_size=1, max_size=6)


@examples(60)
@given(records=records)
@example(records=[["\ufeffa"]])
@example(records=[[], []])
@example(records=[["a\rb", "c\r\nd"], ['"', '""']])
@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("comma", "o.txt"),
        ("comma", "o.csv.gz"),
        ("blank", "o.dat"),
        ("spmf", "o.spmf"),
        ("long", "o.csv"),
        ("long", "o.tsv"),
        ("long", "o.parquet"),
        ("lists", "o.arrow"),
    ],
)
def test_any_names_come_back(records: list[list[str]], form: Form, name: str) -> None:
    signs = {"blank": " \t\r\n", "spmf": "\r\n"}.get(form, "")
    for sign in signs:
        records = [[each.replace(sign, "_") for each in record] for record in records]
    records = [list(dict.fromkeys(record)) for record in records]
    users = None
    if form in ("long", "lists"):
        users = tuple(f"{number}{''.join(record)[:3]}x" for number, record in enumerate(records))
    read = Read(made(records, users), form)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write_baskets(path, read, read.baskets)
        again = read_baskets(path, form=form)
    assert plain(again.baskets) == records
    assert again.baskets.users == users
    assert again.duplicates == 0
