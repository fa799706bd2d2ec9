"""What the experiments of paper 004 draw: records, and who calls what sensitive."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from sudare.facts.baskets import Baskets, Sensitive
from sudare.sets.experiments.sampling import sample, taken, with_items
from sudare.sets.experiments.sensitive import even_choice, fixed, flipped, personalized
from sudare.sets.paper import suppress_as_paper
from support.bits import CountedBits

HALF = Fraction(1, 2)


def made(records: int, items: int, label: str) -> Baskets:
    """Records of one to four items, of which low codes are frequent."""
    words = np.frombuffer(CountedBits(label).take(8 * records * items), "<u8")
    chances = words.reshape(records, items) / 2**64 < 2 / (3 + np.arange(items))
    rows = [np.flatnonzero(row)[:4] for row in chances]
    rows = [row if len(row) else np.array([0]) for row in rows]
    starts = np.cumsum([0, *map(len, rows)])
    names = tuple(f"i{code}" for code in range(items))
    return Baskets(starts, np.concatenate(rows).astype(np.int32), names)


def listed(baskets: Baskets) -> list[list[int]]:
    ends = zip(baskets.starts[:-1], baskets.starts[1:], strict=True)
    return [baskets.items[lo:hi].tolist() for lo, hi in ends]


def test_records_keep_their_items() -> None:
    baskets = Baskets(np.array([0, 2, 2, 3, 6]), np.array([4, 1, 2, 0, 3, 1], np.int32), ("",) * 5)
    assert listed(taken(baskets, np.array([3, 0]))) == [[0, 3, 1], [4, 1]]
    assert listed(with_items(baskets)) == [[4, 1], [2], [0, 3, 1]]
    assert listed(with_items(baskets, 2)) == [[4, 1], [2]]


def test_a_sample_is_a_tenth_in_the_order_of_the_file() -> None:
    starts = np.arange(106)
    baskets = Baskets(starts, np.arange(105, dtype=np.int32), ("",) * 105)
    drawn = [sample(baskets, 10, CountedBits(f"sample {n}")).items.tolist() for n in range(200)]
    assert all(len(each) == 10 and each == sorted(set(each)) for each in drawn)
    # Each record is in about 19 of 200 samples; outside 2 to 50 one in a million labels would be.
    counts = np.bincount(np.concatenate(drawn), minlength=105)
    assert counts.min() >= 2
    assert counts.max() <= 50


def test_every_person_has_as_many_items_and_all_sets_are_as_likely() -> None:
    chosen = even_choice(6000, 5, Fraction(2, 5), CountedBits("even"))
    assert (chosen.sum(axis=1) == 2).all()
    sets, counts = np.unique(chosen, axis=0, return_counts=True)
    assert len(sets) == 10
    # 600 of each are expected, with a standard deviation of 23: five and a half of them.
    assert np.abs(counts - 600).max() < 128
    assert not even_choice(3, 5, Fraction(0), CountedBits("none")).any()
    assert even_choice(3, 5, Fraction(1), CountedBits("all")).all()


def test_equal_keys_at_the_border_are_drawn_again() -> None:
    equal = np.array([7, 7, 9], "<u8").tobytes()
    other = np.array([8, 2, 9], "<u8").tobytes()

    class Twice:
        parts = iter([equal, other])

        def take(self, count: int) -> bytes:
            part = next(self.parts)
            assert len(part) == count
            return part

    assert even_choice(1, 3, Fraction(1, 3), Twice()).tolist() == [[False, True, False]]


def test_fixed_items_are_the_share_for_everyone() -> None:
    baskets = made(50, 20, "fixed")
    found = fixed(baskets, Fraction(2, 5), CountedBits("fixed items"))
    assert np.count_nonzero(found.everyone) == 8
    assert len(found.items) == 0


def test_personal_items_that_cannot_be_inferred_change_nothing() -> None:
    baskets = made(400, 30, "personal")
    found = personalized(baskets, Fraction(2, 5), CountedBits("personal items"))
    whole = even_choice(400, 30, Fraction(2, 5), CountedBits("personal items"))
    assert 0 < len(found.items) < np.count_nonzero(whole)
    starts = np.concatenate([[0], np.cumsum(whole.sum(axis=1))])
    full = Sensitive(np.zeros(30, np.bool_), starts, np.nonzero(whole)[1].astype(np.int32))
    kept, expected = (
        suppress_as_paper(baskets, each, HALF, CountedBits("solving")).kept
        for each in (found, full)
    )
    assert not kept.all()
    assert (kept == expected).all()


def test_flips_and_what_anyone_minds() -> None:
    items, records = 40, 1500
    # All stand in one record, so that every constraint matters.
    starts = np.arange(records + 1) + np.minimum(np.arange(records + 1), 1) * (items - 1)
    held = np.concatenate([np.arange(items), np.zeros(records - 1, np.int64)]).astype(np.int32)
    baskets = Baskets(starts, held, tuple(f"i{code}" for code in range(items)))
    own, everyone = flipped(baskets, Fraction(1, 4), CountedBits("flips"))
    counts = np.bincount(own.items, minlength=items)
    prone = counts > records / 2
    assert np.count_nonzero(prone) == 10
    flips = np.where(prone, records - counts, counts).sum()
    # 600 of 60,000 pairs are expected, with a standard deviation of 24: five of them.
    assert flips == pytest.approx(600, abs=122)
    assert (everyone.everyone == (counts > 0)).all()
    assert len(everyone.items) == 0
