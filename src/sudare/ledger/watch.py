"""A ledger as this machine's second place knows it: is it the one, and has it come as far?

Claim    no charge is made in a ledger that lacks an entry which this machine has seen there, nor
         for rows which another ledger has charged, unless the steward's word is on record.
Needs    see second_place.py.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Literal

from sudare.facts.address import is_address, located, shown
from sudare.facts.errors import BudgetRefused, InvalidLedger
from sudare.ledger.chain import Head
from sudare.ledger.charge import Charge
from sudare.ledger.second_place import Noted, SecondPlace
from sudare.ledger.sqlite_file import place as resolved


class Watch:
    """A ledger's place beside what the second place knows of it."""

    def __init__(self, second: SecondPlace, place: str | Path) -> None:
        self._second, self._given = second, place
        self._place = _spelled(place)

    @property
    def trouble(self) -> str | None:
        """Why nothing can be noted, if so."""
        return self._second.trouble

    def gone(self) -> tuple[Noted, InvalidLedger] | None:
        """What was noted of a ledger that lay here and is still expected."""
        noted = self._second.noted_at(self._place)
        if noted is None or noted.given_up:
            return None
        name = shown(self._given)
        return noted, InvalidLedger(
            f"{name} is gone; this machine knew it with {noted.seq} entries.",
            _hint(name),
            place=name,
        )

    def lost(self) -> Noted | None:
        """What was noted of a ledger that lay here and was given up."""
        noted = self._second.noted_at(self._place)
        return noted if noted is not None and noted.given_up else None

    def is_known(self, ledger: bytes) -> bool:
        """Whether this machine has written in this ledger, at this place."""
        noted = self._second.noted_at(self._place)
        return noted is not None and noted == self._second.noted(ledger)

    def doubt(
        self, ledger: bytes, head: Head, hash_at: Callable[[int], str | None]
    ) -> tuple[Noted, InvalidLedger] | None:
        """Why this is not the history that this machine knew, with what was noted of it."""
        name = shown(self._given)
        replaced = self._second.replaced_at(self._place, ledger)
        if replaced is not None:
            return replaced, InvalidLedger(
                f"{name} is not the ledger that this machine knew there, which had {replaced.seq} "
                "entries.",
                _hint(name),
                place=name,
            )
        noted = self._second.noted(ledger)
        if noted is None:
            return None
        if noted.seq > head.seq:
            return noted, InvalidLedger(
                f"{name} ends at entry {head.seq}; this machine knew it with {noted.seq}.",
                _hint(name),
                place=name,
            )
        if hash_at(noted.seq) != noted.hash:
            return noted, InvalidLedger(
                f"Entry {noted.seq} of {name} is not the one that this machine knew.",
                _hint(name),
                place=name,
            )
        return None

    def elsewhere(self, charge: Charge, ledger: bytes) -> BudgetRefused | None:
        """Why these rows may not be charged in this ledger, if another one has charged them."""
        found = self._elsewhere(charge, ledger)
        if found is None or (found == "other" and charge.declared):
            return None
        as_same = f' as the population "{charge.dataset}"' if charge.declared else ""
        beside = next(self._beside(charge, charge.dataset if found == "same" else None), None)
        where = "Name that one with --ledger" + ("" if beside is None else f" {beside}")
        return BudgetRefused(
            f"The rows of this table are charged in another ledger{as_same}, as this machine "
            "knows.",
            f"{where}. If they are other people than those who were charged there, name them with "
            'population = "…" under [table]; the ledger records it.',
            place=() if beside is None else beside,
        )

    def is_parted(self, charge: Charge, ledger: bytes) -> bool:
        """Whether another ledger has charged the rows as other people."""
        return self._elsewhere(charge, ledger) == "other"

    def known_as(self, charge: Charge, ledger: bytes, datasets: Iterable[str]) -> str | None:
        """The dataset as which this ledger has charged the rows, as this machine alone knows, if
        it is another one than now."""
        if self._is_settled(charge, ledger):
            return None
        names = tuple(datasets)
        for place in (*charge.places.here, *charge.places.around):
            found = self._second.charged_as(place, ledger, names)
            if found and charge.dataset not in found:
                return min(found)
        return None

    def is_bound(self, charge: Charge, ledger: bytes) -> bool:
        """Whether the rows are known to be charged here, or lie nowhere."""
        return self._second.is_bound(charge.places.remembered, ledger, charge.dataset)

    def holding(self) -> AbstractContextManager[None]:
        """Be the only one on this machine who begins to charge rows."""
        return self._second.holding()

    def note(self, ledger: bytes, head: Head, *, anew: bool = False) -> None:
        """The ledger has come as far as this."""
        self._second.note(self._place, ledger, head.seq, head.hash, anew=anew)

    def bind(self, charge: Charge, ledger: bytes) -> None:
        """The rows were charged here."""
        self._second.bind(charge.places.remembered, ledger, charge.dataset)

    def give_up(self) -> None:
        """The ledger that was noted here will not come back."""
        self._second.give_up(self._place)

    def close(self) -> None:
        self._second.close()

    def _elsewhere(self, charge: Charge, ledger: bytes) -> Literal["same", "other"] | None:
        """As whom another ledger has charged the rows."""
        if self._is_settled(charge, ledger):
            return None
        return self._second.charged_elsewhere(charge.places.met, ledger, charge.dataset)

    def _is_settled(self, charge: Charge, ledger: bytes) -> bool:
        """Whether this ledger has charged the same people where these rows lie: then it goes on,
        whatever others did since."""
        return self._second.is_bound(charge.places.own, ledger, charge.dataset)

    def _beside(self, charge: Charge, dataset: str | None) -> Iterator[Path]:
        """The ledger that has charged the rows, where it lies beside them or beside this one.
        The second place holds no path, so it can only be recognised."""
        places = charge.places
        named = [Path(place.partition(" ")[2]).parent for place in places.own[:1]]
        folders = named if is_address(self._given) else [*named, Path(self._place).parent]
        for folder in folders:
            for path in sorted(folder.glob("*.ledger")):
                if self._second.has_charged(places.met, _spelled(path), dataset):
                    yield path


def _hint(name: str) -> str:
    return (
        "Restore its latest copy. If that is lost for good, the steward goes on with "
        f"`sudare ledger accept {name}`, which the ledger records."
    )


def place_digest(ledger: bytes, place: str) -> str:
    """What a ledger keeps of where rows lie: without the ledger it says nothing."""
    return hmac.new(ledger, place.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()


def _spelled(place: str | Path) -> str:
    """A ledger's place in one spelling, whatever it is called by."""
    if not is_address(place):
        return str(resolved(place))
    found, _, name = located(str(place)).rpartition("#")
    return f"{found}#{name or 'ledger'}"
