"""The class of 20: three disclosures by exact tables, none by what is published instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudare.demo.exam import exam, write_page
from sudare.report.texts import LANGUAGES, Language


@pytest.mark.parametrize("language", LANGUAGES)
def test_exact_tables_disclose_and_protected_ones_do_not(
    tmp_path: Path, language: Language
) -> None:
    found = exam(tmp_path, language)
    assert [len(scene.tables) for scene in found.exact] == [1, 1, 3]
    assert all(any(each.person for each in scene.certain) for scene in found.exact)
    assert found.protected.ok
    assert found.protected.noisy == ("exam.csv",)


def test_the_page_shows_both_sides(tmp_path: Path) -> None:
    page = write_page(exam(tmp_path, "en"), tmp_path, "en").read_text(encoding="utf-8")
    assert "What the exact tables would have disclosed" in page
    assert "What we published instead" in page
    assert "A-kun: result = fail." in page
    assert "noise was added" in page
