"""What sudare refuses, and how it says so.

Every error has three parts: what is wrong, why it matters where that is not plain, and what to
do (the hint). None of them ever carries a value of the data: a message travels to logs, tickets
and screens that the budget does not know of. Exit codes: 0 ok, 2 usage, 3 budget refused,
4 invalid plan or data, 5 engine unavailable.

What is said in full is the steward's, who knows paths, hosts and users. An analyst is told of plan,
schema and budget, and of these without places; of all else only that the table is not available
(`for_analyst`). Every error has a code, which stays when its words change (error_codes/).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import ClassVar, Literal


def toml_key(name: str) -> str:
    """A column's name as it stands in [columns.…]: quoted where TOML wants it."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def toml_text(text: str) -> str:
    """A text as a TOML value."""
    return json.dumps(text, ensure_ascii=False)


Audience = Literal["analyst", "steward"]
# In place of a path, an address or a host that an analyst is not told.
LEFT_OUT = "…"


@dataclass(frozen=True)
class Told:
    """What an analyst is told of an error: `arguments` are what fills the gaps of the message that
    `code` names, for whoever says it in other words."""

    code: str
    what: str
    hint: str
    arguments: tuple[str, ...] = ()


class SudareError(Exception):
    """The base of every error that a user may see; `what` and `hint` are one line each. `place`
    repeats each path, address, host or user that they name, as they name it."""

    exit_code: ClassVar[int] = 4
    # Who is told the message: with errors of plan, schema and budget the analyst, but for places.
    audience: ClassVar[Audience] = "steward"

    def __init__(self, what: str, hint: str, *, place: object = ()) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint
        found = place if isinstance(place, tuple) else (place,)
        # The longest first: a folder is a part of the names in it.
        self.places = tuple(sorted(map(str, found), key=len, reverse=True))

    def __str__(self) -> str:
        return f"{self.what} {self.hint}"

    @property
    def code(self) -> str:
        """The message in one kebab-case word; that of the class where the message has none."""
        from sudare.facts.error_codes import recognised

        return recognised(self)[0]

    def for_analyst(self, incident: str) -> Told:
        """What an analyst is told: no path, host or user; `incident` leads the steward to the
        error in full."""
        from sudare.facts.error_codes import recognised

        if self.audience == "steward":
            return Told(
                "table-unavailable",
                "The table is not available.",
                f"Its steward finds the reason under {incident}.",
                (incident,),
            )
        code, arguments = recognised(self)
        kept = tuple(self._without_places(each) for each in arguments)
        return Told(code, self._without_places(self.what), self._without_places(self.hint), kept)

    def _without_places(self, text: str) -> str:
        for place in filter(None, self.places):
            text = text.replace(place, LEFT_OUT)
        return text


class UsageError(SudareError):
    """The command line or the call itself is off."""

    exit_code = 2
    audience = "analyst"


class BudgetRefused(SudareError):
    """The ledger does not allow this charge."""

    exit_code = 3
    audience = "analyst"


class RunUnfinished(BudgetRefused):
    """A run was charged under this key, and its release was never committed."""


class InvalidSchema(SudareError):
    """The schema contradicts itself or lacks what the job needs."""

    audience = "analyst"


class InvalidPlan(SudareError):
    """A query or plan cannot be answered under this schema."""

    audience = "analyst"


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


class DisclosureRefused(SudareError):
    """Exact statistics of these rows would give people away, or cannot be shown not to."""


class InvalidLedger(SudareError):
    """The ledger file is damaged, of another make, or does not fit this schema."""


class VerificationFailed(SudareError):
    """The independent check found that what was to be released does not keep its promise."""


class EngineUnavailable(SudareError):
    """The engine, or something it needs, is not there or gave up."""

    exit_code = 5


class NotWritten(SudareError):
    """Files could not be written: a full disk, say. What was charged stays charged."""

    exit_code = 2


class Unreachable(EngineUnavailable):
    """Another organisation of a join does not answer."""


class LinkRefused(SudareError):
    """A join between organisations cannot go on. `code` is the reason in one word, which is all
    that travels to the other hosts and into their logs; `by` is who gave up, once all know it."""

    def __init__(
        self, what: str, hint: str, code: str, by: str | None = None, *, place: object = ()
    ) -> None:
        super().__init__(what, hint, place=place)
        self._code, self.by = code, by

    @property
    def code(self) -> str:
        return self._code


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


class UnitUnconfirmed(InvalidPlan):
    """Whom the budget protects was drafted and never decided by the steward."""

    def __init__(self, unit: str) -> None:
        named = unit if unit != "row" else "person_id"
        super().__init__(
            "Whom the budget protects is drafted, not confirmed.",
            'Under [table] write unit = "row" if every row is another person\'s, or '
            f"unit = {json.dumps(named, ensure_ascii=False)} and max_rows_per_unit if people have "
            "several; then set confirmed = true there.",
        )


class BudgetUnconfirmed(InvalidPlan):
    """What may be spent was drafted and never decided by the steward."""

    def __init__(self) -> None:
        super().__init__(
            "The budget is drafted, not confirmed.",
            "Under [budget] write in epsilon what may be spent on this table in all, ever; then "
            "set confirmed = true there.",
        )


class Unconfirmed(InvalidPlan):
    """A drafted bound or domain was never confirmed by the steward."""

    def __init__(self, column: str) -> None:
        super().__init__(
            f"The bounds or values of column '{column}' are drafted, not confirmed.",
            f"Check them against public knowledge, then set confirmed = true under "
            f"[columns.{toml_key(column)}].",
        )
