"""Records that are sets of items, and which items each person calls sensitive.

Symbols  D_u -> the items of record u; E_u -> what u calls sensitive, whether u has it or not
         (Nakagawa, Arai, Nakagawa, definition 2). ρ = p/q -> the most confidence an attacker may
         have, a ratio of integers, so that no decision rests on a rounded number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidPlan
from sudare.facts.numbers import exact_share

Places = NDArray[np.int64]
Items = NDArray[np.int32]
Flags = NDArray[np.bool_]
_MOST_DIGITS = 9


@dataclass(frozen=True, eq=False, repr=False)
class Baskets:
    """Record u holds `items[starts[u]:starts[u + 1]]`: codes without repeats, in the file's order.
    `names` are the items' names by code. `users` names the records where the file does."""

    starts: Places
    items: Items
    names: tuple[str, ...]
    users: Sequence[str] | None = None

    @property
    def records(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Places:
        return np.diff(self.starts)

    def kept(self, mask: Flags) -> Baskets:
        """The same records with only the items whose place is marked."""
        ends = np.concatenate([[0], np.cumsum(mask)])
        return Baskets(ends[self.starts].astype(np.int64), self.items[mask], self.names, self.users)


@dataclass(frozen=True, eq=False, repr=False)
class Sensitive:
    """What is sensitive: `everyone` marks items by code; record u adds its own,
    `items[starts[u]:starts[u + 1]]`, ascending and without repeats. Private, like the data."""

    everyone: Flags
    starts: Places
    items: Items

    @staticmethod
    def fixed(everyone: Flags, records: int) -> Sensitive:
        """The same items for everyone, as in ρ-uncertainty (definition 1)."""
        return Sensitive(everyone, np.zeros(records + 1, np.int64), np.empty(0, np.int32))

    def of(self, record: int) -> Flags:
        """E_u, by code."""
        found = self.everyone.copy()
        found[self.items[self.starts[record] : self.starts[record + 1]]] = True
        return found


def read_rho(text: str | float | Fraction) -> Fraction:
    """ρ as written: 0.5, 1/3 or 30%; above 0 and at most 1."""
    rho = exact_share(text)
    # Products of p and q with counts of records must stay within 64 bits.
    if rho is None or not 0 < rho <= 1 or rho.denominator > 10**_MOST_DIGITS:
        raise InvalidPlan(
            "ρ lies above 0 and is at most 1, with at most nine digits.",
            'Examples: --rho 0.5, --rho 1/3; in Python rho="1/3".',
        )
    return rho
