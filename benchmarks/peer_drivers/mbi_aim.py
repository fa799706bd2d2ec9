"""AIM on mbi 2: measure the table the model knows worst, refit, spend more where nothing changes.

mbi's wheel holds the estimation but not the mechanisms, so this is a short driver written from
McKenna, Mullins, Sheldon, Miklau 2022, "AIM" (arXiv:2201.12677), on mbi's API, with the settings of
its authors' script: the workload is every pair of columns (of at most 10,000 cells), 16 rounds a
column planned, 0.9 of ρ for measuring, models of at most 80 MB, 1,000 steps of mirror descent a
round from where the last one ended.
"""

from __future__ import annotations

import sys
from itertools import combinations
from math import pi, sqrt

import numpy as np
from contract import read_job, report, timed
from graphical import Clique, believed, choose, fit, joined, measure, read_data, table
from mbi import Dataset, MarkovRandomField
from mbi.clique_utils import downward_closure
from mbi.junction_tree import hypothetical_model_size

MAX_CELLS, MAX_MODEL_MB, STEPS = 10_000, 80, 1_000
ROUNDS_A_COLUMN, MEASURING = 16, 0.9


def weights(data: Dataset) -> dict[Clique, int]:
    """Each table below the workload, with how much of the workload it overlaps."""
    pairs = [p for p in combinations(data.domain, 2) if data.domain.size(p) <= MAX_CELLS]
    tables = downward_closure(pairs)
    return {each: sum(len({*each} & {*pair}) for pair in pairs) for each in tables}


def small(tables: list[Clique], model: MarkovRandomField, limit: float) -> list[Clique]:
    """What the model already holds, and what it can still take without growing past the limit."""
    held = set(downward_closure(model.cliques))
    return [
        each
        for each in tables
        if each in held or hypothetical_model_size(model.domain, [*model.cliques, each]) <= limit
    ]


def expected_noise(data: Dataset, clique: Clique, sigma: float) -> float:
    return sqrt(2 / pi) * sigma * data.domain.size(clique)


def aim(data: Dataset, rho: float) -> MarkovRandomField:
    weight = weights(data)
    exact = {each: table(data, each) for each in weight}
    rounds = ROUNDS_A_COLUMN * len(data.domain)
    sigma, epsilon = sqrt(rounds / (2 * MEASURING * rho)), sqrt(8 * (1 - MEASURING) * rho / rounds)
    seen = [measure(data, each, sigma) for each in weight if len(each) == 1]
    spent = len(seen) / (2 * sigma**2)
    model, last, rounds_done = fit(data, seen, STEPS), False, 0
    while not last:
        cost = 1 / (2 * sigma**2) + epsilon**2 / 8
        if rho - spent < 2 * cost:
            last, left = True, rho - spent
            sigma, epsilon = sqrt(1 / (2 * MEASURING * left)), sqrt(8 * (1 - MEASURING) * left)
            cost = left
        spent += cost
        guessed = believed(model, small(list(weight), model, MAX_MODEL_MB * spent / rho))
        scores = {
            each: weight[each]
            * (float(np.abs(exact[each] - guess).sum()) - expected_noise(data, each, sigma))
            for each, guess in guessed.items()
        }
        chosen = choose(scores, epsilon, max(weight[each] for each in scores))
        seen, rounds_done = joined(seen, measure(data, chosen, sigma)), rounds_done + 1
        model = fit(data, seen, STEPS, start=model)
        change = float(np.abs(believed(model, [chosen])[chosen] - guessed[chosen]).sum())
        print(f"{rounds_done}: {'×'.join(chosen)}, {spent / rho:.3f} spent", file=sys.stderr)
        if change <= expected_noise(data, chosen, sigma):
            sigma, epsilon = sigma / 2, epsilon * 2
    return fit(data, seen, STEPS, start=model)


def main() -> None:
    job = read_job()
    data = read_data(job)
    model, fitting = timed(lambda: aim(data, job["rho"]))
    rows, sampling = timed(lambda: model.synthetic_data(job["rows"]))
    np.savez(job["out"], **rows.to_dict())
    report(fitting, sampling)


if __name__ == "__main__":
    main()
