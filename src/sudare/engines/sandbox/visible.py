"""Which folders hold programs and libraries. Folders in which people keep data are none of them."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/nix/store", "/gnu/store")
_PACKAGES = ("site-packages", "dist-packages")
_OURS = Path(__file__).parents[2]


def is_visible(path: str) -> bool:
    """Whether a file lies among programs and libraries."""
    return any(path.startswith(each + "/") for each in _folders(tuple(sys.path)))


def is_importable(path: str) -> bool:
    """Whether a block's process can import a module's file: from the standard library, from a
    folder of packages, or from sudare itself."""
    library = os.path.dirname(os.path.realpath(os.__file__))
    packages = [os.path.realpath(each) for each in sys.path if _is_packages(each)]
    return any(
        os.path.realpath(path).startswith(f"{each}/") for each in (library, *packages, _OURS)
    )


@cache
def _folders(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The system's programs, this Python with its packages, and sudare itself."""
    packages = [each for each in paths if _is_packages(each)]
    found = [*_SYSTEM, sys.prefix, sys.base_prefix, sys.exec_prefix, str(_OURS), *packages]
    return tuple(dict.fromkeys(os.path.realpath(each) for each in found))


def _is_packages(path: str) -> bool:
    return os.path.basename(path) in _PACKAGES
