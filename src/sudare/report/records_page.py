"""Parts of a report as one self-contained HTML file: both languages inside, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence

from sudare.report.both import Both
from sudare.report.records_risk import Part
from sudare.report.templates import render_page
from sudare.report.texts import Language


def page(title: Both, parts: Sequence[Part], language: Language) -> str:
    """The page, first shown in `language`."""
    return render_page(
        "parts",
        title=title,
        parts=parts,
        language=language,
    )
