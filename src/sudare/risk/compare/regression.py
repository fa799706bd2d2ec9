"""The same regression on both tables: coefficients, standard errors, overlap of intervals.

Source   Karr, Kohnen, Oganian, Reiter, Sanil 2006: the overlap of two intervals is the mean of the
         shares of each that lies inside the other; here 0 where they are apart.
Symbols  A coefficient of a number is that of one standard deviation (of both tables together).
         Standard errors of the synthetic rows are scaled to as many rows as the real ones, as
         otherwise a longer synthetic file would claim to know more than the data that it imitates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sudare.facts.compared import Coefficient, Regression
from sudare.facts.microdata import Floats, Microdata
from sudare.randomness.bits import RandomBits
from sudare.risk.compare.features import Term, dense
from sudare.risk.compare.linear import independent, logit, ols, with_constant
from sudare.risk.compare.rates import Z95
from sudare.risk.compare.sampling import some
from sudare.risk.compare.target import class_codes, event_of, is_number, number_values, with_target

MOST_ROWS = 50_000
# Labels of a column beyond so many share a term: a longer list is read by nobody.
_MOST_LABELS = 12


def regression(
    real: Microdata, synthetic: Microdata, target: str, bits: RandomBits
) -> Regression | None:
    """OLS of a number, logit of a class; None where the target or the rest tells nothing."""
    tables = [some(with_target(each, target), MOST_ROWS, bits) for each in (real, synthetic)]
    names = [name for name in real.names if name != target]
    if not names or min(table.rows for table in tables) < 3:
        return None
    event, targets = _targets(tables, target)
    if any(np.ptp(values) == 0 for values in targets):
        return None
    terms, found = dense(tables, names, _MOST_LABELS)
    features = [with_constant(each) for each in found]
    kept = independent(*features)
    if kept == [0] or min(len(each) for each in features) <= len(kept):
        return None
    fit = ols if event is None else logit
    fitted = [fit(each[:, kept], y) for each, y in zip(features, targets, strict=True)]
    rows = tables[0].rows, tables[1].rows
    scale = (1.0, float(np.sqrt(rows[1] / rows[0])))
    chosen = [(terms[place - 1], number) for number, place in enumerate(kept) if place > 0]
    coefficients = [_coefficient(term, number, fitted, scale) for term, number in chosen]
    return Regression(
        "linear" if event is None else "logistic",
        target,
        event,
        rows,
        tuple(coefficients),
        len(terms) - len(coefficients),
        float(np.mean([each.overlap for each in coefficients])),
        float(np.mean([each.values[0] * each.values[1] > 0 for each in coefficients])),
    )


def _targets(tables: Sequence[Microdata], target: str) -> tuple[str | None, list[Floats]]:
    if is_number(tables[0], target):
        return None, [number_values(table, target) for table in tables]
    labels, codes = class_codes(tables, target)
    event = event_of(labels, codes[0])
    return labels[event], [(each == event).astype(float) for each in codes]


def _coefficient(
    term: Term,
    number: int,
    fitted: Sequence[tuple[Floats, Floats]],
    scale: tuple[float, float],
) -> Coefficient:
    (one, two), (spread, spread2) = (
        tuple(float(each[part][number]) for each in fitted) for part in (0, 1)
    )
    errors = spread * scale[0], spread2 * scale[1]
    # None stands for the number itself; a label of "" for what is missing.
    label = "" if term.is_missing else term.label
    return Coefficient(term.column, label, (one, two), errors, overlap((one, two), errors))


def overlap(values: tuple[float, float], errors: tuple[float, float]) -> float:
    """The mean share of each 95 % interval inside the other."""
    low = max(value - Z95 * error for value, error in zip(values, errors, strict=True))
    high = min(value + Z95 * error for value, error in zip(values, errors, strict=True))
    widths = [2 * Z95 * error for error in errors]
    if min(widths) <= 0:
        return 1.0 if values[0] == values[1] else 0.0
    return float(np.mean([max(high - low, 0.0) / width for width in widths]))
