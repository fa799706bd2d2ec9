"""Between organisations: identities, mutual TLS, durable mailboxes, signed logs.

The only room that opens sockets and keeps session folders. It carries bytes and never looks into
them; what they mean is known to `link`, and what may be sent to whom to `publish`.
"""
