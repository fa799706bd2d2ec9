"""What a release promises and what it does not, in plain words.

Claim    the honest-answer survey is exact, not a simile: whatever an ε-private release tells about
         one of two neighbouring tables can be computed from one answer of randomised response with
         the same ε, honest with probability (e^ε − 1)/(e^ε + 1).
Source   paper 001, equation 4; Kairouz, Oh and Viswanath 2015 for the converse.
Needs    the ε of the whole release. δ is stated beside it wherever it is not 0.
Gaps     none known.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sudare.facts.release import Release
from sudare.report.numbers import format_percent, format_share
from sudare.report.tabulation import left_out
from sudare.report.texts import Language, text
from sudare.report.words import listed

# Beyond this e^ε leaves floating point; such a release protects nobody, and says so by itself.
_LARGEST_EXPONENT = 700.0


def promise(release: Release, language: Language) -> list[str]:
    """The guarantee in sentences, one paragraph each."""
    return promised(release.guarantee, language)


def promised(stated: Mapping[str, Any], language: Language) -> list[str]:
    """The same of a guarantee alone, which statistics carry without their release."""
    epsilon, delta = float(stated["epsilon"]), float(stated.get("delta") or 0)
    unit, shown = _unit(stated, language), format_share(delta)
    slack = text("promise_slack", language, delta=shown) if delta else ""
    more = text("promise_more", language, delta=shown) if delta else ""
    key = "promise_" + str(stated["neighbours"]).replace("-", "_")
    lines = [text(key, language, unit=unit, ratio=_ratio(epsilon), slack=slack)]
    if stated["unit"] != "row":
        rows = stated["max_rows_per_unit"]
        lines.append(text("promise_rows", language, unit=unit, rows=rows))
    honest = format_percent(math.tanh(epsilon / 2))
    lines.append(text("promise_honest", language, unit=unit, honest=honest, more=more))
    guess = format_percent(1 / (1 + math.exp(-epsilon)))
    lines.append(text("promise_guess", language, guess=guess, more=more))
    return lines


def not_covered(release: Release, language: Language) -> list[str]:
    """What a reader might take to be included and is not."""
    stated = release.guarantee
    unit = _unit(stated, language)
    lines = [text(key, language) for key in ("not_clipping", "not_sampling")]
    if stated["unit"] != "row":
        rows = stated["max_rows_per_unit"]
        lines.append(text("not_rows", language, unit=unit, rows=rows))
    lines.append(text("not_public", language))
    lines += _of_table(release, language)
    if release.randomized is not None:
        lines += [text(key, language) for key in ("not_local_rows", "not_local_missing")]
    lines.append(text("not_groups", language, unit=unit))
    return [*lines, text("not_others", language)]


def _of_table(release: Release, language: Language) -> list[str]:
    """What a reader of a table might misread: public totals, small cells, margins elsewhere."""
    if release.tabulation is None:
        return []
    lines = []
    public = release.tabulation["invariant"]
    if public is not None:
        lines.append(text("not_invariant", language, **public))
    lines.append(text("not_negative", language))
    missing = left_out(release)
    if missing:
        names = listed([text("name", language, name=name) for name in missing], language)
        lines.append(text("not_shown", language, names=names))
    return lines


def _unit(stated: Mapping[str, Any], language: Language) -> str:
    key = "unit_row" if stated["unit"] == "row" else "unit_column"
    return text(key, language, unit=stated["unit"])


def _ratio(epsilon: float) -> str:
    return f"{math.exp(min(epsilon, _LARGEST_EXPONENT)):.3g}"
