"""All small multigraphs on a few nodes, for tests of minimum spanning trees."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.aggregate import Moments, MomentsRequest, UniformAxis
from sudare.facts.schema import Schema, make_schema
from sudare.queries.compile import compile_question
from sudare.queries.mst import SpanningTree
from sudare.queries.mst_cuts import Graph

Ints = NDArray[np.int64]
MISSING = np.iinfo(np.int64).min


@dataclass(frozen=True)
class Universe:
    """Every multigraph with up to `most` edges of each kind (pair and weight)."""

    nodes: int
    weights: tuple[int, ...]
    low: int
    high: int
    most: int

    @property
    def kinds(self) -> list[tuple[int, int, int]]:
        pairs = itertools.combinations(range(self.nodes), 2)
        return [(x, y, w) for x, y in pairs for w in self.weights]

    def all(self) -> Ints:
        """How many edges of each kind, a row a graph."""
        counts = range(self.most + 1)
        return np.array(list(itertools.product(counts, repeat=len(self.kinds))))

    def graph(self, counts: Sequence[int]) -> Graph:
        edges = [kind for kind, n in zip(self.kinds, counts, strict=True) for _ in range(n)]
        table = np.array(edges, dtype=np.int64).reshape(-1, 3)
        return Graph(self.nodes, self.low, self.high, table[:, 0], table[:, 1], table[:, 2])


class Edges:
    """A table of edges, as a question fetches it."""

    def __init__(self, ones: Any, others: Any, weights: Any) -> None:
        self._columns = [np.asarray(c, dtype=np.int64) for c in (ones, others, weights)]

    def rows(self, columns: Sequence[str]) -> list[Ints]:
        assert list(columns) == ["a", "b", "w"]
        return self._columns

    def moments(self, requests: Sequence[MomentsRequest]) -> list[Moments]:
        raise NotImplementedError

    def counts(self, request: MomentsRequest) -> Ints:
        """As an engine counts: a row that lacks anything is nowhere."""
        sizes = [axis.size for axis in request.axes]
        weight = request.axes[-1]
        assert isinstance(weight, UniformAxis)
        codes = np.array([*self._columns[:2], self._columns[2] - weight.low])
        known = ((codes >= 0) & (codes < np.array(sizes)[:, None])).all(axis=0)
        places = np.ravel_multi_index(tuple(codes[:, known]), sizes)
        return np.bincount(places, minlength=request.groups).astype(np.int64)


def roads(
    nodes: int = 3,
    low: int = 0,
    high: int = 2,
    relation: str = "add-remove",
    k: int = 1,
    **more: Any,
) -> Schema:
    """A schema of edges between nodes."""
    unit = {} if k == 1 else {"unit": "id", "max_rows_per_unit": k}
    values = [f"n{place}" for place in range(nodes)]
    return make_schema(
        {
            "table": {"name": "roads", "neighbours": relation, **unit, **more},
            "columns": {
                "id": {"type": "key"},
                "a": {"type": "category", "values": values, "other": "?"},
                "b": {"type": "category", "values": values},
                "c": {"type": "category", "values": [*values, "more"]},
                "w": {"type": "integer", "min": low, "max": high},
                "d": {"type": "date", "min": "2000-01-01", "max": "2001-01-01"},
            },
        }
    )


def tree(method: str | None = None, **schema: Any) -> SpanningTree:
    option = "" if method is None else f"; method={method}"
    job = compile_question(f"mst(a, b, w{option})", roads(**schema))
    assert isinstance(job, SpanningTree)
    return job
