"""No program moves a bit past its answer: not to an account on the host, not to the next block.

Every sender is run twice: without walls, where its bit must arrive, since a channel that never
works would show nothing; and with them, where it must not.
"""

from __future__ import annotations

import os
import platform
import select
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

from engines import covert_channels
from engines.covert_channels import TO_HOST, TO_NEXT, Channel, Place, clean, was_watched, watch
from sudare.engines.sandbox.columns import Sent, packed
from sudare.engines.sandbox.ending import descendants
from sudare.engines.sandbox.image import Image
from sudare.engines.sandbox.process import BlockProcess, Job
from sudare.engines.sandbox.program import of_command, of_function
from sudare.engines.sandbox.running import Sandbox
from sudare.engines.sandbox.walls import missing

for each in (covert_channels, sys.modules[__name__]):
    cloudpickle.register_pickle_by_value(each)
pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of one processor")
# Put together, so that no other program names the package.
PACKAGE = "covert" + "package"
PATIENCE = 60.0
SILENT, SENDS, RECEIVES = 0, 1, 2


class Act:
    """The program: what it does stands in its rows."""

    def __init__(self, place: Place) -> None:
        # The package is copied because its name is written here.
        self.place, self.package = place, PACKAGE

    def __call__(self, block: dict[str, Any]) -> float:
        where, number, role = map(int, block["x"])
        channel = list((TO_HOST, TO_NEXT)[where].values())[number]
        if role == RECEIVES:
            return float(channel.seen(self.place))
        if role == SENDS:
            with suppress(OSError, PermissionError):
                channel.send(self.place)
        return 0.0


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("covert") / "site-packages" / PACKAGE
    folder.mkdir(parents=True)
    (folder / "data.bin").write_bytes(bytes(10_000))
    (folder / "__init__.py").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    found = Place(str(folder / "data.bin"), str(folder), port, os.getpid())
    sys.path.insert(0, str(folder.parent))
    clean(found)
    yield found
    clean(found)
    sys.path.remove(str(folder.parent))


def job(place: Place, *walls: str) -> Job:
    return Job(of_function(Act(place)), ("m",), 1.0, 512, walls)


@pytest.fixture(scope="module")
def image(place: Place) -> Iterator[Image]:
    found = job(place, "spaces", "calls").image()
    yield found
    found.close()


def acted(
    given: Job,
    image: Image,
    place: Place,
    what: tuple[int, int, int],
    channel: Channel | None = None,
) -> tuple[float | None, bool]:
    """What a block answers, and whether its channel's receiver on the host saw anything."""
    process = BlockProcess(given, image, 0)
    try:
        granted = process.ready(PATIENCE)
        assert granted is not None
        if "spaces" in given.walls and missing(granted, is_command=False):
            pytest.skip("the kernel does not grant every wall here")
        pids = (process._process.pid, *descendants(process._process.pid))
        there = replace(place, pids=pids)
        if channel is not None:
            channel.arm(there)
        process.go(packed([Sent("x", "number", np.array(what, dtype=float))]))
        # It has answered when it has done what it does, and then waits with all that it holds.
        assert select.select([process._result], [], [], PATIENCE)[0]
        seen = channel is not None and channel.seen(there)
        return process.answer()[0], seen
    finally:
        process.end()


@pytest.mark.parametrize("name", TO_HOST)
def test_no_bit_reaches_an_account_on_the_host(place: Place, image: Image, name: str) -> None:
    channel, number = TO_HOST[name], list(TO_HOST).index(name)
    open_job, closed_job = job(place), job(place, "spaces", "calls")
    try:
        assert acted(open_job, Image(), place, (0, number, SENDS), channel)[1], "no channel at all"
        clean(place)
        assert not acted(open_job, Image(), place, (0, number, SILENT), channel)[1], "sees ghosts"
        assert not acted(closed_job, image, place, (0, number, SENDS), channel)[1]
    finally:
        clean(place)


@pytest.mark.parametrize("name", TO_NEXT)
def test_no_bit_reaches_the_next_block(place: Place, image: Image, name: str) -> None:
    channel, number = TO_NEXT[name], list(TO_NEXT).index(name)
    for walls, root, expected in (((), Image(), 1.0), (("spaces", "calls"), image, 0.0)):
        channel.arm(place)
        try:
            acted(job(place, *walls), root, place, (1, number, SENDS))
            assert acted(job(place, *walls), root, place, (1, number, RECEIVES))[0] == expected
        finally:
            clean(place)


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs util-linux")
def test_a_bind_mount_would_show_what_is_opened(place: Place, tmp_path: Path) -> None:
    """How it was done before: the same file under another mount is the same file."""
    watch("file")(place)
    target = tmp_path / "bound"
    target.touch()
    script = f"mount --bind {place.file} {target} && cat {target} > /dev/null"
    done = subprocess.run(["unshare", "-Urm", "sh", "-c", script], check=False)
    seen = was_watched(place)
    if done.returncode:
        pytest.skip("the kernel grants no mount namespace here")
    assert seen


def devices() -> set[int]:
    """The file systems of the host, by number."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    pairs = [line.split()[2].split(":") for line in lines]
    return {os.makedev(int(major), int(minor)) for major, minor in pairs}


def test_no_file_that_can_be_opened_is_one_of_the_hosts(place: Place, image: Image) -> None:
    """All of a block's root, and all that is open in it."""
    theirs = devices()

    class Look(Act):
        def __call__(self, block: dict[str, Any]) -> float:
            found = 0
            for folder, folders, files in os.walk("/"):
                for name in (".", *folders, *files):
                    with suppress(OSError):
                        found += os.lstat(os.path.join(folder, name)).st_dev in theirs
            for fd in range(1024):
                with suppress(OSError):
                    # Nothing but pipes is open, and those have no name.
                    found += not stat.S_ISFIFO(os.fstat(fd).st_mode)
            return float(found)

    assert Look(place)({}) > 0
    looking = replace(job(place, "spaces", "calls"), program=of_function(Look(place)))
    assert acted(looking, image, place, (0, 0, 0))[0] == 0.0


def test_no_file_that_a_command_can_open_is_one_of_the_hosts() -> None:
    """Also not by the names that /proc has for programs that run."""
    text = (
        "sh -c 'for each in / /dev /tmp /dev/null /bin/sh /proc/self/exe /proc/1/exe /proc/1/root"
        " /proc/1/fd/0 /dev/stderr; do stat -Lc %d $each 2> /dev/null; done | sort -un"
        ' | while read number; do echo -n $number,; done | sed "s/^/[/; s/,$/]/"\''
    )
    names = tuple("abcdefgh")
    with Sandbox(Job(of_command(text), names, 1.0, 512)) as sandbox:
        if missing(sandbox.check(), is_command=True):
            pytest.skip("the kernel does not grant every wall here")
        process = BlockProcess(sandbox.job, sandbox._image or Image(), 0)
        try:
            assert process.ready(PATIENCE) is not None
            process.go(b"")
            select.select([process._result], [], [], PATIENCE)
            said = os.read(process._result, 4096).decode()
        finally:
            process.end()
    found = {int(each) for each in said.strip().strip("[]").split(",")}
    assert found
    assert not found & devices()


def test_what_a_sender_left_is_found_and_then_cleaned() -> None:
    """Else one channel's object would be another's."""
    place = Place("", "")
    for name in ("shared memory", "semaphore", "message queue", "POSIX queue"):
        channel = TO_HOST[name]
        assert not channel.seen(place)
        channel.send(place)
        assert channel.seen(place)
        clean(place)
        assert not channel.seen(place)
