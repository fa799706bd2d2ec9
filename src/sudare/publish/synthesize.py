"""Synthesise microdata: statistics first, from one of four places, and then rows from them alone.

Exact statistics promise nothing and charge nothing; private ones are measured under the ledger;
randomised reports and statistics files carry the guarantee that they came with. Whatever follows is
post-processing: it sees the statistics and fresh random bits.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sudare._version import VERSION
from sudare.engines.synthetic import (
    check_ending,
    dataframe,
    synthetic_table,
    write_synthetic,
)
from sudare.facts.drawn import Drawn
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidFile, InvalidPlan, UsageError
from sudare.facts.rules import CompiledRule
from sudare.facts.schema import Schema, make_schema
from sudare.facts.statistics import Marginal, Statistics
from sudare.facts.synthesized import Mode, Preserve, RuleKept, Synthesized
from sudare.publish.panels import panel_statistics
from sudare.publish.recording import source_facts
from sudare.publish.statistics import exact_statistics
from sudare.queries.rules import compiled_rules
from sudare.randomness.bits import RandomBits, SystemBits
from sudare.synthesis.closeness import closeness
from sudare.synthesis.contradictions import check_statistics
from sudare.synthesis.described import (
    correlations,
    kept_marginal,
    level_codes,
    moment_gap,
    standard_gap,
    two_way_distance,
)
from sudare.synthesis.levels import MINIMUM
from sudare.synthesis.matching.match import Matched
from sudare.synthesis.panel import fit_panel, long_marginals
from sudare.synthesis.paper.draw import paper_rows
from sudare.synthesis.records import exclusive_pairs
from sudare.synthesis.ruled import bound_rules, column_levels, stated_breaks
from sudare.synthesis.rules.proposing import proposed
from sudare.synthesis.rules.rules import Rules
from sudare.synthesis.signal import signal
from sudare.synthesis.synthesize import Model, fit_model
from sudare.synthesis.targets import pairs_matrix

MOST_ROWS = 2**31
Progress = Callable[[str, float], None]


def _silent(step: str, share: float) -> None:
    """Nobody is watching."""


@dataclass(frozen=True)
class Wish:
    """What is to be made of statistics: how many rows (as many as there were, if None), which
    statistics are to be kept, and by which method."""

    rows: int | None = None
    preserve: Preserve = "tables"
    mode: Mode = "default"

    def __post_init__(self) -> None:
        if self.rows is not None and not 0 < self.rows <= MOST_ROWS:
            raise InvalidPlan(
                "The number of synthetic rows must be above 0 and at most 2147483648.",
                "Leave --rows out for as many as the statistics speak of.",
            )


@dataclass(frozen=True, eq=False)
class Made:
    """Synthetic rows in memory and their certificate."""

    facts: Synthesized
    drawn: Drawn
    marginals: tuple[Marginal, ...]

    def table(self) -> Any:
        """The rows as an Arrow table."""
        return synthetic_table(self.drawn, self.marginals)

    def dataframe(self, like: object) -> Any:
        """The rows in the type of `like`."""
        return dataframe(self.table(), like)

    def write(self, path: Path, encoding: str | None = None) -> Made:
        """Write the rows; the certificate then names the file."""
        digest = write_synthetic(path, self.table(), encoding)
        return replace(self, facts=replace(self.facts, file={"name": path.name, "sha256": digest}))


def exact(
    data: object,
    schema: Schema,
    preserve: Preserve = "tables",
    *,
    columns: tuple[str, ...] | None = None,
    lags: int | None = None,
    minimum: int = MINIMUM,
    with_sums: bool = False,
    engine: EngineChoice = AUTO,
    progress: Progress = _silent,
) -> Statistics:
    """Exact statistics of rows, or of a panel where the schema declares one. Nothing is charged,
    because nothing is promised. Sums within categories say no more than two-way tables do; they are
    stated where the tables are not, and for the paper's methods (`with_sums`)."""
    if schema.panel is None:
        _refuse_lags(lags)
        found = exact_statistics(
            data, schema, preserve, columns=columns, minimum=minimum, engine=engine,
            progress=progress,
        )  # fmt: skip
    else:
        found = panel_statistics(
            data, schema, preserve, lags=lags, columns=columns, minimum=minimum, engine=engine,
            progress=progress,
        )  # fmt: skip
    if preserve == "tables" and not with_sums:
        found = replace(found, shifts={})
    return replace(
        found, provenance={**source_facts(data, engine), "schema_sha256": schema.digest()}
    )


def ruled_by_schema(statistics: Statistics, schema: Schema) -> Statistics:
    """Statistics of a file with the rules of a schema beside it; those of the file stay."""
    texts = [rule.model_dump(by_alias=True, exclude_none=True) for rule in schema.rules]
    new = [rule for rule in texts if rule not in statistics.rules]
    return statistics.with_rules((*statistics.rules, *new))


def check_wish(schema: Schema, wish: Wish, lags: int | None) -> None:
    """Refuse before anything is charged what is refused in any case."""
    if schema.panel is None:
        _refuse_lags(lags)
    else:
        _refuse_paper(wish, "A panel")


def _refuse_lags(lags: int | None) -> None:
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


def write_statistics(path: Path, statistics: Statistics) -> None:
    """Statistics into a file, for whoever makes rows of them."""
    path.write_text(statistics.to_json() + "\n", encoding="utf-8")


def check_output(path: Path) -> None:
    """Refuse a name before anything is charged or read for it."""
    check_ending(path)


@dataclass(frozen=True, eq=False)
class Fitted:
    """Statistics that rows can be drawn from as often as one likes; `model` is None in the paper's
    modes, which have nothing to fit."""

    statistics: Statistics
    wish: Wish
    rules: tuple[CompiledRule, ...]
    model: Model | None

    def make(
        self,
        rows: int | None = None,
        *,
        bits: RandomBits | None = None,
        progress: Progress = _silent,
    ) -> Made:
        """So many rows, or as many as the statistics speak of, with their certificate."""
        statistics, fresh = self.statistics, bits or SystemBits()
        count = rows if rows is not None else max(round(statistics.rows), 1)
        wish = replace(self.wish, rows=count)
        matched: Matched | None = None
        marginals = statistics.marginals
        if wish.mode != "default":
            drawn = paper_rows(statistics, count, fresh, wish.mode)
        else:
            assert self.model is not None
            drawn, matched = self.model.sample(count, fresh, progress)
        if statistics.panel is not None:
            marginals = long_marginals(statistics)
        progress("describe", 0.0)
        return Made(
            _facts(statistics, wish, drawn, matched, marginals, self.rules), drawn, marginals
        )


def fitted(
    statistics: Statistics,
    wish: Wish,
    *,
    bits: RandomBits | None = None,
    progress: Progress = _silent,
) -> Fitted:
    """Check statistics and fit what rows are drawn from."""
    check_statistics(statistics)
    if statistics.origin == "exact" and statistics.panel is None:
        stated_breaks(statistics, _bound(statistics))
    fresh, rules = bits or SystemBits(), _rules(statistics)
    model: Model | None = None
    if statistics.panel is not None:
        _refuse_paper(wish, "A panel")
        model = fit_panel(statistics, fresh, wish.preserve, rules, progress)
    elif wish.mode == "default":
        model = fit_model(statistics, fresh, wish.preserve, rules, progress)
    return Fitted(statistics, wish, rules, model)


def make(
    statistics: Statistics,
    wish: Wish,
    *,
    bits: RandomBits | None = None,
    progress: Progress = _silent,
) -> Made:
    """Rows from statistics alone."""
    found = fitted(statistics, wish, bits=bits, progress=progress)
    return found.make(wish.rows, bits=bits, progress=progress)


def _refuse_paper(wish: Wish, what: str) -> None:
    if wish.mode != "default":
        raise UsageError(
            f"{what} has no paper mode.", "Leave --mode and --method out; the paper has no panels."
        )


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


def _rules(statistics: Statistics) -> tuple[CompiledRule, ...]:
    """The rules that the statistics carry."""
    return compiled_rules(schema_of(statistics)) if statistics.rules else ()


def _facts(
    statistics: Statistics,
    wish: Wish,
    drawn: Drawn,
    matched: Matched | None,
    marginals: Sequence[Marginal],
    rules: Sequence[CompiledRule],
) -> Synthesized:
    flat = statistics.panel is None
    provenance = dict(statistics.provenance)
    guarantee = provenance.pop("guarantee", None)
    facts = Synthesized(
        table=statistics.table,
        rows=drawn.rows,
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        software=f"sudare {VERSION}",
        origin=statistics.origin,
        mode=wish.mode,
        preserve=wish.preserve,
        guarantee=guarantee,
        source=provenance,
        used=_used(statistics, wish),
        marginals=tuple(
            kept_marginal(each, drawn)
            for each in marginals
            if each.name in _shown(drawn, statistics)
        ),
        rules=_kept_rules(marginals, drawn, rules),
        rounded=tuple(each.name for each in marginals if each.is_number and each.type != "real"),
        exclusive=exclusive_pairs(statistics) if flat and wish.mode == "default" else (),
        panel=statistics.panel,
    )  # fmt: skip
    if flat:
        facts = replace(
            facts,
            correlations=correlations(statistics, drawn),
            after=moment_gap(statistics, drawn) if statistics.origin == "exact" else None,
            two_way=two_way_distance(statistics, drawn),
        )
    if matched is not None:
        facts = replace(
            facts,
            drawn=standard_gap(matched.drawn, matched.deviation, matched.mean, matched.wanted),
            before=standard_gap(matched.before, matched.deviation, matched.mean, matched.wanted),
            after=facts.after
            or standard_gap(matched.after, matched.deviation, matched.mean, matched.wanted),
        )
    return _with_advice(facts, statistics, flat)


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
        "closeness": found,
    }


def _shown(drawn: Drawn, statistics: Statistics) -> set[str]:
    panel = statistics.panel or {}
    return {*drawn.values, *drawn.codes} - {panel.get("person"), panel.get("time")}


def _with_advice(facts: Synthesized, statistics: Statistics, flat: bool) -> Synthesized:
    """How close exact statistics come to a person and what rules they suggest; of noisy ones, which
    pairs of columns were lost in the noise."""
    if statistics.origin == "exact":
        levels = {each.name: column_levels(each) for each in statistics.marginals}
        found = proposed(pairs_matrix(statistics), levels) if flat and statistics.crosses else ()
        return replace(
            facts,
            closeness=closeness(statistics).to_dict(),
            clashes=tuple(stated_breaks(statistics, _bound(statistics))) if flat else (),
            proposals=tuple(each.toml() for each in found),
        )
    told = signal(statistics)
    return replace(
        facts,
        recovered=tuple(pair for pair, kept in told.items() if kept),
        lost=tuple(pair for pair, kept in told.items() if not kept),
    )


def _bound(statistics: Statistics) -> Rules:
    return bound_rules(statistics.marginals, _rules(statistics))


def _used(statistics: Statistics, wish: Wish) -> dict[str, Any]:
    """Which statistics the rows were made of."""
    tables = [
        list(pair)
        for pair in statistics.crosses
        if wish.preserve == "tables" or not any(statistics.marginal(n).is_number for n in pair)
    ]
    moments = statistics.moments
    exact = wish.mode in ("paper", "b") or (wish.mode == "default" and moments is not None)
    return {
        "rows": statistics.rows,
        "histograms": list(statistics.names),
        "two_way_tables": tables if wish.mode in ("default", "paper") else [],
        "moments": list(moments.columns) if moments is not None and exact else [],
        "conditional_sums": len(statistics.shifts),
        "noise": sorted({round(value, 6) for value in statistics.noise.values()}),
    }


def _kept_rules(
    marginals: Sequence[Marginal], drawn: Drawn, rules: Sequence[CompiledRule]
) -> tuple[RuleKept, ...]:
    """How many rows break each rule, read off the finished values."""
    if not rules:
        return ()
    bound = bound_rules(marginals, rules)
    codes = {each.name: level_codes(each, drawn) for each in marginals}
    counts = bound.broken_by_rule({name: codes[name] for name in bound.columns})
    return tuple(
        RuleKept(rule.shown, int(count)) for rule, count in zip(rules, counts, strict=True)
    )
