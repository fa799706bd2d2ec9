"""The stop "hospital and shop": the truth lies where the table says, and nothing is paid twice."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from sudare.demo import hospital_shop
from sudare.demo.hospital_shop import EPSILON, write_hospital_and_shop

pytestmark = pytest.mark.integration


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def test_true_and_estimated_side_by_side_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three times the stated reach is missed by one number in 2e8; there are eight."""
    place = tmp_path / "joined"
    found = write_hospital_and_shop(place, "en")
    with found.path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == len(found.compared) + 1 == 9
    assert "correlation(hours, income)" in {row[0] for row in rows}
    for name, true, estimated, interval, _, note in rows[1:]:
        if estimated != "–":
            low, high = (number(end) for end in interval.split(" – "))
            middle, reach = (low + high) / 2, (high - low) / 2
            assert abs(number(true) - middle) <= 3 * reach, name
        else:
            assert note
    told = json.loads((place / "joined.certificate.json").read_text(encoding="utf-8"))
    assert told["guarantee"]["epsilon"] == float(EPSILON)
    assert all(party["deleted"] for party in told["body"]["parties"])

    # Once more is the same file: nobody is started again, so nothing is drawn or paid.
    def never(*_: object) -> None:
        raise AssertionError("a session runs once")

    monkeypatch.setattr(hospital_shop, "run", never)
    monkeypatch.setattr(hospital_shop, "write_consortium", never)
    assert write_hospital_and_shop(place, "en").lines == found.lines
    assert "真の値" in write_hospital_and_shop(place, "ja").lines[0]
