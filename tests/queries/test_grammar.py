"""The tables that are checked in are those that the grammar gives."""

from __future__ import annotations

import lark
import pytest
from lark.grammar import Rule

from sudare.queries import grammar, grammar_tables

QUESTIONS = (
    "count()",
    "mean(age) by (sex, region) where age >= 15 and not (sex = 'F' or 5 < hours) @ 0.2",
    'quantile("first name", 0.25; method=smooth) ± 5%',
    "linear(income ~ age, hours; k=(1, 2)) where a not in (1, true) or b between 1 and 2",
)


def test_tables_are_those_of_the_grammar() -> None:
    """State by state from the start: Lark numbers states and tokens differently at every run."""
    loaded, built = grammar.grammar(), grammar.built()
    assert lark.__version__ == grammar_tables.LARK
    assert _terminals(loaded) == _terminals(built)
    ours, theirs = (parser.parser.parser._parse_table for parser in (loaded, built))
    assert ours.start_states.keys() == theirs.start_states.keys()
    waiting = [(ours.start_states[name], theirs.start_states[name]) for name in ours.start_states]
    seen: dict[object, object] = {}
    while waiting:
        state, other = waiting.pop()
        if state in seen:
            assert seen[state] == other
            continue
        seen[state] = other
        assert ours.states[state].keys() == theirs.states[other].keys()
        for token, (action, where) in ours.states[state].items():
            other_action, other_where = theirs.states[other][token]
            assert str(action) == str(other_action)
            if isinstance(where, Rule):
                assert _rule(where) == _rule(other_where)
            else:
                waiting.append((where, other_where))
    assert len(seen) == len(theirs.states)


def _terminals(parser: lark.Lark) -> set[tuple[object, ...]]:
    return {
        (one.name, one.pattern.value, frozenset(one.pattern.flags), one.priority)
        for one in parser.terminals
    }


def _rule(rule: Rule) -> tuple[object, ...]:
    given = rule.options
    return (
        rule.origin.name,
        [symbol.name for symbol in rule.expansion],
        [getattr(symbol, "filter_out", None) for symbol in rule.expansion],
        rule.alias,
        (given.keep_all_tokens, given.expand1, given.priority, given.empty_indices),
    )


@pytest.mark.parametrize("question", QUESTIONS)
def test_both_parsers_read_alike(question: str) -> None:
    loaded, built = grammar.grammar(), grammar.built()
    assert loaded.parse(question, start="start") == built.parse(question, start="start")


def test_another_lark_builds_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar_tables, "LARK", "0")
    monkeypatch.setattr(grammar_tables, "DATA", None)
    parser = grammar.grammar.__wrapped__()
    assert parser.parse("count()", start="start").data == "start"
