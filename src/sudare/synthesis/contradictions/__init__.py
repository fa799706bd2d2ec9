"""Whether statistics can be those of one table, and if not, which few of them already contradict.

Claim    What is refused is the statistics of no table: every rule below holds for all tables. The
         set that is named is the smallest one found, and none of its members can be left out.
Source   Ranges of a mean and a variance over bins: `ranges`. Covariances: every principal part of
         a covariance matrix is positive semidefinite (Sylvester).
Needs    exact statistics. Noise makes true statistics disagree, so of private and randomised ones
         the form alone is checked.
Gaps     Not every contradiction is found: three two-way tables may agree on all margins and yet be
         those of no table (deciding that is NP-hard). Figures are compared to 1e-6 of their size.
"""

from __future__ import annotations

from sudare.facts.errors import InvalidStatistics
from sudare.facts.statistics import Statistics
from sudare.synthesis.contradictions.counts import counted
from sudare.synthesis.contradictions.covariances import covaried
from sudare.synthesis.contradictions.finding import WHY, Contradiction, listed
from sudare.synthesis.contradictions.moments import averaged
from sudare.synthesis.contradictions.structure import malformed
from sudare.synthesis.contradictions.sums import summed


def contradictions(statistics: Statistics) -> tuple[Contradiction, ...]:
    """Everything that was found, the smallest sets first."""
    found = list(malformed(statistics))
    if not found and statistics.origin == "exact":
        for check in (counted, averaged, covaried, summed):
            found += check(statistics)
    return tuple(sorted(found, key=lambda each: each.size))


def check_statistics(statistics: Statistics) -> None:
    """Nothing, or a refusal that names the smallest contradicting set."""
    found = contradictions(statistics)
    if not found:
        return
    smallest, *others = found
    more = f" Other contradictions that were found: {len(others)}." if others else ""
    raise InvalidStatistics(
        f"No table has these statistics: {listed(smallest.statistics)}. {WHY[smallest.reason]}",
        f"Correct one of them or take it out of the file.{more}",
    )
