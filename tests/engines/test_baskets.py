"""Baskets a line: what is read in each form, what is refused, and how the form is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.baskets_made import assert_silent, plain, read, write
from sudare.engines.baskets.read import read_baskets
from sudare.facts.engine import EngineChoice
from sudare.facts.errors import InvalidFile, SudareError, UsageError

BMS = Path(__file__).parents[3] / "shared" / "data"
CANARY = "CANARY4711"


def test_blanks_and_tabs_separate_items(tmp_path: Path) -> None:
    found = read(tmp_path / "t.dat", "milk  bread \n\tりんご\tmilk\n")
    assert found == [["milk", "bread"], ["りんご", "milk"]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way_and_the_last_need_not(tmp_path: Path, end: str) -> None:
    whole = end.join(["a b", "", "c"])
    assert read(tmp_path / "t.dat", whole) == [["a", "b"], [], ["c"]]
    assert read(tmp_path / "t.dat", whole + end) == [["a", "b"], [], ["c"]]
    assert read(tmp_path / "t.dat", whole + end + end) == [["a", "b"], [], ["c"], []]


def test_an_empty_record_is_a_record(tmp_path: Path) -> None:
    assert read(tmp_path / "t.dat", "\n  \na\n") == [[], [], ["a"]]
    assert read(tmp_path / "t.dat", "\n") == [[]]
    assert read(tmp_path / "t.csv", "\n,\na\n", "comma") == [[], [], ["a"]]


@pytest.mark.parametrize("content", [b"", "\ufeff".encode()])
@pytest.mark.parametrize("name", ["t.dat", "t.dat.gz", "t.spmf"])
def test_a_file_without_a_record_is_refused(tmp_path: Path, content: bytes, name: str) -> None:
    with pytest.raises(InvalidFile) as caught:
        read_baskets(write(tmp_path / name, content))
    assert caught.value.exit_code == 4
    assert "header" not in caught.value.hint


def test_items_named_twice_are_read_once_and_counted(tmp_path: Path) -> None:
    found = read_baskets(write(tmp_path / "t.dat", "b a b b\na\na a\n"))
    assert plain(found.baskets) == [["b", "a"], ["a"], ["a"]]
    assert found.duplicates == 3


def test_separators_inside_names(tmp_path: Path) -> None:
    text = 'milk, "bread, white" ,"say ""hi"""\n"two\nlines",a b,\n""\n'
    wanted = [["milk", "bread, white", 'say "hi"'], ["two\nlines", "a b"], []]
    assert read(tmp_path / "t.dat", text, "comma") == wanted
    assert read(tmp_path / "t.csv", text, "comma") == wanted


def test_names_are_exact_but_for_blanks_around_them(tmp_path: Path) -> None:
    # One sign or two: Unicode's forms of ガ are different names, and so are capitals.
    text = "ガ,カ\u3099,a,A,\u3000b\u3000,b\n"
    assert read(tmp_path / "t.txt", text, "comma") == [["ガ", "カ\u3099", "a", "A", "b"]]
    # A full-width blank is a sign like others inside a name.
    assert read(tmp_path / "t.dat", "x\u3000y z\n") == [["x\u3000y", "z"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932"])
@pytest.mark.parametrize("name", ["t.txt", "t.txt.gz"])
def test_encodings_and_packed_files(tmp_path: Path, encoding: str, name: str) -> None:
    path = write(tmp_path / name, "牛乳 パン\n①\n".encode(encoding))
    # Without a header, and without a mark, nothing but the reader can say that it is not UTF-8.
    declared = "cp932" if encoding == "cp932" else None
    assert plain(read_baskets(path, encoding=declared).baskets) == [["牛乳", "パン"], ["①"]]


@pytest.mark.parametrize(("form", "separator"), [("blank", " "), ("comma", ","), ("spmf", " ")])
def test_one_basket_of_ten_thousand_items(tmp_path: Path, form: str, separator: str) -> None:
    items = [str(number) for number in range(10_000)]
    assert read(tmp_path / "t.dat", separator.join(items), form) == [items]


def test_the_form_is_the_endings_whatever_stands_in_the_lines(tmp_path: Path) -> None:
    for content in ("a b\n", "\n\na,b c\n", "@ITEM=1=x\n1 2\n"):
        for name in ("t.dat", "t.txt.gz", "t.BASKET"):
            assert read_baskets(write(tmp_path / name, content)).form == "blank"
    assert read_baskets(write(tmp_path / "t.spmf", "1 2\n")).form == "spmf"
    assert read_baskets(write(tmp_path / "t.odd", "1 2\n"), form="blank").form == "blank"


@pytest.mark.parametrize("line", ["x,y", "@ITEM=1=x", "@CONVERTED_FROM_TEXT", '"'])
@pytest.mark.parametrize("first", [True, False])
def test_one_basket_does_not_change_how_the_others_are_read(
    tmp_path: Path, line: str, first: bool
) -> None:
    others = ["a b", "c d"]
    whole = [line, *others] if first else [*others, line]
    found = read(tmp_path / "t.dat", "\n".join(whole) + "\n")
    assert (found[1:] if first else found[:2]) == [["a", "b"], ["c", "d"]]


def test_names_with_commas_are_counted(tmp_path: Path) -> None:
    found = read_baskets(write(tmp_path / "t.dat", "a,b c\nd,e\n"))
    assert found.with_comma == 2
    assert read_baskets(tmp_path / "t.dat", form="comma").with_comma == 0


def test_spmf_names_its_items(tmp_path: Path) -> None:
    text = "@CONVERTED_FROM_TEXT\n@ITEM=1=green apple\n@ITEM=3=a=b\n% c\n1 2 3\n# d\n\n2 1\n@END"
    found = read_baskets(write(tmp_path / "t.spmf", text))
    assert plain(found.baskets) == [["green apple", "2", "a=b"], [], ["2", "green apple"]]
    assert found.numbers == {"green apple": "1", "a=b": "3"}


def test_two_numbers_of_one_name_are_one_item(tmp_path: Path) -> None:
    found = read_baskets(write(tmp_path / "t.spmf", "@ITEM=1=x\n@ITEM=2=x\n2 1\n1\n"))
    assert plain(found.baskets) == [["x"], ["x"]]
    assert found.duplicates == 1
    assert found.numbers == {"x": "1"}


BROKEN = {
    ("spmf", "1 2\n#\n3 -1 4 -1 -2\n"): r"t\.dat has sequences in it",
    ("spmf", f"1\r\n{CANARY} 2\r\n"): r"A line of t\.dat has an item that is not a whole number",
    ("spmf", "1 2:30:1 2\n"): "not a whole number",
    ("spmf", f"@ITEM=1\n@ITEM=2={CANARY}\n1\n"): r"A line @ITEM of t\.dat does not name an item",
    ("spmf", f"1\n@ITEM=2={CANARY}\n@ITEM=2=b\n"): r"A line @ITEM of t\.dat does not name an item",
    ("spmf", f"@{CANARY}\n"): "has no basket",
    ("comma", f'a,"b\n{CANARY},c\n'): "opened and never closed",
    ("comma", f'a\n"x\ny",b\nc,5" {CANARY},d"\n'): r"A line of t\.dat has a quote in the middle",
    ("comma", f'"a"{CANARY}"b"\n'): "a quote in the middle",
    ("comma", b'"a"\xff"b"\n'): "a quote in the middle",
}


@pytest.mark.parametrize(("given", "said"), BROKEN.items())
def test_broken_files_are_refused_without_a_place(
    tmp_path: Path, given: tuple[str, str | bytes], said: str
) -> None:
    form, content = given
    with pytest.raises(InvalidFile, match=said) as caught:
        read_baskets(write(tmp_path / "t.dat", content), form=form)
    assert_silent(caught.value, CANARY)
    assert not re.search("(row|line) [0-9]", str(caught.value), re.IGNORECASE)


@pytest.mark.parametrize("broken", [b"\xff", b"x\xe3\x81", b"\0", b"1\x80"])
@pytest.mark.parametrize(
    ("form", "before", "after"),
    [("blank", b"1 ", b" 2\n3\n"), ("comma", b"1,", b",2\n3\n"), ("spmf", b"1 ", b" 2\n3\n")],
)
def test_an_item_that_does_not_decode_is_missing(
    tmp_path: Path, form: str, before: bytes, after: bytes, broken: bytes
) -> None:
    path = write(tmp_path / "t.dat", before + broken + after + broken + b"\n")
    found = read_baskets(path, form=form)
    assert plain(found.baskets) == [["1", "2"], ["3"], []]
    assert found.undecodable == 2


def test_a_name_of_spmf_that_does_not_decode_is_missing(tmp_path: Path) -> None:
    text = b"@ITEM=1=a\xff\n@ITEM=2=b\n@ITEM=\0=c\n1 2 3\n"
    found = read_baskets(write(tmp_path / "t.spmf", text))
    assert plain(found.baskets) == [["b", "3"]]
    assert found.numbers == {"b": "2"}


@given(st.binary(max_size=12), st.sampled_from(["blank", "comma"]))
def test_the_bytes_of_one_basket_change_no_other(
    tmp_path_factory: pytest.TempPathFactory, own: bytes, form: str
) -> None:
    own = own.translate(None, b'"\r\n')
    path = tmp_path_factory.mktemp("t") / "t.dat"
    found = []
    for line in (b"x", own):
        write(path, "牛乳\n".encode() + line + b"\n" + "パン\n茶\n".encode())
        found.append(plain(read_baskets(path, form=form).baskets))
    assert [basket for n, basket in enumerate(found[1]) if n != 1] == [["牛乳"], ["パン"], ["茶"]]
    assert found[0][0::2] == found[1][0::2]


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        ("none.dat", {}, "There is no file"),
        ("t.dat", {"form": "tall"}, "no such form"),
        ("t.dat", {"encoding": "klingon"}, "no such encoding"),
        ("t.odd", {}, "ending that sudare does not know"),
        (object(), {}, "cannot be read"),
        (object(), {"form": "comma"}, "Only a file holds a basket a line"),
        ("postgresql://host/db#t", {"form": "blank"}, "not by another engine"),
        ("t.dat", {"choice": EngineChoice("spark")}, "not by another engine"),
    ],
)
def test_calls_that_are_off(
    tmp_path: Path, data: object, options: dict[str, str], said: str
) -> None:
    for name in ("t.dat", "t.odd"):
        write(tmp_path / name, "a\n")
    is_file = isinstance(data, str) and ":" not in data
    with pytest.raises((UsageError, InvalidFile), match=said):
        read_baskets(tmp_path / str(data) if is_file else data, **options)


def test_a_csv_without_the_columns_is_refused_with_a_way_out(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", f"{CANARY},b\nc\n")
    with pytest.raises(SudareError, match="no columns 'user' and 'item'") as caught:
        read_baskets(path)
    assert "--format comma" in caught.value.hint
    assert_silent(caught.value, CANARY)
    assert read(path, "a,b\nc\n", "comma") == [["a", "b"], ["c"]]


@pytest.mark.parametrize(
    ("name", "records", "items", "longest", "short"),
    [("bms-webview-1", 59_602, 497, 267, 54_737), ("bms-webview-2", 77_512, 3_340, 161, 58_044)],
)
def test_the_public_data_sets(
    name: str, records: int, items: int, longest: int, short: int
) -> None:
    path = BMS / f"{name}.dat.gz"
    if not path.is_file():
        pytest.skip(f"{path.name} is not in {BMS}")
    baskets = read_baskets(path).baskets
    lengths = baskets.lengths
    found = baskets.records, len(baskets.names), lengths.max(), (lengths <= 5).sum()
    assert found == (records, items, longest, short)
