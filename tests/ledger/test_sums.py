"""Any order of charges, caps, commits and retries against a plain model."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from ledger.support import ADD_REMOVE, REPLACE_ONE, ListStore, charge
from sudare.facts.cost import Cost
from sudare.facts.errors import BudgetRefused
from sudare.ledger.charge import Cap, Charge, Reservation, StoredRelease
from sudare.ledger.ledger import Ledger
from support.tiers import examples

UNITS = st.integers(1, 12)
WHO = st.sampled_from(["aki", "ben"])
DATASETS = st.sampled_from(["people", "visits"])


class Model(RuleBasedStateMachine):
    """The model adds integers in dictionaries; the ledger must agree after every step."""

    relation = ADD_REMOVE
    times = 1

    def __init__(self) -> None:
        super().__init__()
        self.store = ListStore(self.relation)
        self.ledger = Ledger(self.store)
        self.spent: dict[str, int] = {}
        self.by_analyst: dict[tuple[str, str], int] = {}
        self.keys: dict[tuple[str, str, str], tuple[Reservation, bytes | None]] = {}

    @rule(dataset=DATASETS, units=UNITS, cap=st.integers(5, 40), quota=UNITS, who=WHO)
    def pay(self, dataset: str, units: int, cap: int, quota: int, who: str) -> None:
        self.attempt(dataset, units, cap, {"aki": quota, "ben": 20}, who, None)

    @rule(dataset=DATASETS, units=UNITS, who=WHO, key=st.sampled_from("abc"))
    def pay_with_key(self, dataset: str, units: int, who: str, key: str) -> None:
        known = self.keys.get((dataset, who, key))
        if known is None:
            self.attempt(dataset, units, 40, {}, who, key)
            return
        try:
            got = self.ledger.reserve(self.charge(dataset, units, 40, {}, who, key))
        except BudgetRefused:
            assert known[1] is None
        else:
            assert got == StoredRelease(known[0].release_id, known[1] or b"")

    @rule(data=st.data(), release=st.binary(max_size=8))
    def commit(self, data: st.DataObject, release: bytes) -> None:
        waiting = sorted(place for place, (_, done) in self.keys.items() if done is None)
        if waiting:
            place = data.draw(st.sampled_from(waiting))
            self.ledger.commit(self.keys[place][0], release)
            self.keys[place] = (self.keys[place][0], release)

    @rule()
    def reopen(self) -> None:
        self.ledger = Ledger(self.store)

    @invariant()
    def sums_agree_and_verify(self) -> None:
        for dataset in self.ledger.datasets():
            balance = self.ledger.balance(dataset)
            assert balance.spent.epsilon_nano == self.spent.get(dataset, 0)
            for name, part in balance.analysts.items():
                assert part.spent_nano == self.by_analyst.get((dataset, name), 0)
        assert self.ledger.verify().ok

    def attempt(
        self, dataset: str, units: int, cap: int, quotas: dict[str, int], who: str, key: str | None
    ) -> None:
        paid = units * self.times
        total = self.spent.get(dataset, 0) + paid
        share = self.by_analyst.get((dataset, who), 0) + paid
        try:
            got = self.ledger.reserve(self.charge(dataset, units, cap, quotas, who, key))
        except BudgetRefused:
            assert total > cap or (quotas and share > quotas[who])
            return
        assert isinstance(got, Reservation)
        assert total <= cap
        assert not quotas or share <= quotas[who]
        self.spent[dataset], self.by_analyst[dataset, who] = total, share
        if key is not None:
            self.keys[dataset, who, key] = (got, None)

    def charge(
        self, dataset: str, units: int, cap: int, quotas: dict[str, int], who: str, key: str | None
    ) -> Charge:
        return charge(
            cost=Cost(units, 0, 1, ADD_REMOVE),
            cap=Cap(cap),
            dataset=dataset,
            quotas=quotas,
            analyst=who,
            idempotency_key=key,
        )


class ReplaceOneModel(Model):
    relation = REPLACE_ONE
    times = 2


TestSums = Model.TestCase
TestSumsUnderReplaceOne = ReplaceOneModel.TestCase
for case in (TestSums, TestSumsUnderReplaceOne):
    case.settings = examples(40, stateful_step_count=25)
