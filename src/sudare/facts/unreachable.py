"""Why a PostgreSQL server did not let us in, in words of our own.

What libpq says is looked through for a few well-known phrases and then dropped: it may hold parts
of an address that are nobody's business. A server that speaks another language gets the general
hint.
"""

from __future__ import annotations

_GENERAL = (
    "Check host, port, database and user, and that the server runs and lets you in; the "
    "password comes from PGPASSWORD, PGPASSFILE or the URL."
)
_HINTS = {
    "password authentication failed": "The server refused user or password; the password comes "
    "from PGPASSWORD, PGPASSFILE or the URL.",
    "no password supplied": "The server asks for a password: set PGPASSWORD or PGPASSFILE.",
    "translate host name": "The host is not known here; check its spelling.",
    "connection refused": "Nobody listens there; check host and port, and that the server runs.",
    "starting up": "The server is starting; try again in a moment.",
    "shutting down": "The server is being stopped; try again once it runs.",
    "server closed the connection": "The server ended the connection, as it does when it is "
    "restarted; try again in a moment.",
    "terminating connection": "The server ended the connection, as it does when it is restarted; "
    "try again in a moment.",
    "timeout expired": "The server did not answer in time; check host, port and the network.",
    "does not exist": "The server has no such database or user; check their names.",
    "invalid connection option": "An option of the address is not known to PostgreSQL.",
    "invalid uri query parameter": "An option of the address is not known to PostgreSQL.",
    "invalid port number": "The port is a number between 1 and 65535.",
    "no pg_hba.conf entry": "The server lets nobody in from here as this user; its owner changes "
    "that in pg_hba.conf.",
}


def hint_for(said: str) -> str:
    """What to do about a refused connection."""
    lower = said.lower()
    return next((hint for phrase, hint in _HINTS.items() if phrase in lower), _GENERAL)
