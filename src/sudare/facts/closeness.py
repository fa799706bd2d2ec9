"""How close exact statistics come to giving a person away: what was looked for and what was found.

A finding holds names of columns and numbers of cells, never a value of the data; a *place* is a
column, or a pair of columns for two-way tables and sums, with the number of cells found there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

Verdict = Literal["fine", "look", "high"]
CloseKind = Literal[
    "small_bins",
    "small_cells",
    "alone",
    "groups",
    "values",
    "extremes",
    "sums",
    "constants",
    "equations",
]
VERDICTS: tuple[Verdict, ...] = ("fine", "look", "high")


@dataclass(frozen=True)
class Place:
    columns: tuple[str, ...]
    cells: int


@dataclass(frozen=True)
class CloseFinding:
    """What was found of one kind; `places` are those with most of it, the worst first."""

    kind: CloseKind
    verdict: Verdict
    found: int
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Equations:
    """Independent numbers that are published, by where they stand, against what is unknown.

    `against` is the column of which most is published to whoever knows all the others: so many
    equations, for each of its levels, in as many unknowns as there are rows.
    """

    histograms: int
    tables: int
    moments: int
    sums: int
    unknowns: int
    rows: int
    against: str | None
    against_equations: int

    @property
    def published(self) -> int:
        return self.histograms + self.tables + self.moments + self.sums


@dataclass(frozen=True)
class Closeness:
    """All findings, one of each kind. `private` are the options of the private route."""

    table: str
    rows: int
    columns: int
    minimum: int
    findings: tuple[CloseFinding, ...]
    equations: Equations
    private: str = "--epsilon 1"

    @property
    def verdict(self) -> Verdict:
        """The worst of the findings."""
        return max((each.verdict for each in self.findings), key=VERDICTS.index, default="fine")

    def finding(self, kind: CloseKind) -> CloseFinding:
        return next(each for each in self.findings if each.kind == kind)

    def to_dict(self) -> dict[str, Any]:
        found = asdict(self)
        found["equations"]["published"] = self.equations.published
        return {"verdict": self.verdict, **found}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Closeness:
        """What `to_dict` gave; what follows from the rest is worked out anew. What cannot have come
        from there is a ValueError."""
        rest = {name: value for name, value in values.items() if name != "verdict"}
        equations = {k: v for k, v in rest.pop("equations").items() if k != "published"}
        findings = tuple(_finding(each) for each in rest.pop("findings"))
        return cls(findings=findings, equations=Equations(**equations), **rest)


def _finding(values: Mapping[str, Any]) -> CloseFinding:
    places = tuple(Place(tuple(each["columns"]), int(each["cells"])) for each in values["places"])
    if values["verdict"] not in VERDICTS or values["kind"] not in get_args(CloseKind):
        raise ValueError
    return CloseFinding(values["kind"], values["verdict"], int(values["found"]), places)
