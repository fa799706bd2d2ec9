"""Addresses: what is read, what is refused, and that no password is ever shown."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from sudare.facts.address import Address, is_address, parse_address, shown
from sudare.facts.errors import UsageError


@pytest.mark.parametrize(
    ("text", "plain", "fragment"),
    [
        ("postgresql://h/db", "postgresql://h/db", None),
        ("postgres://u@h:5432/db#t", "postgresql://u@h:5432/db#t", "t"),
        ("POSTGRESQL://u:pw@h/db", "postgresql://u@h/db", None),
        ("postgresql://u:pw@h/db#public.people", "postgresql://u@h/db#public.people",
         "public.people"),
        ("postgresql://u:p%40%2F%23@[::1]:5433/db#%E4%BA%BA", "postgresql://u@[::1]:5433/db"
         "#%E4%BA%BA", "人"),
        ('postgresql://u:pw@h/db#"Odd Schema"."表 1"', 'postgresql://u@h/db#"Odd Schema"."表 1"',
         '"Odd Schema"."表 1"'),
        ("postgresql://a:1,b:2/db", "postgresql://a:1,b:2/db", None),
        ("postgresql:///db?host=/tmp&password=pw", "postgresql:///db?host=/tmp", None),
        ("postgresql://h/db?pass%77ord=pw&sslpassword=pw#t", "postgresql://h/db#t", "t"),
        ("postgresql://?service=ledger", "postgresql://?service=ledger", None),
        ("postgresql://%2Frun%2Fpg/db#", "postgresql://%2Frun%2Fpg/db", None),
    ],
)  # fmt: skip
def test_an_address_is_read_and_shown_without_its_secrets(
    text: str, plain: str, fragment: str | None
) -> None:
    address = parse_address(text)
    assert (address.shown, address.fragment, shown(text)) == (plain, fragment, plain)
    assert address.database == plain.partition("#")[0]
    assert "#" not in address.url


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://u:hush@ere@h/db",
        "postgresql://u:hush/ere@h/db",
        "postgresql://u:12/hush@h/db",
        "postgresql://u:hush#ere@h/db",
        "postgresql://u:12#hush@h/db",
        "postgresql://u:hush?ere@h/db",
        "postgresql://u:a@b#hush@h/db",
        "postgresql://u:hush ere@h/db",
        "postgresql://u:hush%0Aere@h/db",
        "postgresql://u:hush@h/db/more",
        "postgresql:/u:hush@h/db",
        "postgresql+psycopg://u:hush@h/db",
        "Postgres://h:hush/db",
    ],
)
def test_where_a_password_might_end_anywhere_the_address_is_refused_unquoted(text: str) -> None:
    assert is_address(text)
    assert shown(text) == "postgresql://…"
    with pytest.raises(UsageError, match=r"percent-encode") as caught:
        parse_address(text)
    assert "hush" not in str(caught.value) + repr(caught.value)


def test_a_path_that_was_made_of_an_address_is_still_known_as_one() -> None:
    assert shown(Path("postgresql://u:hush@h/db")) == "postgresql://…"


@pytest.mark.parametrize("place", ["people.csv", "data/*.parquet", "postgres.csv", "C:/a/b"])
def test_a_file_is_shown_as_it_is(place: str) -> None:
    assert not is_address(place)
    assert shown(place) == place == shown(Path(place))


def test_no_text_of_an_address_tells_the_password() -> None:
    address = parse_address("postgresql://u:hush@h/db?password=hush#t")
    assert "hush" in address.url
    assert "hush" not in repr(address) + str(address) + address.shown


@given(
    user=st.text(st.characters(min_codepoint=33, exclude_categories=("Cs",)), min_size=1),
    password=st.text(st.characters(min_codepoint=32, exclude_categories=("Cs",)), min_size=1),
)
def test_libpq_reads_the_same_user_and_password_from_the_url(user: str, password: str) -> None:
    secret = quote(password, safe="")
    address = parse_address(f"postgresql://{quote(user, safe='')}:{secret}@h:1/db#t")
    read = conninfo_to_dict(address.url)
    assert (read["user"], read["password"], read["dbname"]) == (user, password, "db")
    assert address == Address(address.url, "t", f"postgresql://{quote(user, safe='')}@h:1/db#t")
