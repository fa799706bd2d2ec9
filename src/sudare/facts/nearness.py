"""How near synthetic rows came to people whose rows were used, against people held out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

# Half is chance. Above this share nothing is written.
LIMIT = 0.55


@dataclass(frozen=True)
class Bounded:
    """A share and the upper end of its one-sided 99 % interval."""

    value: float
    high: float


@dataclass(frozen=True)
class Nearness:
    """`people` of one look: used, and held out; `looks` is the number of fits; `synthetic` the rows
    drawn in all. `nearer`: the share of synthetic rows that are closer to a person used than to
    one held out. `guessed`: how often a number is guessed better from the other columns where its
    person was used; None where there is no number to guess."""

    people: tuple[int, int]
    looks: int
    synthetic: int
    nearer: Bounded
    guessed: Bounded | None

    @property
    def is_safe(self) -> bool:
        """Whether both shares are shown to be within the limit."""
        shares = [self.nearer, *([self.guessed] if self.guessed is not None else [])]
        return all(each.high <= LIMIT for each in shares)

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "limit": LIMIT, "is_safe": self.is_safe}
