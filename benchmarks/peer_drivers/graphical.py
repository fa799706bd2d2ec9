"""What MST and AIM share: noisy tables, private choice, and the fit of a graphical model by mbi.

mbi compiles a program for every table it is asked for, half a second each and over a hundred a
round, so the tables of a fitted model are contracted here from its potentials with opt_einsum
instead: the same numbers without that wait, which favors the peer. For the same reason repeated
measurements of one table are joined by inverse variance: same loss, and nothing to compile anew.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import jax
import numpy as np
from opt_einsum import contract

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_enable_compilation_cache", False)
warnings.filterwarnings("ignore", module="mbi")

from contract import Job, read_codes  # noqa: E402
from mbi import Dataset, Domain, LinearMeasurement, MarkovRandomField, estimation  # noqa: E402

Clique = tuple[str, ...]
RNG = np.random.default_rng()


def read_data(job: Job) -> Dataset:
    return Dataset(read_codes(job), Domain.fromdict(job["sizes"]))


def table(data: Dataset, clique: Clique) -> np.ndarray:
    return np.asarray(data.project(clique).datavector())


def believed(model: MarkovRandomField, cliques: Iterable[Clique]) -> dict[Clique, np.ndarray]:
    """The tables of the model: exp of the summed potentials, summed over the other columns."""
    place = {name: at for at, name in enumerate(model.domain)}
    terms: list[object] = []
    for clique, factor in model.potentials.tables.items():
        logs = np.asarray(factor.values)
        terms += [np.exp(logs - logs.max()), [place[name] for name in clique]]
    found = {}
    for clique in cliques:
        mass = contract(*terms, [place[name] for name in clique]).ravel()
        found[clique] = mass * (float(model.total) / mass.sum())
    return found


def joined(seen: list[LinearMeasurement], new: LinearMeasurement) -> list[LinearMeasurement]:
    """The measurements with one more; of the same table, the best of both by inverse variance."""
    old = next((each for each in seen if each.clique == new.clique), None)
    if old is None:
        return [*seen, new]
    share = old.stddev**-2 / (old.stddev**-2 + new.stddev**-2)
    mean = share * old.noisy_measurement + (1 - share) * new.noisy_measurement
    sigma = (old.stddev**-2 + new.stddev**-2) ** -0.5
    better = LinearMeasurement(mean, new.clique, stddev=sigma)
    return [better if each is old else each for each in seen]


def measure(data: Dataset, clique: Clique, sigma: float) -> LinearMeasurement:
    exact = table(data, clique)
    return LinearMeasurement(exact + RNG.normal(0, sigma, exact.size), clique, stddev=sigma)


def choose(scores: dict[Clique, float], epsilon: float, sensitivity: float) -> Clique:
    """The exponential mechanism, (ε²/8)-zCDP, by adding Gumbel noise and taking the largest."""
    cliques = list(scores)
    tilted = np.array([scores[each] for each in cliques]) * epsilon / (2 * sensitivity)
    return cliques[int(np.argmax(tilted + RNG.gumbel(size=len(cliques))))]


def fit(
    data: Dataset,
    seen: list[LinearMeasurement],
    steps: int,
    start: MarkovRandomField | None = None,
) -> MarkovRandomField:
    descent = estimation.MirrorDescent()
    return descent.estimate(data.domain, seen, iters=steps, warm_start=start)
