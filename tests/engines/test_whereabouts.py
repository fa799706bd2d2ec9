"""One place, one spelling: the same rows are met again under any name."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlencode

import pytest

from sudare.engines.whereabouts import places_of
from sudare.facts.address import located
from sudare.facts.whereabouts import NOWHERE, Whereabouts

TABLE = "postgresql://db.example:5432/privacy?#public.people"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://db.example/privacy#people",
        "postgres://clerk:pencil@DB.example:5432/privacy#public.people",
        "postgresql://db.example/privacy?sslmode=require#people",
        "postgresql://?host=db.example&dbname=privacy#people",
        "postgresql://elsewhere/other?%68ost=db.example&dbnam%65=privacy#people",
        "postgresql://elsewhere:1/other?host=db.example&dbname=privacy&port=5432#people",
        "postgresql://db.example./privacy#PUBLIC.People",
        'postgresql://db.example/privacy#public."people"',
        "postgresql://db.example/privacy#%20public.%22people%22",
    ],
)
def test_an_address_says_neither_who_nor_how(address: str) -> None:
    assert places_of(address) == Whereabouts((TABLE,))


@pytest.mark.parametrize(
    "address",
    [
        "postgresql:///d",
        "postgresql://localhost/d",
        "postgresql://[::1]:5432/d",
        "postgresql://[0:0:0:0:0:0:0:1]/d",
        "postgresql://[::ffff:127.0.0.1]/d",
        "postgresql://a@127.0.0.1/d",
        "postgresql://127.0.0.2/d",
        "postgresql://127.1/d",
        "postgresql://0.0.0.0/d",
        "postgresql://%2Fvar%2Frun/d",
        "postgresql://h/d?hostaddr=127.0.0.1",
        "postgresql://LOCALHOST.:05432/d",
        "postgresql://%2Frun%2Fpostgresql/d",
        "postgresql://nowhere/other?%68ost=localhost&%64bname=d",
        "postgresql://localhost:9/d?port=5432",
        "postgresql://nowhere/d?hostaddr=127.0.0.1",
    ],
)
def test_this_machine_has_one_name(address: str) -> None:
    assert located(address) == "postgresql://localhost:5432/d?#"


@pytest.mark.parametrize(
    "other",
    [
        "postgresql://db.example:5433/privacy#people",
        "postgresql://db.example/other#people",
        "postgresql://db.example/privacy#other.people",
        "postgresql://db2.example/privacy#people",
        'postgresql://db.example/privacy#"People"',
        'postgresql://db.example/privacy#"public.people"',
    ],
)
def test_another_table_is_another_place(other: str) -> None:
    assert places_of(other).own != (TABLE,)


ADDRESSES = (
    "postgresql://h/d",
    "postgresql://h:055432/d",
    "postgresql://h:9/nowhere?port=7&dbname=d",
    "postgresql://h/nowhere?%64bname=d&%68ost=g",
    "postgresql://ann@h",
    "postgresql://?host=&port=",
    "postgresql://a,b:6/d",
    "postgresql://a,b/d?port=6",
    "postgresql://h/d?hostaddr=10.0.0.1",
    "postgresql://[fe80::2]:7/d",
    "postgresql:///d?user=bob",
    "postgresql://",
)
AROUND: tuple[dict[str, str], ...] = (
    {},
    {"PGPORT": "6", "PGUSER": "eve"},
    {"PGHOST": "k", "PGDATABASE": "e"},
    {"PGHOSTADDR": "10.0.0.2"},
)


@pytest.mark.parametrize("around", AROUND, ids=str)
@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_is_read_as_libpq_reads_it(
    address: str, around: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    conninfo, pq = pytest.importorskip("psycopg.conninfo"), pytest.importorskip("psycopg.pq")
    for name in ("PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in around.items():
        monkeypatch.setenv(name, value)
    wanted = ("host", "hostaddr", "port", "dbname", "user")
    whole = {each.keyword.decode(): each.val for each in pq.Conninfo.get_defaults()}
    known = {name: whole[name].decode() for name in wanted if whole[name] and name != "user"}
    known |= {"user": around["PGUSER"]} if "PGUSER" in around else {}
    known |= conninfo.conninfo_to_dict(address)
    plain = urlencode({name: known[name] for name in wanted if name in known})
    for name in around:
        monkeypatch.delenv(name)
    expected = located(f"postgresql://?{plain}")
    for name, value in around.items():
        monkeypatch.setenv(name, value)
    assert located(address) == expected


def test_the_environment_fills_in_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.example")
    monkeypatch.setenv("PGDATABASE", "privacy")
    assert places_of("postgresql://#people").own == (TABLE,)
    monkeypatch.setenv("PGPORT", "5433")
    assert places_of("postgresql://#people").own != (TABLE,)
    assert places_of("postgresql://:5432#people") != places_of("postgresql://:5433#people")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hdfs://node:8020/x/y.parquet", "hdfs://NODE/x/./y.parquet"),
        ("abfss://c@a.dfs/x/y.parquet", "abfs://c@a.dfs/x//y.parquet"),
    ],
)
def test_stores_have_one_spelling(one: str, other: str) -> None:
    assert places_of(one) == places_of(other)


def test_containers_are_places_of_their_own() -> None:
    assert places_of("abfs://c@a.dfs/y.csv") != places_of("abfs://d@a.dfs/y.csv")


def test_the_database_is_by_default_the_users() -> None:
    assert located("postgresql://ann@h") != located("postgresql://bob@h")


@pytest.mark.parametrize(
    "name", ["s3://Bucket/x/y.csv", "s3a://bucket//x/./y.csv", "s3n://key:word@bucket/x/y.csv"]
)
def test_an_object_has_one_spelling(name: str) -> None:
    assert places_of(name).own == ("file s3://bucket/x/y.csv",)


def test_objects_are_part_of_their_folder() -> None:
    whole, part = places_of("s3a://bucket/x/*.parquet"), places_of("s3a://bucket/x/a.parquet")
    assert whole.own == ("tree s3://bucket/x",)
    assert whole.own[0] in part.met
    assert places_of("s3a://bucket/x").own == whole.own


def test_a_file_url_is_a_file(tmp_path: Path) -> None:
    assert places_of(f"file://{tmp_path}/a.csv") == places_of(tmp_path / "a.csv")


def test_links_lead_to_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text("x")
    (tmp_path / "b.csv").symlink_to("a.csv")
    monkeypatch.chdir(tmp_path)
    assert places_of("b.csv") == places_of(tmp_path / "a.csv")
    assert places_of("b.csv").own == (f"file {tmp_path}/a.csv",)


def test_a_hard_link_and_a_new_name_are_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x")
    first = places_of(tmp_path / "a.csv")
    (tmp_path / "a.csv").rename(tmp_path / "b.csv")
    renamed = places_of(tmp_path / "b.csv")
    assert set(renamed.met) & set(first.remembered)
    os.link(tmp_path / "b.csv", tmp_path / "c.csv")
    (tmp_path / "c.csv").write_text("other rows")
    assert set(places_of(tmp_path / "c.csv").met) & set(first.remembered)
    assert not set(places_of(tmp_path / "c.csv").own) & set(first.own)


def test_the_number_of_a_file_that_is_gone_says_nothing(tmp_path: Path) -> None:
    """A number is given to another file once a file is gone, as most disks do at once."""
    (tmp_path / "a.csv").write_text("x")
    os.utime(tmp_path / "a.csv", ns=(1, 1))
    first = places_of(tmp_path / "a.csv")
    os.utime(tmp_path / "a.csv", ns=(2, 2))
    (tmp_path / "a.csv").rename(tmp_path / "b.csv")
    assert not set(places_of(tmp_path / "b.csv").met) & set(first.remembered)


def test_neighbours_in_a_folder_are_apart(tmp_path: Path) -> None:
    for name in ("a.parquet", "b.parquet", "c.csv"):
        (tmp_path / name).write_text("")
    a, b, c = (places_of(tmp_path / name) for name in ("a.parquet", "b.parquet", "c.csv"))
    assert a.own[0] not in b.met
    assert b.own[0] not in a.met
    flat = places_of(str(tmp_path / "*.parquet")).own[0]
    assert flat in a.met
    assert flat not in c.met
    # A folder that is read without those below it has no part in them.
    assert places_of(str(tmp_path.parent / "*.parquet")).own[0] not in a.met
    assert places_of(str(tmp_path.parent / "**" / "*.parquet")).own[0] in a.met


def test_a_dataframe_lies_nowhere() -> None:
    assert places_of(object()) == NOWHERE
    assert places_of(b"people.csv") == NOWHERE
