"""Own blocks from central releases, cross blocks from a join: one matrix that can be one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sudare.facts.errors import InvalidPlan
from sudare.facts.estimated import Estimated, Figure, Matrix, Untold, Wanted
from sudare.facts.plan import Plan
from sudare.facts.randomized import NumberDomain
from sudare.facts.release import Answer, Release
from sudare.facts.schema import make_schema
from sudare.link.hybrid import hybrid
from sudare.link.hybrid_compare import compare
from sudare.link.own_release import NORMAL_REACH, OwnColumn, OwnRelease, own_questions
from sudare.local.estimates.estimate import estimate
from sudare.publish.ask import ask
from support.bits import CountedBits
from support.randomized import autoregressive, item, randomized, reports
from support.randomized import numbers as number_domains

ROWS = 20_000
DATA = autoregressive(ROWS, 4, 0.7, "hybrid")
NAMES = ("a", "b", "c", "d")
DOMAIN = NumberDomain("integer", -100, 100, 1.0, True)
INDICES = np.rint(DATA * 100).astype(np.int64)
TRUTH = np.cov(INDICES, rowvar=False, bias=True)
PARTIES = {"A": NAMES[:2], "B": NAMES[2:]}


def made_release(
    columns: tuple[str, ...], matrix: Any, errors: float, neighbours: str = "replace-one"
) -> Release:
    """A release as `sudare ask` would have made it, from given numbers."""
    nested = [
        {a: {b: each[i][j] for j, b in enumerate(columns)} for i, a in enumerate(columns)}
        for each in (matrix, np.full((len(columns), len(columns)), errors * NORMAL_REACH))
    ]
    spread = Answer("covariance", "covariance", nested[0], 1.0, 0.1, nested[1], columns=columns)
    if len(columns) == 1:
        value = float(matrix[0][0])
        spread = Answer("variance", "variance", value, errors * NORMAL_REACH, 0.1, columns=columns)
    means = [Answer(f"mean({c})", "mean", 5.0, 2.0, 0.1, columns=(c,)) for c in columns]
    guarantee = {"epsilon": 0.5, "neighbours": neighbours}
    return Release("r", "t", "", (*means, spread), {}, {}, guarantee, {})


def own(party: str, release: Release, columns: tuple[str, ...]) -> OwnRelease:
    return OwnRelease(party, tuple(OwnColumn(n, n, DOMAIN) for n in columns), release)


def made_join(raw: Any, error: float, names: tuple[str, ...] = NAMES) -> Estimated:
    entries = tuple(tuple(Figure(v, v, error, (v, v), 0.0, True) for v in row) for row in raw)
    return Estimated("joined", ROWS, 2.0, covariance=Matrix(names, entries, None))


def owns(error: float = 1.0, neighbours: str = "replace-one") -> list[OwnRelease]:
    return [
        own(party, made_release(c, TRUTH[np.ix_(p, p)], error, neighbours), c)
        for (party, c), p in zip(PARTIES.items(), ([0, 1], [2, 3]), strict=True)
    ]


def values(matrix: Matrix | None, field: str = "value") -> Any:
    assert matrix is not None
    return np.array([[getattr(entry, field) for entry in row] for row in matrix.entries])


def test_each_block_comes_from_its_source() -> None:
    other = np.full((4, 4), 77.0)
    found = hybrid(owns(error=1.0), made_join(other, 9.0))
    raw, errors = values(found.covariance, "raw"), values(found.covariance, "standard_error")
    inside = np.kron(np.eye(2), np.ones((2, 2))).astype(bool)
    assert np.allclose(raw[inside], TRUTH[inside])
    assert np.allclose(raw[~inside], 77)
    assert np.allclose(errors[inside], 1.0)
    assert np.allclose(errors[~inside], 9.0)


def test_what_is_sure_is_kept_and_the_matrix_is_semidefinite() -> None:
    found = hybrid(owns(error=0.5), made_join(TRUTH, 0.5))
    deviations = np.sqrt(np.diag(TRUTH))
    correlation = TRUTH / np.outer(deviations, deviations)
    assert np.abs(values(found.correlation) - correlation).max() < 0.005
    assert np.abs(values(found.covariance) - TRUTH).max() < 0.005 * TRUTH.max()
    # Cross entries that cannot stand beside the own ones are what moves.
    wild = np.where(np.kron(np.eye(2), np.ones((2, 2))) == 1, TRUTH, 0.99 * 2500)
    wild[0, 3] = wild[3, 0] = -0.99 * 2500
    moved = hybrid(owns(error=0.5), made_join(wild, 800.0))
    for matrix in (values(moved.correlation), values(moved.covariance)):
        assert np.linalg.eigvalsh(matrix).min() > -1e-6 * matrix.max()
    kept = values(moved.correlation)
    assert abs(kept[0, 1] - correlation[0, 1]) < 0.02
    assert abs(kept[0, 3] - wild[0, 3] / 2500) > 0.2


def test_errors_of_correlations_hold_those_of_both_variances() -> None:
    """The delta method against draws: variances and covariance scatter, R follows."""
    made = np.random.default_rng(3)
    error, drawn = 20.0, []
    for _ in range(4000):
        a, b, c = made.normal([TRUTH[0, 0], TRUTH[2, 2], TRUTH[0, 2]], error)
        drawn.append(c / np.sqrt(a * b))
    found = hybrid(owns(error=error), made_join(TRUTH, error))
    stated = values(found.correlation, "standard_error")[0, 2]
    assert stated == pytest.approx(np.std(drawn), rel=0.06)
    assert stated > 1.01 * error / np.sqrt(TRUTH[0, 0] * TRUTH[2, 2])


def test_costs_add_up() -> None:
    found = hybrid(owns(), made_join(TRUTH, 1.0))
    assert found.epsilon == 2.0 + 0.5 + 0.5
    assert found.guarantee["own"] == {"A": 0.5, "B": 0.5}
    # An ε of add-remove counts twice beside one of replace-one.
    twice = hybrid(owns(neighbours="add-remove"), made_join(TRUTH, 1.0))
    assert twice.epsilon == 2.0 + 1.0 + 1.0


def test_drowned_variances_and_missing_entries_are_left_open() -> None:
    matrix = TRUTH.copy()
    parts = [[0, 1], [2, 3]]
    matrix[3, 3] = 5.0
    some = [
        own(p, made_release(c, matrix[np.ix_(q, q)], 10.0), c)
        for (p, c), q in zip(PARTIES.items(), parts, strict=True)
    ]
    join = made_join(TRUTH[:3, :3], 1.0, NAMES[:3])
    found = hybrid(some, join)
    assert found.correlation is not None
    assert found.covariance is not None
    assert found.correlation.entries[0][3].value is None
    assert found.covariance.entries[0][3].value is None
    # A covariance is told by itself; it is not moved with the others, which have deviations.
    assert found.covariance.entries[2][3].value == found.covariance.entries[2][3].raw
    assert found.covariance.entries[2][3].raw == pytest.approx(TRUTH[2, 3])
    assert found.correlation.entries[2][3].value is None
    assert found.correlation.entries[0][2].value is not None
    assert found.covariance.entries[3][3].distinguishable is False


def test_one_number_has_a_variance_and_nothing_sure_has_no_correlation() -> None:
    alone = own("A", made_release(("a",), [[0.1]], 50.0), ("a",))
    other = own("B", made_release(("b",), [[900.0]], 5.0), ("b",))
    found = hybrid([alone, other], made_join(TRUTH[:2, :2], 1.0, ("a", "b")))
    assert found.correlation is not None
    assert found.correlation.entries[0][1].value is None
    assert found.correlation.score is None
    assert found.covariance is not None
    assert found.covariance.entries[1][1].value == pytest.approx(900)


def test_a_join_without_covariances_or_a_release_without_answers_is_refused() -> None:
    with pytest.raises(InvalidPlan, match="no covariances"):
        hybrid(owns(), Estimated("joined", 0, 1.0))
    short = made_release(("a", "b"), TRUTH[:2, :2], 1.0)
    wrong = own("A", short, ("b", "a"))
    with pytest.raises(InvalidPlan, match="does not answer"):
        hybrid([wrong, owns()[1]], made_join(TRUTH, 1.0))


def test_what_the_join_told_of_other_things_is_kept() -> None:
    join = made_join(TRUTH, 1.0)
    told = (Untold("covariance", ("a",), "drowned"), Untold("table", ("x", "y"), "no_pair"))
    found = hybrid(owns(), Estimated(**{**join.__dict__, "untold": told}))
    assert [each.statistic for each in found.untold] == ["table"]


def test_questions_are_quoted() -> None:
    assert own_questions(["a b", 'c"d']) == (
        'mean("a b")',
        'mean("c""d")',
        'covariance("a b", "c""d")',
    )
    assert own_questions(["x"]) == ('mean("x")', 'variance("x")')


def joined_reports(epsilon: float, names: tuple[str, ...] = NAMES) -> Any:
    """Everybody reports every number at an equal part of ε an organisation."""
    items = [item("value", [name], "piecewise", epsilon / 2) for name in names]
    facts = randomized(items, number_domains(names))
    data = {name: INDICES[:, place] / 100 for place, name in enumerate(NAMES)}
    wanted = Wanted(frozenset({"mean", "covariance", "correlation"}))
    return facts, estimate(facts, reports(facts, data, f"hybrid {epsilon}"), wanted)


def asked(epsilon: Fraction, folder: Path) -> list[OwnRelease]:
    column = {"type": "integer", "min": -100, "max": 100, "complete": True}
    found = []
    for party, names in PARTIES.items():
        table = {"name": party, "neighbours": "replace-one", "expected_rows": ROWS}
        schema = make_schema(
            {"table": table, "columns": dict.fromkeys(names, column), "budget": {"epsilon": 9}}
        )
        frame = pd.DataFrame({name: INDICES[:, NAMES.index(name)] for name in names})
        plan = Plan(own_questions(names), epsilon)
        bits = CountedBits(f"own {party}")
        release = ask(frame, schema, plan, ledger=folder / f"{party}.ledger", bits=bits)
        found.append(own(party, release, names))
    return found


def test_real_releases_and_reports_beat_the_all_local_way(tmp_path: Path) -> None:
    """ε = 4 an organisation: a tenth goes to the own release. Own blocks are far closer, and what
    the comparison predicts for the all-local way is what that way states."""
    facts, local = joined_reports(4.0)
    found = hybrid(asked(Fraction(4, 10), tmp_path), joined_reports(3.6)[1])
    inside = np.kron(np.eye(2), np.ones((2, 2))).astype(bool)
    away = [np.abs(values(each.covariance, "raw") - TRUTH)[inside].max() for each in (found, local)]
    assert away[0] < 0.5 * away[1]
    stated = values(found.covariance, "standard_error")
    assert (np.abs(values(found.covariance, "raw") - TRUTH) < 4.9 * stated).all()
    ways = [
        randomized([i for i in facts.items if i.columns[0] in names], number_domains(names))
        for names in PARTIES.values()
    ]
    rows = compare(found, ways)
    assert len(rows) == 10
    theirs = values(local.covariance, "standard_error")
    for row in rows:
        i, j = (NAMES.index(name) for name in row.columns)
        assert row.block == ("own" if inside[i, j] else "cross")
        # The jackknife's own error is 6 %.
        assert row.all_local == pytest.approx(theirs[i, j], rel=0.35)
        assert row.hybrid == stated[i, j]
    own_ratios = [row.ratio for row in rows if row.block == "own" and row.ratio is not None]
    cross = [row.ratio for row in rows if row.block == "cross" and row.ratio is not None]
    assert len(own_ratios) == 6
    assert len(cross) == 4
    assert max(own_ratios) < 0.7
    assert 1 < min(cross) < max(cross) < 1.6
