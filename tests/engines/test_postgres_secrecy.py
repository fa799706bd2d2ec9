"""What leaves the server, what stays in it, and what others may see of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from engines.postgres_tables import ask, execute
from engines.tables import KEY, one, schema
from sudare.engines.postgres.link import Link
from sudare.engines.postgres.open import open_postgres
from sudare.engines.source import Source
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import EngineUnavailable
from support.postgres import Server

CANARY = "CANARY4711"
SUM = MomentsRequest(columns=("v",), monomials=((0,),))
AGE = one("integer", min=0, max=120)
VISITS = schema(
    {"v": {"type": "integer", "min": 0, "max": 120}, "who": {"type": "key"}},
    unit="who",
    max_rows_per_unit=2,
)


@pytest.fixture(scope="module")
def url(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as place:
        execute(
            place,
            "CREATE TABLE visits AS SELECT 'CANARY4711 ' || n % 3 AS who, n AS v"
            " FROM generate_series(1, 30) AS n",
            "CREATE VIEW faulty AS SELECT CAST(who AS integer) AS v FROM visits",
        )
        yield place


def test_one_read_only_snapshot_serves_the_whole_run(url: str) -> None:
    execute(url, "DROP TABLE IF EXISTS t", "CREATE TABLE t AS SELECT 1 AS v")
    with open_postgres(f"{url}#t", AGE, {"v"}) as source:
        assert source.moments([SUM], KEY)[0].rows == ((1, 1),)
        execute(url, "INSERT INTO t VALUES (100)")
        assert source.moments([SUM], KEY)[0].rows == ((1, 1),)
        assert [batch.num_rows for batch in source.batches(["v"], KEY)] == [1]
        shown = session(source)
        assert shown["transaction_read_only"] == "on"
        assert shown["transaction_isolation"] == "repeatable read"
        assert shown["application_name"] == "sudare"
    assert ask(f"{url}#t", AGE, SUM)[0].rows == ((2, 101),)


def session(source: Source) -> dict[str, str]:
    names = ("transaction_read_only", "transaction_isolation", "application_name")
    link: Link = source._link  # type: ignore[attr-defined]
    return {name: link.run(f"SELECT current_setting('{name}')")[0][0] for name in names}


def test_nobody_changes_the_table_between_the_check_and_the_answer(url: str) -> None:
    execute(url, "DROP TABLE IF EXISTS t", "CREATE TABLE t AS SELECT 1 AS v")
    with open_postgres(f"{url}#t", AGE, {"v"}) as source:
        change = "SET lock_timeout = '100ms'; ALTER TABLE t ALTER v TYPE text"
        with pytest.raises(Exception, match="lock timeout"):
            execute(url, change)
        assert source.moments([SUM], KEY)[0].rows == ((1, 1),)


def test_no_statement_tells_the_run_key(url: str, postgres_server: Server) -> None:
    activity = "SELECT query FROM pg_stat_activity WHERE application_name = 'sudare'"
    with open_postgres(f"{url}#visits", VISITS, {"v"}) as source:
        source.moments([SUM, MomentsRequest()], KEY)
        # Sessions of other tests may still be there.
        asked = [row[0] for row in execute(url, activity)]
        assert any("SHA256" in each for each in asked)
        assert not any(KEY.hex() in each for each in asked)
        batches = source.batches(["v"], KEY)
        next(batches)
        assert not any(KEY.hex() in row[0] for row in execute(url, activity))
    assert KEY.hex() not in postgres_server.log


def test_only_aggregates_come_out(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[Any] = []
    run = Link.run

    def watched(self: Link, *asked: Any) -> list[tuple[Any, ...]]:
        rows = run(self, *asked)
        fetched.extend(rows)
        return rows

    with open_postgres(f"{url}#visits", VISITS, {"v", "who"}) as source:
        monkeypatch.setattr(Link, "run", watched)
        source.moments([SUM, MomentsRequest()], KEY)
    assert len(fetched) == 2
    labels = one("category", values=["a"])
    place = f"{url}#named"
    execute(url, "CREATE VIEW named AS SELECT who AS v FROM visits")
    assert ask(place, labels, MomentsRequest(axes=(ValuesAxis("v", ("a",)),)))[0].rows == ((0,),)
    assert CANARY not in str(fetched)


def test_a_failing_query_is_not_quoted(url: str) -> None:
    """A view may fail on a value; PostgreSQL's own message would quote it."""
    with open_postgres(f"{url}#faulty", AGE, {"v"}) as source:
        for run in (lambda: source.moments([SUM], KEY), lambda: list(source.batches(["v"], KEY))):
            with pytest.raises(EngineUnavailable, match="could not finish") as caught:
                run()
            assert CANARY not in f"{caught.value} {caught.value!r}"
            assert caught.value.__context__ is None
            assert caught.value.__cause__ is None


def test_a_server_that_goes_away_is_told_in_our_words(url: str) -> None:
    with open_postgres(f"{url}#visits", AGE, {"v"}) as source:
        execute(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'sudare' AND datname = current_database()",
        )
        with pytest.raises(EngineUnavailable, match="could not finish"):
            source.moments([SUM], KEY)


def test_a_stream_holds_one_batch_at_a_time(url: str) -> None:
    execute(url, "CREATE TABLE many AS SELECT n % 100 AS v FROM generate_series(1, 250000) AS n")
    seen: list[int] = []
    with open_postgres(f"{url}#many", AGE, {"v"}) as source:
        for batch in source.batches(["v"], KEY, rows=100_000):
            seen.append(batch.num_rows)
        abandoned = source.batches(["v"], KEY, rows=10)
        next(abandoned)
        abandoned.close()
        assert source.moments([SUM], KEY)[0].rows[0][0] == 250_000
    assert seen == [100_000, 100_000, 50_000]


def test_sources_in_several_threads_do_not_meet(url: str) -> None:
    found: list[int] = []

    def run() -> None:
        found.append(ask(f"{url}#visits", VISITS, SUM)[0].rows[0][0])

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [6, 6, 6]
