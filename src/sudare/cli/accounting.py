"""sudare account: what a guarantee amounts to, computed without data."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

import typer

from sudare.cli import console, options
from sudare.cli.options import Language


class LocalMechanism(StrEnum):
    two_point = "two-point"
    piecewise = "piecewise"
    hybrid = "hybrid"
    laplace = "laplace"
    square_wave = "square-wave"
    grr = "grr"
    pram = "pram"
    oue = "oue"
    olh = "olh"
    one_hot = "one-hot"
    any = "any"


_TEXTS = {
    "en": {
        "head": "{people}, {reported} each by {mechanism}: ε0 = {total} a report "
        "in total, {each} an attribute.",
        "wanted": "{people}, {reported} each by {mechanism}: for "
        "ε* = {wanted_epsilon:g} after shuffling a report may cost ε0 = {total} in total, "
        "{each} an attribute.",
        "group": "{name}: {people} with {reported}, ε0 = {total} a report: ε* = {epsilon}.",
        "person": "1 person",
        "people": "{n:,} people",
        "attribute": "1 attribute",
        "attributes": "{attributes} attributes",
        "found": "After shuffling: ε* = {epsilon} at δ = {delta:.3g}, under replace-one.",
        "worst": "The worst group ({name}) decides.",
        "theorem4": "paper 000, Theorem 3/4",
        "clones": "clones, any ε0-LDP randomiser",
        "blanket": "privacy blanket, this mechanism",
        "membership": "Who takes part, and in which group, is not protected.",
        "condition": "refused: outside its condition ε0 ≤ ln(n/(16·ln(2/δ)))",
        "unknown": "needs to know the mechanism",
        "large": "ε0 is too large to gain anything",
        "delta": "needs a δ above 0",
        "delta0": "is proved for δ0 = 0 only",
        "n_delta0": "refused: the reports' own δ0, n times over, exceeds δ",
        "by_theorem": "The paper's theorem alone would allow ε0 = {amount}.",
        "joined": "in both",
        "a-only": "in A only",
        "b-only": "in B only",
    },
    "ja": {
        "head": "{people}、1 人 {reported}（{mechanism}）：1 件の報告の合計で "
        "ε0 = {total}、1 属性あたり {each}。",
        "wanted": "{people}、1 人 {reported}（{mechanism}）：シャッフル後に "
        "ε* = {wanted_epsilon:g} とするには、1 件の報告は合計で ε0 = {total} まで、1 属性あたり "
        "{each} までです。",
        "group": "{name}：{people}、{reported}、1 件の報告の ε0 = {total}：ε* = {epsilon}。",
        "person": "1 人",
        "people": "{n:,} 人",
        "attribute": "1 属性",
        "attributes": "{attributes} 属性",
        "found": "シャッフル後：δ = {delta:.3g} で ε* = {epsilon}（replace-one）。",
        "worst": "最も弱い群（{name}）で決まります。",
        "theorem4": "論文000の定理3・4",
        "clones": "クローン（任意の ε0-LDP）",
        "blanket": "プライバシーブランケット（この機構）",
        "membership": "誰が参加しているか、どの群にいるかは保護されません。",
        "condition": "条件 ε0 ≤ ln(n/(16·ln(2/δ))) の外なので使えません",
        "unknown": "機構が分からないと計算できません",
        "large": "ε0 が大きすぎて効果がありません",
        "delta": "0 より大きい δ が必要です",
        "delta0": "δ0 = 0 の場合にのみ証明されています",
        "n_delta0": "各報告の δ0 が n 倍されて δ を超えるので使えません",
        "by_theorem": "論文の定理だけでは ε0 = {amount} までです。",
        "joined": "両方",
        "a-only": "A のみ",
        "b-only": "B のみ",
    },
}
_BOUNDS = ("theorem4", "clones", "blanket")
_MOST_PEOPLE = 10**15


def shuffle(
    n: Annotated[
        int | None, typer.Option("--n", min=1, max=_MOST_PEOPLE, help="How many people shuffle.")
    ] = None,
    epsilon0: Annotated[
        str | None,
        typer.Option("--epsilon0", help="What one person's whole report satisfies, in total."),
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option("--epsilon", "-e", help="Instead: the ε wanted after shuffling."),
    ] = None,
    mechanism: Annotated[
        LocalMechanism, typer.Option("--mechanism", help="How each attribute is randomised.")
    ] = LocalMechanism.any,
    values: Annotated[
        int | None,
        typer.Option("--values", min=2, help="How many values a category has (grr, oue, …)."),
    ] = None,
    attributes: Annotated[
        int, typer.Option("--attributes", min=1, help="How many attributes a report has.")
    ] = 1,
    per_attribute: Annotated[
        bool,
        typer.Option("--per-attribute", help="--epsilon0 is for one attribute, as in the paper."),
    ] = False,
    delta: Annotated[str, typer.Option("--delta", help="The δ after shuffling.")] = "1e-10",
    delta0: Annotated[
        str, typer.Option("--delta0", help="The δ of a report; only Theorem 3 takes one.")
    ] = "0",
    joined: Annotated[
        int | None,
        typer.Option(
            "--joined", min=0, max=_MOST_PEOPLE, help="Two organisations: people in both."
        ),
    ] = None,
    a_only: Annotated[
        int | None, typer.Option("--a-only", min=0, max=_MOST_PEOPLE, help="People in A alone.")
    ] = None,
    b_only: Annotated[
        int | None, typer.Option("--b-only", min=0, max=_MOST_PEOPLE, help="People in B alone.")
    ] = None,
    attributes_a: Annotated[
        int | None, typer.Option("--attributes-a", min=1, help="Attributes that A reports.")
    ] = None,
    attributes_b: Annotated[
        int | None, typer.Option("--attributes-b", min=1, help="Attributes that B reports.")
    ] = None,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Compute the central (ε, δ) of shuffled reports by every bound that holds, or the ε0 that a
    wanted ε allows.

    Example: sudare account shuffle --n 30162 --epsilon0 2 --mechanism two-point --attributes 6
    """
    from sudare.cli.output import print_json
    from sudare.facts.plan import read_delta, read_epsilon
    from sudare.publish.accounting import Budget, People, account_shuffle

    people = People(n, attributes, joined, a_only, b_only, attributes_a, attributes_b)
    budget = Budget(
        float(read_delta(delta)),
        None if epsilon0 is None else float(read_epsilon(epsilon0)),
        None if epsilon is None else float(read_epsilon(epsilon)),
        per_attribute,
        float(read_delta(delta0)),
    )
    found = account_shuffle(people, budget, mechanism.value, values)
    text = _TEXTS[lang.value]
    if json:
        print_json(_worded(found, text))
    else:
        console.show("\n".join(_lines(found, text)))


def _worded(found: dict[str, Any], text: dict[str, str]) -> dict[str, Any]:
    """The result with its reasons as sentences."""
    groups = [each | {"reasons": _reasons(each, text)} for each in found["groups"]]
    return found | {"reasons": _reasons(found, text), "groups": groups}


def _reasons(found: dict[str, Any], text: dict[str, str]) -> dict[str, str]:
    return {bound: text[reason] for bound, reason in found["reasons"].items()}


def _lines(found: dict[str, Any], text: dict[str, str]) -> list[str]:
    wanted = found["wanted_epsilon"]
    numbers = {
        "total": _given(found["epsilon0"], wanted),
        "each": _given(found["epsilon0_per_attribute"], wanted),
        "epsilon": _above(found["epsilon"]),
        **_counts(found, text),
    }
    lines = [text["head" if wanted is None else "wanted"].format(**(found | numbers))]
    if found["epsilon0_by_theorem4"] is not None:
        lines.append(
            text["by_theorem"].format(amount=_given(found["epsilon0_by_theorem4"], wanted))
        )
    for each in found["groups"]:
        shown = {"name": text[each["group"]], "total": _given(each["epsilon0"], wanted)}
        shown |= {"epsilon": _above(each["epsilon"]), **_counts(each, text)}
        lines.append(text["group"].format(**(each | shown)))
    if found["worst_group"] is not None:
        lines.append(text["worst"].format(name=text[found["worst_group"]]))
    lines.append(text["found"].format(**(found | numbers)))
    lines += [_bound_line(name, found, text) for name in _BOUNDS]
    return [*lines, text["membership"]]


def _counts(found: dict[str, Any], text: dict[str, str]) -> dict[str, str]:
    """How many people, with how many attributes each."""
    people = "person" if found["n"] == 1 else "people"
    reported = "attribute" if found["attributes"] == 1 else "attributes"
    return {"people": text[people].format(**found), "reported": text[reported].format(**found)}


def _bound_line(name: str, found: dict[str, Any], text: dict[str, str]) -> str:
    value = found["bounds"][name]
    said = text[found["reasons"][name]] if value is None else f"ε* = {_above(value)}"
    return f"  {text[name]}: {said}"


def _given(epsilon: float, wanted: float | None) -> str:
    """An ε0 as it was asked; one that was found as an allowance is never shown greater."""
    return f"{epsilon:.4g}" if wanted is None else _four(epsilon, math.floor)


def _above(epsilon: float) -> str:
    """A guarantee is never shown smaller than it is."""
    return _four(epsilon, math.ceil)


def _four(value: float, rounded: Callable[[Decimal], int]) -> str:
    """Four digits."""
    if value == 0:
        return "0"
    # The shortest decimal that is this number, as JSON has it: 0.1, not the binary 0.1000…0055.
    exact = Decimal(repr(value))
    place = exact.adjusted() - 3
    return f"{float(Decimal(rounded(exact.scaleb(-place))).scaleb(place)):.4g}"
