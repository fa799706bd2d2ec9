"""What sudare refuses, and how it says so.

Every error has three parts: what is wrong, why it matters where that is not plain, and what to
do (the hint). None of them ever carries a value of the data: a message travels to logs, tickets
and screens that the budget does not know of. Exit codes: 0 ok, 2 usage, 3 budget refused,
4 invalid plan or data, 5 engine unavailable.
"""

from __future__ import annotations

import json
import re
from typing import ClassVar


def toml_key(name: str) -> str:
    """A column's name as it stands in [columns.…]: quoted where TOML wants it."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


class SudareError(Exception):
    """The base of every error that a user may see; `what` and `hint` are one line each."""

    exit_code: ClassVar[int] = 4

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.what} {self.hint}"


class UsageError(SudareError):
    """The command line or the call itself is off."""

    exit_code = 2


class BudgetRefused(SudareError):
    """The ledger does not allow this charge."""

    exit_code = 3


class RunUnfinished(BudgetRefused):
    """A run was charged under this key, and its release was never committed."""


class InvalidSchema(SudareError):
    """The schema contradicts itself or lacks what the job needs."""


class InvalidPlan(SudareError):
    """A query or plan cannot be answered under this schema."""


class ImpossibleRules(InvalidSchema):
    """The declared rules leave no possible record. `rules` are those that contradict each other;
    where `is_smallest`, no smaller set does."""

    def __init__(self, rules: tuple[str, ...], is_smallest: bool) -> None:
        named = "; ".join(f"'{rule}'" for rule in rules)
        smaller = "no smaller set" if is_smallest else "perhaps a smaller set, too,"
        super().__init__(
            f"The rules leave no possible record: {len(rules)} contradict each other ({named}).",
            f"Mend or drop one of them; {smaller} contradicts itself.",
        )
        self.rules = rules
        self.is_smallest = is_smallest


class InvalidFile(SudareError):
    """The structure of a data file is broken (fields, header, encoding, NUL)."""


class InvalidTables(SudareError):
    """Published tables, or the facts beside them, cannot be read or contradict each other."""


class InvalidStatistics(SudareError):
    """Statistics cannot be read, or contradict each other."""


class InvalidLedger(SudareError):
    """The ledger file is damaged, of another make, or does not fit this schema."""


class VerificationFailed(SudareError):
    """The independent check found that what was to be released does not keep its promise."""


class EngineUnavailable(SudareError):
    """The engine, or something it needs, is not there or gave up."""

    exit_code = 5


class Unreachable(EngineUnavailable):
    """Another organisation of a join does not answer."""


class LinkRefused(SudareError):
    """A join between organisations cannot go on. `code` is the reason in one word, which is all
    that travels to the other hosts and into their logs; `by` is who gave up, once all know it."""

    def __init__(self, what: str, hint: str, code: str, by: str | None = None) -> None:
        super().__init__(what, hint)
        self.code, self.by = code, by


class TurnedAway(LinkRefused):
    """Another organisation came with another plan. This run ends, the session does not."""


class UnknownColumn(InvalidPlan):
    """A query names a column that the schema does not declare."""

    def __init__(self, column: str, known: tuple[str, ...]) -> None:
        names = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
        super().__init__(
            f"Column '{column}' is not declared in the schema.",
            f'Declared: {names}. Quote a name with blanks or signs as "…".',
        )


class BoundsMissing(InvalidPlan):
    """A numeric column is used without declared bounds."""

    def __init__(self, column: str) -> None:
        super().__init__(
            f"Column '{column}' is used as a number but has no bounds.",
            f"Add min and max under [columns.{toml_key(column)}] in the schema; "
            "take them from public knowledge, do not read them off the data.",
        )


class DomainMissing(InvalidPlan):
    """A category is used without its declared values."""

    def __init__(self, column: str) -> None:
        super().__init__(
            f"Column '{column}' is used as a category but its values are not declared.",
            f"Add values = [...] under [columns.{toml_key(column)}] in the schema; "
            "take them from the code book, do not read them off the data.",
        )


class Unconfirmed(InvalidPlan):
    """A drafted bound or domain was never confirmed by the steward."""

    def __init__(self, column: str) -> None:
        super().__init__(
            f"The bounds or values of column '{column}' are drafted, not confirmed.",
            f"Check them against public knowledge, then set confirmed = true under "
            f"[columns.{toml_key(column)}].",
        )
