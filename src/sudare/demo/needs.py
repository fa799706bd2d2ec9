"""Which of the packages that a part needs are missing, and the line that installs them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec

from sudare.report.both import Both

# The name to import, where it is another than the name to install.
_MODULES = {"scikit-learn": "sklearn"}
_EXTRA = re.compile(r"""^(?P<name>[A-Za-z0-9_.-]+).*;.*extra\s*==\s*['"](?P<extra>[^'"]+)['"]""")
# Extras that gather others; one that stands for the job alone is smaller.
_GATHERED = frozenset({"all", "dev", "docs", "demo"})


def missing(names: Sequence[str]) -> list[str]:
    """Those that are not installed."""
    return [name for name in names if not _is_there(_MODULES.get(name, name))]


def skipped(names: Sequence[str]) -> Both:
    """One line: what is missing, and how to get it."""
    listed, command = ", ".join(names), f"pip install {' '.join(_wanted(names))}"
    return Both(
        f"Skipped: {listed} not installed. To see this part: {command}",
        f"省略しました（{listed} がありません）。この部分を見るには：{command}",
    )


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _wanted(names: Sequence[str]) -> list[str]:
    found = dict.fromkeys(_extra_of(name) or name for name in names)
    return [f"'{each}'" if "[" in each else each for each in found]


def _extra_of(name: str) -> str | None:
    """The extra of this package that brings the other, as its own metadata say."""
    try:
        stated = requires("sudare") or []
    except PackageNotFoundError:
        return None
    extras = [
        match["extra"]
        for match in map(_EXTRA.match, stated)
        if match is not None and match["name"].lower() == name
    ]
    own = sorted(extras, key=lambda extra: extra in _GATHERED)
    return f"sudare[{own[0]}]" if own else None
