"""The collector of a secure computation: sends the helper's shares on, computes with the helper,
opens noisy cells, and writes what they tell. No records are published.

Claim    the number of common people is nowhere written: status and logs have the number of chunks,
         the result has the noisy count.
Order    all streams complete → open the own shares → send the helper's on → both have the same
         digest of the common rows → masked rows, noise, cells (link_exchange) → statistics.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sudare.facts.link_plan import HELPING, LinkPlan
from sudare.link.aligning import Alignment
from sudare.link.ring import last_legs
from sudare.link.secure_estimates import estimated
from sudare.link.secure_plan import SecureLink, compile_secure_link
from sudare.link.triples import chunks_of
from sudare.publish.link_exchange import (
    Exchange,
    aligned,
    keep_secret,
    masked_stream,
    patiently,
    protected_stream,
)
from sudare.publish.link_gather import Action, Until, announced, log_received
from sudare.publish.link_hybrid import check_central, combined, write_statistics
from sudare.publish.link_rows import Progress
from sudare.publish.link_secure_certificate import certified_secure
from sudare.publish.link_shares import helpers_half, opened_half, stream_to
from sudare.publish.link_watch import altered
from sudare.wires.calling import Caller
from sudare.wires.folder import Folder
from sudare.wires.identity import Identity
from sudare.wires.refusals import refusal

# What the helper said its common rows are.
_ALIGNED = "aligned"


@dataclass
class SecureGathering:
    """`_common` is known once the own shares are open."""

    link: SecureLink
    identity: Identity
    folder: Folder
    wait: float
    _common: Alignment | None = field(default=None)

    @classmethod
    def of(cls, plan: LinkPlan, identity: Identity, folder: Folder, wait: float) -> SecureGathering:
        check_central(plan)
        return cls(compile_secure_link(plan), identity, folder, wait)

    @property
    def senders(self) -> dict[str, str]:
        helper = self.link.roles.helper
        return {masked_stream("helper"): helper, protected_stream("helper"): helper}

    @property
    def actions(self) -> dict[str, Action]:
        return {"deal": self._dealt, "aligned": self._aligned}

    def told(self, peer: str) -> dict[str, Any]:
        """The dealer is told the number of chunks."""
        if self._common is None or peer != self.link.roles.dealer:
            return {}
        return {"chunks": chunks_of(self._common.count)}

    def gather(
        self, folder: Folder, key: Any, part: Path, until: Until, progress: Progress
    ) -> dict[str, Any]:
        plan, job = self.link.plan, self.link.job
        halves = opened_half(self.link, folder, key, "collector", progress)
        log_received(plan, folder, halves.receipts)
        helper = Caller(
            self.identity, plan.helper_address or "", self.link.roles.helper, plan.digest(),
            self.wait,
        )  # fmt: skip
        with helper:
            patiently(lambda: self._send_on(helper), until)
            self._common = common = aligned(self.link, halves)
            until(lambda: folder.noted(_ALIGNED) is not None)
            if folder.noted(_ALIGNED) != {"digest": common.digest}:
                raise altered()
            exchange = Exchange("collector", self.link, folder, helper, until, progress)
            cells = exchange.cells(halves, common)
        digest = hashlib.sha256(cells.tobytes()).hexdigest()
        folder.log_once("joined", cells=len(cells), sha256=digest)
        found = combined(
            plan,
            estimated(job, cells, plan.session),
            announced(plan, folder),
            dict.fromkeys(plan.names, job.epsilon),
        )
        write_statistics(part, found)
        return {"receipts": halves.receipts, "rows": found["estimated"]["rows"]}

    def certify(
        self,
        noted: dict[str, Any],
        parties: dict[str, Any],
        statements: dict[str, Any],
        folder: Folder,
        part: Path,
    ) -> dict[str, Any]:
        return certified_secure(self.link, noted["rows"], parties, statements, folder, part)

    def _send_on(self, helper: Caller) -> None:
        for leg in last_legs(self.link.plan):
            stream = stream_to(leg, "helper")
            chunks = helpers_half(self.link, self.folder, leg, helper.held(stream))
            helper.send(stream, chunks)
            self.folder.log_once("forwarded", stream=stream, to=self.link.roles.helper)

    def _dealt(self, peer: str, body: bytes) -> bytes:
        if peer != self.link.roles.dealer or not keep_secret(self.folder, body):
            raise refusal("request")
        return b""

    def _aligned(self, peer: str, body: bytes) -> bytes:
        """Take the helper's digest; it is told ours once we have it."""
        if peer != self.link.roles.helper + HELPING:
            raise refusal("request")
        self.folder.note(_ALIGNED, {"digest": body.decode("ascii", "replace")})
        return json.dumps(self._common.digest if self._common is not None else None).encode()
