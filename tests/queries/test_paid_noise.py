"""Questions that learn: every vector that gets noise is an event that was paid for, and no other.

k-means is in test_kmeans.py, where there are more ways to start."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.events import PrivacyEvent
from sudare.mechanisms.box_noise import BoxNoise
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Iterative, MechanismName, Share, Single
from support.bits import CountedBits
from support.tiny import moments, town

ROWS = [{"age": 3 * n, "debt": n % 8 - 5, "works": n % 2, "sex": "FM"[n % 2]} for n in range(40)]


class Rows:
    def moments(self, requests: Sequence[MomentsRequest]) -> list[Moments]:
        return [moments(request, ROWS) for request in requests]

    def counts(self, request: MomentsRequest) -> NDArray[np.int64]:
        raise NotImplementedError

    def rows(self, columns: Sequence[str]) -> list[NDArray[np.int64]]:
        raise NotImplementedError


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> list[PrivacyEvent]:
    """The events of all mechanisms, as they are applied."""
    found: list[PrivacyEvent] = []
    kinds = (DiscreteLaplace, DiscreteGaussian, BoxNoise)
    for kind, name in itertools.product(kinds, ("apply", "apply_array")):
        if hasattr(kind, name):
            plain = getattr(kind, name)

            def noted(self: Any, cells: Any, bits: Any, plain: Any = plain) -> Any:
                found.append(self.event())
                return plain(self, cells, bits)

            monkeypatch.setattr(kind, name, noted)
    return found


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize(
    "question",
    [
        "pca(age, debt, works)",
        "linear(debt ~ age, works)",
        "ridge(age ~ debt)",
        "logistic(works ~ age, debt)",
        "logistic(sex ~ age; rounds=5)",
    ],
)
def test_the_noise_that_is_added_is_the_noise_that_is_paid_for(
    question: str, relation: str, mechanism: MechanismName, added: list[PrivacyEvent]
) -> None:
    job, share = compile_question(question, town(relation)), Share(mechanism, Fraction(1, 3))
    bits, rows = CountedBits(question), Rows()
    if isinstance(job, Single):
        job.answer(rows.moments([job.request])[0], share, 1.0, bits)
    else:
        assert isinstance(job, Iterative)
        job.measure(rows, share, 1.0, bits)
    assert sorted(map(str, added)) == sorted(map(str, job.events(share)))
