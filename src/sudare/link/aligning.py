"""Shares that arrive by many ways are put into one order that both computing parties know.

Claim    for the same sets of pseudonyms the order is the same, however the rows arrived: that of
         joining.py, which sorts by pseudonym, over the people whom all organisations hold.
Needs    no pseudonym twice within an organisation, since it sends one row a key.
Gaps     whoever sees the pseudonyms sees how many people every set of organisations shares.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sudare.link.joining import Points, Rows, joined
from sudare.link.shares import Words


@dataclass(frozen=True, eq=False)
class Alignment:
    """For every organisation the numbers of its common rows. `digest` is of the pseudonyms in
    order: collector and helper compare it before they compute."""

    rows: dict[str, Rows]
    digest: str

    @property
    def count(self) -> int:
        return len(next(iter(self.rows.values())))

    def together(self, shares: Mapping[str, Words]) -> Words:
        """The common rows of all organisations side by side, in the order of `rows`."""
        return np.concatenate([shares[name][rows] for name, rows in self.rows.items()], axis=1)


def align(pseudonyms: Mapping[str, Points]) -> Alignment:
    """The rows that all organisations have, n × 32 bytes of pseudonyms each, in ring order."""
    found = joined(pseudonyms).get(frozenset(pseudonyms), {})
    rows = {name: found.get(name, np.zeros(0, np.int64)) for name in pseudonyms}
    first = next(iter(pseudonyms))
    ordered = np.ascontiguousarray(pseudonyms[first][rows[first]])
    return Alignment(rows, hashlib.sha256(ordered.tobytes()).hexdigest())
