"""What libpq says becomes a hint of our own, which holds nothing of it."""

from __future__ import annotations

import pytest

from sudare.facts.unreachable import hint_for

SAID = {
    'FATAL:  password authentication failed for user "canary"': "user or password",
    'could not translate host name "canary" to address: Name not known': "host is not known",
    "connection to server at canary failed: Connection refused": "Nobody listens",
    "FATAL:  canary: the database system is starting up": "try again in a moment",
    "FATAL:  canary: the database system is shutting down": "once it runs",
    "canary: server closed the connection unexpectedly": "try again in a moment",
    'FATAL:  database "canary" does not exist': "no such database",
    'invalid URI query parameter: "canary"': "option",
    "something in another language, canary": "Check host, port",
}


@pytest.mark.parametrize("said", SAID)
def test_well_known_reasons_have_their_own_hint(said: str) -> None:
    assert SAID[said] in hint_for(said)
    assert "canary" not in hint_for(said)
