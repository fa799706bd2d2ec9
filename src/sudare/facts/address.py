"""The address of something in PostgreSQL, and how it may be shown: never with a password.

Grammar  postgresql://[user[:password]@][host[:port][,…]][/database][?name=value&…][#fragment]
Source   libpq's connection URIs; the fragment (a table, or the name of a ledger) is sudare's own.
Needs    the sign @ once at most, after the user; elsewhere it is written %40. libpq would take
         some other spellings, but with them nobody could tell where a password ends, and what
         cannot be told cannot be hidden.
"""

from __future__ import annotations

import ipaddress
import os
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from sudare.facts.errors import UsageError

# Also what Path() makes of an address, and other libraries' spellings, so that these too are
# refused as addresses and never quoted as the name of a file.
_LIKE = re.compile(r"postgres(ql)?(\+\w+)?:/", re.IGNORECASE)
_HOST = r"(?:\[[0-9A-Fa-f:.%\w]+\]|[^\s:/?#@\[\],]*)(?::\d*)?"
_ADDRESS = re.compile(
    r"postgres(?:ql)?://"
    r"(?:(?P<user>[^\s:/?#@]*)(?P<password>:[^\s/?#@]*)?@)?"
    rf"(?P<hosts>{_HOST}(?:,{_HOST})*)"
    r"(?P<database>/[^\s?#@/]*)?"
    r"(?:\?(?P<query>[^\s#@]*))?"
    r"(?:#(?P<fragment>[^@]*))?",
    re.IGNORECASE,
)
# Another kind of address, or a mistyped one, with a user and a password; a port is none.
_SECRET = re.compile(r"(?:[\w+.-]+:?//?)?[^/@:]*:(?!/)(?!\d+/).*@", re.DOTALL)
# What says where to go. Every other parameter may be a secret, now or in a later libpq.
_PLAIN = {"host", "hostaddr", "port", "dbname", "user", "service"}


@dataclass(frozen=True)
class Address:
    """`url` goes to libpq and to nobody else; `shown` may be printed and stored."""

    url: str = field(repr=False)
    fragment: str | None
    shown: str

    @property
    def database(self) -> str:
        """`shown` without the fragment."""
        return self.shown.partition("#")[0]


def is_address(place: object) -> bool:
    """Whether this is meant as the address of a PostgreSQL database, well written or not."""
    return _LIKE.match(str(place)) is not None


def check_place(place: object) -> None:
    """Refuse what is no file and may hold a password, before any message names it."""
    text = str(place)
    if is_address(text) or _SECRET.match(text) is None or os.path.exists(text):
        return
    raise UsageError(
        "This is neither a file nor an address of PostgreSQL.",
        "Write postgresql://user@host/database#schema.table, or the path of a file; it is not "
        "repeated here because it may hold a password.",
    )


def shown(place: object) -> str:
    """The place as it may be printed: a file's path as it is, an address without its secrets."""
    text = str(place)
    if not is_address(text):
        return text
    try:
        return parse_address(text).shown
    except UsageError:
        return "postgresql://…"


def located(text: str) -> str:
    """Where an address leads, in one spelling: neither who goes there nor how. As libpq does it,
    what stands behind the ? goes before the rest, and the environment fills in what is left."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        return parse_address(text).shown
    given = [pair.partition("=") for pair in (match["query"] or "").split("&")]
    said = {unquote(name): unquote(value) for name, _, value in given}
    said = {name: value for name, value in said.items() if name in _PLAIN and value}
    own = os.environ
    named = [_apart(each) for each in unquote(match["hosts"]).split(",")]
    plain = ",".join(host for host, _ in named).strip(",")
    hosts = said.get("hostaddr") or said.get("host") or plain
    hosts = hosts or own.get("PGHOSTADDR") or own.get("PGHOST", "")
    ports = said.get("port") or ",".join(port for _, port in named) or own.get("PGPORT", "")
    places = ",".join(_places(hosts.split(","), ports.split(",")))
    user = said.get("user") or unquote(match["user"] or "") or own.get("PGUSER", "")
    path = unquote((match["database"] or "").strip("/"))
    # libpq's own default: the database of the user's name.
    database = said.get("dbname") or path or own.get("PGDATABASE") or user
    table = _table(unquote(match["fragment"] or ""))
    service = said.get("service") or own.get("PGSERVICE", "")
    return f"postgresql://{places}/{database}?{service}#{table}"


def _apart(text: str) -> tuple[str, str]:
    """A host and its port; the colons of a bare IPv6 address part nothing."""
    name, sign, port = text.rpartition(":")
    is_whole = not sign or text.endswith("]") or (":" in name and not name.endswith("]"))
    return (text, "") if is_whole else (name, port)


def _places(hosts: list[str], ports: list[str]) -> Iterator[str]:
    """Each host with its port; one port serves all hosts."""
    for place, host in enumerate(hosts):
        bare = host.lower().strip("[]").rstrip(".")
        port = ports[place] if len(ports) > place else ports[0] if len(ports) == 1 else ""
        yield f"{'localhost' if _is_here(bare) else bare}:{port or '5432'}"


def _is_here(name: str) -> bool:
    """Whether a host is this machine: no name, its own, a socket in a folder, or loopback."""
    if name in ("", "localhost") or name[0] in "/@" or name == platform.node().lower():
        return True
    try:
        found = ipaddress.ip_address(name)
    except ValueError:
        # Older spellings, of fewer parts.
        return re.fullmatch(r"127(\.\d+){0,2}|0", name) is not None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    found = mapped or found
    return found.is_loopback or found.is_unspecified


def _table(text: str) -> str:
    """A table's name as PostgreSQL reads it: capitals count in quotes alone, blanks around a part
    do not."""
    parts = re.findall(r'\s*("(?:[^"]|"")*"|[^".]+)\s*(?:\.|$)', text)
    plain = [
        part[1:-1].replace('""', '"') if part.startswith('"') else part.strip().lower()
        for part in parts
    ]
    # A part with a point in it is not two.
    return ".".join(each.replace(".", "\N{MIDDLE DOT}") for each in plain)


def parse_address(text: str) -> Address:
    """Read an address, or refuse it without quoting it."""
    match = _ADDRESS.fullmatch(text)
    if match is None or any(ord(sign) < 32 for sign in unquote(text)):
        raise UsageError(
            "This PostgreSQL address cannot be read.",
            "Write postgresql://user@host:port/database#name and percent-encode other signs: "
            "@ is %40, / is %2F, # is %23, a blank is %20.",
        )
    fragment = match["fragment"]
    url = "postgresql" + text.partition("#")[0][text.index(":") :]
    user = "" if match["user"] is None else match["user"] + "@"
    pairs = [pair for pair in (match["query"] or "").split("&") if _is_plain(pair)]
    plain = f"postgresql://{user}{match['hosts']}{match['database'] or ''}"
    plain += ("?" + "&".join(pairs) if pairs else "") + (f"#{fragment}" if fragment else "")
    return Address(url, unquote(fragment) if fragment else None, plain)


def _is_plain(pair: str) -> bool:
    return unquote(pair.partition("=")[0]) in _PLAIN
