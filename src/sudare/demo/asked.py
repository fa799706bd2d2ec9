"""The part `ask`: nine questions for one ε, two tables by region under another noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sudare.demo.files import write_answers
from sudare.demo.part import Found, Place
from sudare.facts.plan import Mechanism, Plan, read_delta, read_epsilon
from sudare.facts.release import Answer, Release
from sudare.publish.ask import ask
from sudare.report.both import Both, each
from sudare.report.index_page import Card, Link
from sudare.report.numbers import format_error, format_number
from sudare.report.sentences import sentence

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
REPORT = Both("Report: answers, charts, guarantee", "報告書（答え、図、保証）")
_BOUNDS = Both(
    "Values outside a column's declared bounds count as the nearest bound.",
    "宣言された範囲の外の値は、近いほうの端の値として数えます。",
)


def plan_of(
    questions: Sequence[str], epsilon: str, delta: str = "0", mechanism: Mechanism = "laplace"
) -> Plan:
    return Plan(tuple(questions), read_epsilon(epsilon), read_delta(delta), mechanism)


def overview(place: Place) -> Found:
    plan = plan_of(OVERVIEW, "1")
    release = ask(place.data, place.schema(), plan, ledger=place.ledger, key="demo overview")
    page, *files = write_answers(release, place.folder, "", place.language, place.ledger)
    mean = release["mean(age)"]
    assert isinstance(mean.value, float)
    error = format_error(mean.value, mean.error95)
    number = f"{format_number(mean.value, mean.error95)} ± {error}"
    card = Card(
        "overview",
        Both("Nine questions", "九つの質問"),
        Both(", ".join(OVERVIEW), "、".join(OVERVIEW)),
        Both(number, number),
        _said(mean, release),
        "epsilon",
        Both(
            "ε = 1 for all nine, discrete Laplace noise", "九つ合わせて ε = 1（離散ラプラス雑音）"
        ),
        (Link(place.link(page), REPORT),),
        tuple(
            place.link(path) for path in (*files, place.data, place.folder / "people.schema.toml")
        ),
    )
    lines = [*_sentences(release, place), _BOUNDS[place.language]]
    return Found((*lines, _spent(release, place), f"→ {page}"), (card,), release)


def regions(place: Place) -> Found:
    plan = plan_of(REGIONS, "0.5", "1e-10", "gaussian")
    release = ask(place.data, place.schema(), plan, ledger=place.ledger, key="demo by region")
    page, *files = write_answers(release, place.folder, "regions", place.language, place.ledger)
    hours = release[REGIONS[1]]
    assert isinstance(hours.value, dict)
    region, most = max(hours.value.items(), key=lambda pair: float(pair[1]))
    error = (hours.errors95 or {}).get(region, hours.error95)
    number = f"{format_number(most, error)} ± {format_error(most, error)}"
    card = Card(
        "regions",
        Both("Two tables by region", "地区別の二つの表"),
        Both(", ".join(REGIONS), "、".join(REGIONS)),
        Both(f"{number} hours a week in {region}", f"{region}：週 {number} 時間"),
        _said(hours, release),
        "epsilon",
        Both("ε = 0.5, δ = 1e-10, discrete Gaussian noise", "ε = 0.5、δ = 1e-10（離散ガウス雑音）"),
        (Link(place.link(page), REPORT),),
        tuple(place.link(path) for path in files),
    )
    lines = [*_sentences(release, place), _BOUNDS[place.language]]
    return Found((*lines, _spent(release, place), f"→ {page}"), (card,), release)


def _said(answer: Answer, release: Release) -> Both:
    plain = replace(answer, clips=())
    return each(lambda language: sentence(plain, language, release.labels))


def _sentences(release: Release, place: Place) -> list[str]:
    """Every answer as a sentence; what they share of clipping is said once below them."""
    return [_said(answer, release)[place.language] for answer in release.answers]


def _spent(release: Release, place: Place) -> str:
    """The same words when the release is shown again, unpaid."""
    return Both(
        f"Cost of this release: ε = {release.spent['epsilon']:.6g} of the town's 3.",
        f"この公開の費用：町の予算 3 のうち ε = {release.spent['epsilon']:.6g}。",
    )[place.language]
