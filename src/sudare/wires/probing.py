"""Why a handshake failed, asked once more with Python's own TLS.

gRPC reports every failed handshake as a closed socket, like a cable that was pulled. A second
handshake with the same certificates tells more. It decides only whether to go on trying, and what
to say; no data ever use this connection.

Gaps     gRPC's server sends no alert when it refuses our certificate: it hangs up after the
         handshake, before its first byte. So does a server that dies just then, and only
         repetition tells these two apart; who asks counts.
"""

from __future__ import annotations

import socket
import ssl

from sudare.wires.identity import CERTIFICATE, KEY, Identity
from sudare.wires.names import party_host

HUNG_UP = "hung up"
_SECONDS = 5.0
# OpenSSL's numbers: not yet valid, expired; host name mismatch.
_VERIFY = {9: "expired", 10: "expired", 62: "name"}


def certificate_trouble(identity: Identity, address: str, peer: str) -> str | None:
    """The word for what is wrong with a certificate; HUNG_UP where the server accepted the
    handshake and then ended it; None where it is something else."""
    host, _, port = address.rpartition(":")
    is_shaken = False
    try:
        with (
            socket.create_connection((host.strip("[]"), int(port)), _SECONDS) as plain,
            _context(identity).wrap_socket(plain, server_hostname=party_host(peer)) as secured,
        ):
            is_shaken = True
            # In TLS 1.3 the server judges our certificate after the handshake has ended here;
            # if all is well its first bytes are HTTP/2 settings.
            return None if secured.recv(1) else HUNG_UP
    except TimeoutError:
        return None
    except ssl.SSLCertVerificationError as error:
        return _VERIFY.get(error.verify_code, "issuer")
    except (OSError, ValueError):
        return HUNG_UP if is_shaken else None


def _context(identity: Identity) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=identity.ca_pem.decode("ascii"))
    context.load_cert_chain(identity.folder / CERTIFICATE, identity.folder / KEY)
    context.set_alpn_protocols(["h2"])
    return context
