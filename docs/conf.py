"""Sphinx configuration: Markdown by MyST, Japanese by gettext.

`make docs` builds both languages with warnings as errors. Only .po files are kept; the build
compiles them itself.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

_ROOT = Path(__file__).parent.parent
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "sudare"
author = "the sudare authors"
copyright = f"{author}; {_PROJECT['license']}"
_version_line = (_ROOT / "src" / "sudare" / "_version.py").read_text(encoding="utf-8")
version = release = _version_line.split('VERSION = "')[1].split('"')[0]

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "locale"]
# Headings down to this level can be linked to: schema.md#cleaning.
myst_heading_anchors = 3
# Output of commands is not a program; only blocks that name a language are coloured.
highlight_language = "none"

language = "en"
locale_dirs = ["locale"]
gettext_compact = False
gettext_auto_build = True
gettext_uuid = False
gettext_location = False

html_theme = "furo"
html_title = f"sudare {release}"
html_show_sourcelink = False
html_copy_source = False
