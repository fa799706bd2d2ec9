"""Reasons for which a side of a join says no, each with the word that travels.

Only the word leaves a host. The side that reads it says the sentence itself, so that no text, and
with it no value, ever comes from elsewhere.
"""

from __future__ import annotations

import re

from sudare.facts.errors import LinkRefused

CERTIFICATES = "`sudare link init` makes certificates; see the page on the transport."
# The word of a side at which something went wrong that is no refusal.
FAILED = "failed"
_SAID = {
    "plan": (
        "The two sides do not run the same plan.",
        "link.toml and the schemas of all parties must be the same on every host.",
    ),
    "peer": (
        "The caller's certificate names no party of this plan.",
        "Compare the names in link.toml with those in the certificates.",
    ),
    "stream": (
        "This party may not send or fetch that stream.",
        "Compare the order of the parties in link.toml on both hosts, and their versions.",
    ),
    "replay": (
        "A chunk came again with other content.",
        "A session sends one thing once: give a new run a new session name in link.toml.",
    ),
    "closed": (
        "The stream has ended or was deleted, and takes no more chunks.",
        "A session sends one thing once: give a new run a new session name in link.toml.",
    ),
    "size": (
        "A chunk is larger than a chunk may be.",
        "Both sides must run the same version of sudare.",
    ),
    "request": (
        "The other side does not understand the request.",
        "Both sides must run the same version of sudare.",
    ),
    FAILED: (
        "The other side failed while it handled a request.",
        "Its own messages say why; start it again, and the session goes on where it was.",
    ),
    "expired": (
        "The other side's certificate has expired or is not valid yet.",
        f"Its owner renews it; also compare the clocks. {CERTIFICATES}",
    ),
    "issuer": (
        "The other side's certificate is not from the pinned authority.",
        f"Both sides must have the same ca.pem. {CERTIFICATES}",
    ),
    "name": (
        "The other side's certificate belongs to another party.",
        "Compare the addresses in link.toml with who runs there.",
    ),
    "certificate": (
        "The other side hangs up whenever it has seen this party's certificate.",
        f"It has expired by their clock, or is not from their ca.pem. {CERTIFICATES}",
    ),
}


def refusal(code: str) -> LinkRefused:
    """The refusal for a word; one from elsewhere that is not known here keeps its word."""
    if code in _SAID:
        return LinkRefused(*_SAID[code], code)
    word = code if re.fullmatch(r"[a-z][a-z0-9-]{0,39}", code) else "unknown"
    return LinkRefused(
        f"The other side refused to go on ({word}).", "Its own messages and log say why.", word
    )
