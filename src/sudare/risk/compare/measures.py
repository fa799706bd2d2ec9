"""The quick measures together: moments, two-way tables and rank correlations of all rows."""

from __future__ import annotations

from sudare.facts.compared import Measures
from sudare.facts.microdata import Microdata
from sudare.risk.compare.cells import cells_of
from sudare.risk.compare.crosses import WORST, cross_errors
from sudare.risk.compare.moments import moment_errors
from sudare.risk.compare.ranks import rank_errors


def compare_measures(real: Microdata, synthetic: Microdata, worst: int = WORST) -> Measures:
    """The paper's four measures and the total variation, over the columns of `real`.

    Both tables have these columns; labels are matched by their text. `worst` tables are kept whole
    for pictures.
    """
    return Measures(
        (real.rows, synthetic.rows),
        moment_errors(real, synthetic),
        cross_errors(cells_of(real, synthetic), worst),
        rank_errors(real, synthetic),
    )
