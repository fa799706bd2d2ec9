"""A released table as it stands inside a release: dimensions, margins, and the finest counts.

Only the finest cells are stored; every margin is their sum. They are packed (little-endian 64-bit
integers, zlib, base64), because a table may have millions of cells and most of them are zero.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.cube import Dimension, Margin, margin_of
from sudare.facts.release import NoiseFact


@dataclass(frozen=True)
class ReleasedMargin:
    """A margin that is shown: its level on every dimension, and how wrong its cells may be."""

    name: str
    levels: Margin
    cells: int
    weight: float
    rmse: float
    error95: float


@dataclass(frozen=True)
class Tabulated:
    """What a release says of its table. `invariant` is a public margin, which has no noise."""

    dimensions: tuple[Dimension, ...]
    margins: tuple[ReleasedMargin, ...]
    noise: tuple[NoiseFact, ...]
    counts: NDArray[np.int64]
    invariant: dict[str, str] | None = None

    def margin(self, levels: Margin) -> NDArray[np.int64]:
        """The exact sum of the released cells, one axis a dimension."""
        return margin_of(self.counts, self.dimensions, levels)

    def to_dict(self) -> dict[str, Any]:
        return {
            "dimensions": [dimension.to_dict() for dimension in self.dimensions],
            "margins": [
                asdict(margin) | {"levels": list(margin.levels)} for margin in self.margins
            ],
            "noise": [asdict(fact) for fact in self.noise],
            "invariant": self.invariant,
            "counts": _packed(self.counts),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Tabulated:
        dimensions = tuple(Dimension.from_dict(each) for each in values["dimensions"])
        shape = [each.size(each.depth) for each in dimensions]
        margins = (each | {"levels": tuple(each["levels"])} for each in values["margins"])
        return cls(
            dimensions,
            tuple(ReleasedMargin(**each) for each in margins),
            tuple(NoiseFact(**each) for each in values["noise"]),
            _unpacked(values["counts"], shape),
            values["invariant"],
        )


def _packed(counts: NDArray[np.int64]) -> str:
    plain = np.ascontiguousarray(counts, dtype="<i8").tobytes()
    return base64.b64encode(zlib.compress(plain, 6)).decode()


def _unpacked(text: str, shape: Sequence[int]) -> NDArray[np.int64]:
    plain = zlib.decompress(base64.b64decode(text))
    return np.frombuffer(plain, dtype="<i8").astype(np.int64).reshape(shape)
