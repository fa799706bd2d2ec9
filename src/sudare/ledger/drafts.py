"""Entries about to be written: each waits for the number and time that the chain gives it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from sudare.facts.relation import Relation
from sudare.ledger.chain import Tip, seal
from sudare.ledger.charge import Charge, Reservation
from sudare.ledger.entries import (
    Accepted,
    Amount,
    Arrived,
    Committed,
    Moved,
    Opened,
    Placed,
    Reserved,
    Signs,
    Terms,
)
from sudare.ledger.store import Row


def first_row(relation: Relation) -> Row:
    """What every ledger starts with."""
    return seal(Tip(), lambda seq, time: Opened(seq=seq, time=time, relation=relation))


def terms(charge: Charge) -> Callable[[int, str], Terms]:
    cap = charge.cap
    return lambda seq, time: Terms(
        seq=seq,
        time=time,
        dataset=charge.dataset,
        unit=charge.unit,
        composition=cap.composition,
        epsilon_nano=cap.epsilon_nano,
        delta_atto=cap.delta_atto,
        rho_pico=cap.rho_pico,
        quotas=dict(charge.quotas),
    )


def placed(charge: Charge, place: str) -> Callable[[int, str], Placed]:
    return lambda seq, time: Placed(
        seq=seq, time=time, dataset=charge.dataset, place=place, declared=charge.declared
    )


def reserved(charge: Charge, cost: Amount, spent: Amount) -> Callable[[int, str], Reserved]:
    return lambda seq, time: Reserved(
        seq=seq,
        time=time,
        dataset=charge.dataset,
        job=charge.job,
        plan=charge.plan_hash,
        key=charge.idempotency_key,
        analyst=charge.analyst,
        relation=charge.cost.relation,
        asked=Amount.of(charge.cost),
        cost=cost,
        spent=spent,
    )


def committed(reservation: Reservation, release: bytes) -> Callable[[int, str], Committed]:
    return lambda seq, time: Committed(
        seq=seq,
        time=time,
        dataset=reservation.dataset,
        reserve=reservation.seq,
        sha256=hashlib.sha256(release).hexdigest(),
        size=len(release),
    )


def moved(to: str) -> Callable[[int, str], Moved]:
    return lambda seq, time: Moved(seq=seq, time=time, to=to)


def arrived(seq: int, time: str) -> Arrived:
    return Arrived(seq=seq, time=time)


def accepted(known_seq: int, known_hash: str) -> Callable[[int, str], Accepted]:
    return lambda seq, time: Accepted(
        seq=seq, time=time, known_seq=known_seq, known_hash=known_hash
    )


def signs(key: str) -> Callable[[int, str], Signs]:
    return lambda seq, time: Signs(seq=seq, time=time, key=key)
