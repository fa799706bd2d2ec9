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
_HOST_AND_PORT = re.compile(r"(?P<host>\[[^\]]*\]|[^:]*)(?::(?P<port>\d*))?")
_NUMBER = re.compile(r"\s*\+?[0-9]{1,9}\s*")
# This machine by its numbers, as the operating system reads them.
_HERE = re.compile(r"localhost|127(\.\d+){0,2}|0(\.0){0,2}")
# Another kind of address, or a mistyped one, with a user and a password; a port is none.
_SECRET = re.compile(r"(?:[\w+.-]+:?//?)?[^/@:]*:(?!/)(?!\d+/).*@", re.DOTALL)
# What says where to go. Every other parameter may be a secret, now or in a later libpq.
_PLAIN = {"host", "hostaddr", "port", "dbname", "user", "service"}
# What libpq takes from its environment where the address does not say it.
_ENVIRONMENT = {
    "host": "PGHOST",
    "hostaddr": "PGHOSTADDR",
    "port": "PGPORT",
    "dbname": "PGDATABASE",
    "user": "PGUSER",
    "service": "PGSERVICE",
}


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
    """Where an address leads, in one spelling: neither who goes there nor how. Read as libpq reads
    it: a parameter is above the part of the address before it, both are above the environment."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        return parse_address(text).shown
    said = _said(match)
    hosts = (said.get("hostaddr") or said.get("host") or "").split(",")
    ports = (said.get("port") or "").split(",")
    if len(ports) == 1:
        ports *= len(hosts)
    places = ",".join(map(_host, hosts, ports))
    # libpq's own default: the database of the user's name.
    database = said.get("dbname") or said.get("user") or ""
    table = _table(unquote(match["fragment"] or ""))
    return f"postgresql://{places}/{database}?{said.get('service', '')}#{table}"


def _said(match: re.Match[str]) -> dict[str, str]:
    """What an address says of where to go, by libpq's names."""
    pairs = [_HOST_AND_PORT.fullmatch(each) for each in match["hosts"].split(",")]
    hosts, ports = zip(*((pair["host"], pair["port"] or "") for pair in pairs if pair), strict=True)
    parts = {
        "host": unquote(",".join(hosts)),
        "port": ",".join(ports),
        "user": unquote(match["user"] or ""),
        "dbname": unquote((match["database"] or "").strip("/")),
    }
    given = [pair.partition("=") for pair in (match["query"] or "").split("&")]
    named = {unquote(name): unquote(value) for name, _, value in given}
    around = {name: os.environ[each] for name, each in _ENVIRONMENT.items() if each in os.environ}
    found = {name: value for name, value in parts.items() if value.strip(",")}
    return around | found | {name: named[name] for name in _PLAIN & named.keys()}


def _is_here(name: str) -> bool:
    """Whether a host is this machine: its own name, localhost, or an address that leads back."""
    if name == platform.node().lower():
        return True
    try:
        found = ipaddress.ip_address(name)
    except ValueError:
        # Older spellings, of fewer parts.
        return _HERE.fullmatch(name) is not None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    found = mapped or found
    return found.is_loopback or found.is_unspecified


def _host(name: str, port: str) -> str:
    name = name.strip("[]").rstrip(".").lower()
    if name[:1] in ("", "/", "@") or _is_here(name):
        name = "localhost"
    number = int(port) if _NUMBER.fullmatch(port) else 5432
    return f"{f'[{name}]' if ':' in name else name}:{number}"


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
