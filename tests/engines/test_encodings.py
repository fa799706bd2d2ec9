"""How text is coded is told by the schema, a byte order mark or the header, and a cell that does
not decode is missing: no byte of a row moves another row, on any engine."""

from __future__ import annotations

import encodings.aliases
import gzip
import itertools
import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.tables import KEY, ask, schema, total, write
from sudare.engines.draft import draft_schema
from sudare.engines.inputs.csv_input import open_csv
from sudare.engines.inputs.text_file import allowed
from sudare.engines.inputs.texts import text_of
from sudare.engines.open import open_source
from sudare.engines.validation import validate
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidSchema
from sudare.facts.schema import parse_schema

SEX = ("男性", "女性")
PEOPLE = schema(
    {
        "sex": {"type": "category", "values": list(SEX)},
        "age": {"type": "integer", "min": 0, "max": 100},
    }
)
BY_SEX = MomentsRequest(None, (ValuesAxis("sex", SEX),), ("age",), ((0,),))
HEAD = b"sex,age,name\n"
ROWS = ["男性,30,佐藤", "女性,40,鈴木"] * 5
# What a cell may hold without changing where cells and rows end.
CELLS = st.binary(max_size=6).map(lambda cell: cell.translate(None, b',"\r\n'))


def people(encoding: str = "utf-8", spoilt: bytes = b"", head: bytes = HEAD) -> bytes:
    """Ten people, the last one's undeclared name with other bytes behind it."""
    return head + "\n".join(ROWS).encode(encoding) + spoilt + b"\n"


# The encoding does not come from rows


@pytest.mark.parametrize("spoilt", [b"\xff", b"\x81", b"\0", b"\xe3\x81", b"\x80", b"\xfd"])
@pytest.mark.parametrize("packed", [False, True])
def test_one_byte_of_a_column_that_is_not_read_changes_nothing(
    tmp_path: Path, spoilt: bytes, packed: bool
) -> None:
    content = people(spoilt=spoilt)
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    write(path, gzip.compress(content) if packed else content)
    assert ask(path, PEOPLE, BY_SEX)[0].rows == ((5, 150), (5, 200))


@pytest.mark.parametrize("spoilt", [b"\xff", b"\x81", b"\0"])
def test_a_cell_that_does_not_decode_is_missing_and_its_row_is_there(
    tmp_path: Path, spoilt: bytes
) -> None:
    head = "名前,sex,age\n".encode()
    rows = (
        "佐藤,男性,30\n".encode() + b"x,\xe5\xa5\xb3" + spoilt + b",40\n" + b"y,,4" + spoilt + b"1"
    )
    path = write(tmp_path / "t.csv", head + rows)
    found = ask(path, PEOPLE, BY_SEX, MomentsRequest(), MomentsRequest(None, (), ("age",), ((0,),)))
    assert [each.rows for each in found] == [((1, 30), (0, 0)), ((3,),), ((2, 70),)]


@pytest.mark.parametrize(
    ("head", "encoding", "rows", "males"),
    [
        # The header alone: pure ASCII is UTF-8 whatever the rows are.
        ("sex,age,name", "utf-8", "utf-8", 5),
        ("sex,age,name", "utf-8", "cp932", 0),
        ("sex,age,名前", "utf-8", "utf-8", 5),
        ("sex,age,名前", "utf-8", "cp932", 0),
        ("sex,age,名前", "cp932", "cp932", 5),
        # A header in cp932 whose second bytes are a backslash and a bar.
        ("sex,age,表ポ", "cp932", "cp932", 5),
        ("sex,age,名前", "cp932", "utf-8", 0),
        ('sex,age,"名\n前"', "cp932", "cp932", 5),
    ],
)
def test_the_header_decides(
    tmp_path: Path, head: str, encoding: str, rows: str, males: int
) -> None:
    path = write(tmp_path / "t.csv", people(rows, head=head.encode(encoding) + b"\n"))
    assert ask(path, PEOPLE, BY_SEX)[0].rows[0] == (males, 30 * males)
    assert ask(path, PEOPLE, MomentsRequest())[0].rows == ((10,),)


@pytest.mark.parametrize("declared", ["cp932", "CP932", "ms932"])
def test_a_declared_encoding_is_taken(tmp_path: Path, declared: str) -> None:
    path = write(tmp_path / "t.csv", people("cp932", b"\x81"))
    table = PEOPLE.table.model_copy(update={"encoding": declared})
    facts = PEOPLE.model_copy(update={"table": table})
    assert ask(path, facts, BY_SEX)[0].rows == ((5, 150), (5, 200))


@pytest.mark.parametrize(
    "lead", [b"\x81", b"\x9f", b"\xe0", b"\xfc", b"\x85\x40", b"\xfd", b"\xa0"]
)
@pytest.mark.parametrize("after", [b",7\n", b'\n1,8\n"2",9\n', b"\r\n1,15\r\n"])
def test_an_invalid_lead_byte_takes_no_separator_along(
    tmp_path: Path, lead: bytes, after: bytes
) -> None:
    """`lead` is no character of cp932 before a comma or a line end."""
    text = "v,数\n".encode("cp932") + b"a" + lead + after
    source = open_csv(write(tmp_path / "t.csv", text), None, ",")
    plain = open_csv(write(tmp_path / "u.csv", text.replace(lead, b"")), None, ",")
    found, expected = source.table([0, 1]), plain.table([0, 1])
    assert found.column("v").to_pylist() == [None, *expected.column("v").to_pylist()[1:]]
    assert found.column("数").to_pylist() == expected.column("数").to_pylist()


def test_second_bytes_that_look_like_ascii(tmp_path: Path) -> None:
    """0x5C, 0x7C and the like belong to 表, ソ and ポ, also where they are the delimiter."""
    text = 'v|w\n1|表\n2|"ソ|""能"\n3|ポ\n4|十\n'
    path = write(tmp_path / "t.csv", text, "cp932")
    table = open_csv(path, "cp932", "|").table([0, 1])
    assert table.column("w").to_pylist() == ["表", 'ソ|"能', "ポ", "十"]


# Encodings that keep cells apart


NAMES = sorted(set(encodings.aliases.aliases.values()))
ALLOWED = sorted({found for name in NAMES if (found := allowed(name)) is not None})


def test_which_encodings_are_read() -> None:
    assert {"utf-8", "utf-16", "cp932", "shift_jis", "euc_jp", "gb18030", "big5"} <= set(ALLOWED)
    assert {"iso8859-1", "cp1252", "koi8-r", "cp037", "ascii"} <= set(ALLOWED)
    for name in ("iso2022_jp", "iso2022_jp_2", "iso2022_kr", "hz", "utf_7", "unicode_escape"):
        assert allowed(name) is None
    for name in ("raw_unicode_escape", "idna", "punycode", "base64", "rot13", "klingon", "x\0"):
        assert allowed(name) is None


@pytest.mark.parametrize("name", [each for each in ALLOWED if not each.startswith("utf-")])
def test_no_bytes_before_a_separator_take_it_along(name: str) -> None:
    """All of two bytes, and many of three: what follows is read as if nothing stood before it."""
    drawn = random.Random(1)
    longer = [bytes(drawn.choices(range(128, 256), k=3)) for _ in range(5_000)]
    pairs = itertools.product(range(256), repeat=2)
    tail = ',"\r\n\t;|1'
    for before in [*map(bytes, pairs), *longer]:
        assert (before + tail.encode(name)).decode(name, "sudare-marked").endswith(tail)


def test_encodings_with_shifts_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "v,w\n1,簾\n", "iso2022_jp")
    facts = schema({"v": {"type": "integer", "min": 0, "max": 9}}, encoding="iso2022_jp")
    with pytest.raises(InvalidSchema, match="no encoding that sudare reads"):
        open_source(path, facts, {"v"})


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_halves_of_pairs_are_missing(tmp_path: Path, encoding: str) -> None:
    facts = schema({"v": {"type": "integer", "min": 0, "max": 99}}, encoding=encoding)
    unmarked = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(encoding, encoding)
    lone = "\ufeffv,w\n7\ud83d,x\n8,\ude00\n9\0,z\n".encode(unmarked, "surrogatepass")
    path = write(tmp_path / "t.csv", lone)
    assert total(path, facts) == (1, 8)
    assert ask(path, facts, MomentsRequest())[0].rows == ((3,),)


# Cells


@given(st.lists(st.binary(max_size=5), max_size=30), st.booleans(), st.integers(0, 3))
def test_every_cell_is_read_by_itself(cells: list[bytes], large: bool, skipped: int) -> None:
    kind = pa.large_binary() if large else pa.binary()
    array = pa.array([b"x"] * skipped + cells, kind)[skipped:]
    column = pa.chunked_array([array[:3], array[3:]])
    texts, broken = text_of(column)
    assert texts.to_pylist() == [_read(cell) for cell in cells]
    assert broken.tolist() == [n for n, cell in enumerate(cells) if _read(cell) is None]
    texts.validate(full=True)


def _read(cell: bytes) -> str | None:
    try:
        return None if 0 in cell else cell.decode()
    except UnicodeDecodeError:
        return None


def test_a_character_does_not_reach_into_the_next_cell() -> None:
    texts, broken = text_of(pa.chunked_array([[b"a\xe3\x81", b"\x82", "あ".encode()]]))
    assert texts.to_pylist() == [None, None, "あ"]
    assert broken.tolist() == [0, 1]


@given(st.lists(CELLS, min_size=2, max_size=2), st.sampled_from(["utf-8", "cp932", "euc_jp"]))
def test_the_bytes_of_one_row_change_no_other(
    tmp_path_factory: pytest.TempPathFactory, cells: list[bytes], encoding: str
) -> None:
    """Neighbours that differ in all bytes of a row: every other row reads the same."""
    folder = tmp_path_factory.mktemp("t")
    others = ["簾,1", '"表,\nソ",2', "能,3"]
    lines = [line.encode(encoding) for line in others]
    # A blank line would be skipped, so that the rows would differ in number.
    own = b",".join([b"x" + cells[0], cells[1]])
    tables = []
    for row in (b"x,9", own):
        content = b"\n".join(["名,v".encode(encoding), lines[0], row, *lines[1:], b""])
        path = write(folder / "t.csv", content)
        tables.append(open_csv(path, encoding, ",").table([0, 1]))
    before, after = (table.take(pa.array([0, 2, 3])).to_pylist() for table in tables)
    assert before == after
    assert [table.num_rows for table in tables] == [4, 4]


# Rows with too few fields


def test_a_short_row_lacks_its_last_cells(tmp_path: Path) -> None:
    text = 'v,w,x\n1,a,b\n2\n\n"3\n3",c,d\n4,"e"\n5,f,\xff\n,,'
    path = write(tmp_path / "t.csv", text.encode("latin-1"))
    reading = open_csv(path, None, ",").read([0, 1, 2])
    assert reading.table.to_pydict() == {
        "v": ["1", "2", "3\n3", "4", "5", ""],
        "w": ["a", None, "c", "e", "f", ""],
        "x": ["b", None, "d", None, None, ""],
    }
    assert reading.short == (2, 4)
    assert {place: rows.tolist() for place, rows in reading.broken.items()} == {
        0: [],
        1: [],
        2: [5],
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_short_rows_at_both_ends(tmp_path: Path, end: str) -> None:
    path = write(tmp_path / "t.csv", end.join(["v,w", "1", "2,a", "3", "4,b", "5"]))
    table = open_csv(path, None, ",").table([1])
    assert table.column("w").to_pylist() == [None, "a", None, "b", None]


def test_many_short_rows_over_many_blocks(tmp_path: Path) -> None:
    rows = 400_000
    text = "v,w\n" + "".join(f"{n}\n" if n % 3 else f"{n},{'x' * 50}\n" for n in range(rows))
    reading = open_csv(write(tmp_path / "t.csv", text), None, ",").read([0])
    assert np.array_equal(np.array(reading.table.column(0).to_pylist(), np.int64), np.arange(rows))
    assert len(reading.short) == rows - (rows + 2) // 3


# What the steward is told, and drafts


def test_validate_names_rows_and_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", people(spoilt=b"\xff") + b"\xff,1\xff,x\n\xff,2,\0\n" + b"x\n")
    report = validate(path, PEOPLE, limit=1)
    found = {(f.kind, f.column): (f.count, f.rows) for f in report.findings}
    assert found[("undecodable", "sex")] == (2, (11,))
    assert found[("undecodable", "age")] == (1, (11,))
    assert found[("undecodable-unread", "name")] == (2, (10,))
    assert found[("short-rows", None)] == (1, (13,))
    assert report.rows == 13
    assert not report.ok


@pytest.mark.parametrize(
    ("content", "drafted"),
    [
        (people(), None),
        (people("cp932"), "cp932"),
        (people("cp932", head="sex,age,名前\n".encode("cp932")), "cp932"),
        (people("cp932", b"\xff"), "cp932"),
        (people(spoilt=b"\xff"), None),
        (people(head="sex,age,名前\n".encode(), encoding="cp932"), None),
        (b"\xef\xbb\xbf" + people(), None),
    ],
)
def test_a_draft_says_the_encoding(tmp_path: Path, content: bytes, drafted: str | None) -> None:
    text = draft_schema(write(tmp_path / "t.csv", content))
    found = parse_schema(text, "t")
    assert found.table.encoding == drafted


# Spark reads the same


@pytest.mark.parametrize("packed", [False, True])
def test_spark_reads_the_same(spark_master: str, tmp_path: Path, packed: bool) -> None:
    spoilt = people("cp932", b"\x81", "sex,age,名前\n".encode("cp932")) + (
        b"\x92j\x90\xab\x81,1,x\n\x92j\x90\xab,2\x81,x\n\x92j\x90\xab,3,\0\n\x92j\x90\xab\n"
        + '"男性","4","表\nソ"\n'.encode("cp932")
    )
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    write(path, gzip.compress(spoilt) if packed else spoilt)
    found = []
    for choice in (AUTO, EngineChoice("spark", spark_master)):
        with open_source(path, PEOPLE, {"sex", "age"}, choice) as source:
            found.append([m.rows for m in source.moments([BY_SEX, MomentsRequest()], KEY)])
        kinds = [
            (f.kind, f.column, f.count) for f in validate(path, PEOPLE, choice=choice).findings
        ]
        assert ("undecodable", "age", 1) in kinds
    assert found[0] == found[1] == [((7, 157), (5, 200)), ((15,),)]
