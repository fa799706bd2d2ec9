"""Keys that two organisations wrote down differently, as the same bytes.

Claim    A rule applied to its own result changes nothing, and a value's result depends on no other
         value. Parts of a key are told apart whatever they contain: ("ab", "c") is not ("a", "bc").
Source   Unicode Standard Annex 15 (NFKC); the forms are listed in docs/link-keys.md.
Symbols  one column and one rule for each part of the key.
Needs    the same rules in the same order on all sides; the plan's digest sees to that.
Gaps     A rule joins what is written alike, not what is meant alike: a moved person, a married
         name and a building's name left out stay apart; two people who share a key become one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sudare.facts.errors import InvalidPlan
from sudare.link.normal.addresses import addresses
from sudare.link.normal.names import names, strict_names
from sudare.link.normal.phones import phones
from sudare.link.normal.plain import emails, numbers

STRETCH = 2**14
RULES: Mapping[str, Callable[[str], str]] = {
    "number": numbers,
    "phone": phones,
    "name": names,
    "name-strict": strict_names,
    "address": addresses,
    "email": emails,
}


def normalize(columns: Sequence[Sequence[str | None]], rules: Sequence[str]) -> list[bytes | None]:
    """One key a row from one column a rule; None where a part is missing or cannot be used."""
    parts = [_packed(normal(column, rule)) for column, rule in zip(columns, rules, strict=True)]
    if len(parts) == 1:
        return parts[0]
    return [
        None if None in row else b"".join(part for part in row if part is not None)
        for row in zip(*parts, strict=True)
    ]


def normal(values: Sequence[str | None], rule: str) -> list[str | None]:
    """The values of one column in the rule's way of writing."""
    if rule == "exact":
        return [value or None for value in values]
    if rule not in RULES:
        raise InvalidPlan(
            "A key column has an unknown rule.", f"Known rules: exact, {', '.join(RULES)}."
        )
    written: list[str | None] = []
    for start in range(0, len(values), STRETCH):
        written += _stretch(values[start : start + STRETCH], RULES[rule])
    return written


def _stretch(values: Sequence[str | None], rule: Callable[[str], str]) -> list[str | None]:
    text = "\n".join([value or "" for value in values])
    if text.count("\n") != len(values) - 1:
        text = "\n".join([(value or "").replace("\n", " ") for value in values])
    # What a step takes away can bring together what an earlier step would have changed.
    while (again := rule(text)) != text:
        text = again
    return [line or None for line in text.split("\n")]


def _packed(values: Sequence[str | None]) -> list[bytes | None]:
    """UTF-8 with its length before it, so that joined parts can be told apart."""
    return [
        None
        if value is None
        else len(coded := value.encode("utf-8", "surrogatepass")).to_bytes(4, "big") + coded
        for value in values
    ]
