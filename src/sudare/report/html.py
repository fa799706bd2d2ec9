"""One self-contained HTML file a release: both languages inside, nothing fetched from anywhere.

The page states its own content security policy: no source but itself, and no script but the one
whose hash it lists. A label that slipped through escaping could still run nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sudare.facts.release import Release
from sudare.report.both import Both, both
from sudare.report.cards import card
from sudare.report.certificate import GUARANTEE_KEYS, PROVENANCE_KEYS, statement
from sudare.report.guarantee import not_covered, promise
from sudare.report.numbers import format_percent, format_share
from sudare.report.randomized import reported
from sudare.report.tabulation import shown_answers
from sudare.report.templates import render_page
from sudare.report.texts import Language


def render(release: Release, language: Language = "en", extra: Sequence[str] = ()) -> str:
    """The page, first shown in `language`; `extra` are note paragraphs of the steward."""
    answers = shown_answers(release)
    return render_page(
        "page",
        release=release,
        language=language,
        title=both("page_title", table=release.table),
        answers=answers,
        cards=[card(answer, release.labels) for answer in answers],
        reported=reported(release),
        budget=_budget(release),
        promise=_lines(promise(release, "en"), promise(release, "ja")),
        not_covered=_lines(not_covered(release, "en"), not_covered(release, "ja")),
        facts=_facts(release),
        extra=extra,
        both=both,
    )


def _lines(en: list[str], ja: list[str]) -> list[Both]:
    return [Both(*pair) for pair in zip(en, ja, strict=True)]


def _budget(release: Release) -> dict[str, Any]:
    """What this release took of the ε that was left before it."""
    spent, left = release.spent["epsilon"], release.left["epsilon"]
    share = spent / (spent + left) if spent + left > 0 else 0.0
    deltas = [format_share(part.get("delta") or 0) for part in (release.spent, release.left)]
    has_delta = any(part.get("delta") for part in (release.spent, release.left))
    return {
        "width": f"{100 * share:.2f}",
        "spent": both("budget_spent", epsilon=format_share(spent)),
        "left": both("budget_left", epsilon=format_share(left)),
        "label": both("budget_alt", percent=format_percent(share)),
        "delta": both("budget_delta", spent=deltas[0], left=deltas[1]) if has_delta else None,
    }


def _facts(release: Release) -> list[tuple[Both, str]]:
    """The certificate's facts, those that the release states."""
    stated = statement(release)
    promised = stated.guarantee or {}
    found = {key: stated.body[key] for key in ("id", "table")} | {"created": stated.created}
    found |= {key: promised[key] for key in GUARANTEE_KEYS if key != "mechanism"}
    found |= {key: stated.provenance[key] for key in PROVENANCE_KEYS}
    found |= {"sha256": stated.body["sha256"]}
    return [
        (both(f"fact_{key}"), format_share(value) if isinstance(value, float) else str(value))
        for key, value in found.items()
        if value is not None
    ]
