"""The released table: whole, non-negative, consistent, near the truth, and wrong as forecast."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sudare.facts.cube import margin_of
from sudare.randomness.laplace import discrete_laplace
from sudare.tables.tabulation import compile_table
from support.bits import CountedBits
from support.cubes import every, plan, schema
from support.tiers import examples

LEVELS = {
    "pair": {"of": "c1", "groups": {"a": ["v0", "v1"], "b": ["v2"], "c": ["v3", "v4"]}},
    "half": {"of": "pair", "groups": {"x": ["a", "b"], "y": ["c"]}},
}


@examples(40)
@given(
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    mechanism=st.sampled_from(["laplace", "gaussian"]),
    epsilon=st.sampled_from(["0.01", "1", "20"]),
    scale=st.sampled_from([0, 1, 1000]),
    label=st.integers(0, 10**6),
)
def test_cells_are_whole_and_never_negative_and_margins_agree(
    sizes: list[int], mechanism: str, epsilon: str, scale: int, label: int
) -> None:
    given = plan(*every(*sizes), epsilon=epsilon, mechanism=mechanism)
    table = compile_table(given, schema(*sizes))
    counts = (np.arange(np.prod(sizes)) * 31 % 7 * scale).reshape(sizes)
    found = table.release(counts, CountedBits(f"agree {label}"))
    assert found.dtype == np.int64
    assert found.shape == tuple(sizes)
    assert found.min() >= 0
    for margin in table.wanted:
        for axis, level in enumerate(margin):
            if level:
                coarser = (*margin[:axis], 0, *margin[axis + 1 :])
                one = margin_of(found, table.dimensions, margin).sum(axis=axis, keepdims=True)
                assert (one == margin_of(found, table.dimensions, coarser)).all()


def test_the_finest_cells_alone_are_counts_plus_noise() -> None:
    """With one measurement and counts far from 0 nothing is left to fit."""
    counts = np.array([[500, 800, 300], [700, 900, 400]])
    table = compile_table(plan("c0", "c1", margins="none"), schema(2, 3))
    assert [measure.margin for measure in table.spending.measures] == [(1, 1)]
    noise = discrete_laplace(CountedBits("script"), Fraction(1), 6).reshape(2, 3)
    assert (table.release(counts, CountedBits("script")) == counts + noise).all()


def test_a_huge_epsilon_gives_the_truth_back() -> None:
    counts = np.arange(30).reshape(2, 15) % 4
    table = compile_table(plan("c0", "c1", epsilon="800"), schema(2, 15))
    assert (table.release(counts, CountedBits("truth")) == counts).all()


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("levels", [{}, LEVELS], ids=["flat", "tree"])
def test_errors_are_as_forecast(mechanism: str, levels: dict[str, object]) -> None:
    """Counts far from 0, so that no cell is clipped. The root mean square lies within 15 % of its
    forecast (20 % for groups of unequal size, where the forecast is an average), and no more
    errors lie outside ± error95 than 5 % allow. A false alarm of the second has probability 1e-6:
    cells of one run depend on each other, so the test counts runs, not cells."""
    runs = 300
    sizes = (3, 5)
    described = schema(*sizes, levels=levels)
    table = compile_table(plan("c0", "c1", mechanism=mechanism), described)
    exact = np.full(sizes, 400)
    bits = CountedBits(f"forecast {mechanism} {len(levels)}")
    errors = {m: [] for m in table.wanted}
    for _ in range(runs):
        found = table.release(exact, bits) - exact
        for margin in table.wanted:
            errors[margin].append(margin_of(found, table.dimensions, margin).ravel())
    limit = int(stats.binom.isf(1e-6, runs, 0.05))
    for forecast in table.forecasts():
        seen = np.array(errors[forecast.margin])
        rmse = float(np.sqrt((seen.astype(float) ** 2).mean()))
        assert rmse == pytest.approx(forecast.rmse, rel=0.2 if levels else 0.15)
        assert int((np.abs(seen[:, 0]) > forecast.error95).sum()) <= limit


def test_sparse_cells_gain_and_margins_do_not_lose() -> None:
    """A table that is mostly empty: clipping must not push its sums up."""
    sizes = (12, 10, 8)
    table = compile_table(plan(*every(*sizes)), schema(*sizes))
    exact = np.where(np.arange(960).reshape(sizes) % 13 == 0, 20, 0)
    bits = CountedBits("sparse")
    squares = dict.fromkeys(table.wanted, 0.0)
    for _ in range(12):
        found = table.release(exact, bits) - exact
        for margin in table.wanted:
            squares[margin] += float((margin_of(found, table.dimensions, margin) ** 2).mean()) / 12
    for forecast in table.forecasts():
        # 12 runs of a total scatter by about 20 %.
        assert np.sqrt(squares[forecast.margin]) <= 1.6 * max(forecast.rmse, 1)
    assert np.sqrt(squares[(1, 1, 1)]) < 0.6 * np.sqrt(table.variances[(1, 1, 1)])


@pytest.mark.parametrize("by", [("c1",), ()])
def test_public_totals_hold_exactly(by: tuple[str, ...]) -> None:
    exact = np.arange(15).reshape(3, 5)
    sums = exact.sum(axis=0) if by else np.array([exact.sum()])
    labels = [f"v{place}" for place in range(5)] if by else ["total"]
    invariant = {
        "by": list(by),
        "counts": dict(zip(labels, map(int, sums), strict=True)),
        "source": "register",
    }
    described = schema(3, 5, invariants={"known": invariant})
    for epsilon, run in itertools.product(("0.05", "1"), range(5)):
        table = compile_table(plan("c0", "c1", epsilon=epsilon), described)
        found = table.release(exact, CountedBits(f"known {run}"))
        margin = (0, 1) if by else (0, 0)
        assert (margin_of(found, table.dimensions, margin).ravel() == sums).all()
        assert found.min() >= 0
        (public,) = [f for f in table.forecasts() if f.margin == margin]
        assert public.error95 == 0
        assert table.known is not None


def test_public_totals_save_noise_elsewhere() -> None:
    counts = {f"v{place}": 100 for place in range(4)}
    known = {"known": {"by": ["c1"], "counts": counts, "source": "register"}}
    plain = compile_table(plan("c0", "c1"), schema(6, 4))
    helped = compile_table(plan("c0", "c1"), schema(6, 4, invariants=known))
    assert helped.variances[(1, 1)] < plain.variances[(1, 1)]
