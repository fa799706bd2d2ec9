"""The hybrid way between organisations, whole, over real TLS: own central releases and a join."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudare.facts.errors import BudgetRefused, InvalidPlan, SudareError, Unreachable
from sudare.facts.estimated import Estimated, Wanted
from sudare.publish.estimate import estimate_file
from sudare.publish.link_work import work_of
from sudare.report.link import lines, part_lines
from sudare.report.link_page import page
from support.joint import HELPER, Joint, from_join, known_to_all, write_joint
from support.linking import Ended, hurry

NAMES = ("hospital", "shop")
SIZE = 300
CENTRAL = {"hospital": "24", "shop": "18"}
HUGE = {"hospital": "500", "shop": "300"}
Meet = Callable[..., Joint]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patching:
        hurry(patching)
        yield known_to_all(tmp_path_factory.mktemp("identities"))


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory, known: Path) -> tuple[Joint, Ended]:
    folder = tmp_path_factory.mktemp("held") / "meeting"
    plan = write_joint(folder, NAMES, SIZE, "epsilon = 40", central=CENTRAL, numbers=2)
    meeting = Joint(plan, known)
    return meeting, meeting.run()


@pytest.fixture
def meet(tmp_path: Path, known: Path) -> Meet:
    def make(top: str = "epsilon = 40", helper: str | None = None, **more: Any) -> Joint:
        return Joint(write_joint(tmp_path / "meeting", NAMES, SIZE, top, helper, **more), known)

    return make


def certificate(ended: Ended) -> dict[str, Any]:
    failed = {name: each.what for name, each in ended.items() if isinstance(each, SudareError)}
    assert not failed
    found = ended["collector"]
    assert isinstance(found, dict)
    return found


def file_of(meeting: Joint) -> dict[str, Any]:
    path = meeting.folder / "joined.statistics.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def entry(found: Estimated, one: str, two: str) -> Any:
    matrix = found.covariance
    assert matrix is not None
    return matrix.entries[matrix.columns.index(one)][matrix.columns.index(two)]


def own_covariance(meeting: Joint, name: str) -> float:
    """Over all people of an organisation, joined or not."""
    with (meeting.folder / f"{name}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    one, two = ([float(row[f"{name}_{which}"]) for row in rows] for which in (0, 1))
    return float(np.cov(one, two, bias=True)[0, 1])


def test_own_blocks_are_of_the_own_release_and_cross_blocks_of_the_join(
    held: tuple[Joint, Ended],
) -> None:
    meeting, ended = held
    certificate(ended)
    found = Estimated.from_dict(file_of(meeting)["estimated"])
    joined = estimate_file(meeting.output, Wanted())
    for name in NAMES:
        own = entry(found, f"{name}_0", f"{name}_1")
        true = own_covariance(meeting, name)
        assert abs(own.raw - true) < 6 * own.standard_error < true
        assert abs(own.raw - entry(joined, f"{name}_0", f"{name}_1").raw) > 1e-6
    cross = entry(found, "hospital_0", "shop_1")
    assert cross.raw == pytest.approx(entry(joined, "hospital_0", "shop_1").raw)


def test_costs_add_up_and_are_paid_once(held: tuple[Joint, Ended]) -> None:
    meeting, ended = held
    told = certificate(ended)
    assert told["costs"]["parties"] == {
        "hospital": {"joined": 20.0, "central": 24.0, "total": 44.0},
        "shop": {"joined": 20.0, "central": 18.0, "total": 38.0},
    }
    assert told["costs"]["whole"] == {"joined": 40.0, "central": 42.0, "total": 82.0}
    for party in told["parties"]:
        assert party["central"]["spent"]["epsilon"] == float(CENTRAL[party["name"]])
        assert party["central"]["release"] != party["release"]
    assert [meeting.reserved(name) for name in NAMES] == [2, 2]
    assert meeting.collect() == told
    shop = ended["shop"]
    assert isinstance(shop, dict)
    assert any("ε = 18 was spent" in line for line in part_lines(shop, "en"))


def test_it_is_compared_with_the_all_local_way(held: tuple[Joint, Ended]) -> None:
    meeting, _ = held
    compared = file_of(meeting)["compared"]
    assert {each["block"] for each in compared} == {"own", "cross"}
    assert len(compared) == 4 * 5 // 2
    own = [each["ratio"] for each in compared if each["block"] == "own"]
    assert all(ratio < 1 for ratio in own)


def test_the_page_shows_both_in_both_languages(held: tuple[Joint, Ended]) -> None:
    meeting, ended = held
    told = certificate(ended)
    text = page(told, "ja", file_of(meeting))
    assert "positive semidefinite" in text
    for each in ("合計 ε", "beside the all-local way", "hospital_0", "44"):
        assert each in text
    assert any("own releases, 82 for a person" in line for line in lines(told, "en"))
    assert "statistics.json" in told["sha256"]


def test_one_organisation_alone_may_release_its_own(meet: Meet) -> None:
    meeting = meet(central={"shop": "300"}, numbers=2)
    told = certificate(meeting.run())
    assert [party["central"] is None for party in told["parties"]] == [True, False]
    assert [meeting.reserved(name) for name in NAMES] == [1, 2]
    found = Estimated.from_dict(file_of(meeting)["estimated"])
    joined = estimate_file(meeting.output, Wanted())
    own = entry(found, "shop_0", "shop_1").raw
    assert own == pytest.approx(own_covariance(meeting, "shop"), abs=0.03)
    theirs = entry(found, "hospital_0", "hospital_1").raw
    assert theirs == pytest.approx(entry(joined, "hospital_0", "hospital_1").raw)


def test_own_releases_stand_beside_a_secure_computation(meet: Meet) -> None:
    top = 'job = "secure"\nepsilon = 1000'
    meeting = meet(top, HELPER, central=HUGE, numbers=2)
    told = certificate(meeting.run())
    assert told["costs"]["whole"]["total"] == 1800.0
    assert [meeting.reserved(name) for name in NAMES] == [2, 2]
    found = Estimated.from_dict(file_of(meeting)["estimated"])
    what = "covar_pop(hospital_0, shop_1)"
    ((cross,),) = from_join(meeting.folder, NAMES, what)
    assert entry(found, "hospital_0", "shop_1").raw == pytest.approx(cross, abs=0.02)
    own = entry(found, "shop_0", "shop_1").raw
    assert own == pytest.approx(own_covariance(meeting, "shop"), abs=0.03)


def test_without_central_there_are_no_statistics(meet: Meet) -> None:
    meeting = meet("epsilon = 8")
    told = certificate(meeting.run())
    assert told["costs"] is None
    assert not (meeting.folder / "joined.statistics.json").exists()
    assert [meeting.reserved(name) for name in NAMES] == [1, 1]


def test_what_the_ledger_does_not_have_for_both_is_refused_before_anybody_pays(meet: Meet) -> None:
    meeting = replace(meet(central={"shop": "300"}, budget=100.0), wait=2.0)
    ended = meeting.run()
    assert isinstance(ended["shop"], BudgetRefused)
    assert [meeting.reserved(name) for name in NAMES] == [0, 0]
    assert all(isinstance(ended[who], Unreachable) for who in ("hospital", "collector"))


def test_an_empty_join_still_has_own_blocks(meet: Meet) -> None:
    meeting = meet(central=CENTRAL, numbers=2)
    path = meeting.folder / "shop.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\n090", "\n080"), encoding="utf-8")
    told = certificate(meeting.run())
    assert told["rows"] == 0
    found = Estimated.from_dict(file_of(meeting)["estimated"])
    own = entry(found, "shop_0", "shop_1")
    assert abs(own.raw - own_covariance(meeting, "shop")) < 6 * own.standard_error
    assert entry(found, "hospital_0", "shop_0").raw is None


def test_a_central_release_needs_numbers(meet: Meet) -> None:
    meeting = meet(central={"shop": "300"}, numbers=0)
    with pytest.raises(InvalidPlan, match="'shop' has no number"):
        work_of(meeting.plan)
