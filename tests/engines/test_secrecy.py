"""No value of the data in any message, and no data outside the process."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engines.tables import KEY, one, schema, write
from sudare.engines.border import gave_up, guarded
from sudare.engines.connection import SETTINGS, attach, connect
from sudare.engines.draft import draft_schema
from sudare.engines.inputs.find import find_input
from sudare.engines.open import open_source
from sudare.engines.validation import validate
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import SudareError

CANARY = "CANARY4711"
TYPES: dict[str, dict[str, Any]] = {
    "integer": {"min": 0, "max": 9},
    "real": {"min": 0, "max": 9},
    "boolean": {},
    "category": {"values": ["a"]},
    "text": {},
    "key": {},
}
BROKEN = [
    f"v,w\n{CANARY},{CANARY},{CANARY}\n",
    f'v,w\n"{CANARY}\n"\n',
    f'v,w\n{CANARY},"{CANARY}\n',
    f'v,w\n"{CANARY}" {CANARY}"",{CANARY}\n"',
]


@pytest.mark.parametrize("type", list(TYPES))
@pytest.mark.parametrize("unit", ["row", "who"])
def test_values_of_the_wrong_kind_are_not_told(tmp_path: Path, type: str, unit: str) -> None:
    facts: dict[str, Any] = {"unit": unit, "max_rows_per_unit": 1} if unit == "who" else {}
    table = schema({"v": {"type": type, **TYPES[type]}, "who": {"type": "key"}}, **facts)
    path = write(tmp_path / "t.csv", "v,who\n" + f"{CANARY},{CANARY}\n" * 3)
    frame = pd.DataFrame({"v": [CANARY] * 3, "who": [CANARY] * 3})
    for data in (path, frame):
        with open_source(data, table, {"v"}) as source:
            source.moments([MomentsRequest()], KEY)
        assert CANARY not in str(validate(data, table).to_dict())
        assert CANARY not in draft_schema(data)


@pytest.mark.parametrize("content", BROKEN)
def test_broken_files_are_not_quoted(tmp_path: Path, content: str) -> None:
    path = write(tmp_path / "t.csv", content)
    table = one("integer", min=0, max=9)
    for run in (lambda: open_source(path, table, {"v"}), lambda: draft_schema(path)):
        with pytest.raises(SudareError) as caught:
            run()
        assert_silent(caught.value)
    assert CANARY not in str(validate(path, table).to_dict())


@pytest.mark.parametrize("broken", [b"\xff\xff", b"\0", b"\x81"])
def test_undecodable_cells_are_not_quoted(tmp_path: Path, broken: bytes) -> None:
    path = write(tmp_path / "t.csv", b"v,w\n" + CANARY.encode() + broken + b",1\n" + broken)
    table = schema({"v": {"type": "category", "values": ["a"]}, "w": {"type": "text"}})
    report = str(validate(path, table).to_dict())
    assert "undecodable" in report
    assert CANARY not in report
    assert CANARY not in draft_schema(path)


def test_frames_that_cannot_be_read_are_not_quoted() -> None:
    with pytest.raises(SudareError) as caught:
        open_source(pd.DataFrame({"v": [1, CANARY, b"x"]}), one("text"), {"v"})
    assert_silent(caught.value)


def test_failing_queries_are_not_quoted() -> None:
    """Cut the ground from under a query: DuckDB's own message would name the table's content."""
    axis = ValuesAxis("v", ("a",))
    source = open_source(pa.table({"v": [CANARY]}), one("category", values=["a"]), {"v"})
    source.close()
    with pytest.raises(SudareError) as caught:
        source.moments([MomentsRequest(axes=(axis,))], KEY)
    assert_silent(caught.value)
    assert caught.value.exit_code == 5


def assert_silent(error: BaseException) -> None:
    """No canary in the message, nor in what a logger would print of the whole chain."""
    seen: list[BaseException | None] = [error, error.__cause__, error.__context__]
    assert error.__context__ is None
    assert all(CANARY not in repr(each) for each in seen)
    # The lines of this file hold the canary; what matters is the message of every exception.
    printed = "".join(traceback.format_exception_only(error))
    assert CANARY not in printed


def test_duckdb_is_shut_in(tmp_path: Path) -> None:
    pq.write_table(pa.table({"v": [1]}), tmp_path / "t.parquet")
    pq.write_table(pa.table({"v": [2]}), tmp_path / "other.parquet")
    connection = connect()
    attach(connection, find_input(tmp_path / "t.parquet"), [0])
    wanted = {
        "temp_directory": "",
        "max_temp_directory_size": "0 bytes",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "enable_external_access": "false",
        "lock_configuration": "true",
        "enable_progress_bar": "false",
        "python_enable_replacements": "false",
        "enable_logging": "0",
    }
    found = dict(connection.execute("SELECT name, value FROM duckdb_settings()").fetchall())
    assert {name: found[name] for name in wanted} == wanted
    assert connection.execute("SELECT v FROM (SELECT c0 AS v FROM rows)").fetchall() == [(1,)]
    for forbidden in (
        f"SELECT * FROM read_parquet('{tmp_path}/other.parquet')",
        f"COPY rows TO '{tmp_path}/out.csv'",
        "SET temp_directory = '/tmp'",
        "INSTALL httpfs",
        f"ATTACH '{tmp_path}/a.db'",
    ):
        with pytest.raises(Exception, match=r"(?i)permission|disabled|locked|cannot"):
            connection.execute(forbidden)
    connection.close()


def test_a_query_that_needs_more_memory_fails_instead_of_spilling() -> None:
    connection = duckdb.connect(":memory:", config={**SETTINGS, "memory_limit": "20MB"})
    ranks = "SELECT row_number() OVER (ORDER BY hash(i)) AS r FROM range(9000000) t(i)"
    with pytest.raises(SudareError, match="could not finish"):
        guarded(lambda: connection.execute(f"SELECT max(r) FROM ({ranks})").fetchall(), gave_up())
