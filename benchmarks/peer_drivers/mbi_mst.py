"""MST on mbi 2: a third of ρ for one-way tables, for choosing a tree of pairs, for their tables.

mbi's wheel holds the estimation but not the mechanisms, so this is a short driver written from
McKenna, Miklau, Sheldon 2021, "Winning the NIST Contest" (arXiv:2108.04978), on mbi's API: values
seen less than 3σ often are merged (mbi's own compress), the edges of a spanning tree are chosen one
by one with the exponential mechanism by the L1 error of the independent model (sensitivity 1), and
mirror descent runs for 10,000 steps as in the authors' script. Rows come from mbi's rounding
sampler, the merged values uniformly.
"""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np
from contract import read_job, report, timed
from graphical import Clique, believed, choose, fit, measure, read_data, table
from mbi import Dataset, LinearMeasurement, MarkovRandomField
from scipy.cluster.hierarchy import DisjointSet

FIRST_STEPS, LAST_STEPS = 2_500, 10_000
Merges = dict[str, np.ndarray]


def merges(seen: list[LinearMeasurement]) -> Merges:
    """Values whose noisy count is below 3σ become one value, the last."""
    found = {}
    for each in seen:
        common = np.asarray(each.noisy_measurement) >= 3 * each.stddev
        if not common.all():
            found[each.clique[0]] = np.where(common, np.cumsum(common) - 1, common.sum())
    return found


def tree(data: Dataset, independent: MarkovRandomField, rho: float) -> list[Clique]:
    names = list(data.domain)
    pairs: list[Clique] = list(combinations(names, 2))
    guessed = believed(independent, pairs)
    errors = {pair: float(np.abs(table(data, pair) - guessed[pair]).sum()) for pair in pairs}
    parts, chosen = DisjointSet(names), []
    epsilon = sqrt(8 * rho / (len(names) - 1))
    for _ in names[1:]:
        open_pairs = {pair: errors[pair] for pair in pairs if not parts.connected(*pair)}
        chosen.append(choose(open_pairs, epsilon, sensitivity=1.0))
        parts.merge(*chosen[-1])
    return chosen


def mst(data: Dataset, rho: float) -> tuple[MarkovRandomField, Merges]:
    third, names = rho / 3, list(data.domain)
    ones = [measure(data, (name,), sqrt(len(names) / (2 * third))) for name in names]
    merged = merges(ones)
    ones = [each.compress(merged, data.domain) for each in ones]
    data = data.compress(merged)
    edges = tree(data, fit(data, ones, FIRST_STEPS), third)
    twos = [measure(data, edge, sqrt(len(edges) / (2 * third))) for edge in edges]
    return fit(data, ones + twos, LAST_STEPS), merged


def main() -> None:
    job = read_job()
    data = read_data(job)
    (model, merged), fitting = timed(lambda: mst(data, job["rho"]))
    rows, sampling = timed(lambda: model.synthetic_data(job["rows"]).decompress(merged))
    np.savez(job["out"], **rows.to_dict())
    report(fitting, sampling)


if __name__ == "__main__":
    main()
