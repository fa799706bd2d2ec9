"""Every local mechanism: its guarantee exactly, its draws word by word, its scores unbiased."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.local.laws import boundary_words, window_law, worst_ratio
from sudare.facts.errors import InvalidPlan
from sudare.facts.randomized import Item
from sudare.mechanisms.local import named
from sudare.mechanisms.local.hashing import PRIME, Hashing
from sudare.mechanisms.local.hybrid import Hybrid
from sudare.mechanisms.local.laplace import Laplace
from sudare.mechanisms.local.piecewise import POSITIONS, Piecewise
from sudare.mechanisms.local.response import Response
from sudare.mechanisms.local.shares import LONG, WORD, exponential, least, shared
from sudare.mechanisms.local.square_wave import SquareWave
from sudare.mechanisms.local.two_point import TwoPoint
from sudare.mechanisms.local.unary import Unary, below
from sudare.mechanisms.local.window import draw
from support.bits import CountedBits, ScriptedBits, words
from support.tiers import examples

EPSILONS = [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4), Fraction(10)]
NUMBERS = sorted(named.NUMBERS)
LABELS = sorted(set(named.LABELS) - {"pram"})
epsilons = st.fractions(Fraction(1, 10**5), 16, max_denominator=10**9)


def is_within(odds: Fraction, epsilon: Fraction) -> bool:
    """odds <= e^ε, with 60 digits; a ratio above it by a millionth of a millionth is caught."""
    from decimal import Context, Decimal

    context = Context(prec=60)
    bound = Fraction(context.exp(context.divide(Decimal(epsilon.numerator), epsilon.denominator)))
    return odds <= bound * (1 + Fraction(1, 10**50))


def log_ratio(odds: Fraction) -> float:
    return math.log(odds.numerator) - math.log(odds.denominator)


def numbers(name: str, epsilon: Fraction) -> Any:
    return named.best_for_numbers(name, epsilon)


def labels(name: str, epsilon: Fraction, values: int) -> Any:
    return named.best_for_labels(name, epsilon, values)


@examples(150)
@given(epsilon=epsilons)
def test_no_ratio_exceeds_its_epsilon(epsilon: Fraction) -> None:
    found = [numbers(name, epsilon) for name in NUMBERS if name != "laplace"]
    found += [labels(name, epsilon, 5) for name in LABELS if name != "olh" or epsilon < 10]
    for mechanism in found:
        assert is_within(mechanism.odds, epsilon), mechanism
        assert not is_within(mechanism.odds * (1 + Fraction(1, 10**3)) ** 1000, epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", [*NUMBERS, *LABELS])
def test_no_epsilon_is_wasted(name: str, epsilon: Fraction) -> None:
    """The guarantee is used up to 0.1 %, so that a test that is 5 % off would be seen."""
    mechanism = numbers(name, epsilon) if name in named.NUMBERS else labels(name, epsilon, 7)
    assert log_ratio(mechanism.odds) >= 0.999 * float(epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_shares_are_the_law_of_windows(epsilon: Fraction) -> None:
    """The stated odds are the worst ratio between any two starts, counted cell by cell."""
    for near, far, size in ((1, 4, WORD), (3, 4, LONG), (5, 5, LONG)):
        shares = shared(epsilon, near, far, size)
        laws = [window_law(shares, start) for start in range(far + 1)]
        assert all(sum(law) == 1 for law in laws)
        assert worst_ratio(laws) == shares.odds
        assert shares.used <= size < shares.used + near + far + 1 + size // 2**16


@pytest.mark.parametrize(("near", "far", "size"), [(1, 4, WORD), (3, 4, LONG)])
def test_every_word_falls_into_its_cell(near: int, far: int, size: int) -> None:
    """Words on both sides of every boundary, against counting."""
    shares = shared(Fraction(1), near, far, size)
    drawn = boundary_words(shares, near + far)
    kind = "<u4" if size == WORD else "<u8"
    for start in range(far + 1):
        script = ScriptedBits(drawn.astype(kind).tobytes())
        found = draw(np.full(len(drawn), start), shares, script).tolist()
        for word, cell in zip(drawn.tolist(), found, strict=True):
            if word < near * shares.high:
                assert cell == start + word // shares.high
            else:
                rest = (word - near * shares.high) // shares.low
                assert cell == (rest if rest < start else rest + near)


def test_words_of_nobody_are_drawn_again() -> None:
    shares = shared(Fraction(1), 1, 4, WORD)
    assert shares.used < WORD
    script = ScriptedBits(words(shares.used, 0) + words(WORD - 1) + words(shares.used - 1))
    assert draw(np.array([2, 3]), shares, script).tolist() == [4, 3]
    assert script.left == 0


def test_two_point_is_a_comparison_with_a_clipped_threshold() -> None:
    mechanism = TwoPoint.best(Fraction(1))
    low = least(Fraction(1))
    assert mechanism.half == WORD // 2 - low
    values = [-1.0, -1.0, 1.0, 1.0, 0.0, 0.0, -9.0, -9.0, 9.0, 9.0, math.nan, math.nan]
    edges = [low, WORD - low, WORD // 2, low, WORD - low, WORD // 2]
    script = words(*(word for edge in edges for word in (edge - 1, edge)))
    found = mechanism.report(np.array(values), ScriptedBits(script))
    assert found.tolist() == [1, 0] * 6


def test_the_paper_s_a_and_b() -> None:
    """Only b/a matters, Theorem 1's condition is checked, and its boundary is Algorithm 1."""
    epsilon = Fraction(1)
    once, scaled = (TwoPoint.of(epsilon, k * Fraction(1), k * Fraction(3)) for k in (1, 1000))
    assert once == scaled
    assert once.scale == pytest.approx(3)
    e = Fraction(math.e)
    assert TwoPoint.of(epsilon, e - 1, e + 1).half == pytest.approx(
        TwoPoint.best(epsilon).half, abs=8
    )
    with pytest.raises(InvalidPlan, match="ask for more"):
        TwoPoint.of(epsilon, Fraction(1), Fraction(2))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_piecewise_scores_are_unbiased_exactly(epsilon: Fraction) -> None:
    """Against its own law: x and x², at places of the grid and between them."""
    mechanism = Piecewise.best(epsilon)
    cells = np.arange(mechanism.cells)
    first, second = mechanism.scores(cells), mechanism.squares(cells)
    for x in (-1.0, -0.5, 0.0, 0.25, 1.0, 1 / 3):
        law = mechanism.law(x)
        assert law.sum() == pytest.approx(1)
        assert law @ first == pytest.approx(x, abs=1e-8)
        assert law @ second == pytest.approx(x * x, abs=1 / POSITIONS**2 + 1e-8)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", ["grr", "square-wave"])
def test_label_scores_invert_the_law(name: str, epsilon: Fraction) -> None:
    mechanism = labels(name, epsilon, 6)
    law = mechanism.law()
    assert law.sum(axis=0) == pytest.approx(1)
    scores = mechanism.scores(np.arange(mechanism.cells))
    assert law.T @ scores == pytest.approx(np.eye(6), abs=1e-6)
    assert log_ratio(Fraction(law.max()) / Fraction(law.min())) == pytest.approx(float(epsilon))


def deviation(found: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> float:
    """The largest |mean − expected| in standard errors."""
    error = found.std(axis=0) / math.sqrt(len(found)) + 1e-12
    return float(np.abs((found.mean(axis=0) - expected) / error).max())


# 200,000 draws; under a right mechanism 6 standard errors are exceeded with probability 2e-9.
DRAWS, FAR = 200_000, 6.0


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(2)])
@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_drawn_are_unbiased(name: str, epsilon: Fraction) -> None:
    mechanism = numbers(name, epsilon)
    for x in (-1.0, 0.3, 1.0):
        bits = CountedBits(f"{name} {epsilon} {x}")
        reports = mechanism.report(np.full(DRAWS, x), bits)
        scores = mechanism.scores(reports)
        assert deviation(scores, np.array(x)) < FAR
        assert scores.var() == pytest.approx(mechanism.variance(np.array([x]))[0], rel=0.05)
        squares = mechanism.squares(reports)
        if squares is not None:
            assert deviation(squares, np.array(x * x)) < FAR
            wanted = mechanism.square_variance(np.array([x]))[0]
            assert squares.var() == pytest.approx(wanted, rel=0.15)
        # The twin's values are 5 % of the range away.
        assert deviation(scores, np.array(x + 0.1)) > FAR


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(2)])
@pytest.mark.parametrize("values", [2, 5])
@pytest.mark.parametrize("name", LABELS)
def test_labels_drawn_are_unbiased(name: str, values: int, epsilon: Fraction) -> None:
    mechanism = labels(name, epsilon, values)
    for label in (0, values - 1):
        bits = CountedBits(f"{name} {epsilon} {values} {label}")
        reports = mechanism.report(np.full(DRAWS, label), bits)
        scores = mechanism.scores(reports)
        expected = (np.arange(values) == label).astype(float)
        assert scores.shape == (DRAWS, values)
        assert deviation(scores, expected) < FAR
        assert deviation(scores, expected * 0.8 + 0.2 / values) > FAR
        if name != "square-wave":
            assert scores[:, label].var() == pytest.approx(mechanism.variance(1.0), rel=0.05)


def test_one_hot_charges_the_two_bits_that_can_change() -> None:
    epsilon = Fraction(2)
    three, paper = Unary.symmetric(epsilon, 3), Unary.symmetric(epsilon, 3, paper=True)
    assert log_ratio(three.odds) == pytest.approx(2, abs=1e-6)
    assert log_ratio(paper.odds) == pytest.approx(2 * 2 / 3, abs=1e-6)
    assert Unary.symmetric(epsilon, 2).bits == 1
    assert log_ratio(Unary.symmetric(epsilon, 2).odds) == pytest.approx(2, abs=1e-6)


def halves(*values: int) -> bytes:
    return b"".join(value.to_bytes(2, "little") for value in values)


def test_bits_below_a_threshold_are_comparisons_of_32_digits() -> None:
    """The first half decides; on a tie the second half is read."""
    first, second = divmod(0x12345678, 2**16)
    script = halves(first - 1, first + 1, first, first) + halves(second - 1, second)
    found = below(0x12345678, 4, ScriptedBits(script))
    assert found.tolist() == [True, False, True, False]


def test_unary_puts_the_own_bit_at_the_label() -> None:
    mechanism = Unary.optimal(Fraction(1), 3)
    others = halves(0, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0)
    own = halves(0x7FFF, 0xFFFF)
    found = mechanism.report(np.array([2, 0]), ScriptedBits(others + own))
    assert np.unpackbits(found, axis=1, count=3).tolist() == [[1, 0, 1], [0, 0, 1]]


def test_hashes_of_two_labels_are_independent() -> None:
    """All pairs (a, b) of a small prime would give every pair of hashes equally often; here a
    sample: the collision rate is 1/g (6 standard errors)."""
    mechanism = Hashing.optimal(Fraction(2), 50)
    rng_bits = CountedBits("hashes")
    drawn = np.frombuffer(rng_bits.take(8 * 400_000), "<u4").astype(np.int64).reshape(2, -1) % PRIME
    same = mechanism._hashed(drawn[0], drawn[1], np.array(7)) == mechanism._hashed(
        drawn[0], drawn[1], np.array(31)
    )
    rate = 1 / mechanism.groups
    assert abs(same.mean() - rate) < 6 * math.sqrt(rate * (1 - rate) / len(same))


def test_hybrid_is_one_of_its_parts() -> None:
    mechanism = Hybrid.best(Fraction(2))
    reports = mechanism.report(np.full(100_000, 0.5), CountedBits("parts"))
    waves = (reports < mechanism.piecewise.cells).mean()
    assert waves == pytest.approx(mechanism.alpha, abs=0.01)
    assert mechanism.alpha == pytest.approx(1 - math.exp(-1))
    small = Hybrid.best(Fraction(1, 2))
    assert small.weight == 0
    assert small.squares(np.array([0])) is None


def test_laplace_has_the_scale_of_the_whole_range() -> None:
    noise = Laplace(Fraction(2))._noise(1)
    assert noise.scale == Fraction(POSITIONS, 2)
    assert noise.l1_sensitivity == POSITIONS


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(17), Fraction(1, 10**7)])
def test_an_epsilon_beyond_reason_is_refused(epsilon: Fraction) -> None:
    with pytest.raises(InvalidPlan, match="between"):
        Response(epsilon, 3)
    with pytest.raises(InvalidPlan, match="between"):
        TwoPoint(epsilon, 1)


def test_more_labels_than_words_are_refused() -> None:
    with pytest.raises(InvalidPlan, match="too many labels"):
        shared(Fraction(1), 1, 2**32, WORD)


@pytest.mark.parametrize("name", [*NUMBERS, *LABELS])
def test_what_is_stored_gives_the_mechanism_back(name: str) -> None:
    epsilon = Fraction(3, 7)
    mechanism = numbers(name, epsilon) if name in named.NUMBERS else labels(name, epsilon, 9)
    item = Item("x", "value", ("x",), name, str(epsilon), mechanism.parameters())
    assert named.mechanism_of(item) == mechanism


def test_exponential_is_below_and_close() -> None:
    for epsilon in EPSILONS:
        found = exponential(epsilon)
        assert is_within(found, epsilon)
        assert float(found) == pytest.approx(math.exp(float(epsilon)), rel=1e-12)


def test_wave_widths_shrink_as_epsilon_grows() -> None:
    widths = [SquareWave.best(epsilon, 64).near for epsilon in EPSILONS]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 50 > 5 > widths[-1]
