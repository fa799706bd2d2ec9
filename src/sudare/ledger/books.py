"""The state that follows from a chain of entries, and the rules that each entry must keep.

The same fold runs when a ledger is used, when it is written and when it is verified, so an entry
that could be written is exactly an entry that verifies. The entries are the only truth: a
checkpoint lets the fold begin later, and a fold from the first entry compares each one it meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from sudare.facts.errors import InvalidLedger
from sudare.facts.relation import Relation
from sudare.ledger.budget import Account
from sudare.ledger.chain import Broken, Entry, Head, Tip, seal, unseal
from sudare.ledger.checkpoint import EVERY, Checkpoint, sealed, unsealed
from sudare.ledger.convert import counted
from sudare.ledger.entries import (
    Accepted,
    Arrived,
    Body,
    Committed,
    Moved,
    Opened,
    Placed,
    Reserved,
    Signs,
    Terms,
)
from sudare.ledger.marks import marks_of
from sudare.ledger.store import Row

# The rows at the end of a ledger among which its last two checkpoints are, and the row before them.
TAIL = 2 * EVERY + 1


class Books:
    """All that a ledger knows after its entries so far.

    `keys`, `ids`, `charges` and `released` are of the entries that were read, which are those
    after entry `start`; what lies before it is found by the store's marks.
    """

    def __init__(self) -> None:
        self.start = 0
        self.tip = Tip()
        self.last: Entry | None = None
        self.accounts: dict[str, Account] = {}
        self.places: dict[str, str] = {}
        self.signers: dict[str, int] = {}
        self.charges: dict[int, str] = {}
        self.released: dict[int, int] = {}
        self.keys: dict[tuple[str, str | None, str], int] = {}
        self.ids: dict[str, int] = {}
        self.moved_to: str | None = None
        self._relation: Relation | None = None
        self._checkpointed: int | None = None

    @staticmethod
    def resumed(tail: Iterable[Row]) -> Books | None:
        """Books that know the end of a ledger from its last rows; None if they cannot.

        They begin at the last checkpoint but one, so that the last one is recomputed and not
        believed; at the last one only where a ledger of an older format has no more yet; and at
        the first entry where the ledger is no longer than this.
        """
        rows = list(tail)
        books = Books()
        if not rows or rows[0].seq != 1:
            kept = [at for at in range(1, len(rows)) if rows[at].checkpoint is not None][-2:]
            if not kept:
                return None
            books._begin(rows[kept[0] - 1], rows[kept[0]])
            rows = rows[kept[0] + 1 :]
        for row in rows:
            books.read(row)
        return books

    @property
    def relation(self) -> Relation:
        return self.head().relation

    @property
    def is_whole(self) -> bool:
        """Whether every entry was read, from the first one on."""
        return self.start == 0

    def head(self) -> Head:
        if self.last is None or self._relation is None:
            raise Broken(1, "it is missing: a ledger is never empty")
        return Head(self.last.seq, self.last.hash, self._relation, self.last.time)

    def write(self, draft: Callable[[int, str], Body]) -> tuple[Row, Entry]:
        """Take in the next entry, and hand back its row with a checkpoint if one is due."""
        row = seal(self.tip, draft)
        entry = self._take(row)
        if self._checkpointed is None or self._is_due(row.seq):
            row = replace(row, checkpoint=self._checkpoint())
            self._checkpointed = row.seq
        return row, entry

    def read(self, row: Row) -> Entry:
        """Take in the next row, or raise Broken; after that these books are of no more use."""
        entry = self._take(row)
        _check_marks(row)
        if row.checkpoint is not None:
            if row.checkpoint != self._checkpoint():
                raise Broken(row.seq, "its checkpoint is not what the entries come to")
            self._checkpointed = row.seq
        elif self._is_due(row.seq):
            raise Broken(row.seq, "its checkpoint is missing")
        return entry

    def _take(self, row: Row) -> Entry:
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
        elif isinstance(body, Placed):
            self._place(body)
        elif isinstance(body, Reserved):
            self._charge(entry, body)
        elif isinstance(body, Committed):
            self._release(body)
        elif isinstance(body, Signs):
            self._sign(body)
        elif not isinstance(body, Accepted):
            self.moved_to = body.to if isinstance(body, Moved) else None
        self.tip, self.last = Tip(row.seq, row.hash), entry
        return entry

    def _is_due(self, seq: int) -> bool:
        """After the first checkpoint there is one every EVERY entries; before it there is none,
        since a ledger of an older format has its first one late."""
        return self._checkpointed is not None and seq - self._checkpointed >= EVERY

    def _checkpoint(self) -> bytes:
        found = Checkpoint.of(
            self.tip.seq, self.relation, self.moved_to, self.accounts, self.places, self.signers
        )
        return sealed(found, self.tip.hash)

    def _begin(self, before: Row, row: Row) -> None:
        """Take over what stands beside a row, whose own link is checked."""
        entry = unseal(Tip(before.seq, before.hash), row)
        _check_marks(row)
        found = unsealed(row.seq, row.hash, row.checkpoint or b"")
        self.accounts, self.places = found.restored(), dict(found.places)
        self.signers = dict(found.signers)
        body = entry.body
        if isinstance(body, Reserved):
            account = self.accounts.get(body.dataset)
            if account is None or account.spent != body.spent:
                raise Broken(row.seq, "its checkpoint and its own sums differ")
        self.start = self._checkpointed = row.seq
        self.tip, self.last = Tip(row.seq, row.hash), entry
        self.moved_to, self._relation = found.moved_to, found.relation

    def _set_terms(self, body: Terms) -> None:
        if (body.composition == "zcdp") != (body.rho_pico is not None):
            raise Broken(body.seq, "it caps ρ without zCDP, or zCDP without ρ")
        account = self.accounts.setdefault(body.dataset, Account(body))
        if account.terms.unit != body.unit:
            raise Broken(body.seq, "it changes the privacy unit of a dataset")
        account.terms = body

    def _place(self, body: Placed) -> None:
        if body.dataset not in self.accounts:
            raise Broken(body.seq, "it places a dataset that has no cap")
        if self.places.get(body.place, body.dataset) != body.dataset and not body.declared:
            raise Broken(body.seq, "it counts known rows as another dataset, and nobody said so")
        self.places[body.place] = body.dataset

    def _sign(self, body: Signs) -> None:
        if body.key in self.signers:
            raise Broken(body.seq, "it names a signer for the second time")
        self.signers[body.key] = body.seq

    def _charge(self, entry: Entry, body: Reserved) -> None:
        account = self.accounts.get(body.dataset)
        if account is None:
            raise Broken(body.seq, "it charges a dataset that has no cap")
        asked = body.asked.under(body.relation)
        if self._relation is None:
            raise Broken(1, "it is missing: a ledger is never empty")
        try:
            cost = counted(asked, self._relation)
        except InvalidLedger as error:
            raise Broken(body.seq, error.what) from None
        if body.cost != cost or body.spent != account.spent + cost:
            raise Broken(body.seq, "its sums do not add up")
        refusal = account.refusal(cost, asked, body.analyst)
        if refusal is not None:
            raise Broken(body.seq, f"it was over the budget in force: {refusal.what}")
        # Keys of two analysts are two keys, whatever they are called.
        owned = None if body.key is None else (body.dataset, body.analyst, body.key)
        if owned in self.keys:
            raise Broken(body.seq, "it charges an idempotency key twice")
        account.add(cost, body.analyst)
        self.charges[body.seq] = body.dataset
        self.ids[entry.hash[:16]] = body.seq
        if owned is not None:
            self.keys[owned] = body.seq

    def _release(self, body: Committed) -> None:
        # A charge before `start` was looked up and checked by whoever wrote this row.
        if body.reserve > self.start and self.charges.get(body.reserve) != body.dataset:
            raise Broken(body.seq, "it releases what was never charged")
        if body.reserve in self.released:
            raise Broken(body.seq, "it releases a charge for the second time")
        self.released[body.reserve] = body.seq


def _check_marks(row: Row) -> None:
    if row.marks is not None and row.marks != marks_of(row.payload):
        raise Broken(row.seq, "it would not be found again: the marks beside it were changed")
