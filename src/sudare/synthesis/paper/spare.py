"""What keeps Σ_Y of full rank when few rows are drawn.

Algorithm 4 divides by the variances of Y. A label that was drawn never or always leaves a column
without any, two labels that were drawn in the same single row leave two equal columns, and without
a draw of c_1 the other columns of its category add up to one. Such columns get a little uniform
noise of their own before the map, which restores the rank, so that mean and covariance are still
exact.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.statistics import Floats
from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import uniforms
from sudare.synthesis.paper.coding import Ints, Layout

# A label that is drawn so often does not share all its rows with another by chance.
_FEW = 5
# Wide enough to be told from rounding, narrow enough not to be seen beside a single 1.
_WIDTH = 1e-3


def spare_noise(
    layout: Layout, values: dict[str, Floats], levels: dict[str, Ints], rows: int, bits: RandomBits
) -> dict[int, Floats]:
    """Noise by the place of the coded column that needs some."""
    places = [i for i, name in enumerate(layout.numbers) if not np.ptp(values[name])]
    for each in layout.categories:
        counts = np.bincount(levels[each.name], minlength=int(each.levels[-1]) + 1)[each.levels]
        # For c_1, which has no column, that of c_2 stands in.
        thin = (counts < _FEW) | (counts > rows - _FEW)
        few = {max(int(place) - 1, 0) for place in np.flatnonzero(thin)}
        places += [each.start + place for place in sorted(few)]
    return {place: _WIDTH * uniforms(bits, rows) for place in places}
