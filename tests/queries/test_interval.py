"""The 95 % half widths against numerical inversion of characteristic functions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sudare.queries.interval import Noise, half_width95, ratio_error95


def tail(x: float, laplace: list[float], gaussian: float) -> float:
    """P(|Σ Laplace(b) + N(0, σ²)| > x) by Gil-Pelaez, exact to about 1e-6."""
    scale = math.sqrt(sum(2 * b * b for b in laplace) + gaussian**2)
    t = (np.arange(400_000) + 0.5) * 2e-3 / scale
    phi = np.exp(-((gaussian * t) ** 2) / 2)
    for b in laplace:
        phi = phi / (1 + (b * t) ** 2)
    return 1 - 2 / math.pi * float(np.sum(phi * np.sin(t * x) / t)) * 2e-3 / scale


@pytest.mark.parametrize(
    ("laplace", "gaussian"),
    [
        ([100.0, 100.0], 0.0),
        ([100.0, 100.0, 100.0], 0.0),
        ([100.0, 10.0], 0.0),
        ([100.0, 50.0, 20.0], 0.0),
        ([100.0] * 10, 0.0),
        ([100.0], 100.0),
        ([100.0], 30.0),
        ([100.0, 40.0], 150.0),
    ],
)
def test_half_widths_are_above_the_truth_and_within_3_percent(
    laplace: list[float], gaussian: float
) -> None:
    terms = [(1.0, Noise("laplace", b)) for b in laplace]
    if gaussian:
        terms.append((1.0, Noise("gaussian", gaussian)))
    width = half_width95(terms)
    assert tail(width, laplace, gaussian) <= 0.05 + 1e-4
    assert tail(width * 0.97, laplace, gaussian) > 0.05 - 1e-4


@pytest.mark.parametrize("scale", [0.05, 0.3, 1.0, 2.5, 10.0, 1e6])
def test_one_discrete_laplace_is_exact(scale: float) -> None:
    r = math.exp(-1 / scale)
    k = half_width95([(1, Noise("laplace", scale))])
    assert 2 * r ** (k + 1) / (1 + r) <= 0.05 * (1 + 1e-6)
    assert k == 0 or 2 * r**k / (1 + r) > 0.05 * (1 - 1e-6)


def test_gaussian_is_1_96_sigma() -> None:
    assert half_width95([(2.0, Noise("gaussian", 50.0))]) == pytest.approx(195.9964)


def test_no_noise_no_error() -> None:
    assert half_width95([(0.0, Noise("laplace", 5.0)), (1.0, Noise("none", 0.0))]) == 0


def test_a_swamped_denominator_gives_the_whole_range() -> None:
    noise = Noise("laplace", 100.0)
    assert ratio_error95(50.0, 0.2, lambda u: (1 - u, u), noise, 0.0, 1.0) == 0.8
    small = ratio_error95(1e6, 0.2, lambda u: (1 - u, u), noise, 0.0, 1.0)
    assert small == pytest.approx(half_width95([(0.8, noise), (0.2, noise)]) / 1e6, rel=1e-3)
