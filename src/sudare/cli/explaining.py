"""sudare explain: what an ε means, in English or Japanese."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from sudare.cli import options
from sudare.cli.options import Language

_TEXTS = {
    "en": {
        "ratio": "ε = {epsilon:g}: any answer is at most e^ε = {ratio:.3g} times as likely with a "
        "person's rows as without them (under replace-one: as with other rows in their place).",
        "honest": "It protects like a survey answered honestly with probability {honest:.1%} and "
        "at random otherwise.",
        "guess": "Between two such tables, equally likely, an attacker who knows everything else "
        "guesses right with probability at most {guess:.1%} (50 % is a coin).",
        "attacker": "Whoever tests for a person's row and accepts false alarms at this rate "
        "misses at least:",
        "attacker_row": "  false alarms {alarm:>4.0%}   misses at least {miss:.1%}",
        "repeated": "Asking n questions of this ε each adds up:",
        "repeated_row": "  n = {n:<4} total ε = {total:<8.4g} honest with probability {honest:.1%}",
        "table": "For comparison (paper 001, table 6):",
        "table_row": "  ε = {epsilon:<6} e^ε = {ratio:<6} honest {honest:.0%}",
    },
    "ja": {
        "ratio": "ε = {epsilon:g}：ある人の行があるときに任意の回答が出る確率は、その行がない"
        "とき（replace-one では別の行に置き換えたとき）の高々 e^ε = {ratio:.3g} 倍です。",
        "honest": "確率 {honest:.1%} で正直に、それ以外はでたらめに答えるアンケートと同じ強さの"
        "保護です。",
        "guess": "等しく起こりうるそのような二つの表のどちらかを、ほかのすべてを知る攻撃者が"
        "当てる確率は高々 {guess:.1%} です（50 % はコイン投げ）。",
        "attacker": "ある人の行の有無を検定する攻撃者が許す誤検出率と、そのとき避けられない"
        "見逃し率：",
        "attacker_row": "  誤検出 {alarm:>4.0%}   見逃し {miss:.1%} 以上",
        "repeated": "この ε の質問を n 回すると、合計は次のようになります：",
        "repeated_row": "  n = {n:<4} 合計 ε = {total:<8.4g} 正直に答える確率 {honest:.1%}",
        "table": "参考（論文001の第6表）：",
        "table_row": "  ε = {epsilon:<6} e^ε = {ratio:<6} 正直 {honest:.0%}",
    },
}


def explain(
    epsilon: Annotated[str, typer.Argument(help="The ε to explain.")],
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Say what an ε means: honest answers, an attacker's error rates, repeated questions.

    Example: sudare explain 0.5
    """
    from sudare.cli.output import print_json
    from sudare.facts.plan import read_epsilon
    from sudare.publish.explaining import meaning

    found = meaning(float(read_epsilon(epsilon)))
    if json:
        print_json(found)
    else:
        print("\n".join(_lines(found, _TEXTS[lang.value])))


def _lines(found: dict[str, Any], text: dict[str, str]) -> list[str]:
    attacker = [
        text["attacker_row"].format(alarm=row["false_alarm_rate"], miss=row["least_miss_rate"])
        for row in found["attacker"]
    ]
    repeated = [
        text["repeated_row"].format(
            n=row["questions"], total=row["epsilon"], honest=row["honest_probability"]
        )
        for row in found["repeated"]
    ]
    table = [
        text["table_row"].format(
            epsilon="∞" if row["epsilon"] is None else f"{row['epsilon']:.3g}",
            ratio="∞" if row["ratio"] is None else f"{row['ratio']:.3g}",
            honest=row["honest_probability"],
        )
        for row in found["table"]
    ]
    return [
        text["ratio"].format(epsilon=found["epsilon"], ratio=found["ratio"]),
        text["honest"].format(honest=found["honest_probability"]),
        text["guess"].format(guess=found["best_guess"]),
        text["attacker"],
        *attacker,
        text["repeated"],
        *repeated,
        text["table"],
        *table,
    ]
