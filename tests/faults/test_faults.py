"""Commands that are killed, meet a full disk or a disk that fails, at every call that changes a
file: no release without a charge, no half set, nothing drawn twice, and the same key finishes.

`pytest tests/faults -m slow -s` tries every fault at every place and prints how many there are.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from faults.case import Case
from faults.machines import WORKERS, Machines, Place, cases_at, chosen, running
from faults.scenes import SCENES
from faults.shim import MODES, compiler

pytestmark = pytest.mark.integration

FAULTS = MODES[1:]
KILLED_EVERYWHERE = ("ask", "randomize")
JOINS = ("link shop", "link institute")
SEED = 22


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    if compiler() is None:
        pytest.skip("no C compiler: the shim that makes calls fail cannot be built")
    with running(tmp_path_factory.mktemp("faults")) as found:
        yield found


def summary(scene: str, places: list[Place], told: list[dict[str, Any]]) -> str:
    """How many places and faults there were, and how they ended."""
    ended = Counter(_ended(each) for each in told)
    how = ", ".join(f"{count} {words}" for words, count in sorted(ended.items()))
    return f"{scene}: {len(places)} places, {len(told)} faults: {how}"


def _ended(told: dict[str, Any]) -> str:
    code = told.get("code")
    if code == 0:
        return "harmless"
    first = "killed" if code is not None and code < 0 else "failed"
    return f"{first}, then a new key" if told.get("new_key") else first


def assert_held(scene: str, places: list[Place], told: list[dict[str, Any]]) -> None:
    print(summary(scene, places, told))
    wrong = [
        f"{each['case']} ({places[each['case'].at - 1]}): {each['findings']}; see {each['folder']}"
        for each in told
        if each["findings"]
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("scene", KILLED_EVERYWHERE)
def test_killed_at_every_place(machines: Machines, scene: str) -> None:
    places = machines.places(scene)
    assert len(places) > 100
    cases = [case for place in places for case in cases_at(scene, place, ["kill"])]
    assert_held(scene, places, machines.run_all(cases))


@pytest.mark.parametrize("scene", SCENES)
def test_a_fault_at_every_kind_of_place(machines: Machines, scene: str) -> None:
    """The first and the last call of each kind, and some by lot; one fault each, by lot. How a
    ledger and the second place are made is the same in all commands, so two stand for all."""
    places, chance = machines.places(scene), random.Random(SEED)
    some = [
        place
        for place in chosen(places, 6, SEED)
        if scene in KILLED_EVERYWHERE or not place.is_of_making
    ]
    cases = [chance.choice(list(cases_at(scene, place, FAULTS))) for place in some]
    assert_held(scene, places, machines.run_all(cases))


@pytest.mark.parametrize("scene", JOINS)
def test_a_fault_in_a_join(machines: Machines, scene: str) -> None:
    places, chance = machines.places(scene), random.Random(SEED)
    some = chance.sample(places, 7)
    cases = [chance.choice(list(cases_at(scene, place, FAULTS))) for place in some]
    assert_held(scene, places, machines.run_all(cases))


@pytest.mark.slow
@pytest.mark.parametrize("scene", [*SCENES, *JOINS])
def test_every_fault_at_every_place(machines: Machines, scene: str) -> None:
    places = machines.places(scene)
    cases = [case for place in places for case in cases_at(scene, place, FAULTS)]
    assert_held(scene, places, machines.run_all(cases))


@pytest.mark.parametrize(
    ("mutant", "scene", "where", "says"),
    [
        ("commit_skipped", "ask", (0.9, 1), "are there and no release is"),
        ("named_before_commit", "randomize", (0.4, 1), "are there and no release is"),
        ("written_in_place", "tabulate", (0.7, 1), "cut off"),
        ("noise_drawn_again", "ask", (0.7, 1), "charges an idempotency key twice"),
        ("nothing_swept", "ask", (0, 0.3), "left behind"),
    ],
)
def test_what_is_wrong_on_purpose_is_caught(
    machines: Machines, mutant: str, scene: str, where: tuple[float, float], says: str
) -> None:
    """The same checks, on products whose order or whose clearing up is wrong; killed where, as a
    share of all places, it can show."""
    count = len(machines.run(Case(scene, "count", 0, mutant))["places"])
    first, last = (int(share * count) for share in where)
    order = random.Random(SEED).sample(range(first + 1, last + 1), last - first)
    found: list[str] = []
    while order and not any(says in each for each in found):
        some, order = order[:WORKERS], order[WORKERS:]
        for told in machines.run_all(Case(scene, "kill", at, mutant) for at in some):
            found += told["findings"]
    assert any(says in each for each in found), f"not caught; found {Counter(found)}"
