"""Where rows lie, as names of places; by these the same rows are met again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Whereabouts:
    """`own` is where the rows lie, under every name that means the same on any machine; `around`
    is what they are a part of, and their parts; `here` are names that mean something on this
    machine, or for as long as the table is not made anew. `kept` are such names too, but many
    things may bear them in turn: they are remembered, and not asked for now."""

    own: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    here: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def met(self) -> tuple[str, ...]:
        """Whatever may show that the rows were charged before."""
        return (*self.own, *self.here, *self.around)

    @property
    def remembered(self) -> tuple[str, ...]:
        """What this machine remembers once the rows are charged."""
        return (*self.own, *self.here, *self.kept)

    def __add__(self, other: Whereabouts) -> Whereabouts:
        return Whereabouts(
            _joined(self.own, other.own),
            _joined(self.around, other.around),
            _joined(self.here, other.here),
            _joined(self.kept, other.kept),
        )


def _joined(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *two)))


NOWHERE = Whereabouts()
