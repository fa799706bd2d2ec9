"""The books as they stood after some entry, kept beside it so that nobody has to read them all.

Claim    Books that begin at a checkpoint and read on are equal to books that began at entry 1, if
         the checkpoint is one that a ledger wrote.
Rule     an append puts a checkpoint beside its own row, in the same statement, when the last one
         is EVERY entries back. It is bound to that row: SHA-256(label || hash(n) || text) stands
         before the text. Opening begins at the last one but one and recomputes the last; reading a
         whole ledger recomputes every one, and finds where one is missing.
Needs    what was checked when it was written was not rewritten since. Whoever can write the store
         can compute two false checkpoints that fit each other; `sudare ledger verify` finds them,
         opening alone does not (docs/ledger.md).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from sudare.facts.relation import Relation
from sudare.ledger.budget import Account
from sudare.ledger.chain import Broken
from sudare.ledger.entries import Amount, Count, Digest, Frozen, Terms

EVERY = 32
_LABEL = b"sudare checkpoint 1\n"
_SIZE = hashlib.sha256().digest_size


class Sums(Frozen):
    """The running sums of one dataset."""

    terms: Terms
    spent: Amount
    by_analyst: dict[str, Count]
    charges: Count


class Checkpoint(Frozen):
    """All that later entries are judged by, and nothing that grows with their number."""

    seq: Annotated[int, Field(ge=1)]
    relation: Relation
    moved_to: str | None
    accounts: dict[str, Sums]
    places: dict[Digest, str] = Field(default_factory=dict)
    signers: dict[Digest, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)

    @staticmethod
    def of(
        seq: int,
        relation: Relation,
        moved_to: str | None,
        accounts: Mapping[str, Account],
        places: Mapping[str, str],
        signers: Mapping[str, int],
    ) -> Checkpoint:
        sums = {
            name: Sums(
                terms=account.terms,
                spent=account.spent,
                by_analyst=dict(account.by_analyst),
                charges=account.charges,
            )
            for name, account in accounts.items()
        }
        return Checkpoint(
            seq=seq,
            relation=relation,
            moved_to=moved_to,
            accounts=sums,
            places=dict(places),
            signers=dict(signers),
        )

    def restored(self) -> dict[str, Account]:
        return {
            name: Account(sums.terms, sums.spent, dict(sums.by_analyst), sums.charges)
            for name, sums in self.accounts.items()
        }


def sealed(checkpoint: Checkpoint, link: bytes) -> bytes:
    """The checkpoint as it is kept beside the row with this hash."""
    plain = checkpoint.model_dump(mode="json")
    for later in ("places", "signers"):
        # A ledger of before they were kept has none, and its checkpoints say nothing of them.
        if not plain[later]:
            del plain[later]
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return _digest(link, text) + text


def unsealed(seq: int, link: bytes, kept: bytes) -> Checkpoint:
    """Read what is kept beside row `seq`, or say that it does not belong there."""
    digest, text = kept[:_SIZE], kept[_SIZE:]
    if digest != _digest(link, text):
        raise Broken(seq, "its checkpoint was changed, or belongs to another entry")
    try:
        found = Checkpoint.model_validate_json(text)
    except ValueError:
        raise Broken(seq, "its checkpoint is not one of a sudare ledger") from None
    if found.seq != seq or any(name != sums.terms.dataset for name, sums in found.accounts.items()):
        raise Broken(seq, "its checkpoint is not about the entries before it")
    return found


def _digest(link: bytes, text: bytes) -> bytes:
    return hashlib.sha256(_LABEL + link + text).digest()
