"""BMS-WebView-1 as files for `sudare suppress`: 40 % of the items are sensitive to everyone.

    .venv/bin/python benchmarks/sets_first.py --write FOLDER

Writes bms.dat and bms.csv, the setting `fixed` of sets.py, which benchmarks/first_minutes.py
suppresses with unbounded knowledge.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from sets import SHARE, Draws
from sets_mining import read
from sudare.sets.experiments.sensitive import fixed


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, required=True, metavar="FOLDER")
    folder = parser.parse_args().write
    baskets = read("bms-webview-1", None)
    ends = zip(baskets.starts[:-1], baskets.starts[1:], strict=True)
    records = (" ".join(baskets.names[code] for code in baskets.items[a:b]) for a, b in ends)
    (folder / "bms.dat").write_text("".join(f"{record}\n" for record in records))
    chosen = np.flatnonzero(fixed(baskets, SHARE, Draws(1)).everyone)
    rows = "".join(f"*,{baskets.names[code]}\n" for code in chosen)
    (folder / "bms.csv").write_text(f"user,item\n{rows}")


if __name__ == "__main__":
    main()
