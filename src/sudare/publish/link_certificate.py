"""The certificate of a join: who took part, what it cost whom, what who can see, and who signed
that it was deleted."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from pathlib import Path
from typing import Any

from sudare._version import VERSION
from sudare.link.classes import account_classes
from sudare.link.compile import LinkJob
from sudare.link.dummies import dummy_law, membership
from sudare.link.pk import reached
from sudare.publish.link_costs import central_of, costs, signed
from sudare.publish.outputs import digest_of
from sudare.wires.folder import Folder


def certified(
    job: LinkJob,
    sizes: list[dict[str, Any]],
    parties: dict[str, Any],
    statements: dict[str, Any],
    folder: Folder,
    part: Path,
) -> dict[str, Any]:
    """Everything that is published of a session beside its file; no key, no value."""
    plan, counts = job.plan, {frozenset(each["members"]): int(each["n"]) for each in sizes}
    account = account_classes(job, counts, float(plan.delta))
    rows = sum(n for who, n in counts.items() if len(who) == len(plan.names))
    return {
        "session": plan.session,
        "created": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "plan_sha256": plan.digest(),
        "job": plan.job,
        "pseudonyms": plan.pseudonyms,
        "rows": rows,
        "warnings": [] if rows else ["empty"],
        "collector": {"name": plan.collector, "is_party": plan.collector in plan.names},
        "sha256": {
            made.name.removeprefix(part.name).removeprefix("."): digest_of(made)
            for made in sorted(part.parent.glob(f"{part.name}*"))
        },
        "parties": [_party(job, name, parties[name], statements[name]) for name in plan.names],
        "epsilon": float(sum(job.epsilons().values())),
        "costs": costs(plan, job.epsilons(), sum(job.epsilons().values(), Fraction(0))),
        "neighbours": "replace-one",
        "account": account.to_dict(),
        "dummies": _dummies(job, account.to_dict()),
        "k": None if plan.k is None else reached(plan.k, job.epsilons(), counts),
        "log_head": folder.log.head,
        "software": f"sudare {VERSION}",
    }


def _party(job: LinkJob, name: str, told: dict[str, Any], statement: Any) -> dict[str, Any]:
    return {
        "name": name,
        "columns": list(job.plan.party(name).columns),
        "rows": told["rows"],
        "epsilon": float(job.event(name).epsilon),
        "spent": told["spent"],
        "release": told["release"],
        "central": central_of(job.plan, name, told),
        "deleted": signed(statement),
    }


def _dummies(job: LinkJob, account: dict[str, Any]) -> dict[str, Any] | None:
    wanted = job.plan.dummies
    if wanted is None:
        return None
    law = dummy_law(wanted.epsilon, wanted.delta)
    seen = [each["outsider"]["epsilon"] for each in account["classes"]]
    epsilon, delta = membership(law, seen, account["delta"])
    return {
        "sizes": {"epsilon": float(law.epsilon), "delta": law.delta},
        "expected_each_class": law.shift,
        "membership": {"epsilon": epsilon, "delta": delta},
    }
