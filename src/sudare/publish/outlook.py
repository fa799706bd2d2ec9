"""What the next run will meet in the ledger, before anything is paid: what is left, whether the cap
changes, and whether the charge would be refused, by the check that the charge itself passes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sudare.engines.whereabouts import looked_up
from sudare.facts.cost import Cost
from sudare.facts.relation import Relation
from sudare.facts.schema import Schema
from sudare.ledger.charge import Charge
from sudare.ledger.foresight import Foreseen
from sudare.ledger.ledger import Ledger, foreseen_anew
from sudare.ledger.stores import is_there
from sudare.publish.charging import second_place
from sudare.publish.recording import cap_change, charge_for

_NO_PLAN = "0" * 64


@dataclass(frozen=True)
class Outlook:
    """`refused` says why the run would be; `cap` is the cap before and after, where it changes;
    `is_stored`: the key has released before, so that nothing would be spent."""

    left: dict[str, float]
    refused: str | None = None
    cap: dict[str, dict[str, Any]] | None = None
    is_stored: bool = False

    @property
    def fits(self) -> bool:
        return self.refused is None

    def to_dict(self) -> dict[str, Any]:
        """For the result of a dry run as JSON."""
        found: dict[str, Any] = {"fits": self.fits, "left": self.left}
        if self.refused is not None:
            found["refused"] = self.refused
        return found if self.cap is None else found | {"cap": self.cap}


def outlook(
    data: object,
    schema: Schema,
    cost: Cost,
    plan_hash: str,
    job: str,
    *,
    ledger: str | Path,
    analyst: str | None = None,
    key: str | None = None,
) -> Outlook:
    """What a job's charge will meet."""
    charge = charge_for(data, schema, cost, plan_hash, job, analyst, key)
    return _seen(ledger, replace(charge, places=looked_up(data)))


def left_under(schema: Schema, ledger: str | Path) -> Outlook:
    """What is left and whether the cap changes, whatever is asked and by whom."""
    nothing = Cost(0, 0, 0, Relation.ADD_REMOVE)
    return _seen(ledger, charge_for(None, schema, nothing, _NO_PLAN, "look", None, None))


def foreseen(ledger: str | Path, charge: Charge) -> Foreseen:
    """What the charge will meet, in the ledger that is there or in the one it would make."""
    if is_there(ledger):
        with Ledger.open(ledger, second=second_place()) as books:
            return books.foresee(charge)
    return foreseen_anew(charge, ledger, second_place())


def _seen(ledger: str | Path, charge: Charge) -> Outlook:
    found = foreseen(ledger, charge)
    refused = None if found.refusal is None else str(found.refusal)
    left = {"epsilon": found.left.epsilon, "delta": found.left.delta}
    return Outlook(left, refused, cap_change(found.cap_was, charge.cap), found.is_stored)
