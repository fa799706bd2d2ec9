"""One repetition of each experiment of paper 004, on small made baskets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from sudare.facts.baskets import Baskets, Sensitive
from sudare.facts.errors import VerificationFailed
from sudare.facts.sets_paper import MODES, Mode
from sudare.sets.experiments import runs
from sudare.sets.experiments.repeating import TRIALS, Job, Trial, repeat
from sudare.sets.experiments.runs import Experiment, Measured, vary_epsilon, vary_rho, vary_share
from sudare.sets.suppress import Suppression
from support.bits import CountedBits

BOTH: tuple[Mode, ...] = MODES
# Hundreds of releases of thousands of records: in Python they would take minutes.
pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("as_machine_code")]


@pytest.fixture
def as_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDARE_COMPILE", "always")


def made(records: int = 3000, items: int = 25) -> Baskets:
    words = np.frombuffer(CountedBits("baskets").take(8 * records * items), "<u8")
    chances = words.reshape(records, items) / 2**64 < 1.5 / (4 + np.arange(items))
    rows = [np.flatnonzero(row)[:5] for row in chances]
    rows = [row if len(row) else np.array([0]) for row in rows]
    names = tuple(f"i{code}" for code in range(items))
    return Baskets(np.cumsum([0, *map(len, rows)]), np.concatenate(rows).astype(np.int32), names)


def of(experiment: Experiment, modes: tuple[Mode, ...] = BOTH) -> list[Measured]:
    return list(experiment(made(), CountedBits("run"), modes))


def test_rho() -> None:
    found = of(vary_rho)
    assert len(found) == 2 * 9 * 2
    assert {each.x for each in found} == {n / 10 for n in range(1, 10)}
    by = {(each.mode, each.setting, each.x): each.values["util1"] for each in found}
    for mode in MODES:
        for setting in ("fixed", "personalized"):
            # The looser ρ, the less is lost: not everywhere, but from one end to the other.
            assert by[mode, setting, 0.9] < by[mode, setting, 0.1]
        assert sum(by["default", s, x] <= by["paper", s, x] for _, s, x in by) > len(by) / 2
    assert all(set(each.values) == {"util1", "util2"} for each in found)


@pytest.mark.integration
def test_epsilon_and_the_exact_release() -> None:
    found = of(vary_epsilon)
    assert [(each.mode, each.x, each.is_verified) for each in found[:7]] == [
        ("paper", 0.01, False),
        ("paper", 0.05, False),
        ("paper", 0.1, False),
        ("default", 0.01, False),
        ("default", 0.05, False),
        ("default", 0.1, False),
        ("default", 0.0, True),
    ]
    assert all(each.values["exposed"] <= max(each.x, 0.01) for each in found)
    assert len(of(vary_epsilon, ("paper",))) == 6


def test_share() -> None:
    found = of(vary_share)
    by = {(each.mode, each.setting, each.x): each.values for each in found}
    for mode in MODES:
        assert by[mode, "personalized+", 0.05]["util1"] < by[mode, "fixed+", 0.05]["util1"]
    assert all(0 <= values["util_mining"] <= 1 for values in by.values())
    assert any(values["util_mining"] > 0 for values in by.values())


def test_a_release_that_exposes_somebody_stops_the_experiment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lazy(baskets: Baskets, sensitive: Sensitive, rho: Fraction, bits: object) -> Suppression:
        return Suppression(np.ones(len(baskets.items), np.bool_), 1, 0, 1, ())

    monkeypatch.setattr(runs, "suppress", lazy)
    with pytest.raises(VerificationFailed, match="exposed"):
        of(vary_rho, ("default",))


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: str(trial.figures))
@pytest.mark.parametrize("modes", [("paper",), ("default",), BOTH], ids=str)
def test_as_many_steps_as_announced(trial: Trial, modes: tuple[Mode, ...]) -> None:
    told: list[tuple[int, int]] = []
    job = Job(trial, "made", made(600))
    found = repeat([job], 2, modes, lambda: CountedBits("again"), lambda *n: told.append(n))
    total = told[0][1]
    assert told == [(done, total) for done in range(1, total + 1)]
    assert sum(map(len, found[0])) == total
    # Both repetitions had the same bits here.
    assert found[0][0] == found[0][1]
