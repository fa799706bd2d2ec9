"""Which Python this needs, said before any file that an older one cannot read.

This file, `__init__.py` and `__main__.py` are written so that Python 3.7 and later can read them.
"""

from __future__ import annotations

import os
import sys

NEEDED = (3, 11)
_TEXTS = {
    "en": "error: sudare needs Python {}.{} or newer; this is Python {}.{} ({}).",
    "ja": "エラー：sudare には Python {}.{} 以上が必要です。現在は Python {}.{} です（{}）。",
}


def check_python(version: tuple[int, int], arguments: list[str]) -> None:
    """Leave an older Python with one line where it runs the command, else with an ImportError."""
    if version >= NEEDED:
        return
    language = "ja" if os.environ.get("SUDARE_LANG") == "ja" else "en"
    words = _TEXTS[language].format(*NEEDED, *version, sys.executable)
    # While `python -m sudare` looks for its module, the first argument is "-m".
    name = os.path.basename(arguments[0]) if arguments else ""
    if name in ("-m", "sudare", "sudare.exe"):
        sys.stderr.write(words + "\n")
        sys.exit(5)
    raise ImportError(words)
