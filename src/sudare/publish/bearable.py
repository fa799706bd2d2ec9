"""Exact statistics that the rows bear, tested on people held out before anything is written.

Claim    what is returned has the shape that was tested: statistics of the people of one part, in
         this shape, gave rows that were not nearer to them than to people held out, beyond the
         limit. All rows together are more people for a shape that is no finer.
Gaps     a test, not a proof, and at 99 %: a shape whose true share is above the limit passes about
         once in a hundred tests, of which there are at most seven. Nothing here bounds an attacker;
         --epsilon does.
         Unlike every other refusal this one depends on the rows. It is the steward's own, who is
         about to publish exact figures of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.engines.held import HeldRows
from sudare.engines.microdata import columns_in
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import DisclosureRefused
from sudare.facts.microdata import Microdata
from sudare.facts.nearness import LIMIT, Nearness
from sudare.facts.schema import Schema
from sudare.facts.statistics import Statistics
from sudare.facts.synthesized import Mode, Preserve
from sudare.publish.counted_units import people_in
from sudare.publish.drawn_rows import as_microdata
from sudare.publish.given_statistics import refuse_lags
from sudare.publish.panels import panel_rows
from sudare.publish.recording import source_facts
from sudare.publish.statistics import Progress, Rows, judged, silent, table_rows
from sudare.publish.synthesize import Wish, unchecked
from sudare.randomness.bits import RandomBits, SystemBits
from sudare.randomness.choice import permutation
from sudare.risk.nearness import Looks
from sudare.synthesis.bearing import WHOLE, Shape, capacity, freedom, shapes
from sudare.synthesis.levels import MINIMUM

# Rows that are held for the test; of a longer table the first ones.
_MOST_HELD = 100_000
# Fewer people than this are not tested: one split of them differs from the next by more than the
# limit leaves, and the interval is no longer normal.
_FEWEST = 100
# Synthetic rows of a look where there are several, and of a single one.
_DRAWN, _DRAWN_ONCE = 2_000, 8_000
# Up to so many people are dealt several times, and are used and held out in turn.
_FEW, _DEALS = 2_000, 3


@dataclass(frozen=True)
class Way:
    """How statistics are made and rows of them: what `Wish` says, the fewest people of a bin, and
    whether sums within categories are stated (the paper's methods want them)."""

    preserve: Preserve = "tables"
    mode: Mode = "default"
    minimum: int = MINIMUM
    with_sums: bool = False

    def stated(self, statistics: Statistics, shape: Shape) -> Statistics:
        """Sums within categories say no more than two-way tables do; they are stated where the
        tables are not."""
        plain = self.preserve == "tables" and shape.tables and not self.with_sums
        return replace(statistics, shifts={}) if plain else statistics


@dataclass(frozen=True, eq=False)
class Tested:
    """Exact statistics, and the rows that they are of where all were held and a row is a record:
    what is made of the statistics can be measured beside them, and is never made of them."""

    statistics: Statistics
    beside: Microdata | None


def exact(
    data: object,
    schema: Schema,
    preserve: Preserve = "tables",
    *,
    mode: Mode = "default",
    columns: tuple[str, ...] | None = None,
    lags: int | None = None,
    minimum: int = MINIMUM,
    with_sums: bool = False,
    accept_disclosure: bool = False,
    engine: EngineChoice = AUTO,
    bits: Callable[[], RandomBits] = SystemBits,
    progress: Progress = silent,
) -> Tested:
    """Exact statistics of rows, or of a panel where the schema declares one, as fine as the rows
    bear, or none. Nothing is charged, because nothing is promised. Who accepts disclosure gets them
    whole and untested."""
    if schema.panel is None:
        refuse_lags(lags)
    way = Way(preserve, mode, minimum, with_sums or mode != "default")
    with _opened(data, schema, columns, lags, engine, progress) as rows:
        job = _Job(rows, way, accept_disclosure, bits(), progress)
        held = job.held()
        found, told = job.bearable(held)
        is_whole = held.is_all and held.rows <= _MOST_HELD and rows.panel is None
        beside = held.microdata(rows.schema) if is_whole else None
    facts = {**source_facts(data, engine), "schema_sha256": schema.digest(), "nearness": told}
    return Tested(replace(judged(found), provenance=facts), beside)


@contextmanager
def _opened(
    data: object,
    schema: Schema,
    columns: tuple[str, ...] | None,
    lags: int | None,
    engine: EngineChoice,
    progress: Progress,
) -> Iterator[Rows]:
    if schema.panel is not None:
        with panel_rows(data, schema, lags, columns, engine, progress) as rows:
            yield rows
        return
    people = people_in(schema, columns_in(data, schema, engine))
    with table_rows(data, schema, columns, engine, people) as rows:
        yield rows


@dataclass(eq=False)
class _Job:
    rows: Rows
    way: Way
    accepts: bool
    bits: RandomBits
    progress: Progress

    def held(self) -> HeldRows:
        return self.rows.held(_MOST_HELD)

    def bearable(self, held: HeldRows) -> tuple[Statistics, dict[str, Any]]:
        """The finest statistics that pass, and what is told of the test."""
        whole = self._counted(held, WHOLE)
        looked = held.first(_MOST_HELD)
        if self.accepts:
            return whole, self._told(whole, looked, WHOLE, None)
        last: Nearness | None = None
        for shape in self._shapes(whole, looked.people // 2):
            last = self._tested(looked, shape)
            if last is not None and last.is_safe:
                found = whole if shape.is_whole else self._counted(held, shape)
                return found, self._told(found, looked, shape, last)
        raise _refusal(last)

    def _shapes(self, whole: Statistics, people: int) -> Iterator[Shape]:
        # The paper's methods have no coarser statistics.
        if self.way.mode != "default":
            return iter((WHOLE,))
        return shapes(whole, people, self.way.preserve == "tables")

    def _counted(self, held: HeldRows, shape: Shape) -> Statistics:
        """Of all rows, which are read again where they were not all held."""
        whole = held if held.is_all else None
        found = self.rows.statistics(
            self.way.preserve, self.way.minimum, shape, held=whole, progress=self.progress
        )
        return self.way.stated(found, shape)

    def _told(
        self, found: Statistics, held: HeldRows, shape: Shape, seen: Nearness | None
    ) -> dict[str, Any]:
        return {
            **({} if seen is None else seen.to_dict()),
            "limit": LIMIT,
            "is_safe": seen is not None and seen.is_safe,
            "accepted": self.accepts,
            "reduced": not shape.is_whole,
            "levels": shape.most,
            "tables_of_numbers": shape.tables and self.way.preserve == "tables",
            "pairs": shape.pairs,
            "freedom": freedom(found),
            "capacity": capacity(held.people, found),
        }

    def _tested(self, held: HeldRows, shape: Shape) -> Nearness | None:
        """What several looks find; None where there are too few people to look."""
        people = held.people
        if people < _FEWEST:
            return None
        splits, sides = (_DEALS, (True, False)) if people <= _FEW else (1, (True,))
        values, looks = held.microdata(self.rows.schema), Looks(people)
        count = _DRAWN if len(sides) > 1 else _DRAWN_ONCE
        done, every = 0, splits * len(sides)
        for _ in range(splits):
            first = permutation(self.bits, people) < people // 2
            for side in sides:
                self.progress("nearness", done / every)
                done += 1
                used = first[held.who] == side
                looks.look(values, held.who, used, self._drawn(held, used, shape, count))
            # Both sides together: what chance dealt to the first is taken back by the second.
            if looks.is_surely_unsafe:
                break
        return looks.found()

    def _drawn(
        self, held: HeldRows, used: NDArray[np.bool_], shape: Shape, count: int
    ) -> Microdata:
        """Rows made as they will be made of all, of these alone."""
        part = self.rows.statistics(
            self.way.preserve, self.way.minimum, shape, held=held.part(used)
        )
        wish = Wish(count, self.way.preserve, self.way.mode)
        model = unchecked(self.way.stated(part, shape), wish, bits=self.bits)
        return as_microdata(model.records(count, self.bits), part.marginals)


def _refusal(seen: Nearness | None) -> DisclosureRefused:
    hint = (
        "Make rows with a guarantee: --epsilon 1 --delta 1e-9. Or give fewer columns (--columns) "
        "or more rows; --accept-disclosure writes exact ones all the same."
    )
    if seen is None:
        return DisclosureRefused(
            "There are too few people for exact statistics of so many columns.", hint
        )
    if seen.nearer.value <= LIMIT and (seen.guessed is None or seen.guessed.value <= LIMIT):
        return DisclosureRefused(
            "There are too few people to show that exact statistics do not give them away.", hint
        )
    share = f"{100 * seen.nearer.value:.0f} %"
    return DisclosureRefused(
        f"Exact statistics give people away: {share} of the synthetic rows lie nearer to somebody "
        "they were made of than to anybody held out, where 50 % is chance.",
        hint,
    )
