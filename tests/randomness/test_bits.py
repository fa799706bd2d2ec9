"""The bit stream: fresh in every object, process, thread and key period."""

from __future__ import annotations

import inspect
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import stats

from sudare.randomness import bits as module
from sudare.randomness.bits import SystemBits, run_key, words32, words64
from support.bits import ScriptedBits


def test_two_streams_share_nothing() -> None:
    # A false alarm needs two equal draws of 256 bits.
    assert SystemBits().take(32) != SystemBits().take(32)


def test_a_stream_goes_on_and_keeps_to_the_length_asked() -> None:
    stream = SystemBits()
    assert [len(stream.take(count)) for count in (0, 1, 17, 4096)] == [0, 1, 17, 4096]
    assert stream.take(32) != stream.take(32)


def test_there_is_no_seed_to_set() -> None:
    assert list(inspect.signature(SystemBits).parameters) == []


def test_bytes_are_uniform() -> None:
    """Truly random input; the false-alarm rate is 1e-6. A coin biased by 5 % must be seen."""
    drawn = np.frombuffer(SystemBits().take(2**20), dtype=np.uint8)
    tallies = np.bincount(drawn, minlength=256)
    assert stats.chisquare(tallies).pvalue > 1e-6
    twin = np.where(words64(SystemBits(), len(drawn)) % 20 == 0, drawn | 1, drawn)
    assert stats.chisquare(np.bincount(twin, minlength=256)).pvalue < 1e-6


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_gets_its_own_key() -> None:
    stream = SystemBits()
    stream.take(16)
    drawn = {_in_a_child(stream) for _ in range(3)}
    drawn.add(stream.take(32))
    assert len(drawn) == 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_during_a_draw_does_not_hang_the_child() -> None:
    stream = SystemBits()
    # Holding the lock plays the thread that was drawing when the process forked.
    with stream._lock:
        assert len(_in_a_child(stream)) == 32


def test_keys_are_renewed_and_no_byte_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    urandom = os.urandom

    def counting(size: int) -> bytes:
        asked.append(size)
        return urandom(size)

    monkeypatch.setattr(module, "BYTES_PER_KEY", 100)
    monkeypatch.setattr(os, "urandom", counting)
    stream = SystemBits()
    drawn = stream.take(350)
    # Four keys, each with its own nonce, cover 350 bytes; the fourth still covers 50 more.
    assert (len(drawn), asked) == (350, [32, 16] * 4)
    stream.take(50)
    assert asked == [32, 16] * 4
    stream.take(1)
    assert asked == [32, 16] * 5


def test_threads_never_get_the_same_bytes() -> None:
    stream = SystemBits()
    with ThreadPoolExecutor(8) as pool:
        drawn = list(pool.map(lambda _: stream.take(16), range(4000)))
    assert len(set(drawn)) == 4000


def test_a_run_key_is_32_fresh_bytes() -> None:
    assert run_key(ScriptedBits(bytes(range(40)))) == bytes(range(32))


def test_words_are_little_endian() -> None:
    assert words32(ScriptedBits(bytes([1, 2, 0, 0, 255, 0, 0, 128])), 2).tolist() == [
        0x201,
        0x800000FF,
    ]
    assert words64(ScriptedBits(bytes([1, 0, 0, 0, 2, 0, 0, 0])), 1).tolist() == [2**33 + 1]


def _in_a_child(stream: SystemBits) -> bytes:
    """32 bytes that a forked child takes from its copy of the stream."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, stream.take(32))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        drawn = pipe.read()
    os.waitpid(child, 0)
    return drawn
