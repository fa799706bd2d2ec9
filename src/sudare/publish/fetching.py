"""What an opened table answers during one run, for questions that look more than once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.engines.counting import count_groups
from sudare.engines.mapped import indices_of
from sudare.engines.source import Source
from sudare.facts.aggregate import Moments, MomentsRequest


class Fetching:
    """See `sudare.facts.fetch.Fetch`. One run key: every answer is over the same choice of rows."""

    def __init__(self, source: Source, run_key: bytes) -> None:
        self._source = source
        self._run_key = run_key

    def moments(self, requests: Sequence[MomentsRequest]) -> list[Moments]:
        return self._source.moments(requests, self._run_key)

    def counts(self, request: MomentsRequest) -> NDArray[np.int64]:
        return count_groups(self._source, request, self._run_key)

    def rows(self, columns: Sequence[str]) -> list[NDArray[np.int64]]:
        parts: list[list[NDArray[np.int64]]] = [[] for _ in columns]
        for batch in self._source.batches(columns, self._run_key):
            for place, array in enumerate(batch.columns):
                parts[place].append(indices_of(array))
        return [np.concatenate(part) if part else np.empty(0, np.int64) for part in parts]
