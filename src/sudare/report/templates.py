"""Pages from their templates: one set-up, the shared style and script, and a content policy.

Every page is one file. Its content security policy allows the page's own script by its hash and
nothing from outside; whatever a template is given is escaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER = Path(__file__).parent / "page"


def render_page(template: str, styles: Sequence[str] = (), **values: object) -> str:
    """A page with the style of all pages, `styles` behind it, and the script of all pages."""
    script = _part("page.js")
    return (
        _environment()
        .get_template(f"{template}.html.j2")
        .render(
            style="".join(_part(f"{name}.css") for name in ("page", *styles)),
            script=script,
            policy=page_policy(script),
            **values,
        )
    )


def page_policy(script: str) -> str:
    """The content security policy of a page that runs this script and fetches nothing."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )


def _together(words: str) -> str:
    """Keeps a ± and its number on one line."""
    return words.replace("± ", "±\u00a0")


def _part(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["together"] = _together
    return environment
