"""What an organisation does in a session beside sending, relaying and deleting: by the plan's job.

Reports for a joined file, or shares for a secure computation; with `central` in the plan also a
release of its own columns, from the same ledger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from sudare.facts.link_plan import LinkPlan
from sudare.link.compile import LinkJob, compile_link
from sudare.publish.link_hybrid import check_central, own_release
from sudare.publish.link_ready import check_ready
from sudare.publish.link_rows import Progress, Rows, Secrets, prepare
from sudare.publish.link_secure import Call, SecureWork
from sudare.publish.link_watch import Watch
from sudare.wires.calling import Caller
from sudare.wires.folder import Folder


class Work(Protocol):
    """`check` refuses, before the session, what cannot be read or paid. `prepare` pays and lays the
    own stream out, and gives back what is announced. `follow` is what is left to do once all
    streams are sent."""

    def check(self, rows: Rows, name: str) -> None: ...

    def prepare(
        self,
        rows: Rows,
        folder: Folder,
        secrets: Secrets,
        collector_key: Any,
        progress: Progress,
        call: Call,
    ) -> dict[str, Any]: ...

    def follow(self, folder: Folder, watch: Watch, collector: Caller, call: Call) -> None: ...


@dataclass(frozen=True)
class ReportsWork:
    """Randomised reports for a joined file."""

    job: LinkJob

    def check(self, rows: Rows, name: str) -> None:
        check_ready(rows, self.job.plan, name, self.job.cost(name))

    def prepare(
        self,
        rows: Rows,
        folder: Folder,
        secrets: Secrets,
        collector_key: Any,
        progress: Progress,
        call: Call,
    ) -> dict[str, Any]:
        told = prepare(rows, self.job, folder, secrets, collector_key, progress)
        return {**told, "central": own_release(rows, self.job.plan, folder)}

    def follow(self, folder: Folder, watch: Watch, collector: Caller, call: Call) -> None:
        """Nothing."""


def work_of(plan: LinkPlan) -> Work:
    """Check the plan against the schemas; what it makes an organisation do."""
    if plan.job == "secure":
        return SecureWork.of(plan)
    check_central(plan)
    return ReportsWork(compile_link(plan))
