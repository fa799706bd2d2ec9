"""What the entries of a link.toml must be together: names, addresses, the job, everybody's ε."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from sudare.facts.errors import InvalidPlan
from sudare.facts.link_file import LinkFile

_NAME = re.compile(r"[^\W_][\w.-]*")
_LONGEST_NAME = 64


def check_name(name: str, what: str) -> None:
    """Whether certificates and files take a name."""
    is_plain = unicodedata.normalize("NFKC", name) == name and _NAME.fullmatch(name)
    if not is_plain or len(name.encode()) > _LONGEST_NAME:
        raise InvalidPlan(
            f"{what} has characters that certificates and files do not take.",
            "Use letters (of any script), digits, hyphens, dots and underscores, at most 64 "
            "bytes, without full-width digits.",
        )


def check_names(file: LinkFile) -> None:
    outside = [] if file.helper is None else [file.helper.name]
    names = [party.name for party in file.parties]
    for name in (file.session, file.collector.name, *names, *outside):
        check_name(name, "A name in link.toml")
    if len(set(names)) != len(names):
        raise InvalidPlan("Two parties have the same name.", "Names tell certificates apart.")
    rules = {tuple(each.rule for each in party.key) for party in file.parties}
    if len(rules) > 1:
        raise InvalidPlan(
            "The parties' keys follow different rules, so that they could never meet.",
            "Give every party the same rules in the same order; columns may have other names.",
        )


def check_addresses(file: LinkFile) -> None:
    own = {party.name: party.address for party in file.parties}
    if file.collector.address is None:
        raise InvalidPlan(
            "The collector has no address.",
            'Add address = "host:port" under [collector]; a party that collects runs a second '
            "process, which listens there.",
        )
    if file.collector.address == own.get(file.collector.name):
        raise InvalidPlan(
            "The collector has the address of the party that it also is.",
            "Give it another port: the two are processes of their own, and both listen.",
        )
    places = [file.collector.address, *own.values()]
    places += [] if file.helper is None else [file.helper.address]
    for address in places:
        if address is not None and not _is_address(address):
            raise InvalidPlan("An address is not host:port.", 'Example: address = "10.0.1.5:7301".')
    ring = [party.address for party in file.parties]
    neighbours = zip(ring, ring[1:] + ring[:1], strict=True)
    if file.pseudonyms == "commutative" and (None, None) in neighbours:
        raise InvalidPlan(
            "Two neighbours in the ring do not listen, so that neither can reach the other.",
            "Give one of them an address, or another place among the [[parties]].",
        )


def _is_address(address: str) -> bool:
    host, _, port = address.rpartition(":")
    return bool(host) and not host.isspace() and port.isdecimal() and 0 < int(port) < 65536


def check_job(file: LinkFile) -> None:
    if file.job == "pk" and (file.k is None or file.epsilon is not None):
        raise InvalidPlan(
            'Pk-anonymity is asked for by its k, and ε follows from it: job = "pk" needs k and '
            "takes no epsilon.",
            "Example: k = 10, and joined_rows = 20000 where that many are known to be shared.",
        )
    if file.job != "pk" and (file.k is not None or file.joined_rows is not None):
        raise InvalidPlan('k and joined_rows go with job = "pk".', "Leave them out.")
    if (file.job == "secure") != (file.helper is not None):
        raise InvalidPlan(
            'A secure computation has a helper, other jobs have none: job = "secure" and [helper] '
            "go together.",
            "Name a host, or one of the parties, that would not collude with the collector.",
        )
    if file.job == "secure" and file.dummies is not None:
        raise InvalidPlan(
            "Dummies are reports, and a secure computation has none.", "Leave [dummies] out."
        )
    if file.job != "randomize" and any(p.epsilon or p.mechanisms for p in file.parties):
        raise InvalidPlan(
            "A party's own epsilon and mechanisms are for local randomisation.",
            'They go with job = "randomize"; the other jobs have theirs.',
        )


def shares(file: LinkFile) -> tuple[Fraction, ...]:
    """Every party's ε: its own, or its columns' part of what the total leaves."""
    whole = None if file.epsilon is None else positive(file.epsilon, "epsilon")
    if file.job != "randomize":
        return (whole or Fraction(0),) * len(file.parties)
    own = [None if p.epsilon is None else positive(p.epsilon, "epsilon") for p in file.parties]
    named = sum((each for each in own if each is not None), Fraction(0))
    if None not in own:
        if whole not in (None, named):
            raise InvalidPlan(
                "The parties' ε do not add up to the total.", "Leave epsilon out at the top."
            )
        return tuple(each for each in own if each is not None)
    if whole is None or whole <= named:
        raise InvalidPlan(
            "There is no ε for the parties that name none.",
            "Add epsilon = 4 at the top: the total of one person's joined row, above what parties "
            "name for themselves.",
        )
    sizes = [len(party.columns) for party in file.parties]
    free = sum(size for size, each in zip(sizes, own, strict=True) if each is None)
    return tuple(
        (whole - named) * size / free if each is None else each
        for size, each in zip(sizes, own, strict=True)
    )


def total(file: LinkFile, parts: tuple[Fraction, ...]) -> Fraction:
    if file.job == "secure" and file.epsilon is None:
        raise InvalidPlan("The secure statistics have no ε.", "Add epsilon = 1 at the top.")
    return sum(parts, Fraction(0)) if file.job == "randomize" else parts[0]


def helper_address(file: LinkFile, own: dict[str, str | None]) -> str | None:
    if file.helper is None:
        return None
    if file.helper.name == file.collector.name:
        raise InvalidPlan(
            "The helper is the collector, who would then hold both shares.",
            "Name another host, or one of the parties.",
        )
    address = file.helper.address or own.get(file.helper.name)
    if address is None:
        raise InvalidPlan("The helper has no address.", 'Add address = "host:port" under [helper].')
    return address


def positive(value: Fraction, where: str) -> Fraction:
    if not 0 < value <= 1000:
        raise InvalidPlan(f"{where} lies above 0 and is at most 1000.", "Example: epsilon = 4")
    return value


def inside(value: Fraction, where: str) -> Fraction:
    if not 0 <= value < 1:
        raise InvalidPlan(f"{where} lies from 0 to below 1.", "Example: delta = 1e-9")
    return value
