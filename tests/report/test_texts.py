"""Both languages say the same things."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

from sudare.report.texts import LANGUAGES, TEXTS, text

SOURCES = Path(__file__).parents[2] / "src" / "sudare" / "report"
# Keys that the code puts together from a part and a name.
COMPOSED = ("subject_", "promise_", "fact_")


def gaps(words: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(words) if name}


def test_both_languages_have_the_same_keys() -> None:
    assert TEXTS["en"].keys() == TEXTS["ja"].keys()
    assert set(LANGUAGES) == set(TEXTS)


@pytest.mark.parametrize("key", TEXTS["en"])
def test_both_languages_fill_the_same_gaps(key: str) -> None:
    # "{unit}" may be said twice in one language and once in the other, but never be left out;
    # only e^ε's braces and plain text differ.
    assert gaps(TEXTS["en"][key]) == gaps(TEXTS["ja"][key])


def test_every_text_is_used() -> None:
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in (*SOURCES.glob("*.py"), *SOURCES.glob("page/*.j2"))
        if path.name != "texts.py"
    )
    unused = [key for key in TEXTS["en"] if f'"{key}"' not in code]
    assert [key for key in unused if not key.startswith(COMPOSED)] == []


def test_japanese_is_japanese() -> None:
    assert text("head_budget", "ja") == "プライバシー予算"
    same = {key for key in TEXTS["en"] if TEXTS["en"][key] == TEXTS["ja"][key]}
    assert same <= {"share", "share_of", "reported_epsilon"}
