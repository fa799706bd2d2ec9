"""What a collector makes of complete streams, by the plan's job: a joined file of reports, with own
releases of organisations also statistics; or (link_secure_gather) statistics alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sudare.facts.estimated import Wanted
from sudare.facts.link_plan import LinkPlan
from sudare.link.compile import LinkJob, compile_link
from sudare.link.ring import last_legs
from sudare.publish.estimate import estimate_file
from sudare.publish.link_certificate import certified
from sudare.publish.link_hybrid import check_central, combined, write_statistics
from sudare.publish.link_joined import opened, written
from sudare.publish.link_rows import Progress
from sudare.wires.folder import Folder

Action = Callable[[str, bytes], bytes]
# Waits until something is there; raises what ended the session.
Until = Callable[[Callable[[], bool]], None]
STATISTICS = ".statistics.json"


class Gathering(Protocol):
    """`senders` and `actions` are taken beside those of every session; `told` is what a caller's
    question for the state is answered beside it."""

    @property
    def senders(self) -> dict[str, str]: ...

    @property
    def actions(self) -> dict[str, Action]: ...

    def told(self, peer: str) -> dict[str, Any]: ...

    def gather(
        self, folder: Folder, key: Any, part: Path, until: Until, progress: Progress
    ) -> dict[str, Any]:
        """From sealed rows to files without a name; what is noted: receipts, and what `certify`
        needs."""

    def certify(
        self,
        noted: dict[str, Any],
        parties: dict[str, Any],
        statements: dict[str, Any],
        folder: Folder,
        part: Path,
    ) -> dict[str, Any]: ...


@dataclass(frozen=True)
class ReportsGathering:
    """The joined file."""

    job: LinkJob

    @classmethod
    def of(cls, plan: LinkPlan) -> ReportsGathering:
        check_central(plan)
        return cls(compile_link(plan))

    @property
    def senders(self) -> dict[str, str]:
        return {}

    @property
    def actions(self) -> dict[str, Action]:
        return {}

    def told(self, peer: str) -> dict[str, Any]:
        return {}

    def gather(
        self, folder: Folder, key: Any, part: Path, until: Until, progress: Progress
    ) -> dict[str, Any]:
        rows = opened(self.job, folder, key, progress)
        sizes = written(self.job, rows, part)
        log_received(self.job.plan, folder, rows.receipts)
        folder.log_once("joined", **sizes.logged())
        if any(party.central is not None for party in self.job.plan.parties):
            self._combine(folder, part)
        return {"receipts": rows.receipts, "sizes": sizes.told()}

    def _combine(self, folder: Folder, part: Path) -> None:
        told = announced(self.job.plan, folder)
        joined = estimate_file(part, Wanted())
        found = combined(self.job.plan, joined, told, self.job.epsilons())
        write_statistics(part.with_name(part.name + STATISTICS), found)

    def certify(
        self,
        noted: dict[str, Any],
        parties: dict[str, Any],
        statements: dict[str, Any],
        folder: Folder,
        part: Path,
    ) -> dict[str, Any]:
        return certified(self.job, noted["sizes"], parties, statements, folder, part)


def announced(plan: LinkPlan, folder: Folder) -> dict[str, Any]:
    """What every organisation said of its rows."""
    return {name: folder.noted(f"party-{plan.place(name)}") or {} for name in plan.names}


def log_received(plan: LinkPlan, folder: Folder, receipts: dict[str, dict[str, Any]]) -> None:
    for leg in last_legs(plan):
        folder.log_once("received", stream=leg.stream, of=leg.sender, **receipts[leg.owner])
