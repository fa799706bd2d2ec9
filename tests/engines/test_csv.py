"""Text files: encodings, delimiters, quotes, and every way in which their structure can break."""

from __future__ import annotations

import codecs
import gzip
import re
from pathlib import Path

import pytest

from engines.tables import ODD, ask, csv_text, one, schema, total, write
from sudare.engines.inputs import csv_input
from sudare.engines.inputs.csv_input import open_csv
from sudare.engines.open import open_source
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import InvalidFile, InvalidSchema

NUMBER = one("integer", min=0, max=1000)
TOWN = schema(
    {
        ODD: {"type": "integer", "min": 0, "max": 1000},
        "県": {"type": "category", "values": ["東京都", "大阪府", "①"]},
    }
)
ROWS = [["100", "東京都"], ["200", "大阪府"], ["", "東京都"], ["300", "①"], ["400", ""]]
TEXT = csv_text([ODD, "県"], ROWS)
BY_TOWN = MomentsRequest(None, (ValuesAxis("県", ("東京都", "大阪府", "①")),), (ODD,), ((0,),))
EXPECTED = ((1, 100), (1, 200), (1, 300))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
@pytest.mark.parametrize("packed", [False, True])
def test_encodings_are_found(tmp_path: Path, encoding: str, packed: bool) -> None:
    data = TEXT.encode(encoding)
    path = tmp_path / ("town.csv.gz" if packed else "TOWN.CSV")
    write(path, gzip.compress(data) if packed else data)
    assert ask(path, TOWN, BY_TOWN)[0].rows == EXPECTED
    assert ask(str(path), TOWN, BY_TOWN)[0].rows == EXPECTED


@pytest.mark.parametrize("declared", ["euc_jp", "Shift_JIS", "UTF8", "utf-16"])
def test_a_declared_encoding_overrides(tmp_path: Path, declared: str) -> None:
    text = csv_text(["v", "名"], [["7", "簾"], ["8", "東京"]])
    path = write(tmp_path / "t.csv", text.encode(declared))
    assert total(path, schema({"v": NUMBER.columns["v"]}, encoding=declared)) == (2, 15)


@pytest.mark.parametrize("declared", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_a_declared_encoding_may_have_a_mark(tmp_path: Path, declared: str) -> None:
    path = write(tmp_path / "t.csv", "\ufeffv\n7\n".encode(declared))
    assert total(path, schema({"v": NUMBER.columns["v"]}, encoding=declared)) == (1, 7)


def test_an_unknown_encoding_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "v\n1\n")
    with pytest.raises(InvalidSchema, match="no encoding that sudare reads"):
        open_source(path, schema({"v": NUMBER.columns["v"]}, encoding="klingon"), {"v"})


@pytest.mark.parametrize(
    ("name", "delimiter", "text"),
    [
        ("t.tsv", None, "a\tv\n1,5\t7\n"),
        ("t.csv", ";", "a;v\n1,5;7\n"),
        ("t.tsv", ",", 'a,v\n"1\t5",7\n'),
    ],
)
def test_delimiters(tmp_path: Path, name: str, delimiter: str | None, text: str) -> None:
    path = write(tmp_path / name, text)
    facts = schema({"v": NUMBER.columns["v"]}, delimiter=delimiter)
    assert total(path, facts) == (1, 7)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v\n1\n2\n", (2, 3)),
        ("v\r\n1\r\n2", (2, 3)),
        ("v\r1\r2\r", (2, 3)),
        ("v\n", (0, 0)),
        ("v", (0, 0)),
        ("v\n5\n", (1, 5)),
        ("\n\nv\n\n1\n\n2\n\n\n", (2, 3)),
        ('"v"\n"1"\n""\n" 2 "\n', (2, 3)),
        ('w,v\n"a ""b"", c\nd",7\n', (1, 7)),
        ('w,v\n5" pipe,7\n', (1, 7)),
    ],
)
def test_quotes_and_line_ends(tmp_path: Path, text: str, expected: tuple[int, int]) -> None:
    assert total(write(tmp_path / "t.csv", text), NUMBER) == expected


def test_rows_are_counted_whatever_they_hold(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "v,w\n1,\n,\nx,y\n")
    assert ask(path, NUMBER, MomentsRequest())[0].rows == ((3,),)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\n\n", "no header line"),
        (b"\xef\xbb\xbf", "no header line"),
        (b"v,w\n1,2\n1,2,3\n", "A row of t.csv has too many fields"),
        (b"v,w\n1,2\n\n1,2\n1,2,\n", "A row of t.csv has too many fields"),
        (b"v,w\n" + b"1,2\n" * 30_000 + b"1,2,3\n" + b"1,2\n" * 30_000, "A row of"),
        (b'v,w\n1,2\n"1\n2"\n3,4\n', "too few fields and a line end"),
        (b"v,w,v\n1,2,3\n", "Columns 1 and 3 of the data have the same name"),
        (b"v,,w\n1,2,3\n", "Column 2 of the data has no name"),
        (b"v, \n1,2\n", "Column 2 of the data has no name"),
        (b"v,w\0\n1,2\n", "header line of t.csv has a NUL byte"),
        (b"v,\xff\xff\n1,2\n", "header line of t.csv is not utf-8 or cp932 text"),
        (b"v,\x80\n1,2\n", "header line of t.csv is not utf-8 or cp932 text"),
        ("v,w\n1,あ\n".encode("utf-16-le"), "header line of t.csv has a NUL byte"),
        (codecs.BOM_UTF16_LE + "v,w\n1,2".encode("utf-16-le") + b"\n", "within a character"),
        (b'v,w\n1,2\n3,"4\n', "never closed"),
        (b'v,w\n1,2\n3,"4\n5,6\n7,8', "never closed"),
        (b'v,w\n1,2\n"3,4\n5,6\n', "never closed"),
        (b'v,"w\n1,2\n', "header of t.csv cannot be read"),
        (b"w,x\n1,2\n", "no column 'v'"),
        (b"V,x\n1,2\n", "no column 'v'"),
    ],
)
def test_broken_structure_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(InvalidFile, match=said) as caught:
        open_source(write(tmp_path / "t.csv", content), NUMBER, {"v"})
    assert caught.value.__context__ is None
    assert "\n" not in str(caught.value)
    assert not re.search("(row|line) [0-9]", str(caught.value), re.IGNORECASE)
    assert caught.value.hint


def test_a_quote_left_open_in_a_column_that_is_not_read(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", 'v,w\n1,"2\n3,4\n')
    with pytest.raises(InvalidFile, match="never closed"):
        open_source(path, NUMBER, {"v"})


def test_broken_archives_are_refused(tmp_path: Path) -> None:
    whole = gzip.compress(b"v\n" + b"1\n" * 1000)
    for content in (b"v\n1\n", whole[:-20], whole[:30] + b"\0" * 20 + whole[30:]):
        with pytest.raises(InvalidFile, match="cannot be read"):
            open_source(write(tmp_path / "t.csv.gz", content), NUMBER, {"v"})


def test_text_without_numbers_is_not_copied_into_a_table(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", TEXT)
    by_town = MomentsRequest(axes=BY_TOWN.axes)
    assert ask(path, TOWN, by_town)[0].rows == ((2,), (1,), (1,))


def test_a_long_file_in_pieces(tmp_path: Path) -> None:
    """Characters and line ends fall on the borders of the pieces in which a file is read."""
    rows = 700_000
    text = "v,名\r\n" + "".join(f"{n % 10},簾{n % 7}\r\n" for n in range(rows))
    expected = sum(n % 10 for n in range(rows))
    assert total(write(tmp_path / "t.csv", text, "cp932"), NUMBER) == (rows, expected)
    assert total(write(tmp_path / "u.csv", text), NUMBER) == (rows, expected)


def test_what_arrow_was_lent_outlives_the_reading_and_holds_no_file(tmp_path: Path) -> None:
    # Were Arrow's threads the last to let go of it, a program that ends then would be aborted.
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 5)
    lent = csv_input._LENT
    lent.clear()
    assert open_csv(path, None, ",").table([0]).num_rows == 5
    (file, _), *more = lent
    assert not more
    assert file.read(1) == b""
