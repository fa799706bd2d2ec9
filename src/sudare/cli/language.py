"""Which language a command is asked in, known before its options are read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sudare.cli.options import Code

VARIABLE = "SUDARE_LANG"


def asked_language(arguments: Sequence[str]) -> Code:
    """As `--lang` says, or else the variable SUDARE_LANG; English by default."""
    said = [after for option, after in pairwise(arguments) if option == "--lang"]
    said += [each.removeprefix("--lang=") for each in arguments if each.startswith("--lang=")]
    return "ja" if (said[-1] if said else os.environ.get(VARIABLE)) == "ja" else "en"
