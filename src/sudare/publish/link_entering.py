"""How an organisation or a helper comes to a session: afresh, or after it was cut off.

Claim    whoever has another plan, or no right to come, leaves no session behind; one that was given
         up is not gone on with; one that was deleted only has its last word to say.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from sudare.facts.errors import LinkRefused, SudareError
from sudare.facts.link_plan import LinkPlan
from sudare.publish.link_ending import (
    DELETED,
    delete,
    last_word,
    refuse_if_given_up,
    say_why,
)
from sudare.publish.link_watch import asked, goes_on
from sudare.wires.calling import Caller
from sudare.wires.folder import Folder, locked
from sudare.wires.identity import Identity

# How long somebody who has nothing else to do waits for the collector.
LAST_WORD = 10.0


class Coming(Protocol):
    """Who comes, where it keeps the session, how long it waits."""

    @property
    def plan(self) -> LinkPlan: ...
    @property
    def identity(self) -> Identity: ...
    @property
    def folder(self) -> Path: ...
    @property
    def wait(self) -> float: ...


def enter(
    who: Coming,
    caller: Callable[[float], Caller],
    check: Callable[[], None],
    run: Callable[[Folder, ExitStack], dict[str, Any]],
) -> dict[str, Any]:
    """Run one's part, or what is left of it. `caller` makes a line to the collector that is tried
    for so many seconds; `check` refuses whoever is not ready, the first time."""
    with locked(who.folder):
        if not Folder.is_begun(who.folder, who.identity.name, who.plan.digest()):
            check()
            with caller(who.wait) as collector:
                _first_question(who, collector)
        folder = Folder(who.folder, who.identity, who.plan.digest())
        with caller(min(LAST_WORD, who.wait)) as collector:
            refuse_if_given_up(folder, collector)
            if folder.has_logged(DELETED):
                return last_word(folder, who.plan, collector) | {"again": True}
        try:
            with ExitStack() as open_things:
                return run(folder, open_things)
        except SudareError as error:
            # Who may yet be waited for can go on; all other errors end the session.
            if not goes_on(error) and folder.noted("aborted") is not None:
                delete(folder)
            raise


def _first_question(who: Coming, collector: Caller) -> None:
    """Raise what ended the session already; one that was given up is written down as such."""
    try:
        asked(collector)
    except LinkRefused as ended:
        if ended.by is not None and not goes_on(ended):
            folder = Folder(who.folder, who.identity, who.plan.digest())
            say_why(folder, collector, ended)
            delete(folder)
        raise
