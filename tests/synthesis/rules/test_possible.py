"""Satisfiability, smallest contradictions and impossible levels against all records."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

from sudare.facts.errors import ImpossibleRules
from sudare.facts.schema import Schema, make_schema
from sudare.queries.rules import compiled_rules
from sudare.synthesis.rules.contradiction import smallest_contradiction
from sudare.synthesis.rules.possible import check, impossible_levels, possible_record
from sudare.synthesis.rules.program import Program
from sudare.synthesis.rules.rules import Rules
from synthesis.rules.worlds import COLUMNS, levels_of, records, schema_with, world


def smallest_slowly(masks: np.ndarray) -> int | None:
    """The size of a smallest set of rules of which every record breaks one."""
    for size in range(len(masks) + 1):
        for chosen in itertools.combinations(range(len(masks)), size):
            if masks[list(chosen)].any(axis=0).all():
                return size
    return None


@pytest.mark.parametrize("case", range(60))
def test_against_every_record(case: int) -> None:
    rng = random.Random(case)
    _, rules = world(rng, rng.sample(list(COLUMNS), 2), rng.choice([3, 9]))
    codes = records(rules)
    masks = np.array(list(rules.breaks(codes)))
    size = smallest_slowly(masks)
    if size is None:
        record = {name: np.array([code]) for name, code in possible_record(rules).items()}
        assert not rules.broken(record).any()
        kept = ~masks.any(axis=0)
        for name, excluded in impossible_levels(rules).items():
            seen = np.isin(np.arange(rules.levels[name].size), codes[name][kept])
            assert np.array_equal(excluded, ~seen)
        return
    with pytest.raises(ImpossibleRules) as refused:
        check(rules)
    error = refused.value
    numbers = [int(name.removeprefix("rule ")) for name in error.rules]
    assert error.is_smallest
    assert error.exit_code == 4
    assert len(numbers) == size
    assert masks[numbers].any(axis=0).all()
    # Where the search is cut short, what is left still contradicts itself and has no surplus.
    found, is_smallest = smallest_contradiction(Program(rules), len(masks), rounds=0)
    assert not is_smallest
    assert masks[list(found)].any(axis=0).all()
    for rule in found:
        assert not masks[[other for other in found if other != rule]].any(axis=0).all()


def test_both_outcomes_occur_in_the_cases_above() -> None:
    sizes = set()
    for case in range(60):
        rng = random.Random(case)
        _, rules = world(rng, rng.sample(list(COLUMNS), 2), rng.choice([3, 9]))
        sizes.add(smallest_slowly(np.array(list(rules.breaks(records(rules))))))
    assert {None, 1, 2, 3} <= sizes


def rules_of(schema: Schema) -> Rules:
    """The rules over levels without a missing one."""
    compiled = compiled_rules(schema)
    levels = levels_of(schema, compiled, random.Random(7))
    return Rules(compiled, {n: replace(each, has_missing=False) for n, each in levels.items()})


def family(written: list[dict[str, str]]) -> Rules:
    return rules_of(schema_with(written, ["age", "続柄", "employed"]))


def test_the_refusal_names_the_smallest_set() -> None:
    rules = family(
        [
            {"name": "chain 1", "if": "age < 3", "then": "続柄 = '子ども'"},
            {"name": "chain 2", "if": "続柄 = '子ども'", "then": "employed = false"},
            {"name": "young", "never": "age >= 3"},
            {"name": "at work", "never": "employed = false"},
            {"name": "harmless", "if": "続柄 = '夫'", "then": "age >= 2"},
            {"name": "grown", "never": "age < 2"},
            {"name": "not two", "never": "age = 2"},
        ]
    )
    with pytest.raises(ImpossibleRules) as refused:
        check(rules)
    assert refused.value.rules == ("young", "grown", "not two")
    assert refused.value.what == (
        "The rules leave no possible record: 3 contradict each other ('young'; 'grown'; 'not two')."
    )
    assert "no smaller set contradicts itself" in refused.value.hint


def test_levels_for_nobody_are_warned_of() -> None:
    rules = family(
        [
            {"name": "child", "if": "age < 3", "then": "続柄 = '子ども'"},
            {"name": "no work", "if": "続柄 = '子ども'", "then": "employed = false"},
            {"name": "all work", "never": "employed = false"},
        ]
    )
    assert check(rules) == (
        "No possible record has age < 3, because of 'child', 'no work', 'all work'.",
        "No possible record has employed = false, because of 'all work'.",
        "No possible record has 続柄 = '子ども', because of 'no work', 'all work'.",
    )


def test_no_rules_allow_everything() -> None:
    schema = schema_with([], ["age"])
    rules = Rules((), levels_of(schema, (), random.Random(1)))
    assert check(rules) == ()
    assert possible_record(rules) == {"age": 0}


def test_a_long_chain_is_found_whole() -> None:
    """40 booleans in a chain of implications, closed by a contradiction of length 41."""
    columns = {f"b{n}": {"type": "boolean"} for n in range(40)}
    chain = [{"if": f"b{n} = true", "then": f"b{n + 1} = true"} for n in range(39)]
    written = [*chain, {"never": "b0 = false"}, {"never": "b39 = true"}]
    schema = make_schema({"table": {"name": "t"}, "columns": columns, "rules": written})
    with pytest.raises(ImpossibleRules) as refused:
        check(rules_of(schema))
    assert len(refused.value.rules) == 41
