"""The schema: what is publicly known of a table. It never holds, and is never read from, data.

Bounds and value domains are declared. A drafted column carries `confirmed = false` until the
steward has checked it; every job refuses an unconfirmed column that it uses.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    ValidationError,
    field_validator,
    model_validator,
)

from sudare.facts.cost import ATTO
from sudare.facts.errors import (
    BoundsMissing,
    BudgetUnconfirmed,
    DomainMissing,
    InvalidSchema,
    Unconfirmed,
    UnitUnconfirmed,
    UnknownColumn,
)
from sudare.facts.grid import Grid, real_grid, unit_grid
from sudare.facts.keys import first_problem, nearest_hint
from sudare.facts.levels import Level, base_of, gathered
from sudare.facts.limits import MOST_LABELS
from sudare.facts.panel import Panel
from sudare.facts.reading import Unreadable, read_toml
from sudare.facts.relation import Relation
from sudare.facts.rules import Rule

ColumnType = Literal["integer", "real", "category", "boolean", "date", "text", "key"]
NUMERIC: frozenset[str] = frozenset({"integer", "real", "boolean", "date"})
Bound = StrictInt | StrictFloat | dt.date
EPOCH = dt.date(1970, 1, 1)
# What may be spent; beyond it a cap is none.
MOST_EPSILON = 1e9
Cap = Annotated[float, Field(gt=0, le=MOST_EPSILON)]
# Sums run in 128-bit integers over at most this many rows (about 1.1e12); a plan whose declared
# bounds could pass 2^127 under that many rows is refused before anything is charged.
MAX_ROWS = 2**40
MAX_INDEX = 2**62


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Column(_Frozen):
    """One declared column."""

    type: ColumnType
    min: Bound | None = None
    max: Bound | None = None
    step: Annotated[float, Field(ge=1e-100, le=1e100)] | None = None
    values: tuple[str, ...] = ()
    other: str | None = None
    label: str | None = None
    complete: StrictBool = False
    confirmed: StrictBool = True

    @field_validator("values", mode="before")
    @classmethod
    def _values_as_text(cls, values: Any) -> Any:
        """Codes may be written as numbers or booleans in TOML; labels are text."""
        if not isinstance(values, (list, tuple)):
            return values
        return tuple(_label(value) for value in values)

    @model_validator(mode="after")
    def _coherent(self) -> Column:
        self._check_bounds()
        self._check_domain()
        return self

    def _check_bounds(self) -> None:
        if (self.min is None) != (self.max is None):
            raise ValueError("min and max go together")
        if self.min is None or self.max is None:
            return
        if self.type not in ("integer", "real", "date"):
            raise ValueError(f"a {self.type} column takes no min and max")
        wanted: tuple[type, ...] = {"integer": (int,), "real": (int, float), "date": (dt.date,)}[
            self.type
        ]
        if not (isinstance(self.min, wanted) and isinstance(self.max, wanted)):
            raise ValueError(f"min and max of a {self.type} column must be of that type")
        if not self.min < self.max:  # type: ignore[operator]
            raise ValueError("min must be below max")
        if self.type == "integer" and self.step not in (None, 1):
            raise ValueError("an integer column has step 1; declare it real for another step")
        if self.type == "real" and not _sane(self.min, self.max):
            raise ValueError("the bounds of a real column lie within ±1e100, 1e-100 or more apart")
        grid = self.grid("?")
        if max(abs(grid.low), abs(grid.high)) > MAX_INDEX:
            raise ValueError("the bounds are wider than 2^62 steps, so a sum could overflow")
        if grid.span < 1:
            raise ValueError("step is wider than the range from min to max")

    def _check_domain(self) -> None:
        if self.values and self.type != "category":
            raise ValueError(f'a {self.type} column takes no values; use type = "category"')
        if self.complete and self.type not in NUMERIC:
            raise ValueError("complete belongs to a number, date or boolean")
        if self.other is not None and self.type != "category":
            raise ValueError("other belongs to a category column")
        if len(self.values) > MOST_LABELS:
            raise ValueError(
                f"{len(self.values):,} values are declared, a category has at most {MOST_LABELS:,}"
            )
        if len(set(self.values)) != len(self.values):
            raise ValueError("values are named twice")
        if self.other is not None and self.other in self.values:
            raise ValueError("other must be a label of its own, not one of values")

    def grid(self, name: str) -> Grid:
        """The public grid of this column, or BoundsMissing."""
        if self.type == "boolean":
            return unit_grid(0, 1)
        if self.min is None or self.max is None:
            raise BoundsMissing(name)
        if isinstance(self.min, dt.date) and isinstance(self.max, dt.date):
            return unit_grid((self.min - EPOCH).days, (self.max - EPOCH).days)
        if self.type == "integer":
            return unit_grid(int(self.min), int(self.max))  # type: ignore[arg-type]
        return real_grid(float(self.min), float(self.max), self.step)  # type: ignore[arg-type]


class Table(_Frozen):
    """Name, privacy unit and neighbour relation."""

    name: Annotated[str, Field(min_length=1)]
    population: Annotated[str, Field(min_length=1)] | None = None
    unit: Annotated[str, Field(min_length=1)] = "row"
    max_rows_per_unit: Annotated[StrictInt, Field(ge=1, le=2**31)] | None = None
    neighbours: Relation = Relation.ADD_REMOVE
    expected_rows: Annotated[StrictInt, Field(ge=1, le=MAX_ROWS)] | None = None
    public_rows: Annotated[StrictInt, Field(ge=1, le=MAX_ROWS)] | None = None
    encoding: str | None = None
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    confirmed: StrictBool = True

    @model_validator(mode="after")
    def _coherent(self) -> Table:
        if self.unit == "row" and self.max_rows_per_unit not in (None, 1):
            raise ValueError('unit = "row" means one row a unit; drop max_rows_per_unit')
        if self.unit != "row" and self.max_rows_per_unit is None:
            raise ValueError("a unit column needs max_rows_per_unit")
        if self.public_rows is not None and (
            self.neighbours is Relation.ADD_REMOVE or self.unit != "row"
        ):
            raise ValueError(
                'public_rows needs neighbours = "replace-one" and unit = "row": '
                "under add-remove the number of rows is what is protected"
            )
        return self

    @property
    def dataset(self) -> str:
        """Under what budgets are kept: who the people are, or else the table's own name."""
        return self.name if self.population is None else self.population

    @property
    def rows_per_unit(self) -> int:
        return self.max_rows_per_unit or 1


class Budget(_Frozen):
    """The cap of the whole data set, and analysts' quotas under it."""

    epsilon: Cap
    delta: Annotated[float, Field(ge=0, lt=1)] = 0.0
    composition: Literal["basic", "zcdp"] = "basic"
    analysts: dict[str, Cap] = {}
    confirmed: StrictBool = True

    @model_validator(mode="after")
    def _coherent(self) -> Budget:
        if 0 < self.delta < 1 / ATTO:
            raise ValueError("delta is 0 or at least 1e-18, the ledger's smallest unit")
        if self.composition == "zcdp" and self.delta == 0:
            raise ValueError('composition = "zcdp" needs delta > 0')
        return self


class Invariant(_Frozen):
    """A margin that is public knowledge: its numbers stand here and carry no protection."""

    by: tuple[str, ...] = ()
    counts: dict[str, Annotated[StrictInt, Field(ge=0)]]
    source: Annotated[str, Field(min_length=1)]


class Schema(_Frozen):
    """A table's public description."""

    table: Table
    budget: Budget | None = None
    columns: Annotated[dict[str, Column], Field(min_length=1)]
    levels: dict[str, Level] = {}
    invariants: dict[str, Invariant] = {}
    rules: tuple[Rule, ...] = ()
    panel: Panel | None = None

    @model_validator(mode="after")
    def _unit_declared(self) -> Schema:
        unit = self.table.unit
        if unit != "row" and unit not in self.columns:
            raise ValueError(f"unit names column '{unit}', which is not declared")
        if unit != "row" and self.columns[unit].type not in ("key", "integer", "text"):
            raise ValueError('the unit column must have type = "key"')
        return self

    @model_validator(mode="after")
    def _levels_fit(self) -> Schema:
        for name, level in self.levels.items():
            if name in self.columns:
                raise ValueError(f"'{name}' is a column and a level")
            base = base_of(name, self.levels)
            if base not in self.columns:
                raise ValueError(f"level '{name}' is of '{base}', which is not declared")
            self._check_level(name, level, self.columns[base])
        return self

    @model_validator(mode="after")
    def _rules_named_apart(self) -> Schema:
        shown = [rule.shown for rule in self.rules]
        if len(set(shown)) != len(shown):
            raise ValueError("two rules are the same or have the same name")
        return self

    @model_validator(mode="after")
    def _panel_fits(self) -> Schema:
        if self.panel is None:
            return self
        named = (self.panel.person, self.panel.time, *self.panel.fixed)
        for name in named:
            if name not in self.columns:
                raise ValueError(f"panel names column '{name}', which is not declared")
        if len(set(named)) != len(named):
            raise ValueError("panel names a column twice")
        if self.table.unit not in ("row", self.panel.person):
            raise ValueError("the unit of a panel is its person, or row")
        time = self.columns[self.panel.time]
        if time.type not in ("integer", "date") or time.min is None:
            raise ValueError("the panel's time is an integer or a date, with min and max")
        if isinstance(self.panel.every, str) and time.type != "date":
            raise ValueError("every is a number of steps where the panel's time is an integer")
        return self

    def _check_level(self, name: str, level: Level, base: Column) -> None:
        is_cut = base.type in ("integer", "real", "date")
        if level.is_cut != is_cut or base.type not in ("integer", "real", "date", "category"):
            raise ValueError(
                f"level '{name}': numbers and dates take width or cuts, categories take groups"
            )
        if is_cut and base.min is None:
            raise ValueError(f"level '{name}' is of a column without min and max")
        if not is_cut and base.values:
            self.groups(name)

    def require_confirmed(self) -> None:
        """Refuse to spend under a unit or a budget that nobody has decided."""
        if not self.table.confirmed:
            raise UnitUnconfirmed(self.table.unit)
        if self.budget is not None and not self.budget.confirmed:
            raise BudgetUnconfirmed

    def members(self, name: str) -> tuple[str, ...]:
        """Every label of a category, or of a level of groups, `other` last."""
        if name in self.levels:
            return tuple(self.groups(name))
        column = self.columns[name]
        return column.values + ((column.other,) if column.other is not None else ())

    def groups(self, name: str) -> dict[str, tuple[str, ...]]:
        """A level of groups: label → labels of what it is built on."""
        level = self.levels[name]
        other = self.columns[base_of(name, self.levels)].other
        return gathered(level, self.members(level.of), other, name)

    def column(self, name: str) -> Column:
        """A declared, confirmed column, or the refusal that says what to do."""
        if name not in self.columns:
            raise UnknownColumn(name, tuple(self.columns))
        column = self.columns[name]
        if not column.confirmed:
            raise Unconfirmed(name)
        return column

    def grid(self, name: str) -> Grid:
        return self.column(name).grid(name)

    def domain(self, name: str) -> tuple[str, ...]:
        """Every label that a category can show, `other` last."""
        column = self.column(name)
        if column.type == "boolean":
            return ("false", "true")
        if not column.values:
            raise DomainMissing(name)
        return column.values + ((column.other,) if column.other is not None else ())

    def digest(self) -> str:
        """SHA-256 of what answers mean: table and columns, without labels. The budget is the
        ledger's: raising a cap does not make another plan of the same questions."""
        hidden: dict[str, Any] = {
            "budget": True,
            "table": {"confirmed", "population"},
            "columns": {"__all__": {"label"}},
        }
        hidden["levels"] = {"__all__": {"label"}} if self.levels else True
        # What is not declared leaves no trace, so that older schemas keep their digest.
        hidden |= {} if self.invariants else {"invariants": True}
        hidden["rules"] = {"__all__": {"name", "why"}} if self.rules else True
        hidden |= {} if self.panel is not None else {"panel": True}
        described = self.model_dump(mode="json", exclude=hidden)
        text = json.dumps(described, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def _sane(low: Any, high: Any) -> bool:
    """Far enough from the ends of floating point that squares and sums stay inside it."""
    return bool(max(abs(low), abs(high)) <= 1e100 and high - low >= 1e-100)


def _label(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return str(value) if isinstance(value, (int, float)) else value


def parse_schema(text: str, source: str) -> Schema:
    """A schema from TOML text; every refusal is one line with a hint."""
    try:
        return Schema.model_validate(read_toml(text))
    except Unreadable as error:
        raise InvalidSchema(
            f"{source} is not valid TOML: {error}.", "Mend that line.", place=source
        ) from None
    except ValidationError as error:
        raise _refusal(error, source) from None


def make_schema(values: dict[str, Any]) -> Schema:
    """A schema from nested dictionaries, as `parse_schema` reads it from text."""
    try:
        return Schema.model_validate(values)
    except ValidationError as error:
        raise _refusal(error, "The schema") from None


_HINT = "Mend it in the schema; docs/schema.md lists every key."


def _refusal(error: ValidationError, source: str) -> InvalidSchema:
    """A message with a code of its own for every kind of fault; what the validators say has one for
    each of their sentences (tests/support/error_codes.py)."""
    found = first_problem(error, Schema)
    where, said = found.where, found.said
    match found.fault:
        case "unknown":
            hint = nearest_hint(found.key, found.known)
            return InvalidSchema(f"{source}: '{where}' is no key.", hint, place=source)
        case "missing":
            return InvalidSchema(f"{source}: '{where}' is missing.", _HINT, place=source)
        case "choice":
            return InvalidSchema(
                f"{source}: '{where}' is none of what it may be: {said}.", _HINT, place=source
            )
        case "range":
            return InvalidSchema(
                f"{source}: '{where}' is out of its range: {said}.", _HINT, place=source
            )
        case "type":
            return InvalidSchema(
                f"{source}: '{where}' has the wrong type: {said}.", _HINT, place=source
            )
    return InvalidSchema(f"{source}: at {where or 'the schema'}: {said}.", _HINT, place=source)
