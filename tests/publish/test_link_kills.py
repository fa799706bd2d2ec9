"""Any party killed at any step, and lines that break: a session ends right, or refused by all, and
nobody draws or pays twice. Parties are processes of their own that run the commands."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.joint import HELPER, Joint, known_to_all, write_joint
from support.link_killing import Faults, Host, Killing, everybody, steps_of
from support.linking import Meeting, tables, write_consortium

pytestmark = pytest.mark.integration

SIZE = 40
POINTS, JOINT_POINTS = 200, 40
TWO = ("hospital", "shop")
Meet = Callable[[str], Meeting]


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    running = Host()
    yield running
    running.close()


@pytest.fixture(scope="module")
def meet(tmp_path_factory: pytest.TempPathFactory) -> Meet:
    """A session of the kind that its label begins with: secure, hybrid, or a plain join."""
    known = known_to_all(tmp_path_factory.mktemp("identities"))
    folder = tmp_path_factory.mktemp("meetings")

    def make(label: str) -> Meeting:
        place = folder / label
        if label.startswith("secure"):
            top = 'job = "secure"\nepsilon = 1000'
            return Joint(write_joint(place, TWO, SIZE, top, HELPER), known)
        if label.startswith("hybrid"):
            central = {"hospital": "24", "shop": "18"}
            return Joint(write_joint(place, TWO, SIZE, "epsilon = 40", central=central), known)
        return Meeting(write_consortium(place, tables(SIZE)), known)

    return make


@pytest.fixture(scope="module")
def steps(host: Host, meet: Meet) -> dict[str, int]:
    """Steps of a session in which nothing happens."""
    return calm(host, meet("calm"))


def calm(host: Host, meeting: Meeting) -> dict[str, int]:
    killing = Killing(host, meeting, Faults(), random.Random(0))
    killing.run()
    assert killing.outcome() == "right"
    assert killing.deaths == 0
    return steps_of(meeting)


def held(host: Host, meeting: Meeting, faults: Faults) -> Killing:
    killing = Killing(host, meeting, faults, random.Random(1))
    killing.run()
    return killing


def test_there_are_steps_to_die_at(steps: dict[str, int]) -> None:
    assert set(steps) == {"hospital", "shop", "office", "institute"}
    assert min(steps.values()) > 60


@pytest.mark.parametrize(
    ("who", "share"), [("shop", 0.6), ("shop", 0.97), ("institute", 0.5), ("institute", 0.93)]
)
def test_killed_on_the_way(
    host: Host, meet: Meet, steps: dict[str, int], who: str, share: float
) -> None:
    faults = Faults({who: [int(share * steps[who])]})
    killing = held(host, meet(f"{who}-{share}"), faults)
    assert killing.deaths == 1
    assert killing.outcome() == "right"


def test_killed_between_paying_and_having_paid(host: Host, meet: Meet) -> None:
    """Reports may have been seen, so that nobody may draw again: all refuse."""
    meeting = meet("paid")
    killing = held(host, meeting, Faults({"shop": ["commit"]}))
    assert killing.outcome() == "refused"
    assert killing.codes == {"hospital": 4, "shop": 4, "office": 4, "institute": 4}
    assert meeting.reserved("shop") == 1


def test_killed_again_and_again(host: Host, meet: Meet) -> None:
    """Before the first charge, after the commit, and while deleting, by one and the same party."""
    faults = Faults({"office": ["reserve", "send_some", "unlink", 60]})
    killing = held(host, meet("again"), faults)
    assert killing.deaths >= 3
    assert killing.outcome() == "right"


def test_broken_and_slow_lines(host: Host, meet: Meet) -> None:
    faults = Faults(delay=0.01, cuts=(3000, 200, 6000))
    killing = held(host, meet("lines"), faults)
    assert killing.outcome() == "right"


@pytest.mark.parametrize(
    ("kind", "who", "doing"),
    [
        ("secure", HELPER, "send_some"),
        ("secure", "institute", "link"),
        ("hybrid", "shop", "send_some"),
    ],
)
def test_other_kinds_of_sessions(
    host: Host, meet: Meet, kind: str, who: str, doing: int | str
) -> None:
    killing = held(host, meet(f"{kind}-{who}"), Faults({who: [doing]}))
    assert killing.deaths == 1
    assert killing.outcome() == "right"


@pytest.mark.slow
def test_killed_anywhere(host: Host, meet: Meet, steps: dict[str, int]) -> None:
    assert_survived(anywhere(host, meet, "point", steps, POINTS), POINTS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["secure", "hybrid"])
def test_other_kinds_killed_anywhere(host: Host, meet: Meet, kind: str) -> None:
    meeting = meet(f"{kind}-calm")
    steps = calm(host, meeting)
    assert set(steps) == set(everybody(meeting))
    assert_survived(anywhere(host, meet, kind, steps, JOINT_POINTS), JOINT_POINTS)


def anywhere(host: Host, meet: Meet, kind: str, steps: dict[str, int], points: int) -> Counter[str]:
    """How so many sessions ended, each with faults drawn from its number."""

    def one(number: int) -> str:
        rng = random.Random(number)
        killing = Killing(host, meet(f"{kind}-{number}"), Faults.anywhere(rng, steps), rng)
        try:
            killing.run()
            return f"{killing.outcome()} after {killing.deaths}"
        except AssertionError as failed:
            return f"failed at {number}: {failed}"

    with ThreadPoolExecutor(4) as threads:
        return Counter(threads.map(one, range(points)))


def assert_survived(found: Counter[str], points: int) -> None:
    print(dict(found))
    assert [how for how in found if how.startswith("failed")] == []
    assert sum(n for how, n in found.items() if how.startswith("right")) > points / 2
