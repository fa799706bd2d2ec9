"""Synthesise microdata: statistics first, from one of four places, and then rows from them alone.

Exact statistics promise nothing and charge nothing; private ones are measured under the ledger;
randomised reports and statistics files carry the guarantee that they came with. Whatever follows is
post-processing: it sees the statistics and fresh random bits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sudare.engines.synthetic import (
    check_ending,
    dataframe,
    synthetic_table,
    write_synthetic,
)
from sudare.facts.drawn import Drawn
from sudare.facts.errors import InvalidPlan, UsageError
from sudare.facts.extras import require
from sudare.facts.microdata import Microdata
from sudare.facts.rules import CompiledRule
from sudare.facts.schema import Schema
from sudare.facts.statistics import Marginal, Statistics
from sudare.facts.synthesized import Mode, Preserve, Synthesized
from sudare.publish.given_statistics import bound_rules_of, refuse_lags, rules_of
from sudare.publish.statistics import Progress, silent
from sudare.publish.synthetic_facts import measured_beside, synthesized_facts
from sudare.randomness.bits import RandomBits, SystemBits
from sudare.synthesis.contradictions import check_statistics
from sudare.synthesis.matching.match import Matched
from sudare.synthesis.panel import PanelModel, fit_panel, long_marginals
from sudare.synthesis.paper.coding import layout_of
from sudare.synthesis.paper.draw import paper_rows
from sudare.synthesis.paper.target import check_sums
from sudare.synthesis.ruled import stated_breaks
from sudare.synthesis.synthesize import Model, fit_model

MOST_ROWS = 2**31


@dataclass(frozen=True)
class Wish:
    """What is to be made of statistics: how many rows (as many as there were, if None), which
    statistics are to be kept, and by which method."""

    rows: int | None = None
    preserve: Preserve = "tables"
    mode: Mode = "default"

    def __post_init__(self) -> None:
        if self.rows is not None and not 0 < self.rows <= MOST_ROWS:
            raise InvalidPlan(
                "The number of synthetic rows must be above 0 and at most 2147483648.",
                "Leave --rows out for as many as the statistics speak of.",
            )


@dataclass(frozen=True, eq=False)
class Made:
    """Synthetic rows in memory and their certificate."""

    facts: Synthesized
    drawn: Drawn
    marginals: tuple[Marginal, ...]

    def table(self) -> Any:
        """The rows as an Arrow table."""
        return synthetic_table(self.drawn, self.marginals)

    def dataframe(self, like: object) -> Any:
        """The rows in the type of `like`."""
        return dataframe(self.table(), like)

    def write(self, path: Path, encoding: str | None = None) -> Made:
        """Write the rows; the certificate then names the file."""
        digest = write_synthetic(path, self.table(), encoding)
        return replace(self, facts=replace(self.facts, file={"name": path.name, "sha256": digest}))


def check_wish(schema: Schema, wish: Wish, lags: int | None) -> None:
    """Refuse before anything is charged what is refused in any case."""
    if schema.panel is None:
        refuse_lags(lags)
    else:
        _refuse_paper(wish, "A panel")


def check_ready(mode: Mode) -> None:
    """Refuse before anything is charged or read what cannot be made for want of a module."""
    if mode == "default":
        require("synthesis", "scipy")


def check_output(path: Path) -> None:
    """Refuse a name before anything is charged or read for it."""
    check_ending(path)


@dataclass(frozen=True, eq=False)
class Fitted:
    """Statistics that rows can be drawn from as often as one likes; `model` is None in the paper's
    modes, which have nothing to fit."""

    statistics: Statistics
    wish: Wish
    rules: tuple[CompiledRule, ...]
    model: Model | None

    def make(
        self,
        rows: int | None = None,
        *,
        bits: RandomBits | None = None,
        progress: Progress = silent,
        beside: Microdata | None = None,
    ) -> Made:
        """So many rows, or as many as the statistics speak of, with their certificate; where the
        real rows are at hand, the rows are measured `beside` them as `sudare compare` does."""
        statistics, fresh = self.statistics, bits or SystemBits()
        count = rows if rows is not None else max(round(statistics.rows), 1)
        wish = replace(self.wish, rows=count)
        matched: Matched | None = None
        marginals = statistics.marginals
        if wish.mode != "default":
            drawn = paper_rows(statistics, count, fresh, wish.mode)
        else:
            assert self.model is not None
            drawn, matched = self.model.sample(count, fresh, progress)
        if statistics.panel is not None:
            marginals = long_marginals(statistics)
        progress("describe", 0.0)
        facts = synthesized_facts(
            statistics, wish.preserve, wish.mode, drawn, matched, marginals, self.rules
        )
        if beside is not None:
            facts = replace(facts, **measured_beside(beside, drawn, marginals))
        return Made(facts, drawn, marginals)

    def records(self, rows: int, bits: RandomBits) -> Drawn:
        """So many records as they are drawn, of a panel one a person."""
        if self.model is None:
            assert self.wish.mode != "default"
            return paper_rows(self.statistics, rows, bits, self.wish.mode)
        if isinstance(self.model, PanelModel):
            return self.model.wide(rows, bits)[0]
        return self.model.sample(rows, bits)[0]


def fitted(
    statistics: Statistics,
    wish: Wish,
    *,
    bits: RandomBits | None = None,
    progress: Progress = silent,
) -> Fitted:
    """Check statistics and fit what rows are drawn from."""
    check_statistics(statistics)
    if statistics.origin == "exact" and statistics.panel is None:
        stated_breaks(statistics, bound_rules_of(statistics))
    return unchecked(statistics, wish, bits=bits, progress=progress)


def unchecked(
    statistics: Statistics,
    wish: Wish,
    *,
    bits: RandomBits | None = None,
    progress: Progress = silent,
) -> Fitted:
    """The same of statistics that were counted a moment ago."""
    fresh, rules = bits or SystemBits(), rules_of(statistics)
    model: Model | None = None
    if statistics.panel is not None:
        _refuse_paper(wish, "A panel")
        model = fit_panel(statistics, fresh, wish.preserve, rules, progress)
    elif wish.mode == "paper":
        check_sums(statistics, layout_of(statistics))
    elif wish.mode == "default":
        model = fit_model(statistics, fresh, wish.preserve, rules, progress)
    return Fitted(statistics, wish, rules, model)


def make(
    statistics: Statistics,
    wish: Wish,
    *,
    bits: RandomBits | None = None,
    progress: Progress = silent,
    beside: Microdata | None = None,
) -> Made:
    """Rows from statistics alone; `beside` are the real ones, to measure the others by."""
    found = fitted(statistics, wish, bits=bits, progress=progress)
    return found.make(wish.rows, bits=bits, progress=progress, beside=beside)


def _refuse_paper(wish: Wish, what: str) -> None:
    if wish.mode != "default":
        raise UsageError(
            f"{what} has no paper mode.", "Leave --mode and --method out; the paper has no panels."
        )
