"""sudare explain: what an ε means, and what PRAM does at it, in English or Japanese."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer

from sudare.cli import console, options
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
        "pram": "PRAM (keep a value with the retention probability, else draw one evenly), "
        "ε = {epsilon:.4g} a record, under replace-one:",
        "pram_row": "  {values} values: ε = {epsilon:.4g}, retention {retention:.1%}, unchanged "
        "{unchanged:.1%}",
        "pram_k": "Among {records:,} records this is Pk-anonymity with k = {k:.4g}: whoever knows "
        "all true records names a person's record with probability at most {guess:.1%}.",
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
        "pram": "PRAM（維持確率で値を残し、それ以外は一様に選び直す）、1 レコードあたり "
        "ε = {epsilon:.4g}（replace-one）：",
        "pram_row": "  値が {values} 通り：ε = {epsilon:.4g}、維持確率 {retention:.1%}、変わらない"
        "確率 {unchanged:.1%}",
        "pram_k": "{records:,} レコードでは k = {k:.4g} の Pk-匿名性です：真のレコードをすべて知る"
        "攻撃者でも、ある人のレコードを当てる確率は高々 {guess:.1%} です。",
    },
}


def explain(
    epsilon: Annotated[
        str | None, typer.Argument(help="The ε to explain; the total, where there are --values.")
    ] = None,
    retention: Annotated[
        str | None,
        typer.Option("--retention", help="PRAM: the probability of keeping a value, or 0.8,0.6."),
    ] = None,
    pk: Annotated[
        float | None, typer.Option("--pk", help="PRAM: the k of Pk-anonymity to reach.")
    ] = None,
    values: Annotated[
        str | None,
        typer.Option("--values", help="PRAM: how many values each attribute has, e.g. 5,2."),
    ] = None,
    records: Annotated[
        int | None, typer.Option("--records", help="PRAM: how many records are published.")
    ] = None,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Say what an ε means: honest answers, an attacker's error rates, repeated questions, PRAM.

    Example: sudare explain 0.5

    Example: sudare explain --retention 0.8 --values 5,2 --records 1000
    """
    from sudare.cli.output import print_json
    from sudare.facts.errors import UsageError
    from sudare.facts.plan import read_epsilon
    from sudare.publish.explaining import meaning, pram_meaning

    wanted = None if epsilon is None else float(read_epsilon(epsilon))
    block = None
    has_pram = any(each is not None for each in (retention, pk, values, records))
    if epsilon is None and not has_pram:
        raise UsageError("There is nothing to explain.", "Name an ε: sudare explain 0.5")
    if has_pram:
        kept = _numbers(retention, float, "--retention")
        block = pram_meaning(wanted, kept, _numbers(values, int, "--values"), records, pk)
        wanted = block["epsilon"]
    found = meaning(wanted or 0.0)
    if json:
        print_json(found | ({} if block is None else {"pram": block}))
    else:
        text = _TEXTS[lang.value]
        console.show(
            "\n".join([*([] if block is None else _pram_lines(block, text)), *_lines(found, text)])
        )


Number = TypeVar("Number", int, float)


def _numbers(words: str | None, kind: Callable[[str], Number], option: str) -> list[Number]:
    """The numbers of a list such as 5,2."""
    from sudare.facts.errors import UsageError

    try:
        return [kind(word) for word in (words or "").split(",") if words]
    except ValueError:
        raise UsageError(f"{option} takes numbers with commas between.", "Example: 5,2") from None


def _pram_lines(block: dict[str, Any], text: dict[str, str]) -> list[str]:
    lines = [text["pram"].format(**block)]
    lines += [text["pram_row"].format(**attribute) for attribute in block["attributes"]]
    if block["pk"] is not None:
        k = block["pk"]
        lines.append(text["pram_k"].format(records=block["records"], k=k, guess=1 / k))
    return lines


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
