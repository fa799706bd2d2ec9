"""One place, one spelling: the same rows are met again under any name."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudare.engines.whereabouts import places_of
from sudare.facts.address import located

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
    assert places_of(address) == (TABLE,)


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
    assert places_of(other) != (TABLE,)


def test_the_environment_fills_in_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.example")
    monkeypatch.setenv("PGDATABASE", "privacy")
    assert places_of("postgresql://#people") == (TABLE,)
    monkeypatch.setenv("PGPORT", "5433")
    assert places_of("postgresql://#people") != (TABLE,)
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
    assert places_of(name)[0] == "file s3://bucket/x/y.csv"


def test_objects_are_part_of_their_folder() -> None:
    whole, part = places_of("s3a://bucket/x/*.parquet"), places_of("s3a://bucket/x/a.parquet")
    assert whole[0] == "tree s3://bucket/x"
    assert whole[0] in part
    assert places_of("s3a://bucket/x")[0] == whole[0]


def test_a_file_url_is_a_file(tmp_path: Path) -> None:
    assert places_of(f"file://{tmp_path}/a.csv") == places_of(tmp_path / "a.csv")


def test_links_lead_to_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text("x")
    (tmp_path / "b.csv").symlink_to("a.csv")
    monkeypatch.chdir(tmp_path)
    assert places_of("b.csv") == places_of(tmp_path / "a.csv") == (f"file {tmp_path}/a.csv",)


def test_neighbours_in_a_folder_are_apart(tmp_path: Path) -> None:
    for name in ("a.parquet", "b.parquet", "c.csv"):
        (tmp_path / name).write_text("")
    a, b, c = (places_of(tmp_path / name) for name in ("a.parquet", "b.parquet", "c.csv"))
    assert a[0] not in b
    assert b[0] not in a
    assert places_of(str(tmp_path / "*.parquet"))[0] in a
    assert places_of(str(tmp_path / "*.parquet"))[0] not in c
    # A folder that is read without those below it has no part in them.
    assert places_of(str(tmp_path.parent / "*.parquet"))[0] not in a
    assert places_of(str(tmp_path.parent / "**" / "*.parquet"))[0] in a


def test_a_dataframe_lies_nowhere() -> None:
    assert places_of(object()) == ()
    assert places_of(b"people.csv") == ()
