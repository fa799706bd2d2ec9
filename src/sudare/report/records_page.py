"""Parts of a report as one self-contained HTML file: both languages inside, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sudare.report.both import Both
from sudare.report.html import page_policy
from sudare.report.records_risk import Part
from sudare.report.texts import Language

_FOLDER = Path(__file__).parent / "page"


def page(title: Both, parts: Sequence[Part], language: Language) -> str:
    """The page, first shown in `language`."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = (_FOLDER / "page.js").read_text(encoding="utf-8")
    return environment.get_template("parts.html.j2").render(
        title=title,
        parts=parts,
        language=language,
        style=(_FOLDER / "page.css").read_text(encoding="utf-8"),
        script=script,
        policy=page_policy(script),
    )
