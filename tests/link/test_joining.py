"""Rows by pseudonym and class, against a join of dictionaries."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.link.joining import joined

Points = NDArray[np.uint8]


def points(keys: list[int], prefix: int | None = None) -> Points:
    """A pseudonym for each key: noise that the key alone decides, or one prefix for all."""
    made = [np.random.default_rng(key).integers(0, 256, 32, np.uint8) for key in keys]
    found = np.array(made, np.uint8).reshape(-1, 32)
    if prefix is not None:
        found[:, :8] = prefix
    return found


def plain(held: dict[str, list[int]]) -> dict[frozenset[str], dict[int, dict[str, int]]]:
    """Class → key → row number by party, one at a time."""
    found: dict[frozenset[str], dict[int, dict[str, int]]] = {}
    for key in set().union(*held.values()):
        rows = {name: keys.index(key) for name, keys in held.items() if key in keys}
        found.setdefault(frozenset(rows), {})[key] = rows
    return found


def check(held: dict[str, list[int]], prefix: int | None = None) -> None:
    found = joined({name: points(keys, prefix) for name, keys in held.items()})
    wanted = plain(held)
    assert set(found) == set(wanted)
    for members, rows in found.items():
        people = zip(*(rows[name].tolist() for name in sorted(members)), strict=True)
        told = sorted(
            tuple(each[name] for name in sorted(members)) for each in wanted[members].values()
        )
        assert sorted(people) == told


@pytest.mark.parametrize("prefix", [None, 7], ids=["spread", "one prefix"])
def test_classes_are_those_of_a_plain_join(prefix: int | None) -> None:
    made = np.random.default_rng(5)
    held = {name: made.permutation(60)[:size].tolist() for name, size in
            (("病院", 40), ("商店", 30), ("役所", 20))}  # fmt: skip
    assert len(plain(held)) == 7
    check(held, prefix)


@pytest.mark.parametrize(
    "held",
    [
        {"a": [1, 2, 3], "b": [4, 5]},
        {"a": [], "b": [4, 5]},
        {"a": [], "b": []},
        {"a": [3, 1, 2], "b": [2, 3, 1]},
        {"a": [9]},
    ],
    ids=["nobody joined", "an empty party", "nobody at all", "everybody joined", "alone"],
)
def test_edges(held: dict[str, list[int]]) -> None:
    check(held)


def test_a_pseudonym_twice_is_refused() -> None:
    with pytest.raises(InvalidFile, match="twice"):
        joined({"a": points([1, 2, 1]), "b": points([2])})


def test_one_different_byte_is_another_person() -> None:
    one, other = points([1, 2]), points([1, 2])
    other[0, 31] ^= 1
    found = joined({"a": one, "b": other})
    counts = {"".join(sorted(each)): len(next(iter(rows.values()))) for each, rows in found.items()}
    assert counts == {"a": 1, "b": 1, "ab": 1}


def test_many_rows() -> None:
    made = np.random.default_rng(1)
    every = made.integers(0, 256, (150_000, 32), np.uint8)
    order = [made.permutation(100_000), 50_000 + made.permutation(100_000)]
    found = joined({"a": every[order[0]], "b": every[order[1]]})
    both = found[frozenset({"a", "b"})]
    assert len(both["a"]) == 50_000
    assert np.array_equal(order[0][both["a"]], order[1][both["b"]])
    assert (
        sorted(found[frozenset({"a"})]["a"].tolist()) == np.flatnonzero(order[0] < 50_000).tolist()
    )
