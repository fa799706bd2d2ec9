"""The schema's rules over level codes: which records break them, which cells no record may have.

Claim    a record is reported as broken exactly where the violation of some rule is true of the
         values behind its codes; a cell of `zero_cells` exactly where a rule that looks at no
         other column is broken by it.
Needs    levels cut as cutting.py says; other levels are refused when the rules are built.
Gaps     a pair of levels that only several rules together, over a third column, exclude is no
         zero cell; `possible.impossible_levels` finds levels, not pairs, that fall this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.facts.rules import CompiledRule
from sudare.synthesis.rules.levels import AllLevels
from sudare.synthesis.rules.truth import Codes, Formula, Mask, certain, holds

BLOCK = 1 << 15


class Rules:
    """Compiled rules bound to the levels of their columns."""

    def __init__(self, compiled: Sequence[CompiledRule], levels: AllLevels) -> None:
        self.compiled = tuple(compiled)
        self.levels = dict(levels)
        self.columns = frozenset[str]().union(*(rule.columns for rule in self.compiled))
        self.violations: tuple[Formula, ...] = tuple(
            certain(rule.test, self.levels, True) for rule in self.compiled
        )

    def breaks(self, codes: Codes) -> Iterator[Mask]:
        """For each rule, the records that break it."""
        # Codes are widened once, not anew for every look-up that uses the column.
        wide = {name: np.asarray(codes[name], dtype=np.intp) for name in self.columns}
        for formula in self.violations:
            yield holds(formula, wide)

    def broken(self, codes: Codes) -> Mask:
        """The records that break some rule. Columns that no rule looks at may be left out."""
        found = np.zeros(len(next(iter(codes.values()))), dtype=np.bool_)
        for start, block in _blocks(codes):
            for mask in self.breaks(block):
                found[start : start + len(mask)] |= mask
        return found

    def broken_by_rule(self, codes: Codes) -> NDArray[np.int64]:
        """How many records break each rule, in the order of the schema."""
        found = np.zeros(len(self.compiled), dtype=np.int64)
        for _, block in _blocks(codes):
            for rule, mask in enumerate(self.breaks(block)):
                found[rule] += np.count_nonzero(mask)
        return found

    def zero_levels(self, column: str) -> Mask:
        """The levels of a column that a rule on it alone excludes."""
        codes = {column: np.arange(self.levels[column].size)}
        return self._excluded(codes)

    def zero_cells(self, a: str, b: str) -> Mask:
        """The pairs of levels of two different columns that a rule on one or both excludes."""
        rows, columns = np.ogrid[: self.levels[a].size, : self.levels[b].size]
        return self._excluded({a: rows, b: columns})

    def _excluded(self, codes: Codes) -> Mask:
        shape = np.broadcast_shapes(*(each.shape for each in codes.values()))
        found = np.zeros(shape, dtype=np.bool_)
        for rule, formula in zip(self.compiled, self.violations, strict=True):
            if rule.columns <= codes.keys():
                found |= holds(formula, codes)
        return found


def _blocks(codes: Codes) -> Iterator[tuple[int, Codes]]:
    """The records in runs that stay in the processor's cache, with the place of the first."""
    rows = len(next(iter(codes.values())))
    for start in range(0, rows, BLOCK):
        yield start, {name: column[start : start + BLOCK] for name, column in codes.items()}
