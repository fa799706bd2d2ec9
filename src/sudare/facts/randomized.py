"""A table of locally randomised reports: what each person may report, and how it is to be read.

Every person reports `asked` of the items, drawn evenly, each with its own mechanism. An item is a
number, a square, a product of two numbers, a cell of several numbers, a label, a pair of labels, or
a bin of a number; numbers are scaled to [−1, 1] by their declared bounds. All of it is public: it
follows from plan and schema and travels with the file, so that the file alone can be analysed.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, Literal

ItemKind = Literal["value", "square", "product", "cell", "label", "labels", "bins"]


@dataclass(frozen=True)
class NumberDomain:
    """A numeric column: indices low ... high of its public grid, `step` apart. Missing values were
    reported as the middle unless the column is complete."""

    type: str
    low: int
    high: int
    step: float
    complete: bool

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2 * self.step

    @property
    def half(self) -> float:
        """What one unit of x is worth."""
        return (self.high - self.low) / 2 * self.step


@dataclass(frozen=True)
class LabelDomain:
    """A category: its labels in order; None stands for a missing value where that is a label of
    its own."""

    labels: tuple[str | None, ...]


Domain = NumberDomain | LabelDomain


@dataclass(frozen=True)
class Item:
    """One thing that a person may report. `epsilon` is exact, a fraction as text."""

    name: str
    kind: ItemKind
    columns: tuple[str, ...]
    mechanism: str
    epsilon: str
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def exact_epsilon(self) -> Fraction:
        return Fraction(self.epsilon)


@dataclass(frozen=True)
class Randomized:
    """What stands in a randomised file beside the reports. `dummies` is how many of its rows are
    expected to be made up, to hide how many are not: numbers in the middle, labels drawn evenly."""

    table: str
    epsilon: float
    asked: int
    items: tuple[Item, ...]
    domains: dict[str, Domain]
    shuffled: bool
    guarantee: dict[str, Any] = field(default_factory=dict)
    dummies: float = 0.0

    def item(self, kind: ItemKind, *columns: str) -> Item | None:
        """The item of this kind about these columns, in either order."""
        for item in self.items:
            if item.kind == kind and set(item.columns) == set(columns):
                return item
        return None

    def to_dict(self) -> dict[str, Any]:
        found = asdict(self)
        # What is not there leaves no trace, so that older files and releases keep their bytes.
        if not self.dummies:
            del found["dummies"]
        for name, domain in self.domains.items():
            found["domains"][name]["is"] = "number" if isinstance(domain, NumberDomain) else "label"
        return found

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Randomized:
        rest = dict(values)
        items = tuple(_item(each) for each in rest.pop("items"))
        domains = {name: _domain(each) for name, each in rest.pop("domains").items()}
        return cls(items=items, domains=domains, **rest)


def _item(values: dict[str, Any]) -> Item:
    return Item(**{**values, "columns": tuple(values["columns"])})


def _domain(values: dict[str, Any]) -> Domain:
    rest = {name: value for name, value in values.items() if name != "is"}
    if values["is"] == "number":
        return NumberDomain(**rest)
    return LabelDomain(tuple(rest["labels"]))
