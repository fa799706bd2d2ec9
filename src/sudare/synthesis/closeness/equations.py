"""As many statistics as unknowns: the independent numbers that are published, counted.

Claim    Who knows every other column of everyone reads, for each level of a column, one linear
         equation in its n unknown zeros and ones from each independent level it is crossed with.
         n independent ones determine it; fewer than 2n / log2 n (asymptotically) never do in all
         cases (the coin-weighing problem: Erdős and Rényi 1963, Lindström 1965, Cantor and Mills
         1966), so that is where "look" begins.
Source   Dinur and Nissim 2003 for subset counts with small errors; here the counts are exact.
Symbols  n -> rows; unknowns -> rows × columns.
Gaps     independence is counted, not proved for the table at hand: levels without people are left
         out, other accidental dependencies are not. Rules and bounds are further knowledge.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from sudare.facts.closeness import CloseFinding, Equations, Place, Verdict
from sudare.facts.statistics import Floats, Marginal, NumberMoments, Statistics


def counted(statistics: Statistics) -> Equations:
    """Independent numbers: what follows from the number of rows and from margins is left out."""
    rows = round(statistics.rows)
    against: Counter[str] = Counter()
    tables = 0
    for (left, right), table in statistics.crosses.items():
        mine, yours = _free(table.sum(1)), _free(table.sum(0))
        tables += mine * yours
        against[left] += yours if mine else 0
        against[right] += mine if yours else 0
    name, most = max(against.items(), key=lambda each: each[1], default=(None, 0))
    return Equations(
        sum(_histogram(each) for each in statistics.marginals),
        tables,
        0 if statistics.moments is None else _moments(statistics, statistics.moments),
        sum(_free(statistics.marginal(b).level_counts) for _, b in statistics.shifts),
        rows * len(statistics.marginals),
        rows,
        name,
        most + 1 if most else 0,
    )


def compared(equations: Equations) -> CloseFinding:
    """High where the unknowns are reached; a look where reconstruction comes into reach."""
    verdict: Verdict = "fine"
    if equations.published >= equations.unknowns or equations.against_equations >= equations.rows:
        verdict = "high"
    elif equations.tables >= equations.rows or equations.against_equations >= _reach(equations):
        verdict = "look"
    place = (Place((equations.against,), equations.against_equations),) if equations.against else ()
    return CloseFinding("equations", verdict, equations.published, place)


def _reach(equations: Equations) -> float:
    return 2 * equations.rows / max(math.log2(max(equations.rows, 2)), 2.0)


def _free(counts: Floats) -> int:
    """One less than the levels that anybody is in: the last follows from the total."""
    return max(int((np.rint(counts) > 0).sum()) - 1, 0)


def _histogram(marginal: Marginal) -> int:
    """Counts, and the means of bins that hold more than one value."""
    counts = _free(np.append(marginal.counts, marginal.missing))
    if marginal.means is None:
        return counts
    wide = np.array(marginal.starts) < np.array(marginal.ends)
    return counts + int((wide & (np.rint(marginal.counts) > 0)).sum())


def _moments(statistics: Statistics, moments: NumberMoments) -> int:
    """Covariances, and the means and variances that do not follow from the histogram."""
    covariances = int(np.triu(moments.known, 1).sum())
    for place, name in enumerate(moments.columns):
        marginal = statistics.marginal(name)
        filled = np.rint(marginal.counts) > 0
        is_exact = bool(np.all((np.array(marginal.starts) == np.array(marginal.ends))[filled]))
        covariances += int(not is_exact and marginal.means is None)
        covariances += int(not is_exact and bool(moments.known[place, place]))
    return covariances
