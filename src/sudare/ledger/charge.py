"""What a caller hands to the ledger and gets back: frozen values, validated once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, get_args

from sudare.facts.cost import ATTO, NANO, PICO, Cost
from sudare.facts.errors import UsageError
from sudare.facts.whereabouts import Whereabouts
from sudare.ledger.entries import Composition

_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Cap:
    """The most that may ever be spent on a dataset, read under the ledger's relation.

    "basic" caps the sums of ε and of δ. "zcdp" caps the sum of ρ by `rho_pico`; the caller works
    that out from (ε, δ), because the conversion belongs to accounting.
    """

    epsilon_nano: int
    delta_atto: int = 0
    composition: Composition = "basic"
    rho_pico: int | None = None

    def __post_init__(self) -> None:
        if min(self.epsilon_nano, self.delta_atto, self.rho_pico or 0) < 0:
            raise UsageError("A cap is never negative.", "Give epsilon and delta of 0 or more.")
        if self.composition not in get_args(Composition):
            raise UsageError(
                "This composition is not known.", 'Use "basic" or "zcdp" under [budget].'
            )
        if (self.composition == "zcdp") != (self.rho_pico is not None):
            raise UsageError(
                "A cap on ρ goes with zCDP composition, and only with it.",
                'Give rho_pico together with composition "zcdp".',
            )

    @property
    def epsilon(self) -> float:
        return self.epsilon_nano / NANO

    @property
    def delta(self) -> float:
        return self.delta_atto / ATTO

    @property
    def rho(self) -> float | None:
        return None if self.rho_pico is None else self.rho_pico / PICO

    def to_dict(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon, "delta": self.delta, "composition": self.composition}

    def __str__(self) -> str:
        """As people write it: ε=3, δ=1e-06 (zcdp)."""
        delta = f", δ={self.delta:.3g}" if self.delta_atto else ""
        return f"ε={self.epsilon:.6g}{delta}" + (" (zcdp)" if self.composition == "zcdp" else "")


@dataclass(frozen=True)
class Charge:
    """One plan's claim on a dataset's budget; known in full before any row is read."""

    dataset: str
    unit: str
    cost: Cost
    cap: Cap
    plan_hash: str
    job: str = "ask"
    analyst: str | None = None
    quotas: Mapping[str, int] = field(default_factory=dict)
    idempotency_key: str | None = None
    # Where the rows lie; nowhere for a dataframe.
    places: Whereabouts = field(default_factory=Whereabouts)
    # Whether the schema names the population, so that the steward says which people these are.
    declared: bool = False

    def __post_init__(self) -> None:
        names = (self.dataset, self.unit, self.job, self.analyst, self.idempotency_key)
        for name in (*names, *self.quotas):
            _check_name(name)
        if not _DIGEST.fullmatch(self.plan_hash):
            raise UsageError(
                "The plan's hash is not a SHA-256.", "Give 64 lower-case hexadecimal digits."
            )
        if any(quota < 0 for quota in self.quotas.values()):
            raise UsageError("A quota is never negative.", "Give each analyst an ε of 0 or more.")
        self._check_whole()
        object.__setattr__(self, "quotas", MappingProxyType(dict(self.quotas)))

    def _check_whole(self) -> None:
        """A cost given in (ε, δ) but not in ρ, or the reverse, would be free under the other
        composition, and a schema may change its composition later."""
        paid = self.cost.epsilon_nano > 0 or self.cost.delta_atto > 0
        if paid != (self.cost.rho_pico > 0):
            raise UsageError(
                "The cost is not given in both (ε, δ) and ρ.",
                "State both, or use a mechanism for which both are known.",
            )


@dataclass(frozen=True)
class Reservation:
    """A charge that is on the disk: from here on the data may be read, once."""

    release_id: str
    seq: int
    dataset: str
    # The cap until this charge, where the charge brought another one.
    cap_was: Cap | None = field(default=None, compare=False)
    # The dataset as which the same rows were charged until now, where the schema parts them.
    was_dataset: str | None = field(default=None, compare=False)
    # Whether another ledger has charged the same rows as other people, and these begin here.
    is_parted: bool = field(default=False, compare=False)
    # Why no second place on this machine knows of the charge, if so.
    unwatched: str | None = field(default=None, compare=False)


@dataclass(frozen=True)
class StoredRelease:
    """The very bytes that were released before under the same idempotency key."""

    release_id: str
    bytes: bytes


def cap_changed(dataset: str, was: object, now: object) -> str:
    """What a run says that brought another cap."""
    return f'The cap of "{dataset}" in this ledger was {was} and is now {now}, as the schema says.'


def _check_name(name: str | None) -> None:
    if name is None:
        return
    # Control characters break one-line messages; a lone surrogate, as the shell may pass on, has
    # no UTF-8 form. The ideographic space is neither and is common in Japanese headers.
    odd = any(unicodedata.category(sign) in ("Cc", "Cs") for sign in name)
    if odd or not 0 < len(name) <= 200:
        raise UsageError(
            "A name (dataset, unit, analyst, job or key) is empty, too long or has control signs.",
            "Use 1 to 200 ordinary characters on one line.",
        )
