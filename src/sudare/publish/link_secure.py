"""An organisation's part in a secure computation beside what every join has: shares for collector
and helper, and, where the plan makes it the dealer, the masks.

Claim    the dealer's two secrets are on its disk before either is sent, each goes to its own
         receiver alone, and corrections are made of them: sent again they are the same bytes.
Needs    the number of chunks, which the collector tells the dealer and nobody else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sudare.facts.link_plan import LinkPlan
from sudare.link.secure import Side
from sudare.link.secure_plan import SecureLink, compile_secure_link
from sudare.link.triples import Dealer, Masks
from sudare.publish.link_exchange import CORRECTIONS, patiently
from sudare.publish.link_files import session_bytes
from sudare.publish.link_hybrid import check_central, own_release
from sudare.publish.link_ready import check_ready
from sudare.publish.link_rows import PREPARED, Progress, Rows, Secrets
from sudare.publish.link_shares import prepare_shares
from sudare.publish.link_watch import Watch
from sudare.randomness.bits import SystemBits
from sudare.randomness.keys import new_secret
from sudare.wires.calling import Caller
from sudare.wires.chunks import Chunk, read_object
from sudare.wires.folder import Folder
from sudare.wires.session_key import read_session_key

_ANNOUNCED = "announced"
# Name and address in, a line out.
Call = Callable[[str, str], Caller]


@dataclass(frozen=True)
class SecureWork:
    """What link_party asks for; see link_work."""

    link: SecureLink

    @classmethod
    def of(cls, plan: LinkPlan) -> SecureWork:
        check_central(plan)
        return cls(compile_secure_link(plan))

    def check(self, rows: Rows, name: str) -> None:
        """Refuse what cannot be read or paid, before anybody pays."""
        check_ready(rows, self.link.plan, name, self.link.job.cost())

    def prepare(
        self,
        rows: Rows,
        folder: Folder,
        secrets: Secrets,
        collector_key: Any,
        progress: Progress,
        call: Call,
    ) -> dict[str, Any]:
        """Pay, share and seal; tell the helper what it will get, and give back what is announced
        to the collector."""
        told = folder.noted(PREPARED)
        if told is None or folder.noted(_ANNOUNCED) is None:
            helper = self._helper(call)
            key = read_session_key(
                read_object(helper.act("hello", b"")),
                folder.identity,
                self.link.roles.helper,
                self.link.plan.digest(),
            )
            keys: dict[Side, Any] = {"collector": collector_key, "helper": key}
            told = prepare_shares(rows, self.link, folder, secrets, keys, progress)
            helper.act("announce", json.dumps(told["helper"]).encode())
            folder.note(_ANNOUNCED, told["helper"])
        return {**told, "central": own_release(rows, self.link.plan, folder)}

    def follow(self, folder: Folder, watch: Watch, collector: Caller, call: Call) -> None:
        """Deal, where this organisation is the dealer."""
        if folder.identity.name != self.link.roles.dealer:
            return
        status = watch.until(lambda told: "chunks" in told or watch.is_collected)
        if watch.is_collected:
            return
        chunks, helper = int(status["chunks"]), self._helper(call)

        def until(is_done: Callable[[], bool]) -> None:
            # Once the collector has its result the helper may be gone, and nothing is missing.
            watch.until(lambda _: is_done() or watch.is_collected)

        patiently(lambda: self._deal(self._dealer(folder), collector, helper, chunks), until)
        folder.log_once("dealt", chunks=chunks)

    def _deal(self, dealer: Dealer, collector: Caller, helper: Caller, chunks: int) -> None:
        collector.act("deal", dealer.collector.secret)
        helper.act("deal", dealer.helper.secret)

        def corrections(start: int) -> Iterator[Chunk]:
            for number in range(start, chunks):
                yield Chunk(number, dealer.correction(number), number == chunks - 1)

        helper.send(CORRECTIONS, corrections(helper.held(CORRECTIONS)))

    def _dealer(self, folder: Folder) -> Dealer:
        masks = [
            Masks(
                self.link.job,
                folder.secret(f"masks-{side}")
                or folder.keep(f"masks-{side}", new_secret(SystemBits())),
                session_bytes(self.link.plan),
            )
            for side in ("collector", "helper")
        ]
        return Dealer(*masks)

    def _helper(self, call: Call) -> Caller:
        return call(self.link.roles.helper, self.link.plan.helper_address or "")
