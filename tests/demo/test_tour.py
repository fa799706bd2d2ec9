"""The shipped town and the tour."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.demo.town import PEOPLE, people_csv, schema_text
from sudare.facts.schema import parse_schema
from sudare.publish.steward import validate


def _no_synthetic_town(folder: Path, *rest: object) -> list[str]:
    return [f"{folder.name} town"]


def _no_join(folder: Path, *rest: object) -> tuple[list[str], Path]:
    return [f"{folder.name} joined"], folder


def test_the_town_is_the_same_everywhere_and_fits_its_schema(tmp_path: Path) -> None:
    text = people_csv()
    assert text.count("\n") == PEOPLE + 1
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert digest == hashlib.sha256(people_csv().encode()).hexdigest()
    path = tmp_path / "people.csv"
    path.write_text(text, encoding="utf-8")
    report = validate(path, parse_schema(schema_text("ja"), "town"))
    assert report.ok, report
    assert not report.findings


def test_the_tour_writes_what_it_promises_and_can_be_walked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The synthetic town, the join and the shop have tests of their own; three of each would take
    # minutes.
    monkeypatch.setattr("sudare.demo.tour.write_synthetic_town", _no_synthetic_town)
    monkeypatch.setattr("sudare.demo.tour.write_shop", _no_synthetic_town)
    monkeypatch.setattr("sudare.demo.tour.write_hospital_and_shop", _no_join)

    def walk(*options: str) -> str:
        run = CliRunner().invoke(app, ["demo", "-o", str(tmp_path / "out"), *options])
        assert run.exit_code == 0, run.output
        return run.stdout

    first = walk()
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names >= {
        "people.csv", "people.schema.toml", "people.ledger", "answers.csv", "certificate.json",
        "report.html", "regions.csv", "regions.certificate.json", "regions.report.html",
    }  # fmt: skip
    certificate = json.loads((tmp_path / "out" / "certificate.json").read_text("utf-8"))
    assert certificate["guarantee"]["epsilon"] == 1.0
    assert walk() == first
    assert "平均" in walk("--lang", "ja")
