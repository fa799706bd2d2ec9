"""Whether the rules leave a possible record, which one, and which levels none can have.

Claim    `check` raises exactly where no tuple of levels keeps all rules; `impossible_levels` are
         exactly the levels that no such tuple has, all rules taken together.
Needs    levels that hold a value each; the refusal depends on schema and levels, not on counts.
Gaps     as program.py: that there is no record rests on HiGHS.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.errors import ImpossibleRules
from sudare.synthesis.rules.contradiction import searched, smallest_contradiction
from sudare.synthesis.rules.phrases import condition
from sudare.synthesis.rules.program import Program
from sudare.synthesis.rules.rules import Rules
from sudare.synthesis.rules.truth import Mask

# A warning goes without its reasons rather than let anyone wait for them.
REASON_ROUNDS = 12


def check(rules: Rules) -> tuple[str, ...]:
    """Refuse rules that leave no record; else say which values they leave to nobody."""
    possible_record(rules)
    return tuple(
        _warning(rules, column, excluded)
        for column, excluded in impossible_levels(rules).items()
        if excluded.any()
    )


def possible_record(rules: Rules) -> dict[str, int]:
    """A code for every column, such that no rule is broken; columns without rules have code 0."""
    program = Program(rules)
    record = program.record(range(len(rules.compiled))) if rules.compiled else {}
    if record is None:
        found, is_smallest = smallest_contradiction(program, len(rules.compiled))
        raise ImpossibleRules(tuple(rules.compiled[rule].shown for rule in found), is_smallest)
    codes = {name: program.code(name, atom) for name, atom in record.items()}
    return {name: codes.get(name, 0) for name in rules.levels}


def impossible_levels(rules: Rules) -> dict[str, Mask]:
    """For each column that a rule looks at, the levels that no possible record has."""
    program = Program(rules)
    unseen = {(name, atom) for name, of in program.atoms.items() for atom in of.tolist()}
    while unseen:
        record = program.record(range(len(rules.compiled)), wish=unseen)
        shown = unseen & set((record or {}).items())
        if not shown:
            break
        unseen -= shown
    return {
        name: np.isin(of, [atom for column, atom in unseen if column == name])
        for name, of in program.atoms.items()
    }


def _warning(rules: Rules, column: str, excluded: Mask) -> str:
    program = Program(rules)
    atoms = set(program.atoms[column][excluded].tolist())
    reasons = searched(program, len(rules.compiled), {column: atoms}, REASON_ROUNDS) or ()
    named = ", ".join(f"'{rules.compiled[rule].shown}'" for rule in reasons)
    text = condition(column, rules.levels[column], excluded)
    return f"No possible record has {text}" + (f", because of {named}." if named else ".")
