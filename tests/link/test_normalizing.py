from __future__ import annotations

import re
import struct
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sudare.facts.errors import InvalidPlan
from sudare.link.normal.variants import USUAL
from sudare.link.normalizing import RULES, STRETCH, normal, normalize
from support.tiers import examples

PAGE = Path(__file__).parents[2] / "docs" / "link-keys.md"
ALL = ["exact", *RULES]

# What the rules look for, so that random texts meet their branches and not only their beginnings.
PIECES = st.sampled_from(
    [*"0123456789０９+＋-‐−ーｰ一二十百千〇 　\t\n()（）.／:々様殿ノのヶケがガカｶﾞﾊﾟか゛ヷ",
     *"・=@＠aAéßİﬁ①㍿", "丁目", "番地", "番", "号", "号室", "町", "館", "大字", "〒",
     "100-0001", "〒100-0001", "階", "内線",
     "tel", "電話", "+81", "81", "0081", "010", "03", "090", "mailto:",
     "\u200b", "\u3099",
     "\u0301", "\U000e0100", "髙", "齋", "山田", "コーポ", "example.jp"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=12)


def one(value: str | None, rule: str) -> str | None:
    return normal([value], rule)[0]


def same(rule: str, *values: str) -> str:
    """What all of the values become."""
    (result,) = set(normal(values, rule))
    assert result is not None
    return result


@pytest.mark.parametrize("rule", ALL)
@examples(300)
@given(TEXTS)
def test_a_rule_leaves_its_own_result_alone(rule: str, text: str) -> None:
    once = one(text, rule)
    assert one(once, rule) == once
    assert once != ""


@pytest.mark.parametrize("rule", ALL)
@examples(60)
@given(st.lists(st.none() | TEXTS, max_size=6))
def test_a_value_does_not_depend_on_its_neighbours(rule: str, values: list[str | None]) -> None:
    assert normal(values, rule) == [one(value, rule) for value in values]


@pytest.mark.parametrize("rule", list(RULES))
@examples(60)
@given(TEXTS)
@example("´")
@example("a´b ¨")
@example("0¸")
@example("\u037a")
@example("\u22609")
@example("7 \u0338= \u1fee\u0344\u2126")
def test_how_a_text_is_encoded_does_not_matter(rule: str, text: str) -> None:
    text = text.replace("゛", "").replace("゜", "")
    full = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    ways = [unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    assert set(normal([full, *ways], rule)) == {one(text, rule)}


@pytest.mark.parametrize("count", [0, 1, STRETCH, STRETCH + 3])
def test_stretches_do_not_show(count: int) -> None:
    numbers = [f"０9０-{i:08}" for i in range(count)]
    assert normal(numbers, "phone") == [f"+8190{i:08}" for i in range(count)]


def test_phones() -> None:
    assert same(
        "phone", "090-1234-5678", "09012345678", "０９０ー１２３４ー５６７８", "090 1234 5678",
        "090‐1234‐5678", "090–1234−5678", "(090)1234-5678", "090（1234）5678", "090.1234.5678",
        "+81 90-1234-5678", "＋８１-90-1234-5678", "+81 (0)90 1234 5678", "0081-90-1234-5678",
        "010-81-90-1234-5678", "819012345678", "9012345678", "TEL：090-1234-5678",
        "携帯 090-1234-5678", "\u200b090-1234-5678\ufeff", "090-1234-5678\n",
    ) == "+819012345678"  # fmt: skip
    assert same("phone", "(03)1234-5678", "03-1234-5678", "℡03(1234)5678") == "+81312345678"
    assert same("phone", "0120-123-456", "0120123456") == "+81120123456"
    assert same("phone", "0800-123-4567", "+81 800 123 4567") == "+818001234567"
    assert same("phone", "+1 202-555-0123", "010-1-202-555-0123") == "+12025550123"


@pytest.mark.parametrize(
    "value",
    ["", " ", "なし", "03-1234-5678 内線12", "03-1234-5678(内)12", "03-1234-5678 ext.12",
     "03-1234-5678#12", "03-1234-5678/03-1234-5679", "090-1234-567", "03-1234-56789", "1234-5678",
     "00000000000", "+81", "+81-1-2", "+0123456789", "110", "０３－"],
)  # fmt: skip
def test_what_is_no_phone_of_one_person_cannot_be_used(value: str) -> None:
    assert one(value, "phone") is None


def test_numbers() -> None:
    assert (
        same("number", "0012-34ab", "００１２ー３４ＡＢ", " 0012 34Ab ", "0012—34ab") == "001234ab"
    )
    assert one("0012", "number") != one("12", "number")
    assert normal(["なし", "-", "", None, "No"], "number") == [None] * 5


def test_names() -> None:
    assert (
        same("name", "髙橋　一郎", "高橋一郎", "高橋 一郎 様", "高橋・一郎", "高橋一郎殿")
        == "高橋一郎"
    )
    assert same("name", "ﾀｶﾊｼ ｲﾁﾛｳ", "タカハシイチロウ", "たかはし　いちろう") == "タカハシイチロウ"
    assert same("name", "齋藤", "齊藤", "斎藤", "斉藤") == "斉藤"
    assert same("name", "渡邊", "渡邉", "渡辺", "渡邊󠄀") == "渡辺"
    assert same("name", "佐々木", "佐佐木") == "佐佐木"
    assert same("name", "ローラ", "ﾛｰﾗ", "ロ-ラ", "ろーら") == "ローラ"
    assert same("name", "O'Brien", "O’BRIEN", "Ｏ'brien") == "obrien"
    assert same("name", "山田 殿", "山田") == "山田"
    assert one("鵜殿", "name") == "鵜殿"
    assert one("様", "name") is None


def test_strict_names_keep_their_characters() -> None:
    assert len(set(normal(["齋藤", "齊藤", "斎藤", "斉藤"], "name-strict"))) == 4
    assert same("name-strict", "髙橋　様", "髙橋") == "髙橋"


def test_addresses() -> None:
    assert same(
        "address", "東京都千代田区霞が関一丁目二番三号", "東京都千代田区霞ヶ関１－２－３",
        "〒100-0013 東京都千代田区霞ケ関1丁目2番地の3", "東京都千代田区霞が関1-2-3",
        "1000013東京都千代田区 霞が関 1ー2ー3", "東京都千代田区霞が関１丁目2−3号",
        "東京都千代田区霞が関一―二―三", "東京都千代田区霞が関1丁目2番3号　",
    ) == "東京都1000代田区霞ケ関1-2-3"  # fmt: skip
    assert same("address", "三番町六番地2", "3番町6-2", "三番町6の2") == "3番町6-2"
    assert same("address", "北十条西三丁目", "北10条西3丁目", "北１０条西３") == "北10条西3"
    assert same("address", "千二百三番地", "一二〇三番地", "1203") == "1203"
    assert same("address", "大字上山田1234番地5", "上山田1234-5") == "上山田1234-5"
    assert (
        same("address", "1-2-3 コーポ山田101号室", "1丁目2-3コ-ポ山田１０１", "1-2-3ｺｰﾎﾟ山田 101")
        == "1-2-3コーポ山田101"
    )
    assert same("address", "1-2-3-101", "1-2-3 101", "1丁目2番3号101号室") == "1-2-3-101"
    assert same("address", "龍ケ崎市1", "竜ヶ崎市1") == "竜ケ崎市1"


@pytest.mark.parametrize(
    ("one_way", "other_way"),
    [("1-23", "12-3"), ("1丁目23", "1丁目2-3"), ("三番町6", "3-6"), ("二十-3", "23"),
     ("1-2", "1-2-3"), ("3号館1", "3-1"), ("字十1-2", "字101-2")],
)  # fmt: skip
def test_different_addresses_stay_apart(one_way: str, other_way: str) -> None:
    assert one(one_way, "address") != one(other_way, "address")


def test_emails() -> None:
    assert (
        same(
            "email", "Taro@Example.JP", " ｔａｒｏ＠ｅｘａｍｐｌｅ．ｊｐ", "mailto:taro@example.jp"
        )
        == "taro@example.jp"
    )
    assert len(set(normal(["a.b@c.jp", "ab@c.jp", "ab+x@c.jp"], "email"))) == 3
    refused = ["a@b", "a b@c.jp", "a@b@c.jp", "@c.jp", "a@.jp", "a@c..jp", "太郎 <a@c.jp>", "なし"]
    assert normal(refused, "email") == [None] * len(refused)


def test_exact_changes_nothing() -> None:
    values = ["Ａ", "a\nb", " a ", "\u200b", None, ""]
    assert normal(values, "exact") == ["Ａ", "a\nb", " a ", "\u200b", None, None]


def test_parts_are_joined_by_their_lengths() -> None:
    (key,) = normalize([["山田"], ["1-2"]], ["name", "address"])
    parts = ["山田".encode(), b"1-2"]
    assert key == b"".join(struct.pack(">I", len(part)) + part for part in parts)


@examples(100)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=2, max_size=2))
def test_two_keys_are_equal_only_if_all_their_parts_are(rows: list[tuple[str, str]]) -> None:
    first, second = normalize([[row[0] for row in rows], [row[1] for row in rows]], ["exact"] * 2)
    if first is not None and second is not None:
        assert (first == second) == (rows[0] == rows[1])


def test_a_missing_part_makes_the_key_missing() -> None:
    columns = [["a", None, "a", "a"], ["1", "1", "", "なし"]]
    keys = normalize(columns, ["exact", "number"])
    assert keys[0] is not None
    assert keys[1:] == [None, None, None]


def test_a_single_part_has_its_length_too() -> None:
    assert normalize([["a", None]], ["exact"]) == [b"\0\0\0\1a", None]


def test_columns_of_different_lengths_or_too_few_rules_are_a_fault() -> None:
    for columns, rules in (([["a"], []], ["exact"] * 2), ([["a"]], ["exact"] * 2)):
        with pytest.raises(ValueError, match="argument"):
            normalize(columns, rules)


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(InvalidPlan, match="unknown rule"):
        normal(["a"], "soundex")


def test_variants_lead_to_forms_that_stay() -> None:
    assert not set(USUAL) & set(USUAL.values())
    for met, usual in USUAL.items():
        assert unicodedata.normalize("NFKC", met) == met
        assert unicodedata.normalize("NFKC", usual) == usual


def test_the_examples_of_the_page_are_true() -> None:
    rows = re.findall(r"^\| `(\S+)` \| (.+?) \| `(.+)` \|$", PAGE.read_text("utf-8"), re.M)
    assert {rule for rule, _, _ in rows} == set(RULES)
    for rule, ways, result in rows:
        for way in re.findall(r"`([^`]+)`", ways):
            assert one(way, rule) == (None if result == "–" else result), (rule, way)
