"""How close exact statistics come to giving a person away.

Claim    What is found is there: a cell that is called small is published with fewer than `minimum`
         people, a value that is called given away follows from the figures beside it alone.
Source   Small cells and group disclosure: Hundepool et al., Statistical Disclosure Control (2012),
         the threshold rule. Equations against unknowns: Dinur and Nissim, Revealing information
         while preserving privacy (PODS 2003); Garfinkel, Abowd and Martindale, Understanding
         database reconstruction attacks on public data (2019); Abowd et al., A simulated
         reconstruction and reidentification attack on the 2010 US census (arXiv:2312.11283).
Needs    exact statistics that do not contradict each other.
Gaps     A heuristic, not a guarantee: "fine" means that nothing of these kinds was found. What
         several tables make certain together is not searched for (`sudare check tables` does).
"""

from __future__ import annotations

from sudare.facts.closeness import Closeness
from sudare.facts.statistics import Statistics
from sudare.synthesis.closeness.cells import alone, groups, small_bins, small_cells
from sudare.synthesis.closeness.equations import compared, counted
from sudare.synthesis.closeness.values import constants, extremes, sums, values


def closeness(statistics: Statistics, minimum: int = 10) -> Closeness:
    """What exact statistics say of few people; noise is judged by its ε instead. Of statistics
    that came with an answer, which people were counted for, it is that answer."""
    if statistics.origin != "exact":
        raise ValueError("closeness is a question about exact statistics")
    if statistics.closeness is not None:
        return statistics.closeness
    equations = counted(statistics)
    findings = (
        small_bins(statistics, minimum),
        small_cells(statistics, minimum),
        alone(statistics),
        groups(statistics, minimum),
        values(statistics),
        extremes(statistics, minimum),
        sums(statistics, minimum),
        constants(statistics),
        compared(equations),
    )
    columns = len(statistics.marginals)
    return Closeness(
        statistics.table, round(statistics.rows), columns, minimum, findings, equations
    )
