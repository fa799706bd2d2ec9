"""Schema and plan files: found, read and handed to `facts` to be validated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudare.facts.address import check_place, is_address, parse_address
from sudare.facts.engine import EngineChoice
from sudare.facts.errors import InvalidPlan, InvalidSchema, UsageError
from sudare.facts.keys import nearest_hint
from sudare.facts.plan import MECHANISMS, Plan, read_delta, read_epsilon
from sudare.facts.reading import Unreadable, read_toml, shortened
from sudare.facts.schema import Schema, parse_schema

SUFFIX = ".schema.toml"
_DATA_SUFFIXES = (".gz", ".bz2", ".zst", ".csv", ".tsv", ".txt", ".parquet", ".pq")


def load_schema(path: str | Path) -> Schema:
    """Read and validate a schema file."""
    return parse_schema(_text(Path(path), InvalidSchema, "schema"), str(path))


def stem(data: str | Path) -> Path:
    """people.csv.gz → people in the same folder; so does the pattern people/*.parquet, and in the
    folder where the command runs an address: …#public.people, or s3a://…/people/*.parquet."""
    if is_address(data):
        table = (parse_address(str(data)).fragment or "table").rpartition(".")[2]
        return Path(table.strip('"').replace("/", "_") or "table")
    check_place(data)
    is_elsewhere = "://" in str(data)
    path = Path(str(data).partition("://")[2]) if is_elsewhere else Path(data)
    while any(sign in path.name for sign in "*?[") and path.name:
        path = path.parent
    while path.suffix.lower() in _DATA_SUFFIXES:
        path = path.with_suffix("")
    return Path(path.name or "table") if is_elsewhere else path


def schema_path(data: str | Path) -> Path:
    """Where the schema of a data file lies unless --schema says otherwise."""
    found = stem(data)
    return found.with_name(found.name + SUFFIX)


def ledger_path(schema_file: str | Path) -> Path:
    """The ledger lies beside the schema: people.schema.toml → people.ledger."""
    path = Path(schema_file)
    name = path.name.removesuffix(".toml").removesuffix(".schema")
    return path.with_name(name + ".ledger")


@dataclass(frozen=True)
class PlanFile:
    """A declarative plan with the files it names (relative to itself)."""

    plan: Plan
    data: str | Path
    schema: Path
    ledger: str | Path | None
    output: Path | None
    analyst: str | None
    key: str | None
    engine: EngineChoice


_KEYS = {
    "data": str,
    "schema": str,
    "ledger": str,
    "output": str,
    "analyst": str,
    "idempotency_key": str,
    "epsilon": (int, float),
    "delta": (int, float),
    "mechanism": str,
    "questions": list,
    "engine": str,
    "master": str,
}


def load_plan(path: str | Path) -> PlanFile:
    """Read and validate a TOML plan; docs/plans.md shows one."""
    place = Path(path)
    text = _text(place, InvalidPlan, "plan")
    try:
        values = read_toml(text)
    except Unreadable as error:
        raise InvalidPlan(
            f"{path} is not valid TOML: {error}.", "Mend that line.", place=path
        ) from None
    _check_keys(values, place)
    data = _beside(place, values["data"])
    schema = place.parent / values["schema"] if "schema" in values else schema_path(data)
    return PlanFile(
        plan=_plan(values, place),
        data=data,
        schema=schema,
        ledger=_beside(place, values["ledger"]) if "ledger" in values else None,
        output=place.parent / values["output"] if "output" in values else None,
        analyst=values.get("analyst"),
        key=values.get("idempotency_key"),
        engine=EngineChoice(values.get("engine", "auto"), values.get("master")),
    )


def _beside(plan: Path, name: str) -> str | Path:
    """A file that a plan names lies relative to the plan; an address stands for itself."""
    check_place(name)
    return name if is_address(name) else plan.parent / name


def _plan(values: dict[str, Any], place: Path) -> Plan:
    questions = tuple(_question(entry, place) for entry in values["questions"])
    epsilon = read_epsilon(values["epsilon"]) if "epsilon" in values else None
    delta = read_delta(values.get("delta", 0))
    return Plan(questions, epsilon, delta, values.get("mechanism", MECHANISMS[0]))


def _question(entry: Any, place: Path) -> str:
    """A question is a string, or a table {ask = "mean(age)", epsilon = 0.2}."""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, dict) and isinstance(entry.get("ask"), str):
        unknown = set(entry) - {"ask", "epsilon"}
        if unknown:
            key = min(unknown)
            raise InvalidPlan(
                f"{place}: a question has an unknown key '{shortened(key)}'.",
                nearest_hint(key, ("ask", "epsilon")),
                place=place,
            )
        share = entry.get("epsilon")
        return entry["ask"] if share is None else f"{entry['ask']} @ {share}"
    raise InvalidPlan(
        f"{place}: a question is neither text nor a table with ask and epsilon.",
        'Write [[questions]] with ask = "mean(age)".',
        place=place,
    )


def _check_keys(values: dict[str, Any], place: Path) -> None:
    for key in values:
        # First of all: what is missing may stand under another name.
        if key not in _KEYS:
            raise InvalidPlan(
                f"{place} has an unknown key '{shortened(key)}'.",
                nearest_hint(key, _KEYS),
                place=place,
            )
    for key in ("data", "questions"):
        if key not in values:
            raise InvalidPlan(
                f"{place} has no {key}.", "See docs/plans.md for an example.", place=place
            )
    for key, value in values.items():
        if not isinstance(value, _KEYS[key]) or isinstance(value, bool):  # type: ignore[arg-type]
            raise InvalidPlan(
                f"{place}: '{key}' has the wrong type.", "See docs/plans.md.", place=place
            )


def _text(path: Path, error: type[InvalidSchema] | type[InvalidPlan], what: str) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        hint = "Draft one with `sudare init DATA`." if what == "schema" else "Check its name."
        raise error(f"There is no {what} file {path}.", hint, place=path) from None
    except IsADirectoryError:
        raise UsageError(
            f"{path} is a folder, not a {what} file.", "Name the file.", place=path
        ) from None
    except (OSError, UnicodeDecodeError):
        raise error(
            f"The {what} file {path} cannot be read.", "It must be TOML in UTF-8.", place=path
        ) from None
