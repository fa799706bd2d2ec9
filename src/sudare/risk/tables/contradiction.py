"""No data set fits all parts: which of them, and which of their rows, cannot go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sudare.facts.disclosure import Interval
from sudare.facts.errors import InvalidTables
from sudare.risk.tables.deadline import Deadline
from sudare.risk.tables.linear import Linear
from sudare.risk.tables.parts import Limits, PersonLimits
from sudare.risk.tables.program import Program
from sudare.risk.tables.ways import smallest_sets

AnyPart = Limits | PersonLimits
Unit = tuple[int, int]
_ANY = Interval(0, None)


def contradiction(size: int, parts: Sequence[AnyPart], deadline: Deadline) -> InvalidTables:
    """The error that names a smallest contradicting set, by part and then by row."""

    def clash(chosen: frozenset[int]) -> bool:
        whole = len(chosen) == len(parts)
        return whole or _impossible(size, [parts[n] for n in chosen], deadline)

    guilty = [parts[n] for n in sorted(next(smallest_sets(len(parts), clash)))]
    units = [(n, row) for n, part in enumerate(guilty) for row in range(_height(part))]

    def row_clash(chosen: frozenset[int]) -> bool:
        kept = {units[n] for n in chosen}
        whole = len(kept) == len(units)
        return whole or _impossible(size, list(_reduced(guilty, kept)), deadline)

    rows = next(smallest_sets(len(units), row_clash))
    names = list(_names(guilty, {units[n] for n in rows}))
    stopped = " --time-limit ended the search for a smaller set." if deadline.stopped else ""
    return InvalidTables(
        f"No data set fits {_listed(names)}: they contradict each other.",
        "Check these counts and whom they cover; a table with noise has to be marked with "
        f"--noisy, or noise = true in the facts file.{stopped}",
    )


def _impossible(size: int, parts: Sequence[AnyPart], deadline: Deadline) -> bool:
    if deadline.over():
        return False
    limits = [part for part in parts if isinstance(part, Limits)]
    persons = [part for part in parts if isinstance(part, PersonLimits)]
    found = Program(Linear(size, limits, persons)).feasible(deadline.left(0.5))
    deadline.stopped |= not found.proved
    return found.values is None and found.proved


def _height(part: AnyPart) -> int:
    return len(part.counts) if isinstance(part, Limits) else 1


def _reduced(parts: Sequence[AnyPart], kept: set[Unit]) -> Iterator[AnyPart]:
    """The parts with only some of their rows; a row that is left out may have any count."""
    for n, part in enumerate(parts):
        if isinstance(part, Limits):
            counts = [c if (n, row) in kept else _ANY for row, c in enumerate(part.counts)]
            yield replace(part, counts=tuple(counts))
        elif (n, 0) in kept:
            yield part


def _names(parts: Sequence[AnyPart], kept: set[Unit]) -> Iterator[str]:
    for n, part in enumerate(parts):
        if part.part.kind == "table" and isinstance(part, Limits):
            numbers = [part.numbers[row] for m, row in sorted(kept) if m == n]
            shown = [f"row {number}" for number in numbers if number is not None]
            yield f"{part.part.name} ({', '.join(shown) or 'whole'})"
        elif part.part.kind == "population":
            yield "the population"
        else:
            yield f"“{part.part.name}”"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
