"""The state that follows from a chain of entries, and the rules that each entry must keep.

The same fold runs when a ledger is used, when it is written and when it is verified, so an entry
that could be written is exactly an entry that verifies. Nothing here is stored: the entries are
the only truth, and a sum kept beside them could disagree with them.
"""

from __future__ import annotations

from sudare.facts.errors import InvalidLedger
from sudare.facts.relation import Relation
from sudare.ledger.budget import Account
from sudare.ledger.chain import Broken, Entry, Head, Tip, unseal
from sudare.ledger.convert import counted
from sudare.ledger.entries import Arrived, Committed, Moved, Opened, Reserved, Terms
from sudare.ledger.store import Row


class Books:
    """All that a ledger knows after its entries so far."""

    def __init__(self) -> None:
        self.tip = Tip()
        self.last: Entry | None = None
        self.accounts: dict[str, Account] = {}
        self.charges: dict[int, Entry] = {}
        self.releases: dict[int, Committed] = {}
        self.keys: dict[tuple[str, str], int] = {}
        self.ids: dict[str, int] = {}
        self.moved_to: str | None = None
        self._relation: Relation | None = None

    @property
    def relation(self) -> Relation:
        return self.head().relation

    def head(self) -> Head:
        if self.last is None or self._relation is None:
            raise Broken(1, "it is missing: a ledger is never empty")
        return Head(self.last.seq, self.last.hash, self._relation, self.last.time)

    def read(self, row: Row) -> Entry:
        """Take in the next row, or raise Broken; after that these books are of no more use."""
        entry = unseal(self.tip, row)
        body = entry.body
        if isinstance(body, Opened) != (body.seq == 1):
            raise Broken(body.seq, "a ledger is opened once, by its first entry")
        if isinstance(body, Arrived) != (self.moved_to is not None):
            raise Broken(body.seq, "a ledger that was moved goes on where it arrived, only there")
        if isinstance(body, Opened):
            self._relation = body.relation
        elif isinstance(body, Terms):
            self._set_terms(body)
        elif isinstance(body, Reserved):
            self._charge(entry, body)
        elif isinstance(body, Committed):
            self._release(body)
        else:
            self.moved_to = body.to if isinstance(body, Moved) else None
        self.tip, self.last = Tip(row.seq, row.hash), entry
        return entry

    def _set_terms(self, body: Terms) -> None:
        if (body.composition == "zcdp") != (body.rho_pico is not None):
            raise Broken(body.seq, "it caps ρ without zCDP, or zCDP without ρ")
        account = self.accounts.setdefault(body.dataset, Account(body))
        if account.terms.unit != body.unit:
            raise Broken(body.seq, "it changes the privacy unit of a dataset")
        account.terms = body

    def _charge(self, entry: Entry, body: Reserved) -> None:
        account = self.accounts.get(body.dataset)
        if account is None:
            raise Broken(body.seq, "it charges a dataset that has no cap")
        asked = body.asked.under(body.relation)
        try:
            cost = counted(asked, self.relation)
        except InvalidLedger as error:
            raise Broken(body.seq, error.what) from None
        if body.cost != cost or body.spent != account.spent + cost:
            raise Broken(body.seq, "its sums do not add up")
        refusal = account.refusal(cost, asked, body.analyst)
        if refusal is not None:
            raise Broken(body.seq, f"it was over the budget in force: {refusal.what}")
        if body.key is not None and (body.dataset, body.key) in self.keys:
            raise Broken(body.seq, "it charges an idempotency key twice")
        account.add(cost, body.analyst)
        self.charges[body.seq] = entry
        self.ids[entry.hash[:16]] = body.seq
        if body.key is not None:
            self.keys[body.dataset, body.key] = body.seq

    def _release(self, body: Committed) -> None:
        charge = self.charges.get(body.reserve)
        if charge is None or charge.dataset != body.dataset:
            raise Broken(body.seq, "it releases what was never charged")
        if body.reserve in self.releases:
            raise Broken(body.seq, "it releases a charge for the second time")
        self.releases[body.reserve] = body
