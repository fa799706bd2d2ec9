"""The parts of the tour, in their order. What a part needs is loaded when it is run, so that a part
whose packages are missing is no hindrance to the others."""

from __future__ import annotations

from sudare.demo.files import write_text
from sudare.demo.part import Found, Part, Place, Step
from sudare.demo.town import PEOPLE, people_csv, schema_text
from sudare.report.both import Both


def _overview(place: Place) -> Found:
    from sudare.demo.asked import overview

    return overview(place)


def _regions(place: Place) -> Found:
    from sudare.demo.asked import regions

    return regions(place)


def _table(place: Place) -> Found:
    from sudare.demo.tabled import table

    return table(place)


def _local(place: Place) -> Found:
    from sudare.demo.each_person import local

    return local(place)


def _synthesis(place: Place) -> Found:
    from sudare.demo.synthetic import synthesis

    return synthesis(place)


def _link(place: Place) -> Found:
    from sudare.demo.hospital_shop import link

    return link(place)


def _shop(place: Place) -> Found:
    from sudare.demo.baskets_release import shop

    return shop(place)


def _classroom(place: Place) -> Found:
    from sudare.demo.exam import classroom

    return classroom(place)


def _refusal(place: Place) -> Found:
    from sudare.demo.refused import refusal

    return refusal(place)


def _town(place: Place) -> Found:
    """Its table and its schema."""
    schema = place.folder / "people.schema.toml"
    write_text(place.data, people_csv())
    write_text(schema, schema_text(place.language))
    return Found((f"→ {place.data}", f"→ {schema}"))


TOWN = Step(Both(f"A made town of {PEOPLE:,} people", f"{PEOPLE:,} 人の架空の町"), _town)
REFUSAL = Step(Both("More than is left of the budget", "残りの予算を超える要求"), _refusal)
PARTS = (
    Part(
        "ask",
        Both("questions, answered with noise", "雑音を加えた質問への答え"),
        (
            Step(
                Both("Nine questions for one ε = 1", "九つの質問に合計 ε = 1"),
                _overview,
            ),
            Step(
                Both(
                    "Two tables by region, Gaussian noise, ε = 0.5",
                    "地区別の二つの表（ガウス雑音、ε = 0.5）",
                ),
                _regions,
            ),
        ),
        town=True,
        spends=True,
    ),
    Part(
        "tables",
        Both("a cross table whose margins agree", "周辺和の一致するクロス集計表"),
        (Step(Both("A cross table, ε = 0.5", "クロス集計表（ε = 0.5）"), _table),),
        needs=("xlsxwriter",),
        town=True,
        spends=True,
    ),
    Part(
        "local",
        Both("each person randomises", "一人ひとりがランダム化"),
        (Step(Both("Each person randomises", "一人ひとりがランダム化"), _local),),
        town=True,
    ),
    Part(
        "synthesis",
        Both("a synthetic town beside the real one", "合成の町と実際の町の比較"),
        (Step(Both("A synthetic town beside the real one", "合成の町と実際の町"), _synthesis),),
        needs=("scikit-learn",),
        town=True,
        spends=True,
    ),
    Part(
        "link",
        Both("a hospital and a shop join their data", "病院と店のデータ連結"),
        (Step(Both("A hospital and a shop join their data", "病院と店のデータ連結"), _link),),
        needs=("rbcl",),
    ),
    Part(
        "sets",
        Both("a shop's baskets, sensitive items hidden", "知られたくない品を守った買い物かご"),
        (Step(Both("A shop's baskets, released", "買い物かごの公開"), _shop),),
    ),
    Part(
        "exam",
        Both("what exact tables disclose", "正確な表が明かすもの"),
        (
            Step(
                Both("What exact tables of a class disclose", "クラスの正確な表が明かすもの"),
                _classroom,
            ),
        ),
        needs=("ortools",),
    ),
)
