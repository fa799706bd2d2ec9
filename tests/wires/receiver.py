"""A process that receives the stream "rows" until its standard input ends or it is killed."""

from __future__ import annotations

import sys
from pathlib import Path

from sudare.wires.identity import Identity
from sudare.wires.mailbox import Mailbox
from sudare.wires.serving import Post

if __name__ == "__main__":
    identity, mailbox, port, plan = sys.argv[1:]
    with Post(
        Identity.load(Path(identity)),
        f"127.0.0.1:{port}",
        plan,
        ("shop", "hospital"),
        Mailbox(Path(mailbox)),
        {},
        senders={"rows": "shop"},
        readers={},
    ) as post:
        print(post.port, flush=True)
        sys.stdin.read()
