"""From the text of a question to a `Query`; refusals name the place and show an example."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, get_args

from lark import Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from sudare.facts.errors import InvalidPlan, SudareError
from sudare.facts.numbers import exact_number
from sudare.facts.query import (
    All,
    Any_,
    Comparison,
    Function,
    Literal_,
    Membership,
    Missing,
    Not,
    Operator,
    OptionValue,
    Predicate,
    Query,
)
from sudare.queries.forms import EXAMPLE, check_form
from sudare.queries.grammar import grammar

FUNCTIONS: tuple[str, ...] = get_args(Function)
CONDITION_EXAMPLE = "Example: \"age < 15 and sex = 'F'\"; see docs/queries.md."
_LONGEST = 10_000
_SPELLINGS: dict[str, Operator] = {"==": "=", "<>": "!=", "≠": "!=", "≤": "<=", "≥": ">="}
_MIRRORED: dict[Operator, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def parse(text: str) -> Query:
    """Read one question."""
    parts: list[tuple[str, Any]] = _read(text, "start", "question", EXAMPLE)
    return _assemble(text.strip(), parts)


def parse_condition(text: str) -> Predicate:
    """Read what may stand after `where`, alone."""
    condition: Predicate = _read(text, "any", "condition", CONDITION_EXAMPLE)
    return condition


def _read(text: str, start: str, noun: str, example: str) -> Any:
    wanted = text.strip()
    if not wanted or len(wanted) > _LONGEST or "\0" in wanted:
        raise InvalidPlan(f"A {noun} is empty, too long or has a NUL in it.", example)
    try:
        return _Reader().transform(grammar().parse(wanted, start=start))
    except UnexpectedInput as error:
        raise InvalidPlan(_misread(wanted, error, noun), example) from None
    except VisitError as error:
        if isinstance(error.orig_exc, SudareError):
            raise error.orig_exc from None
        raise


def _misread(text: str, error: UnexpectedInput, noun: str) -> str:
    column = getattr(error, "column", -1)
    if not isinstance(column, int) or column < 1 or column > len(text):
        return f"The {noun} ends too early: {text}"
    read, unread = text[: column - 1], text[column - 1 :]
    return f"The {noun} cannot be read from character {column} on: {read}⟨{unread}⟩"


@dataclass(frozen=True)
class _Target:
    """The column before a ~."""

    column: str


class _Reader(Transformer[Token, Any]):
    """Parse tree → (kind, value) parts and predicates."""

    def number(self, items: list[Token]) -> Fraction:
        found = exact_number(items[0])
        if found is None:
            raise InvalidPlan(
                "A number in the question is too long, too large or too small.",
                "Numbers lie between 1e-300 and 1e300 and have at most 40 digits.",
            )
        return found

    def column(self, items: list[Token]) -> str:
        token = items[0]
        if token.type == "QUOTED":
            return token[1:-1].replace('""', '"')
        return token[1:-1] if token.type == "TICKED" else str(token)

    def literal(self, items: list[Any]) -> Literal_:
        value = items[0]
        if isinstance(value, Fraction):
            return value
        if value.type == "STRING":
            return str(value[1:-1].replace("''", "'"))
        return bool(value.type == "TRUE")

    def option(self, items: list[Any]) -> tuple[str, OptionValue]:
        name, *values = items
        is_word = isinstance(values[0], Token)
        return str(name).lower(), str(values[0]).lower() if is_word else tuple(values)

    def target(self, items: list[str]) -> _Target:
        return _Target(items[0])

    def call(self, items: list[Any]) -> tuple[str, Any]:
        return "call", (str(items[0]).lower(), items[1:])

    def by(self, items: list[Any]) -> tuple[str, Any]:
        return "by", tuple(items[1:])

    def where(self, items: list[Any]) -> tuple[str, Any]:
        return "where", items[1]

    def share(self, items: list[Fraction]) -> tuple[str, Any]:
        return "share", items[0]

    def wanted(self, items: list[Any]) -> tuple[str, Any]:
        return "wanted", (items[0], len(items) > 1)

    def any(self, items: list[Any]) -> Predicate:
        parts = tuple(item for item in items if not isinstance(item, Token))
        return parts[0] if len(parts) == 1 else Any_(parts)

    def all(self, items: list[Any]) -> Predicate:
        parts = tuple(item for item in items if not isinstance(item, Token))
        return parts[0] if len(parts) == 1 else All(parts)

    def negation(self, items: list[Any]) -> Predicate:
        return Not(items[1])

    @v_args(inline=True)
    def comparison(self, column: str, operator: Token, value: Literal_) -> Predicate:
        return Comparison(column, _operator(operator), value)

    @v_args(inline=True)
    def reversed(self, value: Literal_, operator: Token, column: str) -> Predicate:
        read = _operator(operator)
        return Comparison(column, _MIRRORED.get(read, read), value)

    def membership(self, items: list[Any]) -> Predicate:
        column, values = items[0], tuple(i for i in items[1:] if not _is_keyword(i))
        return _negated(items, Membership(column, values))

    def between(self, items: list[Any]) -> Predicate:
        column, (low, high) = items[0], (i for i in items[1:] if not _is_keyword(i))
        inside = All((Comparison(column, ">=", low), Comparison(column, "<=", high)))
        return _negated(items, inside)

    def missing(self, items: list[Any]) -> Predicate:
        return _negated(items, Missing(items[0]))

    def start(self, items: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
        return items


def _is_keyword(item: Any) -> bool:
    return isinstance(item, Token)


def _negated(items: list[Any], predicate: Predicate) -> Predicate:
    negated = any(isinstance(item, Token) and item.type == "NOT" for item in items)
    return Not(predicate) if negated else predicate


def _operator(token: Token) -> Operator:
    text = str(token)
    return _SPELLINGS.get(text, text)  # type: ignore[arg-type]


def _assemble(text: str, parts: list[tuple[str, Any]]) -> Query:
    named = dict(parts)
    if len(named) != len(parts):
        raise InvalidPlan(f"by or where is given twice: {text}", EXAMPLE)
    function, arguments = named["call"]
    if function not in FUNCTIONS:
        raise InvalidPlan(f"There is no function '{function}'.", f"Known: {', '.join(FUNCTIONS)}.")
    target, columns, numbers, options = _sort_arguments(arguments)
    wanted, relative = named.get("wanted", (None, False))
    query = Query(
        text=text,
        function=function,
        columns=columns,
        by=named.get("by", ()),
        where=named.get("where"),
        epsilon=named.get("share"),
        error=wanted / 100 if relative else wanted,
        error_is_relative=relative,
        bins=_bins(dict(options).get("bins")),
        edges=_edges(dict(options).get("edges")),
        level=numbers[0] if function == "quantile" and len(numbers) == 1 else None,
        target=target,
        numbers=numbers,
        options=options,
    )
    _check(query)
    return query


def _sort_arguments(
    arguments: list[Any],
) -> tuple[str | None, tuple[str, ...], tuple[Fraction, ...], tuple[tuple[str, OptionValue], ...]]:
    target = next((a.column for a in arguments if isinstance(a, _Target)), None)
    columns = tuple(a for a in arguments if isinstance(a, str))
    numbers = tuple(a for a in arguments if isinstance(a, Fraction))
    options = tuple(a for a in arguments if isinstance(a, tuple))
    return target, columns, numbers, options


def _bins(given: OptionValue | None) -> int | None:
    if given is None:
        return None
    if isinstance(given, str) or len(given) != 1 or given[0].denominator != 1:
        raise InvalidPlan("bins must be one whole number from 1 to 100000.", EXAMPLE)
    if not 1 <= given[0] <= 100_000:
        raise InvalidPlan("bins must be one whole number from 1 to 100000.", EXAMPLE)
    return int(given[0])


def _edges(given: OptionValue | None) -> tuple[Fraction, ...]:
    if isinstance(given, str):
        raise InvalidPlan("edges must be numbers.", "Example: histogram(age, edges=(15, 65)).")
    return given or ()


def _check(query: Query) -> None:
    check_form(query)
    if len(set(query.by)) != len(query.by):
        raise InvalidPlan("A column is named twice.", "Name each column once.")
    if query.epsilon is not None and query.epsilon <= 0:
        raise InvalidPlan("The ε after @ must be above 0.", EXAMPLE)
    if query.error is not None and query.error <= 0:
        raise InvalidPlan("The error after ± must be above 0.", EXAMPLE)
    if query.level is not None and not 0 < query.level < 1:
        raise InvalidPlan("The level of a quantile lies between 0 and 1.", "0.5 is the median.")
    if query.level is not None and query.level.denominator > 10_000:
        raise InvalidPlan("The level of a quantile has at most four decimals.", "Round it.")
