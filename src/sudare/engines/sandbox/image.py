"""The root of a run as the engine holds it: two namespaces that nobody else has a name for."""

from __future__ import annotations

import array
import json
import os
import socket
import subprocess
import tempfile

from sudare.engines.sandbox.contents import Contents
from sudare.facts.errors import EngineUnavailable

_PAGE, _SPARE = 4096, 2**24


class Image:
    """Copies of what a program may see, in memory. They are there for as long as this is open."""

    def __init__(self, spaces: tuple[int, ...] = ()) -> None:
        self.spaces = spaces

    def close(self) -> None:
        """Let the copies go; blocks that still run keep them until they end."""
        for each in self.spaces:
            os.close(each)
        self.spaces = ()


def make_image(contents: Contents, start: list[str], environment: dict[str, str]) -> Image:
    """Copy all that is listed; without namespaces there is no image, and blocks see the host."""
    count = len(contents.files) + len(contents.links)
    asked = {
        "files": contents.files,
        "links": contents.links,
        # Every file takes whole pages, and every folder and link something too.
        "size": contents.size + _PAGE * 2 * count + _SPARE,
        "count": 4 * count + 1000,
    }
    ours, theirs = socket.socketpair()
    with ours, theirs, tempfile.TemporaryDirectory() as folder:
        builder = subprocess.Popen(
            [*start, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            env=environment,
            cwd=folder,
        )
        theirs.close()
        try:
            ours.sendall(json.dumps(asked).encode() + b"\n")
            said, spaces = _received(ours)
        except OSError:
            said, spaces = b"", ()
        finally:
            builder.wait()
    image = Image(spaces)
    if said == b"made":
        return image
    image.close()
    if said == b"full":
        raise EngineUnavailable(
            f"Memory does not suffice for a copy of what the program may see"
            f" ({contents.size // 2**20} MiB).",
            "Name fewer packages in the program, or run it where there is more memory.",
        )
    if said != b"refused":
        raise EngineUnavailable(
            "The copy of what the program may see could not be made.",
            "This is a fault of sudare and not of the kernel; report it with the program's command"
            " line.",
        )
    return image


def _received(link: socket.socket) -> tuple[bytes, tuple[int, ...]]:
    found = array.array("i")
    said, ancillary, _, _ = link.recvmsg(16, socket.CMSG_SPACE(2 * found.itemsize))
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(data[: len(data) - len(data) % found.itemsize])
    for each in found:
        os.set_inheritable(each, False)
    return said, tuple(found)
