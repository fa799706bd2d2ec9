"""The synthetic town: both kinds of rows, what belongs to them, and one price for good."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sudare.demo import synthetic
from sudare.demo.part import Place
from sudare.demo.synthetic import EPSILON, KEY, synthesis
from sudare.demo.town import people_csv, schema_text
from sudare.facts.schema import parse_schema
from sudare.publish.private_statistics import PrivatePlan, private_statistics
from sudare.report.columns import text_width

pytestmark = pytest.mark.integration

ROWS = 400
PEOPLE = 800


def test_a_synthetic_town_beside_the_real_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synthetic, "ROWS", ROWS)
    data = tmp_path / "people.csv"
    data.write_text("".join(people_csv().splitlines(keepends=True)[: PEOPLE + 1]), "utf-8")
    (tmp_path / "people.schema.toml").write_text(schema_text("en"), "utf-8")
    schema, ledger = parse_schema(schema_text("en"), "town"), tmp_path / "people.ledger"
    place = tmp_path / "synthetic"
    step = synthesis(Place(tmp_path, "ja"))
    shown = step.lines[:5]
    assert "なし" in shown[1]
    assert "ε = 1" in shown[1]
    assert len({text_width(line) for line in shown}) == 1
    (card,) = step.cards
    assert all((tmp_path / link.address).is_file() for link in card.pages)
    assert all((tmp_path / name).is_file() for name in card.files)
    found = {
        name: json.loads((place / f"{name}.certificate.json").read_text("utf-8"))
        for name in ("exact", "private")
    }
    assert found["exact"]["guarantee"] is None
    assert found["private"]["guarantee"]["epsilon"] == 1.0
    for name, certificate in found.items():
        assert certificate["body"]["rows"] == ROWS
        text = (place / f"{name}.csv").read_text(encoding="utf-8-sig")
        assert text.count("\n") == ROWS + 1
        assert "person_id" not in text
        assert "formal guarantee" in (place / f"{name}.report.html").read_text("utf-8")
        assert "For the steward only" in (place / f"{name}.compared.html").read_text("utf-8")
    assert '<html lang="ja"' in (place / "private.compared.html").read_text("utf-8")
    again = private_statistics(data, schema, PrivatePlan(EPSILON), ledger=ledger, key=KEY)
    assert found["private"]["provenance"]["statistics"]["release"] == again.id
    assert again.left["epsilon"] == 2.0
