"""A wire to PostgreSQL that can be cut at a chosen moment: before or after a COMMIT is through."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Proxy:
    """Forwards everything; `cut` says what happens at the next COMMIT."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._target = (parts.hostname or "", parts.port or 0)
        self._server = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.cut: str | None = None
        self.refuses = False
        port = self._server.getsockname()[1]
        self.url = url.replace(f":{parts.port}/", f":{port}/")
        threading.Thread(target=self._accept, daemon=True).start()

    def sever(self) -> None:
        """Cut every connection that is open now."""
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def close(self) -> None:
        self._server.close()
        self.sever()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                if self.refuses:
                    client.close()
                    continue
                server = socket.create_connection(self._target)
                self._open += [client, server]
                for one, other, is_client in ((client, server, True), (server, client, False)):
                    words = (one, other, is_client)
                    threading.Thread(target=self._pump, args=words, daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, is_client: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                cut = self.cut if is_client and b"COMMIT\0" in data else None
                if cut is not None:
                    self.cut = None
                    self.refuses = "for good" in cut
                    if cut.startswith("after"):
                        self._deliver(sink, data)
                    self.sever()
                    return
                sink.sendall(data)
        self._end(source, sink)

    def _deliver(self, server: socket.socket, data: bytes) -> None:
        """Send the COMMIT and no more, so that the server reads it and then the end."""
        client = self._open[self._open.index(server) - 1]
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)
        server.sendall(data)
        server.shutdown(socket.SHUT_WR)
        # The server hangs up after it has done what it was told.
        while server.recv(65536):
            pass

    @staticmethod
    def _end(*ends: socket.socket) -> None:
        for each in ends:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxied(url: str) -> Iterator[Proxy]:
    proxy = Proxy(url)
    try:
        yield proxy
    finally:
        proxy.close()
