"""A hospital and a shop join what they know of the same people, and an institute gets the joined
reports alone: true, estimated and trivial values side by side.

The true values are known because nobody in the town exists.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sudare.demo.linked import is_held, run, write_consortium
from sudare.demo.side_by_side import Compared, side_by_side
from sudare.demo.town import people
from sudare.facts.estimated import Estimated, Wanted
from sudare.publish.estimate import estimate_file
from sudare.report.texts import Language

HOLDINGS = {"hospital": ("age", "hours"), "shop": ("income", "household")}
EPSILON = "8"
# So many that the correlation between hours and income shows through the noise.
SIZE = 6000
_NUMBERS = tuple(column for columns in HOLDINGS.values() for column in columns)


def write_hospital_and_shop(folder: Path, language: Language) -> tuple[list[str], Path]:
    """Join, estimate and compare; the lines of the table, and the file that has it too. A session
    runs once: the same folder gives the same reports again, unpaid."""
    joined = folder / "joined.parquet"
    if not joined.exists():
        if not (folder / "link.toml").exists():
            # Cut off before there was a plan, a folder holds keys that nobody has used.
            shutil.rmtree(folder, ignore_errors=True)
            write_consortium(folder, HOLDINGS, SIZE, EPSILON, "commutative")
        run(folder, tuple(HOLDINGS))
    path = folder / "compared.csv"
    found = estimate_file(joined, Wanted())
    return side_by_side(list(_compared(found)), path, language), path


def _compared(found: Estimated) -> Iterator[Compared]:
    """Means, and the correlations that neither organisation could have computed."""
    values = _joined_people()
    for mean in found.means:
        yield Compared(f"mean({mean.column})", float(values[mean.column].mean()), mean.mean)
    if found.correlation is not None:
        names = found.correlation.columns
        for one in HOLDINGS["hospital"]:
            for other in HOLDINGS["shop"]:
                figure = found.correlation.entries[names.index(one)][names.index(other)]
                truth = float(np.corrcoef(values[one], values[other])[0, 1])
                yield Compared(f"correlation({one}, {other})", truth, figure)


def _joined_people() -> dict[str, np.ndarray]:
    """The values of those whom both know."""
    town = people()
    known = [
        person
        for person in range(SIZE)
        if all(is_held(place, person) for place in range(len(HOLDINGS)))
    ]
    return {name: np.array([float(town[name][each]) for each in known]) for name in _NUMBERS}
