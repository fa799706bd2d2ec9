"""One way to make one private number of the blocks' answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from sudare.facts.events import PrivacyEvent
from sudare.facts.release import NoiseFact
from sudare.queries.blocks_places import Counts
from sudare.randomness.bits import RandomBits

FORECAST = "a forecast: as if the blocks answered evenly over an eighth of the range"


@dataclass(frozen=True)
class Found:
    """A released place, its 95 % error in places, whether it says nothing, the interval of places
    that answers were moved into, and what else is told."""

    place: Fraction
    error: float
    drowned: bool
    kept: tuple[int, int] | None = None
    told: dict[str, Any] = field(default_factory=dict)


class Way(Protocol):
    """What a method must do; all but `release` is known before the data."""

    @property
    def name(self) -> str:
        """As the plan names it."""

    def events(self) -> list[PrivacyEvent]:
        """What it costs."""

    def forecast(self) -> float:
        """The 95 % error in places, as if answers lay evenly over the middle of the range."""

    def release(self, places: Counts, bits: RandomBits) -> Found:
        """Noise, and nothing exact left."""

    def noise(self) -> list[NoiseFact]:
        """For the certificate."""
