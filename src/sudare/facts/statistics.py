"""Statistics of a table: all that a synthesiser sees of it, and the file in which they travel.

A column is cut into **bins** (every label of a category; intervals of grid indices of a number)
with their counts, and the bins are gathered into **levels**, few enough that two columns can be
crossed. `crosses` are the two-way tables of levels, `shifts` the sums of a number within the levels
of a category, `moments` the mean and covariance of the numbers. A missing value is a level of its
own, the last one. Moments and shifts are in the units of the data (a grid index times its step;
dates are days since 1970-01-01), the means of bins are grid indices, as their bounds are.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sudare.facts.certificate import canonical
from sudare.facts.closeness import Closeness
from sudare.facts.errors import InvalidStatistics
from sudare.facts.reading import read_json
from sudare.facts.sharing import Sharing

Floats = NDArray[np.float64]
Origin = Literal["exact", "private", "randomized"]
ORIGINS: tuple[Origin, ...] = ("exact", "private", "randomized")
FORMAT = "sudare-statistics-1"
# Of the rest of the file, as canonical JSON; statistics that somebody writes by hand have none.
_DIGEST = "sha256"
_KEYS = {
    "format", "table", "origin", "rows", "columns", "crosses", "shifts", "rules", "provenance",
    "errors", "panel", "moments", "closeness", _DIGEST,
}  # fmt: skip
_NUMBERS = ("integer", "real", "boolean", "date")
# No table counts more, no grid is wider: what lies beyond would overflow what is computed of it.
_MOST_COUNT = 1e15
_MOST_SUM = 1e200
_MOST_INDEX = 2**62
_MOST_STEP = 1e100


@dataclass(frozen=True, eq=False)
class Marginal:
    """One column: bins, their counts, and the level that each belongs to.

    A number's bin b holds the grid indices from starts[b] up to the next start, the last one up to
    `high`; `means[b]` is the mean index inside it, where that is known. A category's bin is a
    label. Where the declared bounds of a real lie between two indices, `least` and `greatest` are
    these bounds, and no value is written beyond them.
    """

    name: str
    type: str
    counts: Floats
    level_of: NDArray[np.int64]
    missing: float = 0.0
    may_miss: bool = False
    labels: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()
    high: int = 0
    step: float = 1.0
    means: Floats | None = None
    least: float = -math.inf
    greatest: float = math.inf

    @property
    def is_number(self) -> bool:
        return self.type in _NUMBERS

    @property
    def low(self) -> int:
        return self.starts[0]

    @property
    def bins(self) -> int:
        return len(self.counts)

    @property
    def present_levels(self) -> int:
        return int(self.level_of[-1 if self.is_number else np.argmax(self.level_of)]) + 1

    @property
    def levels(self) -> int:
        """With the level of missing values, where there may be any."""
        return self.present_levels + int(self.may_miss)

    @property
    def ends(self) -> tuple[int, ...]:
        """The last index of every bin."""
        return (*(start - 1 for start in self.starts[1:]), self.high)

    @property
    def level_counts(self) -> Floats:
        found: Floats = np.bincount(self.level_of, self.counts, self.present_levels).astype(float)
        return np.append(found, self.missing) if self.may_miss else found

    @property
    def is_constant(self) -> bool:
        return self.levels == 1 and (not self.is_number or self.low == self.high)

    def level_starts(self) -> tuple[int, ...]:
        """The first index of every level of a number."""
        first = np.flatnonzero(np.diff(self.level_of, prepend=-1))
        return tuple(self.starts[place] for place in first)


@dataclass(frozen=True, eq=False)
class NumberMoments:
    """Mean of the values present; covariance of the numbers with missing values put at the mean,
    divided by the number of rows. Where `known` is False no covariance is stated."""

    columns: tuple[str, ...]
    mean: Floats
    covariance: Floats
    known: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Statistics:
    """What is known of a table of `rows` rows; `noise` is the standard deviation of a cell of a
    two-way table, 0 where the tables are exact; `errors` are the standard errors of covariances (of
    two numbers) and of shifts (of a number and a category; root mean square over its levels). Where
    they are `loose`, rows are to come near to the moments and not to meet them. Where people have
    several rows, `sharing` says how many people share what, which no file has, and `closeness` what
    was found with it."""

    table: str
    origin: Origin
    rows: float
    marginals: tuple[Marginal, ...]
    crosses: Mapping[tuple[str, str], Floats]
    moments: NumberMoments | None = None
    shifts: Mapping[tuple[str, str], Floats] = field(default_factory=dict)
    noise: Mapping[tuple[str, str], float] = field(default_factory=dict)
    rules: tuple[dict[str, str], ...] = ()
    panel: dict[str, Any] | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    errors: Mapping[tuple[str, str], float] = field(default_factory=dict)
    loose: bool = False
    sharing: Sharing | None = None
    closeness: Closeness | None = None

    def marginal(self, name: str) -> Marginal:
        return next(each for each in self.marginals if each.name == name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.marginals)

    @property
    def numbers(self) -> tuple[Marginal, ...]:
        return tuple(each for each in self.marginals if each.is_number)

    def with_rules(self, rules: tuple[dict[str, str], ...]) -> Statistics:
        return replace(self, rules=rules)

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "format": FORMAT,
            "table": self.table,
            "origin": self.origin,
            "rows": float(self.rows),
            "columns": [
                _marginal_dict(each, self.noise.get((each.name, each.name), 0.0))
                for each in self.marginals
            ],
            "crosses": [
                {
                    "columns": list(pair),
                    "counts": table.tolist(),
                    "noise": float(self.noise.get(pair, 0)),
                }
                for pair, table in self.crosses.items()
            ],
            "shifts": [
                {"columns": list(pair), "sums": sums.tolist()} for pair, sums in self.shifts.items()
            ],
            "rules": list(self.rules),
            "provenance": dict(self.provenance),
        }
        if self.errors:
            found["errors"] = [
                {"columns": list(pair), "error": error} for pair, error in self.errors.items()
            ]
        if self.loose:
            found["loose"] = True
        if self.closeness is not None:
            found["closeness"] = self.closeness.to_dict()
        if self.panel is not None:
            found["panel"] = self.panel
        if self.moments is not None:
            known = np.where(self.moments.known, self.moments.covariance, np.nan)
            rows = [[None if np.isnan(v) else v for v in row] for row in known.tolist()]
            found["moments"] = {
                "columns": list(self.moments.columns),
                "mean": self.moments.mean.tolist(),
                "covariance": rows,
            }
        return found

    def to_json(self) -> str:
        """The file, which holds its own digest: a changed byte is found by reading alone."""
        found = self.to_dict()
        whole = {**found, _DIGEST: hashlib.sha256(canonical(found)).hexdigest()}
        return json.dumps(whole, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Statistics:
        """Statistics from a file's text; what does not have their form is refused."""
        try:
            values = read_json(text)
            if not isinstance(values, dict) or values.get("format") != FORMAT:
                raise ValueError
            if set(values) - _KEYS:
                raise ValueError
            digest = values.pop(_DIGEST, None)
            whole = digest is None or digest == hashlib.sha256(canonical(values)).hexdigest()
            found = _read(values)
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
            pass
        else:
            if whole:
                return found
            raise InvalidStatistics(
                "The statistics are not those that their digest is of: they were changed.",
                "Ask for the file again; who changed them on purpose takes sha256 out.",
            )
        raise InvalidStatistics(
            "The file does not have the form of statistics.",
            "Write one with `sudare synthesize … --statistics-only`; see docs/statistics.md.",
        )


def _marginal_dict(each: Marginal, noise: float) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": each.name,
        "type": each.type,
        "counts": each.counts.tolist(),
        "levels": each.level_of.tolist(),
    }
    if each.may_miss:
        found["missing"] = float(each.missing)
    if noise > 0:
        found["noise"] = float(noise)
    if not each.is_number:
        return {**found, "labels": list(each.labels)}
    found |= {"starts": list(each.starts), "high": each.high, "step": float(each.step)}
    bounds = {"min": each.least, "max": each.greatest}
    found |= {key: bound for key, bound in bounds.items() if math.isfinite(bound)}
    return found if each.means is None else {**found, "means": each.means.tolist()}


def _read(values: dict[str, Any]) -> Statistics:
    marginals = tuple(_read_marginal(each) for each in values["columns"])
    known = {each.name: each for each in marginals}
    if len(known) != len(marginals) or values["origin"] not in ORIGINS or not marginals:
        raise ValueError
    crosses = {}
    noise = {
        (str(each["name"]), str(each["name"])): _amount(each["noise"], 0)
        for each in values["columns"]
        if "noise" in each
    }
    for each in values["crosses"]:
        left, right = each["columns"]
        table = _array(each["counts"], (known[left].levels, known[right].levels))
        if np.abs(table).max(initial=0.0) > _MOST_COUNT:
            raise ValueError
        crosses[left, right], noise[left, right] = table, _amount(each.get("noise", 0), 0)
    shifts = {
        (each["columns"][0], each["columns"][1]): _array(
            each["sums"], (known[each["columns"][1]].levels,)
        )
        for each in values.get("shifts", [])
    }
    return Statistics(
        str(values["table"]),
        values["origin"],
        _amount(values["rows"], 0),
        marginals,
        crosses,
        _read_moments(values.get("moments"), known),
        shifts,
        noise,
        tuple({str(k): str(v) for k, v in rule.items()} for rule in values.get("rules", [])),
        values.get("panel"),
        dict(values.get("provenance", {})),
        {
            (a, b): _amount(each["error"], 0)
            for each in values.get("errors", [])
            for a, b in [each["columns"]]
        },
        bool(values.get("loose", False)),
        closeness=Closeness.from_dict(values["closeness"]) if "closeness" in values else None,
    )


def _read_marginal(each: dict[str, Any]) -> Marginal:
    counts = _array(each["counts"], None)
    if np.abs(counts).max() > _MOST_COUNT:
        raise ValueError
    level_of = np.array(each["levels"], dtype=np.int64)
    is_number = each["type"] in _NUMBERS
    if is_number:
        starts = tuple(_index(start) for start in each["starts"])
        ordered = all(a < b for a, b in pairwise(starts))
        fits = ordered and len(starts) == len(counts) and starts[-1] <= _index(each["high"])
        gathered = bool(np.all(np.isin(np.diff(level_of), (0, 1)))) and level_of[0] == 0
    else:
        starts = ()
        labels = [str(label) for label in each["labels"]]
        fits = len(labels) == len(counts) == len(set(labels)) and each["type"] == "category"
        gathered = set(level_of.tolist()) == set(range(int(level_of.max()) + 1))
    if not fits or not gathered or len(level_of) != len(counts):
        raise ValueError
    means = each.get("means")
    return Marginal(
        str(each["name"]),
        str(each["type"]),
        counts,
        level_of,
        _amount(each.get("missing", 0)),
        "missing" in each,
        tuple(str(label) for label in each.get("labels", ())),
        starts,
        _index(each.get("high", 0)),
        _step(each.get("step", 1.0)),
        None if means is None else _array(means, (len(counts),)),
        float(each.get("min", -math.inf)),
        float(each.get("max", math.inf)),
    )


def _read_moments(
    values: dict[str, Any] | None, known: Mapping[str, Marginal]
) -> NumberMoments | None:
    if values is None:
        return None
    columns = tuple(str(name) for name in values["columns"])
    if any(not known[name].is_number for name in columns):
        raise ValueError
    rows = [[np.nan if v is None else float(v) for v in row] for row in values["covariance"]]
    covariance = np.array(rows, dtype=np.float64).reshape(len(columns), len(columns))
    found = ~np.isnan(covariance)
    mean = _array(values["mean"], (len(columns),))
    return NumberMoments(columns, mean, np.where(found, covariance, 0.0), found)


def _array(values: Any, shape: tuple[int, ...] | None) -> Floats:
    found = np.array(values, dtype=np.float64)
    if not np.all(np.abs(found) <= _MOST_SUM) or (shape is not None and found.shape != shape):
        raise ValueError
    if shape is None and (found.ndim != 1 or not len(found)):
        raise ValueError
    return found


def _amount(value: Any, least: float = -_MOST_COUNT) -> float:
    """A count, a noise or an error of what can be counted."""
    found = float(value)
    if not least <= found <= _MOST_COUNT:
        raise ValueError
    return found


def _index(value: Any) -> int:
    found = int(value)
    if abs(found) > _MOST_INDEX:
        raise ValueError
    return found


def _step(value: Any) -> float:
    found = float(value)
    if not 1 / _MOST_STEP <= found <= _MOST_STEP:
        raise ValueError
    return found
