"""Rules: combinations of values that cannot be, declared in the schema under [[rules]].

A rule says either `if … then …` or `never …`, in the language of a question's `where`. It is
broken by a record exactly where its violation, "if and not then" or "never", is *true*: with a
missing value a comparison is neither true nor false, so it breaks nothing.

`Rule` is the declared text, `CompiledRule` what room `queries` reads from it: the violation as
an engine filters by it, and as tests on grid indices and labels, where a synthesiser works.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sudare.facts.query import Predicate

Text = Annotated[str, Field(min_length=1)]


class Rule(BaseModel):
    """One declared rule: `if` with `then`, or `never`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    if_: Annotated[Text | None, Field(alias="if")] = None
    then: Text | None = None
    never: Text | None = None
    name: Text | None = None
    why: Text | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Rule:
        if (self.if_ is None) != (self.then is None) or (self.if_ is None) == (self.never is None):
            raise ValueError("a rule has either if and then, or never")
        return self

    @property
    def text(self) -> str:
        return f"never {self.never}" if self.never else f"if {self.if_} then {self.then}"

    @property
    def shown(self) -> str:
        """What messages call it: its name, else its text."""
        return self.name or self.text


@dataclass(frozen=True)
class OnGrid:
    """A test of a number, date or boolean: true or false at the lowest grid index as `at_low`
    says, and the other way round from every index of `turns` on. Unknown where it is missing."""

    column: str
    at_low: bool
    turns: tuple[int, ...]


@dataclass(frozen=True)
class OnLabels:
    """Whether a category shows one of `labels`; unknown where it is missing."""

    column: str
    labels: frozenset[str]


@dataclass(frozen=True)
class Absent:
    """Whether the value is missing: true or false, never unknown."""

    column: str


@dataclass(frozen=True)
class Opposite:
    part: Test


@dataclass(frozen=True)
class Every:
    parts: tuple[Test, ...]


@dataclass(frozen=True)
class Some:
    parts: tuple[Test, ...]


Leaf = OnGrid | OnLabels | Absent
Test = Leaf | Opposite | Every | Some


def leaves(test: Test) -> tuple[Leaf, ...]:
    """Every leaf of a test, from left to right."""
    match test:
        case Opposite(part):
            return leaves(part)
        case Every(parts) | Some(parts):
            return tuple(leaf for part in parts for leaf in leaves(part))
        case _:
            return (test,)


@dataclass(frozen=True)
class CompiledRule:
    """A rule that the schema allows. `violation` and `test` say the same, once for an engine and
    once on grid indices and labels; the rule is broken where they are true."""

    shown: str
    text: str
    violation: Predicate
    test: Test

    @property
    def columns(self) -> frozenset[str]:
        return frozenset(leaf.column for leaf in leaves(self.test))


@dataclass(frozen=True)
class Proposal:
    """An implication without exception in exact tables, for the steward to confirm or drop.
    `expected` rows would break it if its two columns were independent."""

    if_: str
    then: str
    columns: tuple[str, str]
    expected: float

    def toml(self) -> str:
        """The rule as it stands in a schema."""
        quoted = (json.dumps(text, ensure_ascii=False) for text in (self.if_, self.then))
        return "[[rules]]\nif = {}\nthen = {}\n".format(*quoted)
