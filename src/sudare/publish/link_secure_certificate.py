"""The certificate of a secure computation: who had which role, what it cost whom, the noise, and
who signed that shares and masks are deleted."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from sudare._version import VERSION
from sudare.link.secure_estimates import guarantee
from sudare.link.secure_plan import SecureLink
from sudare.publish.link_costs import central_of, costs, signed
from sudare.publish.outputs import digest_of
from sudare.wires.folder import Folder


def certified_secure(
    link: SecureLink,
    rows: int,
    parties: dict[str, Any],
    statements: dict[str, Any],
    folder: Folder,
    part: Path,
) -> dict[str, Any]:
    """Everything that is published of a session beside its statistics; no key, no value, and
    `rows` only with its noise."""
    plan, job = link.plan, link.job
    return {
        "session": plan.session,
        "created": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "plan_sha256": plan.digest(),
        "job": plan.job,
        "pseudonyms": plan.pseudonyms,
        "rows": rows,
        "warnings": [] if rows > 0 else ["empty"],
        "collector": {"name": plan.collector, "is_party": plan.collector in plan.names},
        "helper": {
            "name": link.roles.helper,
            "is_party": link.roles.helper in plan.names,
            "deleted": signed(statements[f"{link.roles.helper} (helper)"]),
        },
        "dealer": link.roles.dealer,
        "sha256": {"statistics.json": digest_of(part)},
        "parties": [
            {
                "name": name,
                "columns": list(plan.party(name).columns),
                "rows": parties[name]["rows"],
                "epsilon": float(job.epsilon),
                "attributes_epsilon": float(job.attributes_epsilon(name)),
                "spent": parties[name]["spent"],
                "release": parties[name]["release"],
                "central": central_of(plan, name, parties[name]),
                "deleted": signed(statements[name]),
            }
            for name in plan.names
        ],
        "epsilon": float(job.epsilon),
        "costs": costs(plan, dict.fromkeys(plan.names, job.epsilon), job.epsilon),
        "neighbours": "replace-one",
        "guarantee": guarantee(job),
        "log_head": folder.log.head,
        "software": f"sudare {VERSION}",
    }
