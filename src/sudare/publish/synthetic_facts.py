"""The certificate of synthetic rows: made of statistics and of the rows, checked on the rows as
they are written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sudare._version import VERSION
from sudare.facts.drawn import Drawn
from sudare.facts.microdata import Microdata
from sudare.facts.rules import CompiledRule
from sudare.facts.statistics import Marginal, Statistics
from sudare.facts.synthesized import Mode, Preserve, RuleKept, Synthesized
from sudare.publish.drawn_rows import as_microdata
from sudare.publish.given_statistics import bound_rules_of
from sudare.risk.compare.cells import cells_of
from sudare.risk.compare.crosses import cross_errors
from sudare.synthesis.closeness import closeness
from sudare.synthesis.described import (
    correlations,
    kept_marginal,
    level_codes,
    moment_gap,
    standard_gap,
    two_way_distance,
)
from sudare.synthesis.matching.match import Matched
from sudare.synthesis.records import exclusive_pairs
from sudare.synthesis.ruled import bound_rules, column_levels, stated_breaks
from sudare.synthesis.rules.proposing import proposed
from sudare.synthesis.signal import signal
from sudare.synthesis.targets import pairs_matrix


def synthesized_facts(
    statistics: Statistics,
    preserve: Preserve,
    mode: Mode,
    drawn: Drawn,
    matched: Matched | None,
    marginals: Sequence[Marginal],
    rules: Sequence[CompiledRule],
) -> Synthesized:
    """Everything that is told of the rows."""
    flat = statistics.panel is None
    provenance = dict(statistics.provenance)
    guarantee = provenance.pop("guarantee", None)
    nearness = provenance.pop("nearness", None)
    facts = Synthesized(
        table=statistics.table,
        rows=drawn.rows,
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        software=f"sudare {VERSION}",
        origin=statistics.origin,
        mode=mode,
        preserve=preserve,
        guarantee=guarantee,
        source=provenance,
        used=_used(statistics, preserve, mode),
        marginals=tuple(
            kept_marginal(each, drawn)
            for each in marginals
            if each.name in _shown(drawn, statistics)
        ),
        rules=_kept_rules(marginals, drawn, rules),
        rounded=tuple(each.name for each in marginals if each.is_number and each.type != "real"),
        exclusive=exclusive_pairs(statistics) if flat and mode == "default" else (),
        panel=statistics.panel,
        nearness=nearness,
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


def measured_beside(real: Microdata, drawn: Drawn, marginals: Sequence[Marginal]) -> dict[str, Any]:
    """The distance of two-way tables as `sudare compare` measures it, over its cells."""
    if len(marginals) < 2:
        return {}
    cells = cells_of(real, as_microdata(drawn, marginals))
    return {"two_way": cross_errors(cells, 0).two_way_tv, "two_way_of": "real"}


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
            clashes=tuple(stated_breaks(statistics, bound_rules_of(statistics))) if flat else (),
            proposals=tuple(each.toml() for each in found),
        )
    told = signal(statistics)
    return replace(
        facts,
        recovered=tuple(pair for pair, kept in told.items() if kept),
        lost=tuple(pair for pair, kept in told.items() if not kept),
    )


def _used(statistics: Statistics, preserve: Preserve, mode: Mode) -> dict[str, Any]:
    """Which statistics the rows were made of."""
    tables = [
        list(pair)
        for pair in statistics.crosses
        if preserve == "tables" or not any(statistics.marginal(n).is_number for n in pair)
    ]
    moments = statistics.moments
    exact = mode in ("paper", "b") or (mode == "default" and moments is not None)
    return {
        "rows": statistics.rows,
        "histograms": list(statistics.names),
        "two_way_tables": tables if mode in ("default", "paper") else [],
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
