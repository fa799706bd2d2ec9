"""Programs that try to move one bit past their answer, and how the bit would be received.

A channel has a sender, which runs in a block when the first row says so, and a receiver. Receivers
on the host are people with an account: they read /proc, lock files, watch them, and try every name
that was agreed on beforehand. Receivers in a block run after the sender's block has ended.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

# Objects that must live as long as the block: a lock goes with its descriptor.
KEPT: list[Any] = []
KEY = 0x5D0A0000 + os.getpid() % 0x10000
NAME = f"sudare-covert-{KEY:x}"
SHMGET, SEMGET, MSGGET, MQ_OPEN, MQ_UNLINK, ADD_KEY, KEYCTL = 29, 64, 68, 240, 241, 248, 250
INOTIFY_INIT, INOTIFY_ADD = 294, 254
CREATE, REMOVE = 0o1000 | 0o600, 0


def libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def called(number: int, *arguments: Any) -> int:
    found = int(libc().syscall(number, *arguments))
    if found < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return found


@dataclass
class Place:
    """What sender and receiver agreed on: a file among the libraries, an address, processes."""

    file: str
    folder: str
    port: int = 0
    observer: int = 0
    pids: tuple[int, ...] = ()


def opened(place: Place) -> BinaryIO:
    return Path(place.file).open("rb")


# --- What a sender does in its block --------------------------------------------------------------


def flock(place: Place) -> None:
    KEPT.append(opened(place))
    fcntl.flock(KEPT[-1], fcntl.LOCK_EX)


def record_lock(place: Place) -> None:
    KEPT.append(opened(place))
    fcntl.fcntl(KEPT[-1], fcntl.F_SETLK, struct.pack("hhqqi", fcntl.F_RDLCK, 0, 0, 0, 0))


def open_lock(place: Place) -> None:
    KEPT.append(opened(place))
    fcntl.fcntl(KEPT[-1], 37, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0))


def lease(place: Place) -> None:
    KEPT.append(opened(place))
    fcntl.fcntl(KEPT[-1], fcntl.F_SETLEASE, fcntl.F_RDLCK)


def opening(place: Place) -> None:
    open(place.file, "rb").close()


def listing(place: Place) -> None:
    os.listdir(place.folder)


def reading(place: Place) -> None:
    Path(place.file).read_bytes()


def page_cache(place: Place) -> None:
    with open(place.file, "rb") as file:
        KEPT.append(file.read())


def temporary_file(place: Place) -> None:
    os.close(os.open(f"/tmp/{NAME}", os.O_CREAT | os.O_RDONLY))


def shared_file(place: Place) -> None:
    os.close(os.open(f"/dev/shm/{NAME}", os.O_CREAT | os.O_RDONLY))


def shared_memory(place: Place) -> None:
    called(SHMGET, KEY, 4096, CREATE)


def semaphore(place: Place) -> None:
    called(SEMGET, KEY, 1, CREATE)


def message_queue(place: Place) -> None:
    called(MSGGET, KEY, CREATE)


def posix_queue(place: Place) -> None:
    called(MQ_OPEN, NAME.encode(), os.O_CREAT | os.O_RDONLY, 0o600, None)


def keyring(place: Place) -> None:
    called(ADD_KEY, b"user", NAME.encode(), b"1", ctypes.c_size_t(1), ctypes.c_int(-4))


def abstract_socket(place: Place) -> None:
    KEPT.append(socket.socket(socket.AF_UNIX))
    KEPT[-1].bind(f"\0{NAME}")


def loopback(place: Place) -> None:
    socket.create_connection(("127.0.0.1", place.port), timeout=1).close()


def signalling(place: Place) -> None:
    os.kill(place.observer, signal.SIGUSR1)


def process_name(place: Place) -> None:
    libc().prctl(15, NAME[-15:].encode(), 0, 0, 0)


def thread_name(place: Place) -> None:
    Path(f"/proc/self/task/{os.getpid()}/comm").write_text(NAME[-15:])


def command_line(place: Place) -> None:
    """Write over the arguments that lie on the stack; they are found by what stands there."""
    start = ctypes.c_void_p.in_dll(libc(), "environ").value or 0
    # The texts of arguments lie below the first text of the environment.
    first = ctypes.cast(start, ctypes.POINTER(ctypes.c_void_p))[0] or 0
    ctypes.memmove(first - len(NAME) - 1, NAME.encode(), len(NAME))


def nice(place: Place) -> None:
    os.nice(7)


def processors(place: Place) -> None:
    os.sched_setaffinity(0, range(os.cpu_count() or 1))


def limits(place: Place) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (77, 77))


def mask(place: Place) -> None:
    os.umask(0o123)


def ignored_signal(place: Place) -> None:
    libc().signal(35, ctypes.c_void_p(1))


def blocked_signal(place: Place) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [36])


def own_session(place: Place) -> None:
    os.setpgid(0, 0)


def memory_score(place: Place) -> None:
    Path("/proc/self/oom_score_adj").write_text("999")


def standard_error(place: Place) -> None:
    os.write(2, NAME.encode())


# --- What an account on the host sees -------------------------------------------------------------


def is_locked(place: Place) -> bool:
    with open(place.file, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def is_record_locked(place: Place) -> bool:
    with open(place.file, "rb+") as file:
        asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
        found = fcntl.fcntl(file, fcntl.F_GETLK, asked)
        return bool(struct.unpack("hhqqi4x", found)[0] != fcntl.F_UNLCK)


def is_leased(place: Place) -> bool:
    try:
        os.close(os.open(place.file, os.O_WRONLY | os.O_NONBLOCK))
    except BlockingIOError:
        return True
    return False


def has(path: str) -> Callable[[Place], bool]:
    return lambda place: os.path.exists(path)


def answers(number: int, *arguments: Any) -> Callable[[Place], bool]:
    def seen(place: Place) -> bool:
        try:
            called(number, *arguments)
        except OSError:
            return False
        return True

    return seen


def has_key(place: Place) -> bool:
    return NAME in Path("/proc/keys").read_text()


def is_bound(place: Place) -> bool:
    return NAME in Path("/proc/net/unix").read_text()


def listed(name: str, text: str = NAME[-15:]) -> Callable[[Place], bool]:
    """Whether a world-readable file of /proc says so of one of the block's processes."""

    def seen(place: Place) -> bool:
        found = (Path(f"/proc/{pid}/{name}") for pid in place.pids)
        return any(text in each.read_text(errors="replace") for each in found if each.exists())

    return seen


def status(field: str, bit: int) -> Callable[[Place], bool]:
    def seen(place: Place) -> bool:
        for pid in place.pids:
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            value = next(line.split()[1] for line in lines if line.startswith(field))
            if int(value, 16) >> (bit - 1) & 1:
                return True
        return False

    return seen


def is_nice(place: Place) -> bool:
    return any(os.getpriority(os.PRIO_PROCESS, pid) == 7 for pid in place.pids)


def is_everywhere(place: Place) -> bool:
    return any(len(os.sched_getaffinity(pid)) > 1 for pid in place.pids[1:])


def leads_a_group(place: Place) -> bool:
    return any(os.getpgid(pid) == pid for pid in place.pids[1:])


def is_cached(place: Place) -> bool:
    """Whether the first page lies in memory, asked without bringing it there."""
    with open(place.file, "rb") as file:
        try:
            return os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT) == 1
        except BlockingIOError:
            return False


def drop_cache(place: Place) -> None:
    with open(place.file, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


_WATCHES: list[int] = []


def watch(name: str) -> Callable[[Place], None]:
    """Begin to look whether a file or a folder is opened or read (inotify)."""

    def armed(place: Place) -> None:
        # Close-on-exec and non-blocking; IN_OPEN and IN_ACCESS.
        fd = called(INOTIFY_INIT, os.O_CLOEXEC | os.O_NONBLOCK)
        called(INOTIFY_ADD, fd, os.fsencode(getattr(place, name)), 0x21)
        _WATCHES.append(fd)

    return armed


def was_watched(place: Place) -> bool:
    fd = _WATCHES.pop()
    try:
        return len(os.read(fd, 4096)) > 0
    except BlockingIOError:
        return False
    finally:
        os.close(fd)


def make_old(place: Place) -> None:
    os.utime(place.file, ns=(0, 1))


def was_read(place: Place) -> bool:
    facts = os.stat(place.file)
    return facts.st_atime_ns > facts.st_mtime_ns


_HEARD: list[int] = []


def hear(place: Place) -> None:
    signal.signal(signal.SIGUSR1, lambda number, frame: _HEARD.append(number))


def was_heard(place: Place) -> bool:
    signal.signal(signal.SIGUSR1, signal.SIG_DFL)
    found = bool(_HEARD)
    _HEARD.clear()
    return found


def accept(place: Place) -> None:
    _SERVERS.append(socket.create_server(("127.0.0.1", place.port)))
    _SERVERS[0].setblocking(False)


_SERVERS: list[socket.socket] = []


def was_called(place: Place) -> bool:
    server = _SERVERS.pop()
    with server:
        try:
            server.accept()[0].close()
        except BlockingIOError:
            return False
    return True


def many_pipes(place: Place) -> None:
    """Raise a number that the kernel counts over all processes."""
    for _ in range(100_000):
        for each in os.pipe():
            os.close(each)


_COUNTED: list[int] = []


def counted() -> int:
    """The number of a fresh pipe. A processor takes 1024 numbers at a time."""
    found = 0
    for _ in range(1200):
        ends = os.pipe()
        found = max(found, os.fstat(ends[0]).st_ino)
        for each in ends:
            os.close(each)
    return found


def begin_count(place: Place) -> None:
    _COUNTED[:] = [counted()]


def has_counted(place: Place) -> bool:
    return counted() - _COUNTED[0] > 90_000


def nothing(place: Place) -> None:
    """Nothing has to be prepared."""


@dataclass(frozen=True)
class Channel:
    send: Callable[[Place], None]
    seen: Callable[[Place], bool]
    arm: Callable[[Place], None] = nothing


TO_HOST = {
    "flock": Channel(flock, is_locked),
    "record lock": Channel(record_lock, is_record_locked),
    "lock of an open file": Channel(open_lock, is_record_locked),
    "lease": Channel(lease, is_leased),
    "open, by inotify": Channel(opening, was_watched, watch("file")),
    "read, by inotify": Channel(reading, was_watched, watch("file")),
    "list, by inotify": Channel(listing, was_watched, watch("folder")),
    "time of access": Channel(reading, was_read, make_old),
    "page cache": Channel(page_cache, is_cached, drop_cache),
    "name in /tmp": Channel(temporary_file, has(f"/tmp/{NAME}")),
    "name in /dev/shm": Channel(shared_file, has(f"/dev/shm/{NAME}")),
    "shared memory": Channel(shared_memory, answers(SHMGET, KEY, 0, 0)),
    "semaphore": Channel(semaphore, answers(SEMGET, KEY, 0, 0)),
    "message queue": Channel(message_queue, answers(MSGGET, KEY, 0)),
    "POSIX queue": Channel(posix_queue, answers(MQ_OPEN, NAME.encode(), os.O_RDONLY, 0, None)),
    "keyring": Channel(keyring, has_key),
    "abstract socket": Channel(abstract_socket, is_bound),
    "loopback": Channel(loopback, was_called, accept),
    "signal": Channel(signalling, was_heard, hear),
    "name of the process": Channel(process_name, listed("comm")),
    "name of the thread": Channel(thread_name, listed("comm")),
    "command line": Channel(command_line, listed("cmdline", NAME)),
    "priority": Channel(nice, is_nice),
    "processors": Channel(processors, is_everywhere),
    "limits": Channel(limits, listed("limits", " 77 ")),
    "file mask": Channel(mask, listed("status", "Umask:\t0123")),
    "ignored signals": Channel(ignored_signal, status("SigIgn", 35)),
    "blocked signals": Channel(blocked_signal, status("SigBlk", 36)),
    "group of processes": Channel(own_session, leads_a_group),
    "score of memory": Channel(memory_score, listed("oom_score_adj", "999")),
    "numbers of pipes": Channel(many_pipes, has_counted, begin_count),
}
# Receivers that run in the next block, after the sender's has ended.
TO_NEXT = {
    name: TO_HOST[name]
    for name in (
        "name in /tmp", "name in /dev/shm", "shared memory", "semaphore", "message queue",
        "POSIX queue", "time of access",
    )
} | {
    "keyring": Channel(keyring, answers(KEYCTL, 10, -4, b"user", NAME.encode(), 0)),
}  # fmt: skip


def clean(place: Place) -> None:
    """Remove whatever objects a sender has left."""
    for path in (f"/tmp/{NAME}", f"/dev/shm/{NAME}"):
        Path(path).unlink(missing_ok=True)
    kernel = libc()
    # For each kind how it is found, and how it is removed.
    for found, remove in (
        (kernel.shmget(KEY, 0, 0), kernel.shmctl),
        (kernel.msgget(KEY, 0), kernel.msgctl),
    ):
        if found >= 0:
            remove(found, REMOVE, None)
    semaphores = kernel.semget(KEY, 0, 0)
    if semaphores >= 0:
        kernel.semctl(semaphores, 0, REMOVE)
    kernel.syscall(MQ_UNLINK, NAME.encode())
    key = int(kernel.syscall(KEYCTL, 10, -4, b"user", NAME.encode(), 0))
    if key > 0:
        kernel.syscall(KEYCTL, 21, key)
