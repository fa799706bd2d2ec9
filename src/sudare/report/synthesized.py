"""A synthetic file's report as one self-contained HTML file: both languages inside, no fetch."""

from __future__ import annotations

from sudare.facts.synthesized import Synthesized
from sudare.report.both import Both, both
from sudare.report.numbers import format_share
from sudare.report.synthesized_charts import correlation_drawings, marginal_drawings
from sudare.report.synthesized_promise import promise_of
from sudare.report.synthesized_sections import sections
from sudare.report.synthesized_words import said
from sudare.report.templates import render_page
from sudare.report.texts import Language

_GUARANTEE = ("epsilon", "delta", "rho", "neighbours", "unit", "max_rows_per_unit")
_SOURCE = ("engine", "schema_sha256", "plan_sha256", "ledger_entry")


def render(facts: Synthesized, language: Language) -> str:
    """The page, first shown in `language`."""
    pictures = [
        (said("head_marginals"), said("marginals"), list(marginal_drawings(facts)), "flow"),
        (said("head_correlations"), None, list(correlation_drawings(facts.correlations)), "threes"),
    ]
    return render_page(
        "synthesized",
        styles=("compared", "synthesized"),
        title=said("title", table=facts.table),
        lead=said("lead", rows=facts.rows, columns=len(facts.marginals)),
        heading=said("head_guarantee"),
        promise=promise_of(facts),
        sections=list(sections(facts)),
        pictures=[each for each in pictures if each[2]],
        file_heading=said("head_file"),
        facts=_facts(facts),
        language=language,
    )


def _facts(facts: Synthesized) -> list[tuple[Both, str]]:
    """The certificate's facts, those that are stated."""
    source, stated = facts.source, facts.guarantee or {}
    named = [
        (said("fact_name"), facts.file.get("name")),
        (said("fact_file_sha256"), facts.file.get("sha256")),
        (said("fact_rows"), f"{facts.rows:,}"),
        (both("fact_created"), facts.created),
        (said("fact_made_by"), facts.software),
        (both("fact_table"), facts.table),
        (said("fact_statistics_source"), source.get("source")),
        (both("fact_id"), source.get("release")),
        *((both(f"fact_{key}"), source.get(key)) for key in _SOURCE),
        *((both(f"fact_{key}"), stated.get(key)) for key in _GUARANTEE),
    ]
    return [(name, _shown(value)) for name, value in named if value is not None]


def _shown(value: object) -> str:
    return format_share(value) if isinstance(value, float) else str(value)
