"""The guided tour: price, ask, ask again under another noise, let each person randomise, make
a synthetic town, join a hospital's and a shop's people, release the shop's baskets, see what exact
tables tell, be refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sudare.demo.baskets_release import RHO, write_shop
from sudare.demo.each_person import EPSILON, write_each_person
from sudare.demo.exam import write_page
from sudare.demo.hospital_shop import EPSILON as JOINED_EPSILON
from sudare.demo.hospital_shop import write_hospital_and_shop
from sudare.demo.synthetic import ROWS, write_synthetic_town
from sudare.demo.town import PEOPLE, people_csv, schema_text
from sudare.facts.errors import BudgetRefused, EngineUnavailable
from sudare.facts.plan import Plan, read_delta, read_epsilon
from sudare.facts.release import Release
from sudare.publish.ask import ask
from sudare.publish.files import load_schema
from sudare.publish.suppress_sets import is_first

OVERVIEW = (
    "count()",
    "count() where age >= 65 and sex = 'F'",
    "mean(age)",
    "variance(age)",
    "quantile(income, 0.5)",
    "histogram(region)",
    "histogram(age, bins=11)",
    "mean(income) by (sex)",
    "covariance(age, hours, income)",
)
REGIONS = ("sum(income) by (sex, region)", "mean(hours) by (region) where employed = true")


@dataclass(frozen=True)
class Stop:
    """What is told at a stop of the tour, and what was released there."""

    text: dict[str, str]
    release: Release | None = None
    target: Path = Path()


def tour(folder: Path, language: str) -> Iterator[Stop]:
    """Walk through; the same folder gives the same releases again, unpaid (idempotency keys)."""
    folder.mkdir(parents=True, exist_ok=True)
    data, schema_file = folder / "people.csv", folder / "people.schema.toml"
    data.write_text(people_csv(), encoding="utf-8")
    schema_file.write_text(schema_text(language), encoding="utf-8")
    schema, ledger = load_schema(schema_file), folder / "people.ledger"
    yield Stop(
        {
            "en": f"Made a town of {PEOPLE:,} people: {data}, described by {schema_file}.",
            "ja": f"{PEOPLE:,} 人の架空の町を作りました：{data}（説明は {schema_file}）。",
        }
    )
    first = ask(data, schema, _plan(OVERVIEW, "1"), ledger=ledger, key="demo overview")
    yield Stop(
        {
            "en": "\nNine questions, one ε = 1 for all of them (discrete Laplace noise):",
            "ja": "\n九つの質問に、合計 ε = 1 を一度だけ使います（離散ラプラス雑音）：",
        },
        first,
        folder,
    )
    second = ask(
        data,
        schema,
        _plan(REGIONS, "1", "1e-10", "gaussian"),
        ledger=ledger,
        key="demo regions",
    )
    yield Stop(
        {
            "en": "\nTwo tables by region with discrete Gaussian noise, ε = 1 and δ = 1e-10:",
            "ja": "\n地区別の二つの表を、離散ガウス雑音（ε = 1、δ = 1e-10）で：",
        },
        second,
        folder / "regions.csv",
    )
    yield _each_person(folder / "each-person", language)
    yield _synthetic(folder, language)
    yield _joined(folder / "hospital-and-shop", language)
    if is_first():
        yield Stop(
            {
                "en": "\nBaskets come next. What searches them is compiled now, once on this "
                "machine; that takes a minute or two.",
                "ja": "\n次は買い物かごです。探索プログラムを、この計算機で一度だけコンパイルします"
                "（1〜2 分かかります）。",
            }
        )
    yield _shop(folder / "baskets" / language, language)
    yield _exam(folder / "exam" / language, language)
    yield _refusal(folder)


def _each_person(folder: Path, language: str) -> Stop:
    """The same town without a trusted collector: every row is randomised by itself."""
    lines, path = write_each_person(folder, "ja" if language == "ja" else "en")
    table = "\n".join(f"  {line}" for line in lines)
    return Stop(
        {
            "en": f"\nEach person randomises (local ε = {EPSILON}, shuffled), and this is what an "
            f"analyst gets from the reports alone, beside the truth:\n{table}\n  {path}",
            "ja": f"\n一人ひとりが自分の値をランダム化し（局所 ε = {EPSILON}、シャッフルあり）、"
            f"分析者が報告だけから得る推定値を真の値と並べます：\n{table}\n  {path}",
        }
    )


def _synthetic(folder: Path, language: str) -> Stop:
    """The rest of the budget for statistics, and as many synthetic rows as one likes from them."""
    place = folder / "synthetic"
    lines = write_synthetic_town(
        place,
        folder / "people.csv",
        load_schema(folder / "people.schema.toml"),
        folder / "people.ledger",
        "ja" if language == "ja" else "en",
    )
    table = "\n".join(f"  {line}" for line in lines)
    return Stop(
        {
            "en": f"\nA synthetic town of {ROWS:,} people, made from statistics alone, beside the "
            f"real one:\n{table}\n  {place / 'exact.compared.html'}, "
            f"{place / 'private.compared.html'}",
            "ja": f"\n統計だけから作った {ROWS:,} 人の合成の町を、実際の町と比べます：\n{table}\n"
            f"  {place / 'exact.compared.html'}、{place / 'private.compared.html'}",
        }
    )


def _joined(folder: Path, language: str) -> Stop:
    """Two organisations and a collector, as processes that speak TLS over loopback."""
    lines, path = write_hospital_and_shop(folder, "ja" if language == "ja" else "en")
    table = "\n".join(f"  {line}" for line in lines)
    shown = f"{folder / 'joined.report.html'}, {path}"
    return Stop(
        {
            "en": "\nA hospital and a shop join what they know of the same people (ε = "
            f"{JOINED_EPSILON} for a joined row). Neither learns whom the other knows, and an "
            f"institute gets the joined reports alone:\n{table}\n  {shown}",
            "ja": "\n病院と店が、共通の人々についてのデータを連結します（連結 1 行の ε = "
            f"{JOINED_EPSILON}）。互いに相手が誰を知っているかは分からず、研究所には連結された"
            f"報告だけが届きます：\n{table}\n  {shown}",
        }
    )


def _shop(folder: Path, language: str) -> Stop:
    """What people bought, released without what each of them would keep to themselves."""
    table = "\n".join(
        f"  {line}" for line in write_shop(folder, "ja" if language == "ja" else "en")
    )
    pages = [str(folder / name) for name in ("exposed.html", "released.report.html")]
    return Stop(
        {
            "en": "\nThe shop's baskets, with items of their own that people call sensitive: in "
            f"the release nobody who knows some of a person's items infers one of these with "
            f"confidence above {float(RHO):g}:\n{table}\n  {', '.join(pages)}",
            "ja": "\n買い物かごと、一人ひとりが知られたくないアイテム。公開版では、ある人のアイテム"
            "をいくつ知っていても、その人の知られたくないアイテムを確信度 "
            f"{float(RHO):g} を超えて推定することはできません：\n{table}\n  {'、'.join(pages)}",
        }
    )


def _exam(folder: Path, language: str) -> Stop:
    """A class of 20: what its exact tables would have disclosed, beside what is published."""
    try:
        page = write_page(folder, "ja" if language == "ja" else "en")
    except EngineUnavailable as missing:
        # The solver is an extra; the rest of the tour does without it.
        return Stop(dict.fromkeys(("en", "ja"), f"\n{missing.what} {missing.hint}"))
    return Stop(
        {
            "en": "\nA class of 20 after an exam: what three sets of exact tables would have "
            f"disclosed about one pupil, and what we published instead: {page}.",
            "ja": "\n試験を受けた 20 人のクラス：三組の正確な表が一人の生徒の何を明かすか、"
            f"代わりに何を公表したか：{page}",
        }
    )


def _plan(
    questions: tuple[str, ...], epsilon: str, delta: str = "0", mechanism: str = "laplace"
) -> Plan:
    return Plan(questions, read_epsilon(epsilon), read_delta(delta), mechanism)  # type: ignore[arg-type]


def _refusal(folder: Path) -> Stop:
    """Ask for more than is left: the ledger refuses before anything is computed."""
    schema = load_schema(folder / "people.schema.toml")
    try:
        ask(
            folder / "people.csv",
            schema,
            _plan(("count()",), "2"),
            ledger=folder / "people.ledger",
        )
    except BudgetRefused as refused:
        told = {
            "en": "\nAsking for ε = 2 more is refused, and nothing is computed:",
            "ja": "\nさらに ε = 2 を求めると、何も計算せずに拒否されます：",
        }
        return Stop({lang: f"{text}\n  {refused.what}" for lang, text in told.items()})
    raise AssertionError("the cap of the demo must refuse this")
