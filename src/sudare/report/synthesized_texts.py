"""What `sudare synthesize` prints: a few lines; the page beside the file says the rest."""

from __future__ import annotations

from typing import Any

from sudare.facts.closeness import Closeness
from sudare.facts.synthesized import Synthesized
from sudare.report import closeness, nearness
from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.numbers import format_share
from sudare.report.records_risk import lines as part_lines
from sudare.report.synthesized_promise import headline, is_stated, private_command
from sudare.report.synthesized_sections import clashes, names_of, pairs_of, rules_kept
from sudare.report.synthesized_words import said
from sudare.report.texts import Language


def lines(facts: Synthesized, language: Language) -> list[str]:
    """Of synthetic rows: the guarantee or its absence first, then what was kept."""
    made = said(
        "made_of",
        rows=facts.rows,
        columns=len(facts.marginals),
        origin=said(f"origin_{facts.origin}"),
    )
    told = [made, headline(facts), *_close(facts)]
    if facts.mode != "default":
        told += [said(f"mode_{facts.mode}"), said("leaves")]
    told += _kept(facts)
    if facts.rules:
        told += [rules_kept(facts), *clashes(facts)]
    if facts.exclusive:
        told.append(said("exclusive", pairs=pairs_of(facts.exclusive)))
    if facts.origin == "exact" and facts.proposals:
        told.append(said("terse_proposals", count=len(facts.proposals)))
    return [each[language] for each in told]


def _close(facts: Synthesized) -> list[Both]:
    if facts.closeness is None:
        return []
    verdict = Closeness.from_dict(facts.closeness).verdict
    told = [*nearness.sentences(facts.nearness), said(f"close_{verdict}")]
    return told if verdict == "fine" else [*told, plain(f"  {private_command(facts.source)}")]


def _kept(facts: Synthesized) -> list[Both]:
    """Moments, two-way tables, and what noise has swallowed."""
    told = []
    after, before = facts.after, facts.before
    if after is not None and before is not None:
        told.append(
            said(
                "terse_moments",
                mean=after.mean,
                covariance=after.covariance,
                before_mean=before.mean,
                before_covariance=before.covariance,
            )
        )
    elif after is not None:
        told.append(said("terse_written", mean=after.mean, covariance=after.covariance))
    if facts.two_way is not None:
        told.append(said(f"terse_two_way_{facts.two_way_of}", tv=facts.two_way))
    kept, lost = len(facts.recovered), len(facts.lost)
    if facts.origin != "exact" and kept + lost:
        told.append(said("terse_pairs", recovered=kept, lost=lost, all=kept + lost))
    untold = facts.source.get("untold")
    return [*told, said("untold", names=names_of(untold))] if untold else told


def statistics_lines(told: dict[str, Any], language: Language) -> list[str]:
    """Of statistics alone (`publish.synthesize.advice`): what they promise, and where they are
    exact everything that was found about how close they come to a person."""
    first = said(
        "statistics_of",
        table=told["table"],
        columns=len(told["columns"]),
        tables=told["two_way_tables"],
    )
    found = [first[language], _promise(told)[language]]
    if told["origin"] == "exact":
        found += [each[language] for each in nearness.sentences(told.get("nearness"))]
    if told["closeness"] is not None:
        parts = closeness.parts(Closeness.from_dict(told["closeness"]))
        found += part_lines(parts, language)
    return found


def _promise(told: dict[str, Any]) -> Both:
    stated = told["guarantee"]
    if told["origin"] == "exact":
        return said("statistics_none")
    if stated is None or not is_stated(stated, told["origin"]):
        return said("unstated")
    epsilon, delta = stated["epsilon"], stated.get("delta") or 0
    return said("statistics_private", epsilon=format_share(epsilon), delta=format_share(delta))
