"""Statistics that do not have the form of any, whatever their origin."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement

import numpy as np

from sudare.facts.statistics import Marginal, NumberMoments, Statistics
from sudare.synthesis.contradictions.comparing import differ
from sudare.synthesis.contradictions.finding import Contradiction, Named, of


def malformed(statistics: Statistics) -> Iterator[Contradiction]:
    """The parts that cannot be read as statistics; nothing else is checked where there are any."""
    if not math.isfinite(statistics.rows):
        yield of("infinite", ("rows",))
    elif statistics.origin == "exact" and statistics.rows <= 0:
        yield of("no_rows", ("rows",))
    known: dict[str, Marginal] = {}
    for marginal in statistics.marginals:
        if marginal.name in known or not _is_formed(marginal):
            yield of("form", ("histogram", marginal.name))
        known[marginal.name] = marginal
    if all(_is_formed(each) for each in known.values()):
        yield from _tables(statistics, known)
        yield from _sums(statistics, known)
        if statistics.moments is not None:
            yield from _moments(statistics.moments, known)


def _is_formed(marginal: Marginal) -> bool:
    counts, level_of = marginal.counts, marginal.level_of
    fits = counts.ndim == 1 and counts.shape == level_of.shape and len(counts) > 0
    if not fits or not (np.all(np.isfinite(counts)) and math.isfinite(marginal.missing)):
        return False
    if not marginal.is_number:
        return len(marginal.labels) == len(counts) and int(level_of.min()) == 0
    ascending = bool(np.all(np.diff(np.array([*marginal.starts, marginal.high + 1])) > 0))
    is_grid = math.isfinite(marginal.step) and marginal.step > 0
    in_turn = level_of[0] == 0 and bool(np.all(np.isin(np.diff(level_of), (0, 1))))
    return ascending and is_grid and in_turn and len(marginal.starts) == len(counts)


def _tables(statistics: Statistics, known: Mapping[str, Marginal]) -> Iterator[Contradiction]:
    places = {name: place for place, name in enumerate(statistics.names)}
    for (left, right), table in statistics.crosses.items():
        noise = statistics.noise.get((left, right), 0.0)
        is_pair = {left, right} <= set(known) and places[left] < places[right]
        fits = is_pair and table.shape == (known[left].levels, known[right].levels)
        if not (fits and np.all(np.isfinite(table)) and math.isfinite(noise) and noise >= 0):
            yield of("form", ("table", left, right))


def _sums(statistics: Statistics, known: Mapping[str, Marginal]) -> Iterator[Contradiction]:
    for (number, category), sums in statistics.shifts.items():
        is_pair = {number, category} <= set(known) and number != category
        fits = is_pair and known[number].is_number and sums.shape == (known[category].levels,)
        if not (fits and np.all(np.isfinite(sums))):
            yield of("form", ("sums", number, category))


def _moments(moments: NumberMoments, known: Mapping[str, Marginal]) -> Iterator[Contradiction]:
    names, many = moments.columns, len(moments.columns)
    fits = len(set(names)) == many and all(name in known for name in names)
    square = moments.covariance.shape == moments.known.shape == (many, many)
    if not (fits and square and moments.mean.shape == (many,)):
        yield of("form", ("covariances", *names))
        return
    for i, name in enumerate(names):
        if not known[name].is_number or not math.isfinite(moments.mean[i]):
            yield of("form", ("mean", name))
    for i, j in combinations_with_replacement(range(many), 2):
        stated = moments.known[i, j], moments.known[j, i]
        both = moments.covariance[i, j], moments.covariance[j, i]
        named: Named = ("variance", names[i]) if i == j else ("covariance", names[i], names[j])
        if any(
            is_stated and not math.isfinite(v) for is_stated, v in zip(stated, both, strict=True)
        ):
            yield of("form", named)
        elif stated[0] != stated[1] or (stated[0] and differ(*both)):
            yield of("asymmetric", named)
