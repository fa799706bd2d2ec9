"""A made class of 20 after an exam: what its exact tables disclose, and what is published instead.

The counts are those of paper 001, tables 1 to 5. Nobody in the class exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sudare.demo.files import write_text
from sudare.demo.part import Found, Place
from sudare.facts.disclosure import TableCheck
from sudare.facts.plan import Plan, read_delta, read_epsilon
from sudare.facts.release import Release
from sudare.facts.schema import parse_schema
from sudare.publish.ask import ask
from sudare.publish.certifying import certify
from sudare.publish.checking_tables import check_tables
from sudare.report.both import Both
from sudare.report.certificate import statement
from sudare.report.disclosure import beside
from sudare.report.disclosure_texts import said
from sudare.report.index_page import Card, Link
from sudare.report.records_page import page
from sudare.report.tables import to_csv
from sudare.report.texts import Language

CLASSROOM = Path(__file__).parent / "classroom"
# Which tables an attacker lays together: a zero, k-anonymity with k = 10, the mosaic.
SCENES = ((1,), (2,), (3, 4, 5))
EPSILON = "3"
_VALUES: dict[str, dict[str, tuple[str, str]]] = {
    "en": {
        "sex": ("female", "male"),
        "result": ("pass", "fail"),
        "sports": ("yes", "no"),
        "culture": ("yes", "no"),
    },
    "ja": {
        "性別": ("女性", "男性"),
        "合否": ("合格", "落第"),
        "運動部": ("はい", "いいえ"),
        "文化部": ("はい", "いいえ"),
    },
}
# Numbers of people by the places of their values: sex, result, sports, culture.
_CLASS = {
    (0, 0, 0, 1): 5,
    (0, 0, 1, 0): 5,
    (0, 1, 0, 1): 3,
    (0, 1, 1, 0): 2,
    (1, 1, 0, 0): 3,
    (1, 1, 0, 1): 1,
    (1, 1, 1, 0): 1,
}


@dataclass(frozen=True)
class Exam:
    """What exact tables disclose, scene by scene; the release; what the release discloses."""

    exact: tuple[TableCheck, ...]
    release: Release
    protected: TableCheck


def exact_findings(language: str) -> tuple[TableCheck, ...]:
    """What each scene's exact tables make certain."""
    folder = CLASSROOM / language
    return tuple(
        check_tables([folder / f"table{n}.csv" for n in scene], folder / "facts.toml")
        for scene in SCENES
    )


def exam(folder: Path, language: str) -> Exam:
    """Check the exact tables, publish the same class with noise, check what was published."""
    release = published_instead(folder, language)
    table = folder / "exam.csv"
    write_text(table, to_csv(release))
    stated = table.with_suffix(".certificate.json")
    certify(statement(release), stated, (table,), folder / "class.ledger")
    return Exam(exact_findings(language), release, check_tables([table]))


def write_page(found: Exam, folder: Path, language: Language) -> Path:
    """One page: what the exact tables would have disclosed beside what was published instead."""
    parts = beside(found.exact, found.release, found.protected)
    target = folder / "exam.html"
    write_text(target, page(said("beside_title"), parts, language))
    return target


def classroom(place: Place) -> Found:
    """A class of 20: what its exact tables would have disclosed, beside what is published."""
    folder = place.folder / "exam" / place.language
    found = exam(folder, place.language)
    target = write_page(found, folder, place.language)
    telling = sum(any(each.person for each in scene.certain) for scene in found.exact)
    assert found.protected.ok
    headline = Both(
        f"{telling} of {len(found.exact)} sets of exact tables disclose a pupil's result",
        f"正確な表 {len(found.exact)} 組のうち {telling} 組が生徒の合否を明かす",
    )
    sentence = Both(
        "Zeros, counts of 10 and more, and tables laid together each make one pupil's result "
        f"certain. The same tables with ε = {EPSILON} make nothing certain.",
        "0 のセル、10 以上の度数だけの表、重ね合わせた表は、いずれも一人の生徒の合否を確定させ"
        f"ます。同じ表を ε = {EPSILON} で公表すると、確定することは何もありません。",
    )
    names = ("exam.csv", "exam.certificate.json", "class.csv", "class.ledger")
    card = Card(
        "exam",
        Both("A class of 20 after an exam", "試験を受けた 20 人のクラス"),
        Both(
            "check tables: does anything follow with certainty?",
            "check tables：何かが確実に分かるか",
        ),
        headline,
        sentence,
        "none",
        Both(
            f"none for exact tables; ε = {EPSILON} for what is published instead",
            f"正確な表にはなし（代わりに公表した表は ε = {EPSILON}）",
        ),
        (
            Link(
                place.link(target),
                Both("Exact and published, side by side", "正確な表と公表した表"),
            ),
        ),
        tuple(place.link(folder / name) for name in names),
    )
    language = place.language
    return Found((headline[language], sentence[language], f"→ {target}"), (card,))


def published_instead(folder: Path, language: str) -> Release:
    """Tables 1, 4 and 5 of the class with discrete Laplace noise, ε = 3 for all of them."""
    data = folder / "class.csv"
    write_text(data, "\n".join(_lines(language)) + "\n")
    sex, result, sports, culture = (f'"{name}"' for name in _VALUES[language])
    yes = list(_VALUES[language].values())[2][0]
    questions = (
        f"count() by ({sex}, {result})",
        f"count() by ({result}) where {sports} = '{yes}'",
        f"count() by ({result}) where {culture} = '{yes}'",
    )
    plan = Plan(questions, read_epsilon(EPSILON), read_delta("0"), "laplace")
    schema = parse_schema(_schema(language), "class")
    return ask(data, schema, plan, ledger=folder / "class.ledger", key=f"demo exam {language}")


def _lines(language: str) -> Iterator[str]:
    columns = _VALUES[language]
    yield ",".join(columns)
    for places, number in _CLASS.items():
        row = [values[place] for values, place in zip(columns.values(), places, strict=True)]
        yield from [",".join(row)] * number


def _schema(language: str) -> str:
    head = '[table]\nname = "class"\nunit = "row"\nneighbours = "replace-one"\npublic_rows = 20\n'
    parts = [head, f"[budget]\nepsilon = {EPSILON}.0\n"]
    for name, values in _VALUES[language].items():
        listed = ", ".join(f'"{value}"' for value in values)
        parts.append(f'[columns."{name}"]\ntype = "category"\nvalues = [{listed}]\n')
    return "\n".join(parts)
