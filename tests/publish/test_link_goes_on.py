"""Which errors end a run of a join and which end the session for all."""

from __future__ import annotations

import pytest

from sudare.facts.errors import InvalidLedger, LinkRefused, SudareError, Unreachable
from sudare.publish.link_watch import given_up, goes_on, turned_away
from sudare.wires.refusals import refusal


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (Unreachable("It does not answer.", "Start it."), True),
        (turned_away("shop"), True),
        # Its hint says that the session goes on where it was.
        (refusal("failed"), True),
        # The same word from who gave up: the session has ended.
        (given_up("shop", "failed"), False),
        (refusal("replay"), False),
        (LinkRefused("No.", "No.", "altered"), False),
        (InvalidLedger("It is broken.", "Restore it."), False),
    ],
)
def test_what_ends_a_run_alone(error: SudareError, expected: bool) -> None:
    assert goes_on(error) is expected
