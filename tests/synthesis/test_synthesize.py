"""From statistics to rows: one fit and many samples, bits in, the same rows out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sudare.synthesis.synthesize import fit_model, synthesize
from support.bits import CountedBits
from synthesis.made import statistics

NAMES = ("age", "hours", "works", "sex", "town")


def test_the_same_bits_give_the_same_rows() -> None:
    given = statistics(400, *NAMES, label=20)
    found = [
        fit_model(given, bits, components=10).sample(200, bits)[0]
        for bits in (CountedBits("one"), CountedBits("one"), CountedBits("two"))
    ]
    ages = [each.values["age"].tolist() for each in found]
    assert ages[0] == ages[1] != ages[2]


def test_samples_of_one_model_differ_and_keep_its_histograms() -> None:
    given = statistics(600, *NAMES, label=21)
    bits = CountedBits("many")
    model = fit_model(given, bits, components=15)
    samples = [model.sample(1_200, bits)[0] for _ in range(2)]
    assert samples[0].values["age"].tolist() != samples[1].values["age"].tolist()
    for drawn in samples:
        assert drawn.rows == 1_200
        for name in ("sex", "town"):
            each = given.marginal(name)
            there = drawn.codes[name][~drawn.is_missing(name)]
            shares = np.bincount(there, minlength=each.bins) / 1_200
            assert shares == pytest.approx(each.counts / given.rows, abs=0.02)
        assert drawn.is_missing("town").mean() == pytest.approx(
            given.marginal("town").missing / given.rows, abs=0.02
        )


def test_noisy_statistics_are_not_matched() -> None:
    exact = statistics(500, *NAMES, label=22)
    noise = dict.fromkeys([*exact.crosses, *((n, n) for n in exact.names)], 4.0)
    noisy = replace(exact, origin="private", noise=noise, moments=None, shifts={})
    bits = CountedBits("noisy")
    drawn, matched = fit_model(noisy, bits, components=10).sample(300, bits)
    assert matched is None
    assert drawn.values["age"].min() >= 0
    assert np.array_equal(drawn.values["age"], np.rint(drawn.values["age"]))


def test_one_call_tells_its_progress() -> None:
    steps: list[str] = []
    given = statistics(50, "age", "sex", label=23)
    drawn = synthesize(given, 10, CountedBits("p"), progress=lambda step, _: steps.append(step))
    assert drawn.rows == 10
    assert list(dict.fromkeys(steps)) == ["fit", "draw", "match"]
