"""From the text of a question to a `Query`; refusals name the place and show an example."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, get_args

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from sudare.facts.errors import InvalidPlan, SudareError
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
    Predicate,
    Query,
)

FUNCTIONS: tuple[str, ...] = get_args(Function)
EXAMPLE = "Example: \"mean(age) by (sex) where region = 'north' @ 0.2\"; see docs/queries.md."
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
        return _Reader().transform(_grammar().parse(wanted, start=start))
    except UnexpectedInput as error:
        raise InvalidPlan(_misread(wanted, error, noun), example) from None
    except VisitError as error:
        if isinstance(error.orig_exc, SudareError):
            raise error.orig_exc from None
        raise


@cache
def _grammar() -> Lark:
    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        parser="lalr",
        propagate_positions=False,
        start=["start", "any"],
    )


def _misread(text: str, error: UnexpectedInput, noun: str) -> str:
    column = getattr(error, "column", -1)
    if not isinstance(column, int) or column < 1 or column > len(text):
        return f"The {noun} ends too early: {text}"
    read, unread = text[: column - 1], text[column - 1 :]
    return f"The {noun} cannot be read from character {column} on: {read}⟨{unread}⟩"


class _Reader(Transformer[Token, Any]):
    """Parse tree → (kind, value) parts and predicates."""

    def number(self, items: list[Token]) -> Fraction:
        return Fraction(str(items[0]))

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

    def option(self, items: list[Any]) -> tuple[str, tuple[Fraction, ...]]:
        return str(items[0]).lower(), tuple(items[1:])

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
    columns, numbers, options = _sort_arguments(arguments)
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
        bins=_whole(function, options.get("bins")),
        edges=options.get("edges", ()),
        level=numbers[0] if numbers else None,
    )
    _check_form(query, numbers, options)
    return query


def _sort_arguments(
    arguments: list[Any],
) -> tuple[tuple[str, ...], list[Fraction], dict[str, tuple[Fraction, ...]]]:
    columns = tuple(a for a in arguments if isinstance(a, str))
    numbers = [a for a in arguments if isinstance(a, Fraction)]
    options = {a[0]: a[1] for a in arguments if isinstance(a, tuple)}
    return columns, numbers, options


def _whole(function: str, given: tuple[Fraction, ...] | None) -> int | None:
    if given is None:
        return None
    if len(given) != 1 or given[0].denominator != 1 or not 1 <= given[0] <= 100_000:
        raise InvalidPlan(f"bins of {function} must be one whole number from 1 to 100000.", EXAMPLE)
    return int(given[0])


def _check_form(query: Query, numbers: list[Fraction], options: dict[str, Any]) -> None:
    """How many columns, numbers and options each function takes."""
    function, count = query.function, len(query.columns)
    fits = {"count": count == 0, "covariance": count >= 2}.get(function, count == 1)
    if not fits:
        takes = {"count": "no column", "covariance": "two or more columns"}.get(
            function, "one column"
        )
        raise InvalidPlan(f"{function}() takes {takes}.", EXAMPLE)
    if len(set(query.columns)) != count or len(set(query.by)) != len(query.by):
        raise InvalidPlan("A column is named twice.", "Name each column once.")
    if (function == "quantile") != (len(numbers) == 1) or len(numbers) > 1:
        raise InvalidPlan(
            f"{function}() takes " + ("one level." if function == "quantile" else "no number."),
            "Example: quantile(age, 0.5).",
        )
    allowed = {"bins", "edges"} if function == "histogram" else set()
    if set(options) - allowed or len(options) > 1:
        raise InvalidPlan(
            f"{function}() takes " + ("bins= or edges=." if allowed else "no option."), EXAMPLE
        )
    if query.epsilon is not None and query.epsilon <= 0:
        raise InvalidPlan("The ε after @ must be above 0.", EXAMPLE)
    if query.error is not None and query.error <= 0:
        raise InvalidPlan("The error after ± must be above 0.", EXAMPLE)
    if query.level is not None and not 0 < query.level < 1:
        raise InvalidPlan("The level of a quantile lies between 0 and 1.", "0.5 is the median.")
    if query.level is not None and query.level.denominator > 10_000:
        raise InvalidPlan("The level of a quantile has at most four decimals.", "Round it.")
