"""What an opened table can do, wherever its rows live."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Protocol, Self

import pyarrow as pa

from sudare.engines.mapped import BatchFunction
from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.whereabouts import Whereabouts


class Mappable(Protocol):
    """Rows that a function can be sent to, a batch at a time."""

    def map_batches(
        self,
        columns: Sequence[str],
        run_key: bytes,
        function: BatchFunction,
        rows: int = 100_000,
    ) -> Iterator[pa.RecordBatch]:
        """`function` of each batch of rows; where the engine can, it runs beside the rows."""


class Batched(Mappable, Protocol):
    """Rows that can be read here, too."""

    def batches(
        self, columns: Sequence[str], run_key: bytes, rows: int = 100_000
    ) -> Iterator[pa.RecordBatch]:
        """The cleaned rows in no particular order: grid indices, labels, text as it is."""


class Source(Batched, Protocol):
    """A table that answers with exact, bounded aggregates of its cleaned rows."""

    @property
    def places(self) -> Whereabouts:
        """Where the rows lie, as far as that shows only once they are opened."""

    @property
    def most_rows(self) -> int | None:
        """No more rows than this, as the structure tells, or a count where the number of rows is
        public; None where only reading would tell."""

    def moments(self, requests: Sequence[MomentsRequest], run_key: bytes) -> list[Moments]:
        """One answer a request, all over the same choice of rows."""

    def close(self) -> None:
        """Forget the data."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
