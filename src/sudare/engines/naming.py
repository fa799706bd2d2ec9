"""What a column's name alone suggests: a type, and bounds or values that are public knowledge.

Names are English or Japanese. Every suggestion is a draft: it is written with confirmed = false.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sudare.facts.schema import ColumnType

_PREFECTURES = """
北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県
群馬県 埼玉県 千葉県 東京都 神奈川県 新潟県 富山県 石川県 福井県
山梨県 長野県 岐阜県 静岡県 愛知県 三重県 滋賀県 京都府 大阪府
兵庫県 奈良県 和歌山県 鳥取県 島根県 岡山県 広島県 山口県 徳島県
香川県 愛媛県 高知県 福岡県 佐賀県 長崎県 熊本県 大分県 宮崎県
鹿児島県 沖縄県
"""
PREFECTURES = tuple(_PREFECTURES.split())
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@dataclass(frozen=True)
class Suggestion:
    """A drafted type with drafted bounds or values."""

    type: ColumnType
    low: int | None = None
    high: int | None = None
    values: tuple[str, ...] = ()


def suggest(name: str, guessed: ColumnType) -> Suggestion | None:
    """The suggestion of a name for a column whose content looks like `guessed`."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if is_person(name) and guessed in _NAMES_SOMEBODY:
        return Suggestion("key")
    for english, japanese, suggestion in _RULES:
        if english(words) or any(part in name for part in japanese):
            return suggestion(guessed)
    return None


def is_person(name: str) -> bool:
    """Whether a column is called as people are, or as their code is: `customer`, `employee code`,
    利用者, 従業員コード. 利用者数 and 顧客満足度 are no people."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while words and words[-1] in ("code", "cd"):
        words.pop()
    if words and "".join(words) in _PEOPLE:
        return True
    plain = _CODE.sub("", name.strip())
    return plain in _PEOPLE_IN_JAPANESE or plain.endswith(_NUMBERS_OF_PEOPLE)


def is_name(name: str) -> bool:
    """Whether a column holds people's names: a key where there is no better one."""
    words = [word.lower() for word in _WORDS.findall(name)]
    return _a_name(words) or any(part in name for part in _NAMED)


def is_contact(name: str) -> bool:
    """Whether a key is a telephone number or a postal code: several people may share one."""
    words = [word.lower() for word in _WORDS.findall(name)]
    shared = _any("phone", "tel", "telephone", "mobile", "fax", "postal", "post", "zip")
    return shared(words) or any(part in name for part in ("電話", "郵便", "携帯"))


def _any(*known: str) -> Callable[[list[str]], bool]:
    return lambda words: any(word in known for word in words)


def _last(*known: str) -> Callable[[list[str]], bool]:
    return lambda words: words[-1:] != [] and words[-1] in known


def _first(*known: str) -> Callable[[list[str]], bool]:
    return lambda words: words[:1] != [] and words[0] in known


def _a_name(words: list[str]) -> bool:
    """name, full name, family_name, but not the name of a region or a product."""
    before = {"full", "first", "last", "given", "family", "middle", "person", "customer"}
    return _any("surname", "fullname")(words) or (
        words[-1:] == ["name"] and set(words[:-1]) <= before
    )


def _of_type(kind: ColumnType) -> Callable[[ColumnType], Suggestion]:
    return lambda guessed: Suggestion(kind)


def _between(low: int, high: int) -> Callable[[ColumnType], Suggestion | None]:
    def suggestion(guessed: ColumnType) -> Suggestion | None:
        return Suggestion(guessed, low, high) if guessed in ("integer", "real") else None

    return suggestion


def _among(labels: tuple[str, ...], codes: tuple[str, ...]) -> Callable[[ColumnType], Suggestion]:
    """Labels where the column holds text, codes where it holds numbers."""
    return lambda guessed: Suggestion(
        "category", values=codes if guessed in ("integer", "real") else labels
    )


def _yes_or_no(guessed: ColumnType) -> Suggestion | None:
    return Suggestion("boolean") if guessed in ("boolean", "integer") else None


_NAMES_SOMEBODY = ("integer", "category", "text")
_PEOPLE_IN_ENGLISH = """
person people user customer client subject patient employee member participant respondent
individual student pupil worker staff citizen resident consumer subscriber policyholder insured
account borrower donor donator guest passenger visitor applicant mynumber ssn who
"""
_PEOPLE = frozenset(_PEOPLE_IN_ENGLISH.split())
_PEOPLE_AS_WRITTEN = """
利用者 ユーザー ユーザ 顧客 お客様 客 患者 従業員 社員 職員 会員 メンバー 被験者 対象者
調査対象者 回答者 参加者 学生 生徒 児童 受診者 受給者 被保険者 加入者 契約者 申込者
申請者 購入者 購買者 登録者 住民 市民 個人 本人 人物 労働者 個人識別符号
"""
_PEOPLE_IN_JAPANESE = frozenset(_PEOPLE_AS_WRITTEN.split())
_NUMBERS_OF_PEOPLE = ("マイナンバー", "個人番号", "被保険者証記号")
_CODE = re.compile(r"[ _\-・]*(コード|ｺｰﾄﾞ|CD|ID|ＩＤ|No\.?|№|キー|識別子|記号)$", re.IGNORECASE)
_NAMED = ("氏名", "名前", "姓名", "フリガナ", "ふりがな")
_NUMBERS = tuple(str(number) for number in range(1, 48))
_RULES: tuple[
    tuple[Callable[[list[str]], bool], tuple[str, ...], Callable[[ColumnType], Suggestion | None]],
    ...,
] = (
    (_any("prefecture"), ("都道府県",), _among(PREFECTURES, _NUMBERS)),
    (_any("age"), ("年齢",), _between(0, 120)),
    (_any("sex", "gender"), (), _among(("F", "M"), _NUMBERS[:2])),
    (lambda words: False, ("性別",), _among(("男", "女"), _NUMBERS[:2])),
    (_any("hours"), ("労働時間", "勤務時間"), _between(0, 168)),
    (_last("month"), (), _between(1, 12)),
    (
        _last("id", "uuid", "guid", "key", "no", "number", "phone", "tel"),
        ("番号", "電話", "ＩＤ"),
        _of_type("key"),
    ),
    (_a_name, _NAMED, _of_type("text")),
    (
        _any("address", "street", "email", "mail", "memo", "note", "notes", "comment", "remarks"),
        ("住所", "備考", "メモ", "メール", "自由記述"),
        _of_type("text"),
    ),
    (
        lambda words: _first("is", "has")(words) or _last("flag")(words),
        ("フラグ", "有無"),
        _yes_or_no,
    ),
)
