"""A table in PostgreSQL is met again under every address and view that leads to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from urllib.parse import quote

import pytest

from sudare.facts.cost import Cost
from sudare.facts.errors import BudgetRefused
from sudare.facts.plan import Plan
from sudare.facts.relation import Relation
from sudare.facts.release import Release
from sudare.facts.schema import Schema, make_schema
from sudare.ledger.ledger import Ledger
from sudare.publish import books
from sudare.publish.ask import ask
from sudare.publish.outlook import outlook
from support.postgres import USER, Server

AGE = {"age": {"type": "integer", "min": 0, "max": 120}}
VIEWS = (
    "CREATE TABLE people AS SELECT 30 AS age FROM generate_series(1, 40)",
    "CREATE TABLE others AS SELECT 30 AS age FROM generate_series(1, 40)",
    "CREATE VIEW v AS SELECT age FROM people",
    "CREATE VIEW vv AS SELECT v.age FROM v JOIN others USING (age) WHERE age > 3",
    "CREATE VIEW within AS SELECT (SELECT max(age) FROM people) AS age FROM others",
    "CREATE MATERIALIZED VIEW kept AS SELECT age FROM people",
    "CREATE FUNCTION parsed() RETURNS TABLE (age int) "
    "BEGIN ATOMIC SELECT people.age FROM people; END",
    "CREATE VIEW called AS SELECT age FROM parsed()",
    "CREATE SCHEMA a CREATE VIEW people AS SELECT age FROM public.people",
    "CREATE TABLE parted (age int) PARTITION BY RANGE (age)",
    "CREATE TABLE young PARTITION OF parted FOR VALUES FROM (0) TO (20)",
    "CREATE TABLE old PARTITION OF parted FOR VALUES FROM (20) TO (200)",
    "INSERT INTO parted SELECT 30 FROM generate_series(1, 40)",
)


class Town:
    """A database, its addresses, and ledgers under new names."""

    def __init__(self, server: Server, name: str, folder: Path) -> None:
        self.server, self.name, self.folder = server, name, folder
        self.who = f"{USER}:{quote(server.password, safe='')}"
        self.port = server.port
        self._ledgers = 0

    def run(self, *statements: str) -> None:
        with self.server.connect(self.name) as db:
            for statement in statements:
                db.execute(statement)

    def at(self, table: str = "people", who: str | None = None) -> str:
        return f"postgresql://{who or self.who}@127.0.0.1:{self.port}/{self.name}#{table}"

    def ask(self, address: str, *, ledger: str | None = None, **table: str) -> Release:
        self._ledgers += 1
        where = self.folder / (ledger or f"{self._ledgers}.ledger")
        return ask(address, schema(**table), Plan(("count()",), Fraction(1)), ledger=where)

    def is_known(self, address: str) -> None:
        with pytest.raises(BudgetRefused, match="charged in another ledger"):
            self.ask(address)


def schema(**table: str) -> Schema:
    named = {"name": "people"} | table
    return make_schema({"table": named, "budget": {"epsilon": 3.0}, "columns": AGE})


@pytest.fixture
def town(
    postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Town]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with postgres_server.database() as url:
        found = Town(postgres_server, url.rpartition("/")[2], tmp_path)
        found.run(*VIEWS)
        yield found


def test_an_address_spelled_differently_is_no_fresh_budget(
    town: Town, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    town.ask(town.at())
    who, port, name = town.who, town.port, town.name
    for address in (
        f"{who}@127.0.0.1:{port}/nowhere?dbname={name}#people",
        f"{who}@127.0.0.1:9/{name}?port={port}#people",
        f"{who}@nowhere:{port}/{name}?%68ost=127.0.0.1#people",
        f"{who}@127.0.0.1:{port}/x?%64bname={name}#people",
        f"{who}@127.0.0.1:{port}/{name}#PEOPLE",
        f'{who}@127.0.0.1:{port}/{name}#"people"',
        f"{who}@127.1:{port}/{name}#people",
        f"{who}@0.0.0.0:{port}/{name}#people",
        f"{who}@127.0.0.1:0{port}/{name}#people",
        f"{who}@127.0.0.1:1,127.0.0.1:{port}/{name}#people",
    ):
        town.is_known(f"postgresql://{address}")
    monkeypatch.setenv("PGPORT", str(port))
    town.is_known(f"postgresql://{who}@127.0.0.1/{name}#people")
    monkeypatch.delenv("PGPORT")
    (tmp_path / "services").write_text(f"[it]\nhost=127.0.0.1\nport={port}\ndbname={name}\n")
    monkeypatch.setenv("PGSERVICEFILE", str(tmp_path / "services"))
    town.is_known(f"postgresql://{who}@/?service=it#people")
    monkeypatch.setenv("PGSERVICE", "it")
    town.is_known(f"postgresql://{who}@#people")
    assert not list(tmp_path.glob("[2-9].ledger"))


@pytest.mark.parametrize("first", ["people", "v"])
@pytest.mark.parametrize("view", ["v", "vv", "within", "kept", "called", "a.people", "people"])
def test_a_view_is_the_tables_that_it_reads(town: Town, first: str, view: str) -> None:
    town.ask(town.at(first))
    town.is_known(town.at(view))


def test_another_table_is_free(town: Town) -> None:
    town.ask(town.at())
    assert town.ask(town.at("others")).left["epsilon"] == 2


@pytest.mark.parametrize(("first", "then"), [("parted", "old"), ("old", "parted")])
def test_a_partition_is_a_part_of_the_whole(town: Town, first: str, then: str) -> None:
    town.ask(town.at(first))
    town.is_known(town.at(then))
    if first == "old":
        assert town.ask(town.at("young")).left["epsilon"] == 2


def test_a_table_is_met_again_when_it_is_renamed_or_made_anew(town: Town) -> None:
    town.ask(town.at())
    town.run("ALTER TABLE people RENAME TO citizens")
    town.is_known(town.at("citizens"))
    town.run("CREATE TABLE people AS SELECT 30 AS age FROM generate_series(1, 40)")
    town.is_known(f"postgresql://{town.who}@127.1:{town.port}/x?dbname={town.name}#people")


def test_in_one_ledger_the_schema_has_to_say_who_they_are(town: Town) -> None:
    town.ask(town.at(), ledger="one.ledger")
    with pytest.raises(BudgetRefused, match='charged as "people" before'):
        town.ask(town.at("vv"), ledger="one.ledger", name="x")
    found = town.ask(town.at("vv"), ledger="one.ledger", name="x", population="people")
    assert found.left["epsilon"] == 1
    with Ledger.open(town.folder / "one.ledger") as ledger:
        assert ledger.verify().ok
        text = " ".join(str(entry.body) for entry in ledger.entries() if entry.kind == "place")
    assert town.name not in text


def test_a_dry_run_knows_it_too(town: Town) -> None:
    town.ask(town.at())
    asked = schema()
    cost = Cost(10**9, 0, 5 * 10**11, Relation.ADD_REMOVE)
    where = town.folder / "dry.ledger"
    found = outlook(town.at("v"), asked, cost, "0" * 64, "ask", ledger=where)
    assert found.refused is not None
    assert "charged in another ledger" in found.refused
    away = f"postgresql://{town.who}@127.0.0.1:1/{town.name}#people"
    assert outlook(away, asked, cost, "0" * 64, "ask", ledger=where).fits


@contextmanager
def clerk(town: Town) -> Iterator[str]:
    """A user who may not ask for the server's own number."""
    with town.server.connect(town.name) as db:
        db.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC")
        db.execute("CREATE ROLE clerk LOGIN PASSWORD 'pencil'")
        db.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO clerk")
        try:
            yield "clerk:pencil"
        finally:
            db.execute("DROP OWNED BY clerk")
            db.execute("DROP ROLE clerk")
            db.execute("GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC")


def test_where_the_servers_number_is_kept_back_the_connection_says_it(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    with clerk(town) as who:
        town.ask(town.at(who=who))
        for address in (
            f"127.1:{town.port}/nowhere?dbname={town.name}#v",
            f"nowhere:9/{town.name}?port={town.port}&hostaddr=127.0.0.1#people",
            f"0.0.0.0:{town.port}/{town.name}#PEOPLE",
        ):
            town.is_known(f"postgresql://{who}@{address}")
        monkeypatch.setenv("PGPORT", str(town.port))
        town.is_known(f"postgresql://{who}@127.0.0.1/{town.name}#v")


@pytest.mark.parametrize("is_first", [False, True])
def test_whoever_may_ask_and_whoever_may_not_mean_the_same_table(
    town: Town, is_first: bool
) -> None:
    with clerk(town) as who:
        addresses = [town.at(), f"postgresql://{who}@127.1:{town.port}/x?dbname={town.name}#v"]
        first, then = addresses[::-1] if is_first else addresses
        town.ask(first)
        town.is_known(then)


def test_an_older_copy_of_a_ledger_that_was_moved_is_noticed(town: Town) -> None:
    town.ask(town.at(), ledger="people.ledger")
    place = town.folder / "people.ledger"
    copy = place.read_bytes()
    target = town.at("books")
    books.move(place, target)
    for leftover in town.folder.glob("people.ledger-*"):
        leftover.unlink()
    place.write_bytes(copy)
    assert "this machine knew it with" in str(books.show(place)["doubt"])
    assert (
        ask(town.at(), schema(), Plan(("count()",), Fraction(1)), ledger=target).left["epsilon"]
        == 1
    )
