"""Mondrian part by part, as its authors wrote it down: the oracle for the one that cuts at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sudare.facts.coded import Integers
from sudare.risk.anonymize.demand import Demand, Flags, Secret, met


def mondrian_slowly(
    columns: Sequence[Integers], secrets: Sequence[Secret], demand: Demand
) -> Integers | None:
    """The part of each record, numbered from 0; None if even the whole table fails."""
    records = len(columns[0])
    spans = [max(1, int(column.max()) - int(column.min())) for column in columns]
    everybody = np.arange(records)
    if not _meets(everybody, secrets, demand):
        return None
    parts = np.zeros(records, np.int64)
    waiting, number = [everybody], 0
    while waiting:
        part = waiting.pop()
        sides = _cut(part, columns, spans, secrets, demand)
        if sides is None:
            parts[part] = number
            number += 1
        else:
            waiting += reversed(sides)
    return parts


def _cut(
    part: Integers,
    columns: Sequence[Integers],
    spans: Sequence[int],
    secrets: Sequence[Secret],
    demand: Demand,
) -> tuple[Integers, Integers] | None:
    """The two sides of the first cut that both sides survive."""
    if len(part) < 2 * demand.k:
        return None
    for codes in _widest_first(part, columns, spans):
        for low in _halves(codes):
            sides = part[low], part[~low]
            if all(len(side) >= demand.k for side in sides) and all(
                _meets(side, secrets, demand) for side in sides
            ):
                return sides
    return None


def _widest_first(
    part: Integers, columns: Sequence[Integers], spans: Sequence[int]
) -> Iterator[Integers]:
    own = [column[part] for column in columns]
    widths = [int(codes.max() - codes.min()) / span for codes, span in zip(own, spans, strict=True)]
    order = sorted(range(len(own)), key=lambda place: (-widths[place], place))
    return (own[place] for place in order if widths[place] > 0)


def _halves(codes: Integers) -> Iterator[Flags]:
    """The lower side of the two cuts next to the median, the more even one first."""
    middle = np.partition(codes, len(codes) // 2)[len(codes) // 2]
    sides = [codes < middle, codes <= middle]
    sides.sort(key=lambda side: abs(2 * int(side.sum()) - len(codes)))
    return (side for side in sides if 0 < int(side.sum()) < len(codes))


def _meets(part: Integers, secrets: Sequence[Secret], demand: Demand) -> bool:
    if len(part) < demand.k:
        return False
    if demand.diversity == 1 and demand.closeness is None:
        return True
    together = np.zeros(len(part), np.int64)
    chosen = [
        Secret(secret.codes[part], secret.size, secret.ordered, secret.overall)
        for secret in secrets
    ]
    return bool(met(together, chosen, demand)[0])
