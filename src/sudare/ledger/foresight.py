"""What the ledger will say to a charge: the same check for a dry run as for the charge itself.

A charge brings the cap that the schema declares, and is judged under that one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sudare.facts.errors import BudgetRefused, InvalidLedger, SudareError
from sudare.facts.relation import Relation
from sudare.ledger.balance import Left
from sudare.ledger.books import Books
from sudare.ledger.budget import Account
from sudare.ledger.chain import now
from sudare.ledger.charge import Cap, Charge
from sudare.ledger.convert import counted
from sudare.ledger.drafts import terms
from sudare.ledger.entries import Amount


@dataclass(frozen=True)
class Judged:
    """A charge weighed: its cost in this ledger, the cap that it ends, and why not, if so."""

    account: Account
    cost: Amount
    cap_was: Cap | None
    refusal: BudgetRefused | None


@dataclass(frozen=True)
class Foreseen:
    """What a charge would meet; `is_stored`: its key has released before, so nothing is paid."""

    left: Left
    cap_was: Cap | None = None
    refusal: SudareError | None = None
    is_stored: bool = False


def judged(books: Books, relation: Relation, charge: Charge, place: str | None) -> Judged:
    """Weigh a charge under the terms that it brings; nothing is changed."""
    cost = counted(charge.cost, relation)
    known = books.accounts.get(charge.dataset)
    account, was = under_terms(known, charge), None if known is None else known.cap
    is_made = books.last is not None
    refusal = account.refusal(cost, charge.cost, charge.analyst, place, is_made)
    return Judged(account, cost, None if was == charge.cap else was, refusal)


def under_terms(known: Account | None, charge: Charge) -> Account:
    """The account once the charge's terms are on record."""
    if known is not None and known.terms.unit != charge.unit:
        raise InvalidLedger(
            f'"{charge.dataset}" protects the unit "{known.terms.unit}" in this ledger, '
            f'not "{charge.unit}".',
            "Sums of costs mean nothing across units: use another ledger file (--ledger).",
        )
    brought = terms(charge)(1, now())
    return Account(brought) if known is None else replace(known, terms=brought)
