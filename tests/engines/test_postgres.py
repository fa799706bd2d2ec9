"""Opening a table in PostgreSQL: what is found, what is refused, and that no row is read for it."""

from __future__ import annotations

import builtins
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from engines.postgres_tables import ask, count, execute
from engines.tables import KEY, one, schema
from sudare.engines.postgres.link import Link
from sudare.engines.postgres.open import open_postgres
from sudare.facts.address import parse_address
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import EngineUnavailable, InvalidFile, SudareError, UsageError
from support.postgres import Server

AGE = one("integer", min=0, max=120)
SUM = MomentsRequest(columns=("v",), monomials=((0,),))


@pytest.fixture(scope="module")
def url(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as place:
        execute(
            place,
            'CREATE SCHEMA "Odd ""Schema"',
            'CREATE TABLE "Odd ""Schema"."表 1.x" (v int)',
            'INSERT INTO "Odd ""Schema"."表 1.x" VALUES (1), (2), (NULL)',
            "CREATE TABLE people AS SELECT n AS v, n AS w FROM generate_series(1, 5) AS n",
            "CREATE VIEW seen AS SELECT v FROM people WHERE v > 1",
            "CREATE MATERIALIZED VIEW kept AS SELECT v FROM people",
            "CREATE TABLE parted (v int) PARTITION BY LIST (v)",
            "CREATE TABLE part PARTITION OF parted DEFAULT",
            "INSERT INTO parted VALUES (3)",
            "CREATE SEQUENCE counter",
            'CREATE TABLE "Name With ""Quotes""" (" v ""簾"" " int)',
            'INSERT INTO "Name With ""Quotes""" VALUES (7)',
        )
        yield place


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("people", 5),
        ("PEOPLE", 5),
        ("public.people", 5),
        ("%22public%22.people", 5),
        ("seen", 4),
        ("kept", 5),
        ("parted", 1),
        ("%22Odd%20%22%22Schema%22.%22表%201.x%22", 3),
        ('"Odd ""Schema"."表 1.x"', 3),
    ],
)
def test_a_table_is_found_as_postgresql_reads_names(url: str, name: str, rows: int) -> None:
    assert count(f"{url}#{name}", AGE) == rows


def test_columns_may_be_called_anything(url: str) -> None:
    name = ' v "簾" '
    odd = schema({name: {"type": "integer", "min": 0, "max": 9}})
    request = MomentsRequest(columns=(name,), monomials=((0,),))
    place = f"{url}#%22Name%20With%20%22%22Quotes%22%22%22"
    assert ask(place, odd, request)[0].rows == ((1, 7),)


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("", UsageError, "names no table"),
        ("#nobody", InvalidFile, "There is no table"),
        ("#elsewhere.people", InvalidFile, "There is no table"),
        ("#people;", InvalidFile, "There is no table"),
        ("#a.b.c.d", InvalidFile, "There is no table"),
        ("#counter", InvalidFile, "There is no table"),
        ("#%22Odd%20%22%22Schema%22.%22people%22", InvalidFile, "There is no table"),
    ],
)
def test_what_is_no_table_is_refused(
    url: str, name: str, kind: type[SudareError], said: str
) -> None:
    with pytest.raises(kind, match=said) as caught:
        open_postgres(url + name, AGE, {"v"})
    assert_silent(caught.value, url)


def test_a_column_that_is_not_there_is_refused(url: str) -> None:
    with pytest.raises(InvalidFile, match="has no column 'gone'"):
        open_postgres(f"{url}#people", schema({"gone": {"type": "text"}}), {"gone"})


@pytest.mark.parametrize(
    ("stored", "declared"),
    [
        ("bytea", {"type": "text"}),
        ("time", {"type": "category", "values": ["1"]}),
        ("interval", {"type": "integer", "min": 0, "max": 1}),
        ("integer[]", {"type": "integer", "min": 0, "max": 1}),
        ("jsonb", {"type": "text"}),
        ("money", {"type": "real", "min": 0, "max": 1}),
        ("point", {"type": "text"}),
        ("date", {"type": "integer", "min": 0, "max": 1}),
        ("integer", {"type": "date"}),
        ("uuid", {"type": "integer", "min": 0, "max": 1}),
    ],
)
def test_storage_that_does_not_fit_is_refused(
    url: str, stored: str, declared: dict[str, Any]
) -> None:
    execute(url, "DROP TABLE IF EXISTS odd", f"CREATE TABLE odd (v {stored})")
    with pytest.raises(InvalidFile, match="stores it as another type"):
        open_postgres(f"{url}#odd", schema({"v": declared}), {"v"})


def test_domains_and_enumerations_are_read_as_what_they_are(url: str) -> None:
    execute(
        url,
        "CREATE DOMAIN age AS smallint CHECK (VALUE >= 0)",
        "CREATE DOMAIN old AS age CHECK (VALUE > 50)",
        "CREATE TYPE colour AS ENUM ('red', 'blue')",
        "CREATE DOMAIN tint AS colour",
        "CREATE TABLE typed (v old, c tint)",
        "INSERT INTO typed VALUES (51, 'red'), (120, 'blue'), (NULL, 'red')",
    )
    facts = schema(
        {
            "v": {"type": "integer", "min": 0, "max": 99},
            "c": {"type": "category", "values": ["blue", "red", "green"]},
        }
    )
    grouped = MomentsRequest(axes=(ValuesAxis("c", ("blue", "red", "green")),))
    total, groups = ask(f"{url}#typed", facts, SUM, grouped)
    assert total.rows == ((2, 150),)
    assert groups.rows == ((1,), (2,), (0,))


@pytest.fixture
def reader(url: str) -> Iterator[str]:
    """A user without any right, at first."""
    execute(url, "CREATE ROLE reader LOGIN PASSWORD 'reader'")
    yield url.replace(url.split("//")[1].split("@")[0], "reader:reader")
    execute(url, "DROP OWNED BY reader", "DROP ROLE reader")


def test_the_right_to_read_is_asked_for_before_anything_is_read(url: str, reader: str) -> None:
    for place in (f"{reader}#public.people", f"{reader}#people"):
        with pytest.raises(InvalidFile, match="may not be read by this user") as caught:
            open_postgres(place, AGE, {"v"})
        assert "GRANT" in caught.value.hint
    execute(url, "GRANT SELECT (v) ON people TO reader")
    assert ask(f"{reader}#people", AGE, SUM)[0].rows == ((5, 15),)
    wide = schema({name: {"type": "integer", "min": 0, "max": 9} for name in "vw"})
    with pytest.raises(InvalidFile, match="may not be read by this user"):
        open_postgres(f"{reader}#people", wide, {"v", "w"})


def test_another_encoding_is_refused(postgres_server: Server) -> None:
    with postgres_server.connect() as admin:
        admin.execute("CREATE DATABASE latin ENCODING 'EUC_JP' LOCALE 'C' TEMPLATE template0")
    place = postgres_server.url("latin")
    try:
        execute(place, "CREATE TABLE people (v int)")
        with pytest.raises(InvalidFile, match="not a database in UTF-8"):
            open_postgres(f"{place}#people", AGE, {"v"})
    finally:
        with postgres_server.connect() as admin:
            admin.execute("DROP DATABASE latin WITH (FORCE)")


def test_a_server_that_does_not_let_us_in(url: str, postgres_server: Server) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        closed = probe.getsockname()[1]
    port = f":{postgres_server.port}/"
    wrong = postgres_server.url("postgres", password=False).replace("@", ":hush@")
    for place in (wrong, url.replace(port, f":{closed}/"), postgres_server.url("nowhere")):
        with pytest.raises(EngineUnavailable, match="cannot be reached") as caught:
            open_postgres(f"{place}#people", AGE, {"v"})
        assert caught.value.exit_code == 5
        assert caught.value.hint
        assert_silent(caught.value, place)


def assert_silent(error: SudareError, place: str) -> None:
    """No password in the message nor behind it."""
    user = place.split("//")[1].split("@")[0]
    assert ":" in user
    shown = f"{error} {error!r} {error.__cause__!r}"
    assert user.partition(":")[2] not in shown
    assert error.__context__ is None


def test_without_psycopg_the_hint_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("psycopg"):
            raise ImportError(name)
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(EngineUnavailable, match="psycopg") as caught:
        open_postgres("postgresql://127.0.0.1/db#t", AGE, {"v"})
    assert "pip install 'sudare[postgres]'" in caught.value.hint


def test_an_old_server_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudare.engines.postgres.link._LEAST_VERSION", 99)
    with pytest.raises(EngineUnavailable, match="older than PostgreSQL 99"):
        Link(parse_address(f"{url}#people"))


def test_a_count_needs_no_column(url: str) -> None:
    with open_postgres(f"{url}#people", AGE, frozenset()) as source:
        assert source.moments([MomentsRequest()], KEY)[0].rows == ((5,),)
