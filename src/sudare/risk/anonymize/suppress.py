"""Records in classes that fail lose some of their values instead of all of them.

The values of a few columns are replaced by "*", first one column at a time, then two, and so on:
records that agree on the rest and together meet the demand are published so. What is left when
all columns are "*" and the demand is still not met is left out.

Claim    every published class, "*" taken as a value, meets the demand. A class of starred records
         may coincide with one where "*" is a column's own level; k and ℓ only grow by that, and the
         distance of a union is at most the larger of the two. Where a person has several records
         that does not hold for ℓ and t (two classes in which a person has one value each become
         one in which the person has both): the starred records of such a class are left out, and
         what is left of it is a class that met the demand by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sudare.facts.coded import Integers
from sudare.risk.anonymize.demand import Demand, Flags, Secret, met
from sudare.risk.anonymize.keys import grouped

# All subsets of so many columns are tried; of more, only the small ones and the whole.
_MANY = 8


@dataclass(frozen=True)
class Suppressed:
    """Which values became "*" (a row a record, a column a quasi-identifier), and which records
    are published at all."""

    starred: Flags
    kept: Flags


def suppress(
    columns: Sequence[Integers],
    secrets: Sequence[Secret],
    demand: Demand,
    people: Integers | None = None,
) -> Suppressed:
    """Star and drop until every class meets the demand; `columns` are generalized codes and
    `people` says whose record each is."""
    ids = grouped(columns)
    kept = met(ids, secrets, demand, people)[ids]
    starred = np.zeros((len(ids), len(columns)), bool)
    for stars in _orders(len(columns)):
        left = np.flatnonzero(~kept)
        if not len(left):
            break
        chosen = np.zeros(len(ids), bool)
        chosen[left] = True
        rest = [column[left] for place, column in enumerate(columns) if place not in stars]
        part = grouped(rest) if rest else np.zeros(len(left), np.int64)
        own = None if people is None else people[left]
        good = met(part, [secret.part(chosen) for secret in secrets], demand, own)
        saved = left[good[part]]
        kept[saved] = True
        starred[saved[:, None], list(stars)] = True
    return Suppressed(starred, kept)


def settled(
    columns: Sequence[Integers],
    done: Suppressed,
    secrets: Sequence[Secret],
    demand: Demand,
    people: Integers,
) -> Suppressed:
    """Without the starred records of people that fell into a class which does not meet the demand;
    `columns` are the codes that would be published."""
    places = np.flatnonzero(done.kept)
    ids = grouped([column[places] for column in columns])
    own = [secret.part(done.kept) for secret in secrets]
    failing = ~met(ids, own, demand, people[places])[ids]
    kept = done.kept.copy()
    kept[places[failing & done.starred[places].any(axis=1)]] = False
    return Suppressed(done.starred & kept[:, None], kept)


def _orders(columns: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, columns + 1):
        if columns <= _MANY or size <= 2 or size == columns:
            yield from combinations(range(columns), size)
