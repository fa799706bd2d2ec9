"""Tables 3 to 5 of paper 002 on data that everybody may have: statistics, every method, measures.

Nothing is charged and nothing is released: synthetic rows are compared with the real ones, which
is what an experiment is for. A synthesiser is still given statistics alone; only measures see rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sudare.engines.microdata import read_microdata
from sudare.facts.drawn import Drawn
from sudare.facts.errors import UsageError
from sudare.facts.microdata import LabelColumn, Microdata, NumberColumn
from sudare.facts.statistics import Statistics
from sudare.facts.synthesis_paper import METHODS, Drawing, Redrawn, SynthesisPaper
from sudare.publish.drawn_rows import as_microdata
from sudare.publish.paper_data import ADULT, CENSUS, PublicTable, find_files, read_complete
from sudare.publish.statistics import exact_statistics
from sudare.randomness.bits import RandomBits, SystemBits
from sudare.risk.compare.measures import compare_measures
from sudare.risk.compare.tied import tied_spearman
from sudare.synthesis.paper.draw import paper_rows
from sudare.synthesis.synthesize import synthesize

# Steps done so far, and how many there are.
Progress = Callable[[int, int], None]
ROWS = 300_000
LEAST_ROWS, MOST_ROWS = 1_000, 10_000_000
TABLES = (ADULT, CENSUS)
STEPS = len(TABLES) * (1 + len(METHODS))


def reproduce_synthesis(
    folder: Path | None,
    *,
    rows: int = ROWS,
    bits: Callable[[], RandomBits] = SystemBits,
    progress: Progress = lambda done, of: None,
) -> SynthesisPaper:
    """Every method on both data sets that lie in `folder`."""
    if not LEAST_ROWS <= rows <= MOST_ROWS:
        raise UsageError(
            f"Rows are between {LEAST_ROWS:,} and {MOST_ROWS:,}.", "The paper has 300,000."
        )
    files, done = find_files(folder), 0

    def step() -> None:
        nonlocal done
        done += 1
        progress(done, STEPS)

    found = tuple(redrawn(files[each.data], each, rows, bits, step) for each in TABLES)
    return SynthesisPaper(rows, found)


def redrawn(
    path: Path,
    table: PublicTable,
    rows: int,
    bits: Callable[[], RandomBits],
    step: Callable[[], None],
) -> Redrawn:
    """All methods on one data set."""
    data, schema = read_complete(path, table)
    run = _Run(
        read_microdata(data, table.names, schema),
        exact_statistics(data, schema, "tables"),
        exact_statistics(data, schema, "moments"),
        rows,
        bits,
    )
    step()
    drawings = []
    for method in METHODS:
        drawings.append(run.drawing(method))
        step()
    return Redrawn(
        table.data,
        run.real.rows,
        len(table.bounds),
        len(table.names) - len(table.bounds),
        run.constants(),
        tuple(drawings),
    )


@dataclass(frozen=True, eq=False)
class _Run:
    """The real rows, which only measures see, and the statistics that the methods see."""

    real: Microdata
    tables: Statistics
    moments: Statistics
    rows: int
    bits: Callable[[], RandomBits]

    def drawn(self, method: str) -> Drawn:
        match method:
            case "a" | "b" | "paper":
                return paper_rows(self.moments, self.rows, self.bits(), method)
            case "argmax":
                return paper_rows(self.moments, self.rows, self.bits(), decoding="argmax")
            case "literal":
                return paper_rows(self.moments, self.rows, self.bits(), roots="literal")
            case "moments":
                return synthesize(self.moments, self.rows, self.bits(), preserve="moments")
            case _:
                return synthesize(self.tables, self.rows, self.bits(), preserve="tables")

    def drawing(self, method: str) -> Drawing:
        """One method: its rows, and how far they are off."""
        start = time.perf_counter()
        rows = as_microdata(self.drawn(method), self.moments.marginals)
        seconds = time.perf_counter() - start
        found = compare_measures(self.real, rows)
        return Drawing(
            method,
            found.moments.ave_mean,
            found.moments.ave_cov,
            found.crosses.ave_cross_cells,
            found.crosses.ave_cross,
            tied_spearman(self.real, rows),
            found.ranks.ave_spearman,
            found.crosses.two_way_tv,
            max(found.moments.max_mean_scaled, found.moments.max_cov_scaled),
            outside(self.moments, rows),
            fractions(rows),
            seconds,
        )

    def constants(self) -> tuple[str, ...]:
        """Columns of which every row has the same value."""
        return tuple(
            column.name
            for column in self.real.columns
            if np.ptp(column.codes if isinstance(column, LabelColumn) else column.values) == 0
        )


def outside(statistics: Statistics, synthetic: Microdata) -> float:
    """The share of numbers outside their declared bounds."""
    shares = []
    for each in statistics.numbers:
        column = synthetic[each.name]
        if isinstance(column, NumberColumn):
            # Rounding in the last digits is not what is meant.
            slack = 1e-9 * max(abs(each.low), abs(each.high)) * each.step
            low, high = each.low * each.step - slack, each.high * each.step + slack
            shares.append(((column.values < low) | (column.values > high)).mean())
    return float(np.mean(shares))


def fractions(synthetic: Microdata) -> float:
    """The share of values that are not whole, where only whole numbers exist."""
    shares = [
        (np.abs(column.values - np.round(column.values)) > 1e-9).mean()
        for column in synthetic.columns
        if isinstance(column, NumberColumn) and column.type == "integer"
    ]
    return float(np.mean(shares))
