"""Organisations for tests of the transport: certificates, also bad ones, and a bad network."""

from __future__ import annotations

import contextlib
import dataclasses
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization

from sudare.wires.authority import make_authority, make_identity
from sudare.wires.identity import AUTHORITY, CERTIFICATE, KEY, Identity, read_key

PLAN = "ab" * 32
OTHER_PLAN = "cd" * 32
SECRET = b"0901234567-yamada-hanako"


def consortium(folder: Path, *names: str) -> dict[str, Identity]:
    """An authority and its parties."""
    make_authority(folder / "authority", "consortium", 30)
    return {name: make_identity(folder / name, name, folder / "authority", 30) for name in names}


def renewed(
    identity: Identity, authority: Path, end: timedelta, *names: x509.GeneralName
) -> Identity:
    """The same key with a certificate that ends `end` from now and bears the given names."""
    old = x509.load_pem_x509_certificate(identity.certificate_pem)
    issuer = x509.load_pem_x509_certificate((authority / AUTHORITY).read_bytes())
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(old.subject)
        .issuer_name(issuer.subject)
        .public_key(identity.key.public_key())
        .serial_number(7)
        .not_valid_before(now - timedelta(days=9))
        .not_valid_after(now + end)
    )
    kept = old.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    builder = builder.add_extension(x509.SubjectAlternativeName(names or list(kept)), False)
    signed = builder.sign(read_key(authority / KEY), hashes.SHA256())
    pem = signed.public_bytes(serialization.Encoding.PEM)
    (identity.folder / CERTIFICATE).write_bytes(pem)
    return dataclasses.replace(identity, certificate_pem=pem)


class Proxy:
    """Passes bytes between a caller and a server, late; the first connections it cuts off after
    some bytes of the caller (or of the server), or goes silent without a word."""

    def __init__(
        self,
        port: int,
        delay: float = 0.0,
        cuts: tuple[int, ...] = (),
        silent: bool = False,
        answers: bool = False,
    ) -> None:
        self._answers = answers
        self._target, self._delay, self._cuts, self._silent = port, delay, list(cuts), silent
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self.cut_off = 0
        Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                time.sleep(self._delay)
                far = socket.create_connection(("127.0.0.1", self._target))
                left = self._cuts.pop(0) if self._cuts else None
                there, back = (None, left) if self._answers else (left, None)
                Thread(target=self._pass, args=(near, far, there), daemon=True).start()
                Thread(target=self._pass, args=(far, near, back), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket, left: int | None) -> None:
        passed, is_cut = 0, False
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                time.sleep(self._delay)
                passed += len(data)
                if left is not None and passed > left:
                    self.cut_off += not is_cut
                    is_cut = True
                    if self._silent:
                        continue
                    break
                sink.sendall(data)
        if left is not None and not is_cut:
            # A busy machine gave this connection up before so many bytes; the next one is cut.
            self._cuts.insert(0, left)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def receiver(identity: Path, mailbox: Path, port: int = 0) -> Iterator[tuple[int, int]]:
    """A server in a process of its own, that takes the stream "rows" of "shop": port and pid."""
    script = Path(__file__).parents[1] / "wires" / "receiver.py"
    command = [sys.executable, str(script), str(identity), str(mailbox), str(port), PLAN]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline()), process.pid
        finally:
            process.kill()
