"""Sets in Python: the same files and refusals as on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sudare
from sudare.facts.errors import UsageError, VerificationFailed


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "b.dat").write_text("a x\na x\nb\na y\n")
    (tmp_path / "s.csv").write_text("user,item\n*,x\n")
    return tmp_path


def test_a_release_has_its_certificate_and_report_beside_it(files: Path) -> None:
    wishes = files / "s.csv"
    result = sudare.suppress(files / "b.dat", files / "r.dat", sensitive=wishes, rho="0.5")
    stated = json.loads((files / "r.certificate.json").read_text(encoding="utf-8"))
    assert stated["files"]["r.dat"]["sha256"] == result["sha256"]
    assert (files / "r.report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_release_is_verified(files: Path) -> None:
    given: dict[str, Any] = {"sensitive": files / "s.csv", "rho": "0.5"}
    result = sudare.suppress(files / "b.dat", files / "r.dat", **given)
    verdict = sudare.check_sets(files / "b.dat", released=files / "r.dat", **given)
    assert verdict["verified"] == result["verified"]
    with pytest.raises(VerificationFailed):
        sudare.check_sets(files / "b.dat", released=files / "b.dat", **given)
    assert sudare.check_sets(files / "b.dat", **given)["max_knowledge"] == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": "none"},
        {"mode": "none"},
        {"max_knowledge": 1.5},
        {"max_knowledge": True},
        {"max_knowledge": 0},
        {"model": "sampled", "max_knowledge": 1, "eps": "0.1", "delta": 0.1},
        {"model": "km", "k": 2.5, "max_knowledge": 1, "rho": None},
    ],
)
def test_wrong_words_are_refused(files: Path, wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {"sensitive": files / "s.csv", "rho": "0.5"} | wrong
    with pytest.raises(UsageError):
        sudare.suppress(files / "b.dat", files / "r.dat", **given)
    if "mode" not in wrong:
        with pytest.raises(UsageError):
            sudare.check_sets(files / "b.dat", released=files / "b.dat", **given)


def test_what_is_for_releases_is_refused_without_one(files: Path) -> None:
    with pytest.raises(UsageError, match="check of a release"):
        sudare.check_sets(files / "b.dat", sensitive=files / "s.csv", base_rate=True)


def test_names_are_listed() -> None:
    assert {"suppress", "check_sets", "open", "compare"} <= set(dir(sudare))
