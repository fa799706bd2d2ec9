"""The town's shop: what was bought, what is minded, and the release of it."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from pathlib import Path

import pytest

from sudare.demo import baskets_release
from sudare.demo.baskets import baskets_csv, sensitive_csv
from sudare.demo.baskets_goods import DELICATE, ERRANDS, GOODS
from sudare.demo.baskets_release import RHO, shop
from sudare.demo.part import Place
from sudare.facts.sets_plan import SetsPlan
from sudare.publish.check_released import check_released
from sudare.publish.sets_input import SetsInput
from sudare.report.columns import text_width


def held(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in csv.DictReader(io.StringIO(text)):
        found[row["user"]].add(row["item"])
    return found


def test_every_good_can_be_bought_and_has_one_name_in_each_language() -> None:
    sold = {good for goods in ERRANDS.values() for good in goods}
    assert sold == set(GOODS)
    assert set(DELICATE) < sold
    assert len(set(GOODS.values())) == len(GOODS)


def test_both_languages_have_the_same_baskets() -> None:
    english, japanese = (held(baskets_csv(language)) for language in ("en", "ja"))
    assert len(english) == 15_665
    assert {u: {GOODS[i] for i in items} for u, items in english.items()} == japanese
    assert baskets_csv("en") == baskets_csv("en")
    north = held(baskets_csv("en", "north"))
    assert {u: english[u] for u in north} == north
    assert len(north) < len(english) / 2


def test_people_mind_what_they_have_and_what_they_do_not() -> None:
    bought, minded = held(baskets_csv("en")), held(sensitive_csv("en"))
    both = [minded[u] & bought[u] for u in minded]
    assert 0 < sum(map(bool, both)) < len(both) / 2
    everyday = set(GOODS) - set(DELICATE)
    assert 0.1 < sum(bool(items & everyday) for items in minded.values()) / len(minded) < 0.25


def test_the_release_is_safe_and_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baskets_release, "STREETS", 3000)
    step = shop(Place(tmp_path, "ja"))
    *shown, exposed, page = step.lines
    assert len({text_width(line) for line in shown}) == 1
    assert "公開版" in shown[0]
    assert exposed.endswith("exposed.html")
    assert page.endswith("released.report.html")
    (card,) = step.cards
    assert card.kind == "syntactic"
    assert all((tmp_path / link.address).is_file() for link in card.pages)
    assert all((tmp_path / name).is_file() for name in card.files)
    tmp_path = tmp_path / "baskets" / "ja"
    given = SetsInput(tmp_path / "baskets.csv", tmp_path / "sensitive.csv")
    released = tmp_path / "released.csv"
    assert check_released(given, released, SetsPlan(rho=RHO))["verified"]["tested"] > 0
    before = held((tmp_path / "baskets.csv").read_text("utf-8"))
    after = held(released.read_text("utf-8-sig"))
    assert all(after[user] <= items for user, items in before.items())
    assert sum(map(len, after.values())) < sum(map(len, before.values()))
    stated = (tmp_path / "released.certificate.json").read_text("utf-8")
    assert json.loads(stated)["guarantee"]["rho"] == "1/2"
    assert not [name for name in GOODS.values() if f'"{name}"' in stated]
    for name in ("exposed.html", "released.report.html"):
        assert '<html lang="ja"' in (tmp_path / name).read_text("utf-8")
