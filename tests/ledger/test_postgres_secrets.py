"""Credentials come from where libpq takes them and are in no error, text or process list."""

from __future__ import annotations

import logging
import subprocess
import sys
import traceback
from pathlib import Path
from urllib.parse import quote

import pytest

from ledger.support import ADD_REMOVE, charge, reserve
from sudare.facts.address import parse_address, shown
from sudare.facts.errors import EngineUnavailable, SudareError
from sudare.ledger import postgres_link
from sudare.ledger.ledger import Ledger
from sudare.ledger.move import move
from sudare.ledger.postgres import PostgresStore
from sudare.ledger.stores import is_there
from support.postgres import USER, Server


@pytest.fixture
def bare(postgres_server: Server, ledger_url: str) -> str:
    """The ledger's URL without a password."""
    bare = shown(ledger_url)
    assert postgres_server.password not in bare
    return bare


def opens(place: str) -> None:
    with Ledger.open(place, create=True, relation=ADD_REMOVE) as ledger:
        reserve(ledger, charge(0.1))


def hidden(error: BaseException, *secrets: str) -> None:
    """Neither the error, nor what led to it, nor its traceback has a secret in it."""
    told = "".join(traceback.format_exception(error)) + repr(error) + str(error)
    assert error.__cause__ is None
    assert error.__context__ is None
    for secret in secrets:
        assert secret not in told
        assert quote(secret, safe="") not in told


def test_without_a_password_nobody_is_let_in(bare: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSFILE", "/nowhere")
    with pytest.raises(EngineUnavailable, match="PGPASSFILE") as caught:
        opens(bare)
    assert caught.value.exit_code == 5


def test_the_password_may_come_from_the_environment(
    bare: str, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", postgres_server.password)
    opens(bare)


def test_the_password_may_come_from_a_password_file(
    bare: str, postgres_server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "pgpass"
    secret = postgres_server.password.replace("\\", "\\\\").replace(":", "\\:")
    file.write_text(f"127.0.0.1:{postgres_server.port}:*:{USER}:{secret}\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    opens(bare)


def test_everything_may_come_from_a_service_file(
    postgres_server: Server, ledger_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    address = parse_address(ledger_url)
    file = tmp_path / "services"
    file.write_text(
        f"[books]\nhost=127.0.0.1\nport={postgres_server.port}\nuser={USER}\n"
        f"dbname={address.database.rpartition('/')[2]}\n"
    )
    monkeypatch.setenv("PGSERVICEFILE", str(file))
    monkeypatch.setenv("PGPASSWORD", postgres_server.password)
    opens(f"postgresql://?service=books#{address.fragment}")
    assert is_there(ledger_url)


@pytest.mark.parametrize(
    "change",
    [
        lambda url: url.replace("p%40ss", "hush"),
        lambda url: url.replace("127.0.0.1", "127.0.0.9"),
        lambda url: url.replace("/fresh_", "/no_"),
        lambda url: url.replace("#", "?connect_timeout=soon#"),
        lambda url: url.replace("#", "?no_such_option=1#"),
        lambda url: url.replace("%40ss", "@ss"),
        lambda url: url.replace("#", "#A"),
        lambda url: url.replace("postgresql://", "postgresql:/"),
    ],
)
def test_no_refusal_shows_a_password(
    ledger_url: str, postgres_server: Server, change: object, tmp_path: Path
) -> None:
    assert callable(change)
    place = change(ledger_url)
    Ledger.open(tmp_path / "l", create=True, relation=ADD_REMOVE).close()
    for use in (opens, Ledger.open, is_there, lambda place: move(tmp_path / "l", place)):
        with pytest.raises(SudareError) as caught:
            use(place)
        hidden(caught.value, postgres_server.password, "hush", postgres_server.password[6:22])


def test_a_lost_connection_shows_no_password(
    postgres_server: Server, ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_link, "PATIENCE_SECONDS", 0.0)
    opens(ledger_url)
    with Ledger.open(ledger_url) as ledger:
        # The connection is gone, and nobody listens where it is looked for.
        address = parse_address(ledger_url.replace(f":{postgres_server.port}", ":1"))
        ledger._store._link.address = address  # type: ignore[attr-defined]
        ledger._store._link._db.close()  # type: ignore[attr-defined]
        with pytest.raises(EngineUnavailable) as caught:
            ledger.reserve(charge(0.1))
    hidden(caught.value, postgres_server.password)


def test_no_object_and_no_log_shows_a_password(
    ledger_url: str, postgres_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    opens(ledger_url)
    store = PostgresStore.open(ledger_url)
    texts = [repr(each) for each in (store, store.address, store._link, store._link._db)]
    texts += [str(store.address), caplog.text, postgres_server.log]
    store.close()
    assert postgres_server.password[6:22] not in "".join(texts)


CHILD = """
import sys
from sudare.ledger.ledger import Ledger
with Ledger.open(sys.argv[1]) as ledger, ledger._store.transaction():
    print("inside", flush=True)
    sys.stdin.read()
"""


def test_no_process_list_shows_a_password(
    ledger_url: str, bare: str, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    opens(ledger_url)
    monkeypatch.setenv("PGPASSWORD", postgres_server.password)
    words = [sys.executable, "-c", CHILD, bare]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"inside\n"
        lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]
        child.communicate(b"", timeout=30)
    assert any(b"ledger._store.transaction" in line for line in lines)
    assert any(line.startswith(b"postgres: ") for line in lines)
    secret = postgres_server.password[6:22].encode()
    assert not [line for line in lines if secret in line]


def test_a_missing_driver_is_named_with_what_installs_it(
    ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(EngineUnavailable, match=r"pip install 'sudare\[postgres\]'") as caught:
        opens(ledger_url)
    assert caught.value.exit_code == 5
