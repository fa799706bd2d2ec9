"""The nine kinds of entry in a ledger, and the one way each is written as bytes.

open      the neighbour relation of the whole ledger; always and only the first entry
cap       the budget of a dataset as its schema declares it, and every later change of it
place     a dataset's rows lie where this digest says; `declared` by the schema's population
reserve   a charge, made before the data is read
commit    what was released for a charge, as a SHA-256 of its bytes
move      the ledger goes on at another place; the old place accepts nothing after it
arrive    the first entry that the new place writes, right after the move
accept    the steward goes on although this machine knew a history that is not in this ledger
signer    the holder of this key signs certificates of this ledger's releases, from here on

Canonical JSON: keys sorted, no blanks, UTF-8, integers only, so that equal entries are equal bytes.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from sudare.facts.cost import Cost
from sudare.facts.relation import Relation

Count = Annotated[int, Field(ge=0)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Composition = Literal["basic", "zcdp"]


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Amount(Frozen):
    """ε, δ and ρ side by side: every charge is counted in all three."""

    epsilon_nano: Count = 0
    delta_atto: Count = 0
    rho_pico: Count = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            epsilon_nano=self.epsilon_nano + other.epsilon_nano,
            delta_atto=self.delta_atto + other.delta_atto,
            rho_pico=self.rho_pico + other.rho_pico,
        )

    @staticmethod
    def of(cost: Cost) -> Amount:
        return Amount(
            epsilon_nano=cost.epsilon_nano, delta_atto=cost.delta_atto, rho_pico=cost.rho_pico
        )

    def under(self, relation: Relation) -> Cost:
        return Cost(self.epsilon_nano, self.delta_atto, self.rho_pico, relation)


class Written(Frozen):
    seq: Annotated[int, Field(ge=1)]
    time: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$")]


class Opened(Written):
    kind: Literal["open"] = "open"
    format: Literal[1] = 1
    relation: Relation


class Terms(Written):
    """What the schema allows on a dataset; `rho_pico` is there only when ρ is what is capped."""

    kind: Literal["cap"] = "cap"
    dataset: str
    unit: str
    composition: Composition
    epsilon_nano: Count
    delta_atto: Count
    rho_pico: Count | None
    quotas: dict[str, Count]


class Placed(Written):
    """`place` is a digest under the ledger's own first hash. Rows that were charged as another
    dataset before change over only where the schema declares it."""

    kind: Literal["place"] = "place"
    dataset: str
    place: Digest
    declared: bool


class Reserved(Written):
    """`asked` is the cost as the plan states it, `cost` the same under the ledger's relation,
    `spent` the dataset's total with this charge in it."""

    kind: Literal["reserve"] = "reserve"
    dataset: str
    job: str
    plan: Digest
    key: str | None
    analyst: str | None
    relation: Relation
    asked: Amount
    cost: Amount
    spent: Amount


class Committed(Written):
    kind: Literal["commit"] = "commit"
    dataset: str
    reserve: Annotated[int, Field(ge=1)]
    sha256: Digest
    size: Count


class Moved(Written):
    """`to` is an address without its password."""

    kind: Literal["move"] = "move"
    to: str


class Arrived(Written):
    kind: Literal["arrive"] = "arrive"


class Accepted(Written):
    """The last link that this machine had noted: of this ledger, or of one that is lost."""

    kind: Literal["accept"] = "accept"
    known_seq: Annotated[int, Field(ge=1)]
    known_hash: Digest


class Signs(Written):
    """`key` is the public key itself (Ed25519)."""

    kind: Literal["signer"] = "signer"
    key: Digest


Body = Annotated[
    Opened | Terms | Placed | Reserved | Committed | Moved | Arrived | Accepted | Signs,
    Field(discriminator="kind"),
]
_BODY: TypeAdapter[Body] = TypeAdapter(Body)


def to_bytes(body: Body) -> bytes:
    """The canonical payload of an entry."""
    plain = body.model_dump(mode="json")
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def from_bytes(payload: bytes) -> Body:
    """Read a payload; ValueError if it is not an entry, or not in its canonical form."""
    body = _BODY.validate_json(payload)
    if to_bytes(body) != payload:
        raise ValueError("the payload is not in canonical form")
    return body
