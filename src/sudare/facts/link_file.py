"""The shape of link.toml: which keys there are and what may stand behind them. What the values mean
together is checked where the plan is built (link_plan.py)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, ValidationError

from sudare.facts.errors import InvalidPlan
from sudare.facts.keys import first_problem, nearest_hint
from sudare.facts.numbers import exact_number
from sudare.facts.reading import Unreadable, read_toml

_HINT = "Mend it in link.toml; docs/link-plan.md lists every key."


def _exact(value: Any) -> Any:
    """Numbers as people write them: 0.1 is one tenth, not its binary neighbour."""
    found = exact_number(value)
    if found is None:
        raise ValueError("write a number such as 0.5 or 1e-9")
    return found


def _listed(value: Any) -> Any:
    """ "mean,correlation" and ["mean", "correlation"] are the same."""
    return value.split(",") if isinstance(value, str) else value


Number = Annotated[Any, BeforeValidator(_exact)]
Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]
Rule = Literal["exact", "phone", "number", "name", "name-strict", "address", "email"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class KeyEntry(_Frozen):
    column: str
    rule: Rule = "exact"


class PartyEntry(_Frozen):
    name: str
    data_schema: str = Field(alias="schema")
    key: Annotated[tuple[KeyEntry, ...], Field(min_length=1, max_length=8)]
    columns: Annotated[Names, Field(min_length=1)]
    address: str | None = None
    mechanisms: tuple[str, ...] = ()
    epsilon: Number | None = None
    central: Number | None = None


class PlaceEntry(_Frozen):
    """A host that holds no table: the collector, or the helper of a secure computation."""

    name: str
    address: str | None = None


class DummiesEntry(_Frozen):
    epsilon: Number
    delta: Number


class LinkFile(_Frozen):
    session: str
    collector: PlaceEntry
    parties: Annotated[tuple[PartyEntry, ...], Field(min_length=2, max_length=16)]
    pseudonyms: Literal["commutative", "salt"] = "commutative"
    job: Literal["randomize", "pk", "secure"] = "randomize"
    rows: Literal["joined", "all"] = "joined"
    epsilon: Number | None = None
    delta: Number = Fraction(1, 10**9)
    statistics: Names = ()
    bins: Annotated[StrictInt, Field(ge=2, le=1024)] | None = None
    k: Annotated[StrictInt, Field(ge=2)] | None = None
    joined_rows: Annotated[StrictInt, Field(ge=2, le=2**40)] | None = None
    max_rows: Annotated[StrictInt, Field(ge=1, le=2**40)] | None = None
    helper: PlaceEntry | None = None
    dummies: DummiesEntry | None = None
    ca_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None


def read_link_file(text: str) -> LinkFile:
    """The file as it stands; every refusal is one line with a hint."""
    try:
        return LinkFile.model_validate(read_toml(text))
    except Unreadable as error:
        raise InvalidPlan(f"link.toml is not valid TOML: {error}.", "Mend that line.") from None
    except ValidationError as error:
        raise _refusal(error) from None


def _refusal(error: ValidationError) -> InvalidPlan:
    found = first_problem(error, LinkFile)
    where, said = found.where, found.said
    match found.fault:
        case "unknown":
            hint = nearest_hint(found.key, found.known)
            return InvalidPlan(f"link.toml: '{where}' is no key.", hint)
        case "missing":
            return InvalidPlan(f"link.toml: '{where}' is missing.", _HINT)
        case "choice":
            return InvalidPlan(f"link.toml: '{where}' is none of what it may be: {said}.", _HINT)
        case "range":
            return InvalidPlan(f"link.toml: '{where}' is out of its range: {said}.", _HINT)
        case "type":
            return InvalidPlan(f"link.toml: '{where}' has the wrong type: {said}.", _HINT)
    return InvalidPlan(f"link.toml: at {where or 'the file'}: {said}.", _HINT)
