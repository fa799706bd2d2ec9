"""The whole check: tables and facts in, what is certain out.

Claim    With `finished`, `certain` lists (by shortest descriptions) exactly what holds for the
         people who fit a description, or for a named person, in every data set that is
         consistent with all exact tables and facts, apart from what the facts say alone.
Source   Paper 001, section 2: a zero that is no structural zero, k-anonymity, the mosaic effect.
Needs    the tables are exact and the facts true; values not declared do not exist.
Gaps     probable is not certain: what an attacker may guess with good odds is not listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sudare.facts.disclosure import Certain, Description, TableCheck
from sudare.facts.errors import InvalidTables
from sudare.risk.tables.background import Background, TableFacts
from sudare.risk.tables.certain import Claim, against, find_claims, fitting
from sudare.risk.tables.contradiction import contradiction
from sudare.risk.tables.deadline import Deadline
from sudare.risk.tables.explain import Explainer
from sudare.risk.tables.grid import Grid, make_grid
from sudare.risk.tables.intervals import Ruler
from sudare.risk.tables.narrow import find_narrow
from sudare.risk.tables.parts import make_limits, make_persons
from sudare.risk.tables.possible import Possible, find_possible
from sudare.risk.tables.published import Published

# Shares of the time that is left: finding what is certain, then explaining it, then measuring.
SEARCHING = 0.7
EXPLAINING = 0.6


def check_tables(
    background: Background,
    tables: Sequence[Published],
    facts: Mapping[str, TableFacts],
    narrow: int,
    deadline: Deadline,
) -> TableCheck:
    """Everything that the exact tables make certain; tables with noise are not given here."""
    grid, inferred = make_grid(background, tables)
    sensitive = _sensitive(background, grid)
    limits = make_limits(grid, background, tables, facts)
    persons = make_persons(grid, background.persons)
    stage = deadline.part(SEARCHING)
    found = find_possible(grid.size, limits, persons, stage)
    if found.consistent is False:
        raise contradiction(grid.size, [*limits, *persons], deadline)
    facts_alone = [each for each in limits if each.part.kind != "table"]
    before = find_possible(grid.size, facts_alone, persons, deadline)
    claims = _ordered(list(_claims(grid, background, sensitive, found, before)))
    ruler = Ruler(found, deadline)
    stage = deadline.part(EXPLAINING)
    explainer = Explainer(grid.size, limits, persons, stage)
    written = []
    for n, each in enumerate(claims):
        stage.tell("explaining", n, len(claims))
        written.append(_written(grid, background, each, ruler, explainer))
    deadline.stopped |= stage.stopped
    return TableCheck(
        tables=tuple(table.name for table in tables),
        noisy=(),
        population=ruler.measure(np.ones(grid.size, dtype=np.bool_)),
        sensitive=sensitive,
        certain=tuple(each for each in written if not each.excluded),
        excluded=tuple(each for each in written if each.excluded),
        narrow=tuple(find_narrow(grid, limits, ruler, narrow, deadline)),
        overlapping=tuple(each.part.name for each in limits if each.shared),
        inferred=inferred,
        absent=(),
        finished=found.finished,
        refined=not deadline.stopped,
        seconds=deadline.spent(),
    )


def _sensitive(background: Background, grid: Grid) -> tuple[str, ...]:
    """The attributes an attacker wants; all of them, unless the facts file says."""
    for name in background.sensitive:
        if name not in grid.names:
            raise InvalidTables(
                f"The sensitive attribute '{name}' is in no table and not declared.",
                f"Attributes: {', '.join(grid.names)}.",
            )
    return background.sensitive or grid.names


@dataclass(frozen=True)
class _Found:
    """A claim with its person, if it is about a named one."""

    claim: Claim
    person: int | None


def _claims(
    grid: Grid,
    background: Background,
    sensitive: Sequence[str],
    now: Possible,
    before: Possible,
) -> Iterator[_Found]:
    """What holds with the tables and did not hold before them."""
    for name in sensitive:
        attribute = grid.names.index(name)
        kept = [n for n in grid.names if n != name and n not in background.sensitive]
        known = [grid.names.index(n) for n in kept]
        for claim in find_claims(grid, now.cells, known, attribute):
            if (before.cells & against(grid, claim)).any():
                yield _Found(claim, None)
        for person, (seats, earlier) in enumerate(zip(now.seats, before.seats, strict=True)):
            for claim in find_claims(grid, seats, (), attribute):
                if (earlier & against(grid, claim)).any():
                    yield _Found(claim, person)


def _ordered(found: Sequence[_Found]) -> list[_Found]:
    """The certain before the excluded, named persons first, short descriptions first."""
    return sorted(found, key=lambda f: (f.claim.excluded, f.person is None, len(f.claim.who)))


def _written(
    grid: Grid, background: Background, found: _Found, ruler: Ruler, explainer: Explainer
) -> Certain:
    """A claim in words, with the number of people it is about and the ways to it."""
    claim, cells = found.claim, against(grid, found.claim)
    name = None if found.person is None else list(background.persons)[found.person]
    who: Description = tuple((grid.names[a], grid.values[grid.names[a]][v]) for a, v in claim.who)
    if name is not None:
        who = tuple((a, "|".join(values)) for a, values in background.persons[name].items())
    return Certain(
        who=who,
        attribute=grid.names[claim.attribute],
        value=grid.values[grid.names[claim.attribute]][claim.value],
        excluded=claim.excluded,
        person=name,
        people=None if name is not None else ruler.measure(fitting(grid, claim)),
        ways=explainer.ways(cells, found.person),
    )
