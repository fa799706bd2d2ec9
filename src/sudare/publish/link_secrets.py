"""Secrets that organisations of a session share: the salt, and the keys of dummies.

The first organisation of a class that listens draws the secret and how many dummies there are, and
hands both to the others of the class who ask for them over their own authenticated line; nobody
else is answered. The collector is not in a class unless it is an organisation of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sudare.facts.errors import InvalidPlan
from sudare.facts.link_plan import LinkPlan
from sudare.facts.reading import read_json
from sudare.link.dummies import classes, dummy_counts, dummy_keys, dummy_law
from sudare.publish.link_rows import Secrets
from sudare.randomness.bits import SystemBits
from sudare.randomness.keys import new_scalar, new_secret
from sudare.wires.calling import Caller
from sudare.wires.chunks import read_object
from sudare.wires.folder import Folder
from sudare.wires.refusals import refusal


def exchanged(folder: Folder, plan: LinkPlan, peer: Callable[[str], Caller]) -> Secrets:
    """The secrets of this organisation: its own exponent or the shared salt, and its dummies'
    keys. What was drawn or received once is kept until it is deleted."""
    name, bits = folder.identity.name, SystemBits()
    if plan.pseudonyms == "salt":
        exponent = _shared(folder, plan, plan.names, "salt", peer)
    else:
        exponent = folder.secret("exponent") or folder.keep("exponent", new_scalar(bits))
    keys: list[bytes] = []
    if plan.dummies is not None:
        for members in classes(plan.names):
            if name in members:
                told = read_object(_shared(folder, plan, members, "dummies", peer))
                keys += dummy_keys(bytes.fromhex(told["secret"]), members, told["count"])
    return Secrets(exponent, tuple(keys))


def offered(folder: Folder, plan: LinkPlan) -> Callable[[str, bytes], bytes]:
    """The action by which others ask for what this organisation draws for a class."""

    def answer(peer: str, body: bytes) -> bytes:
        kind, members = _asked(body)
        if peer not in members or _keeper(plan, members) != folder.identity.name:
            raise refusal("request")
        if folder.has_logged("deleted"):
            # Drawing anew would leave a secret behind that nobody deletes.
            raise refusal("closed")
        return _drawn(folder, plan, members, kind)

    return answer


def _asked(body: bytes) -> tuple[str, tuple[str, ...]]:
    try:
        kind, members = read_json(body)
        return str(kind), tuple(str(member) for member in members)
    except (ValueError, TypeError):
        pass
    raise refusal("request")


def _keeper(plan: LinkPlan, members: tuple[str, ...]) -> str:
    """Who draws for a class: its only member, or the first that can be asked."""
    if len(members) == 1:
        return members[0]
    for name in members:
        if plan.party(name).address is not None:
            return name
    raise InvalidPlan(
        "No organisation of a class can be asked for the secret that they share.",
        "Give one of every two organisations an address in link.toml.",
    )


def _shared(
    folder: Folder,
    plan: LinkPlan,
    members: tuple[str, ...],
    kind: str,
    peer: Callable[[str], Caller],
) -> bytes:
    keeper = _keeper(plan, members)
    if keeper == folder.identity.name:
        return _drawn(folder, plan, members, kind)
    label = _label(plan, members, kind)
    known = folder.secret(label)
    if known is not None:
        return known
    asked: Any = [kind, list(members)]
    return folder.keep(label, peer(keeper).act("secret", json.dumps(asked).encode()))


def _drawn(folder: Folder, plan: LinkPlan, members: tuple[str, ...], kind: str) -> bytes:
    """Draw once; what was drawn first stays."""
    label = _label(plan, members, kind)
    known = folder.secret(label)
    if known is not None:
        return known
    bits = SystemBits()
    if kind == "salt":
        return folder.keep(label, new_secret(bits))
    if plan.dummies is None:
        raise refusal("request")
    law = dummy_law(plan.dummies.epsilon, plan.dummies.delta)
    told = {"secret": new_secret(bits).hex(), "count": int(dummy_counts(law, bits)[0])}
    return folder.keep(label, json.dumps(told).encode())


def _label(plan: LinkPlan, members: tuple[str, ...], kind: str) -> str:
    return "-".join([kind, *(str(plan.place(name)) for name in members)])
