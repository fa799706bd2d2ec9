"""What `publish` hands a question that has to look more than once: exact aggregates on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sudare.facts.aggregate import Moments, MomentsRequest


class Fetch(Protocol):
    """Exact aggregates of one table, all over the same choice of rows. Whatever a question
    fetches, it has charged for every noisy number it will release."""

    def moments(self, requests: Sequence[MomentsRequest]) -> list[Moments]:
        """One answer a request; requests that differ in monomials alone share a pass."""

    def counts(self, request: MomentsRequest) -> NDArray[np.int64]:
        """The rows of every group as one array, the last axis fastest."""

    def rows(self, columns: Sequence[str]) -> list[NDArray[np.int64]]:
        """The rows themselves, one array a column: grid indices of numbers, codes of labels
        (positions in the schema's domain), the least int64 for what is missing."""
