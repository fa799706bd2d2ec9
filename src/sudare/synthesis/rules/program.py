"""Rules as a small integer program: one record, as many rules kept as wanted.

Claim    `record(kept)` is a record that keeps the rules `kept` and, among those, keeps or shows
         the most of what `wish` asks for; None where no record keeps them.
Symbols  x[c, k] = 1 where column c takes atom k, Σ_k x[c, k] = 1. A rule is kept where the
         negation of its violation holds: a look-up is a sum of x, an "or" z ≤ Σ parts, an "and"
         z ≤ each part. Parts occur without "not", so the largest z is 1 exactly where the part
         holds, and no z has to be declared whole.
Needs    scipy's HiGHS, which dp-accounting brings along. A found record is trusted only after the
         rules were evaluated on it; that there is none rests on HiGHS.
Gaps     none known; tests compare with all records of small schemas.

Levels that no look-up tells apart are one **atom**: a hundred ages under three thresholds are four.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.extras import needs
from sudare.synthesis.rules.rules import Rules
from sudare.synthesis.rules.truth import And, Formula, Lookup, Or, holds, lookups, negated

Place = tuple[str, int]
Record = dict[str, int]
Floats = NDArray[np.float64]


class Undecided(Exception):
    """The solver gave up before it found a record or that there is none."""


class Program:
    """The rules over the atoms of their columns."""

    def __init__(self, rules: Rules) -> None:
        self._violations = rules.violations
        self.atoms = {name: _atoms(name, rules) for name in sorted(rules.columns)}
        self._places: list[Place] = [
            (name, atom) for name, of in self.atoms.items() for atom in range(of.max() + 1)
        ]
        self._where = {place: n for n, place in enumerate(self._places)}
        self._rows: list[dict[int, float]] = []
        self._low: list[float] = []
        self._high: list[float] = []
        self._size = len(self._places)
        for name, of in self.atoms.items():
            one = {self._where[name, atom]: 1.0 for atom in range(of.max() + 1)}
            self._add(one, 1.0, 1.0)
        self._roots = [self._kept(negated(formula)) for formula in self._violations]

    def _add(self, row: dict[int, float], low: float, high: float) -> None:
        self._rows.append(row)
        self._low.append(low)
        self._high.append(high)

    def _kept(self, formula: Formula) -> int:
        """A variable that can be 1 exactly where the formula holds."""
        at, self._size = self._size, self._size + 1
        match formula:
            case Lookup(column, truth):
                shown = set(self.atoms[column][truth].tolist())
                parts = [{self._where[column, atom]: -1.0 for atom in shown}]
            case And(parts=joined):
                parts = [{self._kept(part): -1.0} for part in joined]
            case Or(parts=joined):
                parts = [{self._kept(part): -1.0 for part in joined}]
        for part in parts:
            self._add({at: 1.0, **part}, -np.inf, 0.0)
        return at

    def record(
        self,
        kept: Iterable[int],
        wish: Collection[int] | Collection[Place] = (),
        only: Mapping[str, Collection[int]] | None = None,
        nodes: int | None = None,
    ) -> Record | None:
        """Atoms by column: the rules `kept` hold, columns named in `only` take one of those
        atoms, and as many of the wished rules (numbers) or places hold as can. With `nodes` the
        search ends after so many: wishes may then fall short, or `Undecided` is raised."""
        low, high = np.zeros(self._size), np.ones(self._size)
        required = sorted(set(kept))
        low[[self._roots[rule] for rule in required]] = 1.0
        for name, atoms in (only or {}).items():
            barred = set(range(self.atoms[name].max() + 1)) - set(atoms)
            high[[self._where[name, atom] for atom in barred]] = 0.0
        goal = np.zeros(self._size)
        for each in wish:
            goal[self._roots[each] if isinstance(each, int) else self._where[each]] = -1.0
        found = self._solve(goal, low, high, nodes)
        if found is None:
            return None
        record = {name: atom for (name, atom), n in self._where.items() if found[n] > 0.5}
        if not self.kept(record).issuperset(required):
            raise RuntimeError("the solver's record breaks a rule that it was to keep")
        return record

    def kept(self, record: Record) -> frozenset[int]:
        """The rules that a record of atoms keeps."""
        codes = {name: np.array(self.code(name, atom)) for name, atom in record.items()}
        held = [bool(holds(formula, codes)) for formula in self._violations]
        return frozenset(rule for rule, is_broken in enumerate(held) if not is_broken)

    def code(self, name: str, atom: int) -> int:
        """The first level of an atom."""
        return int(np.argmax(self.atoms[name] == atom))

    @cached_property
    def _constraints(self) -> Any:
        with needs("synthesis"):
            from scipy import sparse
            from scipy.optimize import LinearConstraint

        entries = [(n, at, sign) for n, row in enumerate(self._rows) for at, sign in row.items()]
        rows, columns, signs = zip(*entries, strict=True)
        matrix = sparse.csr_matrix((signs, (rows, columns)), (len(self._rows), self._size))
        return LinearConstraint(matrix, self._low, self._high)

    def _solve(self, goal: Floats, low: Floats, high: Floats, nodes: int | None) -> Floats | None:
        with needs("synthesis"):
            from scipy.optimize import Bounds, milp

        found = milp(
            goal,
            integrality=np.arange(self._size) < len(self._places),
            bounds=Bounds(low, high),
            constraints=self._constraints,
            options={} if nodes is None else {"node_limit": nodes},
        )
        if found.status != 2 and found.x is None:
            raise Undecided(f"the solver ended with status {found.status}")
        return None if found.x is None else np.asarray(found.x)


def _atoms(name: str, rules: Rules) -> NDArray[np.intp]:
    """For each level of a column the number of its atom."""
    tables = [
        each.truth
        for formula in rules.violations
        for each in lookups(formula)
        if each.column == name
    ]
    told = np.unique(np.array(tables), axis=1, return_inverse=True)[1]
    return np.asarray(told, dtype=np.intp).reshape(-1)
