"""The secure computation against exact integers, against MPyC, and against wrong noise."""

from __future__ import annotations

import itertools
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sudare.facts.errors import InvalidFile
from sudare.link import secure, triples
from sudare.link.secure import Computing, opened
from sudare.link.secure_job import SecureJob, compile_secure
from sudare.link.shares import from_message, split
from sudare.link.triples import Dealer
from support.bits import CountedBits
from support.goodness import fits
from support.laws import laplace_law
from support.secure import computed, exact_cells, labels, numbers, some_rows, twice

JOBS = {
    "two numbers": [("A", numbers(a=(0, 9))), ("B", numbers(b=(-4, 4)))],
    "wide": [("A", numbers(a=(0, 20_000_000), z=(0, 1))), ("B", numbers(b=(-(2**62), 2**62)))],
    "labels": [("A", labels(k=2, l=3)), ("B", labels(m=4))],
    "three": [
        ("A", numbers(a=(0, 9), b=(-3, 3)) | labels(l=2)),
        ("B", numbers(c=(0, 100)) | labels(m=3)),
        ("C", numbers(d=(5, 7)) | labels(n=2)),
    ],
    "one without numbers": [
        ("A", numbers(a=(0, 9))),
        ("B", labels(l=2)),
        ("C", numbers(b=(0, 3)) | labels(m=2)),
    ],
}


def job_of(name: str, epsilon: Fraction = Fraction(1)) -> SecureJob:
    parties: Any = JOBS[name]
    return compile_secure(parties, epsilon)


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few rows a chunk, so that few rows take several."""
    for module in (triples, secure):
        monkeypatch.setattr(module, "CHUNK", 8)


def noiseless(collector: Computing, helper: Computing) -> list[int]:
    """What would be opened without noise."""
    return (collector._cells() + helper._cells()).view(np.int64).tolist()


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("count", [0, 1, 8, 29])
@pytest.mark.parametrize("name", JOBS)
def test_the_sums_are_exact(name: str, count: int) -> None:
    job = job_of(name)
    rows = some_rows(job, count, name)
    assert noiseless(*computed(job, rows, f"{name} {count}")) == exact_cells(job, rows)


def test_the_real_chunk_size() -> None:
    job = job_of("three")
    rows = some_rows(job, triples.CHUNK + 3, "long")
    sides = computed(job, rows, "long")
    assert sides[0].chunks == 2
    left = [rows[:, p.first : p.first + p.rows] for p in job.pairs]
    right = [rows[:, p.second : p.second + p.columns] for p in job.pairs]
    cells = noiseless(*sides)[len(job.numbers) : job.number_cells - 1]
    assert cells == [int(c) for a, b in zip(left, right, strict=True) for c in (a.T @ b).ravel()]


@pytest.mark.usefixtures("small_chunks")
def test_mpyc_finds_the_same_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products by MPyC's own runtime, and by its Shamir shares among three parties."""
    # MPyC reads the command line when it is imported.
    monkeypatch.setattr(sys, "argv", ["mpyc"])
    from mpyc import finfields, thresha
    from mpyc.runtime import mpc

    job = job_of("three")
    rows = some_rows(job, 20, "mpyc")
    found = noiseless(*computed(job, rows, "mpyc"))
    kind, field = mpc.SecInt(64), finfields.GF(2**127 - 1)
    start = len(job.numbers)
    for product in job.pairs:
        left = rows[:, product.first : product.first + product.rows].astype(object)
        right = rows[:, product.second : product.second + product.columns].astype(object)
        ours = found[start : start + product.cells]
        # MPyC reduces what it is given in place.
        theirs = mpc.run(mpc.output(kind.array(left.copy()).T @ kind.array(right.copy())))
        assert [int(cell) for cell in np.asarray(theirs).ravel()] == ours
        shared = [
            thresha.random_split(field, [field(int(v)) for v in side.ravel()], 1, 3)
            for side in (left, right)
        ]
        parts = [
            (np.array(a, object).reshape(left.shape).T @ np.array(b, object).reshape(right.shape))
            for a, b in zip(*shared, strict=True)
        ]
        points = [(i + 1, [int(c) % field.modulus for c in p.ravel()]) for i, p in enumerate(parts)]
        assert [int(field(cell)) for cell in thresha.recombine(field, points)] == ours
        start += product.cells


@pytest.mark.usefixtures("small_chunks")
def test_what_a_side_sees_does_not_depend_on_the_rows() -> None:
    """Same bits, other rows: the collector's shares and messages are the same bytes, and what the
    helper shows it is uniform (false alarm 1e-6)."""
    job = job_of("three")
    dealer = Dealer.of(job, b"session", CountedBits("dealer"))
    shown = []
    for label in ("one", "two"):
        rows = some_rows(job, 8, label)
        first, second = split(rows, CountedBits("shares"))
        collector = Computing("collector", dealer.collector, first)
        shown.append((first.tobytes(), collector.masked(0)))
        assert Computing("helper", dealer.helper, second).masked(0) != shown[-1][1]
    assert shown[0] == shown[1]
    zeros = np.zeros((8, job.width), np.int64)
    seen = []
    for number in range(200):
        second = split(zeros, CountedBits(f"shares {number}"))[1]
        masks = Dealer.of(job, b"session", CountedBits(f"dealer {number}")).helper
        seen.append(np.frombuffer(Computing("helper", masks, second).masked(0), np.uint8))
    assert fits(np.concatenate(seen), dict.fromkeys(range(256), 1 / 256))


@pytest.mark.usefixtures("small_chunks")
def test_a_message_is_the_same_whenever_it_is_asked_for() -> None:
    job = job_of("three")
    sides = [computed(job, some_rows(job, 20, "again"), "again") for _ in range(2)]
    assert sides[0][0].masked(1) == sides[1][0].masked(1) == sides[0][0].masked(1)
    assert sides[0][1].protected(CountedBits("n")) == sides[1][1].protected(CountedBits("n"))


@pytest.mark.usefixtures("small_chunks")
def test_the_noise_has_its_scale_and_less_is_caught() -> None:
    """40,000 cells of one table: each side's noise is discrete Laplace of the job's scale, and what
    is opened has both. False alarm 1e-6; 5 % less noise is rejected."""
    job = compile_secure([("A", labels(l=200)), ("B", labels(m=200))], Fraction(1, 2))
    rows = some_rows(job, 10, "noise")
    collector, helper = computed(job, rows, "noise")
    one, two = collector.protected(CountedBits("one")), helper.protected(CountedBits("two"))
    shape = (len(job.scales),)
    scale = 4.0
    assert set(job.scales) == {Fraction(4)}
    for side, message in ((collector, one), (helper, two)):
        alone = (from_message(message, shape) - side._cells()).view(np.int64)
        assert fits(alone, laplace_law(scale))
        assert not fits(alone, laplace_law(scale * 0.95))
    both = opened(job, one, two) - np.array(exact_cells(job, rows))
    assert fits(both, twice(laplace_law(scale)))
    assert not fits(both, twice(laplace_law(scale * 0.95)))


@pytest.mark.usefixtures("small_chunks")
def test_every_cell_has_the_noise_of_its_own_unit() -> None:
    """300 draws a cell, false alarm 1e-6 each: the mean size of discrete Laplace noise is about its
    scale, whatever the unit, and the count's is smaller by its weight."""
    job = job_of("three", Fraction(2))
    collector, _ = computed(job, some_rows(job, 3, "units"), "units")
    exact, shape = collector._cells(), (len(job.scales),)
    bits = CountedBits("units noise")
    drawn = [from_message(collector.protected(bits), shape) - exact for _ in range(300)]
    sizes = np.abs(np.array(drawn).view(np.int64)).mean(axis=0)
    for size, scale in zip(sizes, job.scales, strict=True):
        ratio = np.exp(-1 / float(scale))
        mean = 2 * ratio / (1 - ratio**2)
        deviation = np.sqrt(2 * ratio / (1 - ratio) ** 2 - mean**2)
        assert abs(size - mean) < 4.9 * deviation / np.sqrt(300)
    assert len(set(job.scales)) > 5


@pytest.mark.usefixtures("small_chunks")
def test_damaged_or_misplaced_messages_are_refused() -> None:
    job = job_of("two numbers")
    first, _ = split(some_rows(job, 9, "damaged"), CountedBits("damaged"))
    dealer = Dealer.of(job, b"session", CountedBits("dealer"))
    collector = Computing("collector", dealer.collector, first)
    with pytest.raises(InvalidFile, match="out of turn"):
        collector.add(1, collector.masked(1))
    with pytest.raises(InvalidFile, match="wrong length"):
        collector.add(0, b"short")
    helper = Computing("helper", dealer.helper, first)
    with pytest.raises(InvalidFile, match="wrong length"):
        helper.add(0, collector.masked(0))
    with pytest.raises(ValueError, match="not all chunks"):
        collector.protected(CountedBits("early"))
    for chunk in range(collector.chunks):
        collector.add(chunk, collector.masked(chunk))
    with pytest.raises(InvalidFile, match="out of turn"):
        collector.add(2, collector.masked(1))
    with pytest.raises(InvalidFile, match="wrong length"):
        opened(job, collector.protected(CountedBits("late")), b"")


def test_messages_cover_all_cells_once() -> None:
    for name in JOBS:
        job = job_of(name)
        places = list(itertools.accumulate(event.cells for event in job.blocks))
        assert places[-1] == len(job.scales)
