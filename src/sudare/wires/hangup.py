"""Hanging up on callers who do not hang up themselves.

Flight's server ends only when every call has ended, and a caller may keep one open for ever.
gRPC gives no handle on its connections, so they are found among the process's own sockets: those
that are connected and whose local port is the server's.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress


def hang_up(port: int) -> int:
    """End every accepted connection of the port; their number."""
    numbers = [int(name) for name in os.listdir("/dev/fd")]
    return sum(_end(number, port) for number in numbers)


def _end(number: int, port: int) -> bool:
    with suppress(OSError), socket.socket(fileno=os.dup(number)) as connection:
        # A listening socket has no peer and raises here, as do files and pipes.
        connection.getpeername()
        name = connection.getsockname()
        if isinstance(name, tuple) and name[1] == port:
            connection.shutdown(socket.SHUT_RDWR)
            return True
    return False
