"""Statistics that rows are made of, wherever they come from, and the rules that they carry."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from sudare._version import VERSION
from sudare.facts.certificate import Statement
from sudare.facts.errors import InvalidFile, UsageError
from sudare.facts.rules import CompiledRule
from sudare.facts.schema import Schema, make_schema
from sudare.facts.statistics import Marginal, Statistics
from sudare.publish.statistics import ruled_by
from sudare.queries.rules import compiled_rules
from sudare.synthesis.closeness import closeness
from sudare.synthesis.contradictions import check_statistics
from sudare.synthesis.panel import long_marginals
from sudare.synthesis.ruled import bound_rules
from sudare.synthesis.rules.rules import Rules
from sudare.synthesis.splitting import split_at


def refuse_lags(lags: int | None) -> None:
    if lags is not None:
        raise UsageError(
            "--lags is for panels, and the schema declares none.",
            "Name the person and the time under [panel]; see docs/panels.md.",
        )


def read_statistics(path: str | Path) -> Statistics:
    """Statistics from a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InvalidFile("The file of statistics is not there.", "Check the path.") from None
    except (OSError, UnicodeDecodeError):
        raise InvalidFile(
            "The file of statistics cannot be read.", "It must be JSON in UTF-8."
        ) from None
    return Statistics.from_json(text)


def statement_of(statistics: Statistics, created: str) -> Statement:
    """What the certificate of a file of statistics states; the file itself is bound by its
    digest."""
    provenance = dict(statistics.provenance)
    guarantee = provenance.pop("guarantee", None)
    return Statement(
        "statistics",
        created,
        guarantee,
        {"software": f"sudare {VERSION}", "statistics": provenance},
        {
            "table": statistics.table,
            "origin": statistics.origin,
            "rows": statistics.rows,
            "columns": list(statistics.names),
            "two_way_tables": len(statistics.crosses),
        },
    )


def advice(statistics: Statistics) -> dict[str, Any]:
    """Of statistics alone, before any row is made: how close they come to a person."""
    check_statistics(statistics)
    found = closeness(statistics).to_dict() if statistics.origin == "exact" else None
    return {
        "table": statistics.table,
        "origin": statistics.origin,
        "rows": statistics.rows,
        "columns": list(statistics.names),
        "two_way_tables": len(statistics.crosses),
        "guarantee": statistics.provenance.get("guarantee"),
        "nearness": statistics.provenance.get("nearness"),
        "closeness": found,
    }


def ruled_by_schema(statistics: Statistics, schema: Schema) -> Statistics:
    """Statistics of a file with the rules of a schema beside it; those of the file stay. Noisy ones
    are split where a rule turns inside a bin: to measure them anew would cost anew."""
    kept = ruled_by(schema, schema_of(statistics).columns).rules
    texts = [rule.model_dump(by_alias=True, exclude_none=True) for rule in kept]
    new = [rule for rule in texts if rule not in statistics.rules]
    found = statistics.with_rules((*statistics.rules, *new))
    if found.origin == "exact" or found.panel is not None:
        return found
    return split_at(found, rules_of(found))


def schema_of(statistics: Statistics) -> Schema:
    """What statistics say of their columns, as a schema: a statistics file stands for itself."""
    marginals = statistics.marginals
    if statistics.panel is not None:
        marginals = long_marginals(statistics)
    columns = {each.name: _declared(each) for each in marginals}
    return make_schema(
        {"table": {"name": statistics.table or "table"}, "columns": columns,
         "rules": list(statistics.rules)}
    )  # fmt: skip


def _declared(each: Marginal) -> dict[str, Any]:
    if each.type == "category":
        return {"type": "category", "values": list(each.labels)}
    if each.type == "boolean":
        return {"type": "boolean"}
    if each.type == "date":
        days = [dt.date(1970, 1, 1) + dt.timedelta(days=index) for index in (each.low, each.high)]
        return {"type": "date", "min": days[0], "max": days[1]}
    if each.type == "integer":
        return {"type": "integer", "min": each.low, "max": each.high}
    low, high = each.low * each.step, each.high * each.step
    return {"type": "real", "min": low, "max": high, "step": each.step}


def rules_of(statistics: Statistics) -> tuple[CompiledRule, ...]:
    """The rules that the statistics carry."""
    return compiled_rules(schema_of(statistics)) if statistics.rules else ()


def bound_rules_of(statistics: Statistics) -> Rules:
    """The same over level codes; refused where they leave no possible record."""
    return bound_rules(statistics.marginals, rules_of(statistics))
