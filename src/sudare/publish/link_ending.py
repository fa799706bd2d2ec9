"""How an organisation leaves a session: both logs signed by the other side, then deletion and the
signed word for it; or, where the session was given up, deletion alone.

Order    of deletion: sealed rows and relayed chunks, then the secret exponent or salt; the
         permutation and the generator's state are in memory alone and end with the process.
Claim    each step says in the log that it is done, and bears to be done again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from sudare.facts.errors import LinkRefused, SudareError, Unreachable
from sudare.facts.link_plan import LinkPlan
from sudare.publish.link_watch import altered, code_of, given_up
from sudare.wires.calling import Caller
from sudare.wires.chunks import read_object
from sudare.wires.folder import Folder
from sudare.wires.log import COUNTERSIGNED, countersign

DELETED, GIVEN_UP = "deleted", "aborted"


def sign_both(folder: Folder, told: dict[str, Any], status: dict[str, Any], to: Caller) -> None:
    """Compare what was sent with the receipt; sign the collector's log and have ours signed."""
    receipt = status["receipts"][folder.identity.name]
    if any(receipt[key] != told[key] for key in ("rows", "sha256")):
        raise altered()
    folder.log_once("receipt", rows=receipt["rows"], sha256=receipt["sha256"])
    sign(folder, status, to)


def sign(folder: Folder, status: dict[str, Any], to: Caller) -> None:
    """Sign the collector's log and have ours signed."""
    head = folder.log.head
    asked = {"collector_head": status["head"], **_signed(folder, status["head"]), "head": head}
    _keep(folder, head, to.act("countersign", json.dumps(asked).encode()))


def delete(folder: Folder) -> None:
    """Delete everything that is not a log, in the right order."""
    folder.mailbox.forget()
    folder.forget_secrets()
    folder.log_once(DELETED, rows=True, permutation=True, exponent=True, generator=True)


def last_word(folder: Folder, plan: LinkPlan, collector: Caller) -> dict[str, Any]:
    """State the deletion to the collector, signed; it may have ended already."""
    told = folder.noted("prepared") or {}
    result = {
        "session": plan.session,
        "party": folder.identity.name,
        "rows": told.get("rows"),
        "spent": told.get("spent"),
        "central": folder.noted("central"),
        "own": folder.noted("own"),
        "log": str(folder.log_path),
        "confirmed": True,
        "again": False,
    }
    head = folder.head_after(DELETED)
    assert head is not None
    if not folder.has_logged(COUNTERSIGNED, by=plan.collector, head=head):
        try:
            body = json.dumps(_signed(folder, head)).encode()
            _keep(folder, head, collector.act(DELETED, body))
        except Unreachable:
            result["confirmed"] = False
    return result


def say_why(folder: Folder, collector: Caller, error: SudareError) -> None:
    """Tell the others in one word, unless they told us, and write down who gave up first."""
    by = error.by if isinstance(error, LinkRefused) else None
    ended = {"by": by or folder.identity.name, "code": code_of(error)}
    if by is None:
        with suppress(SudareError):
            collector.act("abort", ended["code"].encode())
            status = read_object(collector.act("status", b""))
            ended = {key: status.get(key, ended[key]) for key in ended}
    if folder.noted(GIVEN_UP) is None:
        folder.note(GIVEN_UP, ended)
    folder.log_once(GIVEN_UP, **(folder.noted(GIVEN_UP) or ended))


def refuse_if_given_up(folder: Folder, collector: Caller) -> None:
    """A session that was given up stays so; whoever did not hear of it is told again."""
    ended = folder.noted(GIVEN_UP)
    if ended is None:
        return
    error = given_up(ended["by"], ended["code"])
    if error.by == folder.identity.name:
        error.by = None
    say_why(folder, collector, error)
    delete(folder)
    raise error


def _keep(folder: Folder, head: str, answer: bytes) -> None:
    found = read_object(answer)
    folder.sign_once(found["certificate"].encode(), head, found["signature"])


def _signed(folder: Folder, head: str) -> dict[str, str]:
    return {
        "head": head,
        "signature": countersign(folder.identity, head),
        "certificate": folder.identity.certificate_pem.decode(),
    }
