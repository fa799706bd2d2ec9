"""The sentences about records: both languages alike, all used, and a page that fetches nothing."""

from __future__ import annotations

import html
import re
import string
from pathlib import Path

import pytest

from sudare.report import anonymized, anonymized_texts, records_risk, records_texts
from sudare.report.both import Both
from sudare.report.records_page import page
from sudare.report.records_risk import Part, lines

SOURCES = Path(records_risk.__file__).parent
TEXTS = {**records_texts.TEXTS, **{f"a:{k}": v for k, v in anonymized_texts.TEXTS.items()}}
ABOUT = {
    "values": 4, "distinct": 1, "entropy": 1.0, "recursive": ((2, 1.5),), "t": 0.3,
    "ordered": False, "certain_classes": 1, "certain": 5, "nearly": 5, "excluded": 9,
    "zero_cells": 3, "best_guess": 0.5, "blind_guess": 0.4, "greatest_ratio": 2.0,
}  # fmt: skip
SIZES = {
    "records": 20, "classes": 4, "k": 5, "average_risk": 0.2, "below": ((2, 0, 0.0), (5, 0, 0.0)),
    "ranges": ({"low": 5, "high": 9, "classes": 4, "records": 20},
               {"low": 100, "high": None, "classes": 0, "records": 0}),
}  # fmt: skip


# Words for records or for people, which each language needs in other places.
NOUNS = set(records_texts._RECORDS)


def gaps(words: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(words) if name} - NOUNS


def test_both_kinds_of_owner_have_all_nouns_in_one_language_or_both() -> None:
    assert set(records_texts._PEOPLE) == NOUNS
    for nouns in (records_texts._RECORDS, records_texts._PEOPLE):
        assert all(word.en or word.ja for word in nouns.values())


@pytest.mark.parametrize("key", TEXTS)
def test_both_languages_fill_the_same_gaps(key: str) -> None:
    assert gaps(TEXTS[key].en) == gaps(TEXTS[key].ja)
    assert TEXTS[key].en != TEXTS[key].ja


def test_every_text_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("*.py"))
    code += "".join(
        path.read_text(encoding="utf-8") for path in (SOURCES.parent / "cli").glob("*.py")
    )
    for table in (records_texts.TEXTS, anonymized_texts.TEXTS):
        assert not [key for key in table if code.count(f'"{key}"') < 2]


def found() -> dict[str, object]:
    sets = [
        {"columns": ("a", "b"), "uniques": 3, "few": 9},
        {"columns": ("a",), "uniques": 0, "few": 0},
    ]
    return {
        "quasi": ["a", "b"], "sensitive": ["名前"], "cleaned": False, "unit": "row",
        "anonymity": SIZES,
        "diversity": {"名前": ABOUT}, "unique_rows": [4],
        "combinations": {"worst": sets, "without": sets, "counted": 3, "skipped": 1},
        "population": {"sampling_fraction": 0.1, "size": 200, "alpha": 0.5, "theta": 2.0,
                       "pitman_uniques": 10.0, "sample_uniques": 3,
                       "pitman_share": 0.3, "binomial_share": 0.1},
        "linkage": {"columns": ["a"], "one": 3, "records": 20, "other_records": 9,
                    "both_unique": 1, "few": 4, "none": 5},
    }  # fmt: skip


def test_parts_of_a_check() -> None:
    text = "\n".join(lines(records_risk.parts(found()), "en"))
    assert "20 records fall into 4 classes by a, b: k = 5." in text
    assert "a, b     3 (15.0%)  9 (45.0%)" in text
    assert "3 of 20 records (15.0%) match exactly one of its 9, 1 of them one to one" in text
    assert "about 10 people are unique there" in text
    assert re.search(r"^  5–9 +4 +20$", text, re.M)
    assert "Recursive (c, 2)-diversity holds for c above 1.5." in text


def test_parts_of_an_anonymization() -> None:
    done = {
        "records": 20, "unit": "row", "people": None, "published": 19, "dropped": 1,
        "starred_records": 2, "starred_values": 3,
        "loss": 0.25, "discernibility": 99, "average_class": 4.75, "anonymity": SIZES,
        "search": {"levels": ["a_5", "b"], "judged": 3, "nodes": 24}, "diversity": {"s": ABOUT},
        "composition": {"levels": ["a", "*"], "records": 17, "columns": {"s": {
            "first": 0, "second": 0, "together": 6, "narrowed": 8, "smallest_joint": 1}}},
    }  # fmt: skip
    text = "\n".join(lines(anonymized.parts(done, ["a", "b"]), "en"))
    assert "there is no ε" in text
    assert "Published as: a → a_5, b." in text
    assert "could publish a, b → *." in text
    assert "knows 's' for certain for 6 of 17 records" in text
    assert "paper 001" in text
    last = "\n".join(lines(anonymized.parts({**done, "composition": None}, ["a", "b"]), "ja"))
    assert "保証ではありません" in last


def test_the_page_is_alone_and_escapes() -> None:
    evil = Both("<script>alert(1)</script>", "<b>")
    made = page(evil, [Part(evil, (evil,), (evil,), (("<i>",),))], "ja")
    assert "<script>alert" not in made
    assert "<i>" not in made
    assert "default-src 'none'" in html.unescape(made)
    assert not re.search(r"""(src|href)=["'](?!data:|#)""", made)
    assert '<html lang="ja"' in made
