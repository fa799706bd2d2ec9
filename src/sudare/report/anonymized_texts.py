"""The sentences about anonymized records, in both languages."""

from __future__ import annotations

from sudare.report.both import Both
from sudare.report.records_texts import filled

TEXTS: dict[str, Both] = {
    "title": Both("Anonymized, and what is still disclosed", "匿名化と、なお明かされるもの"),
    "no_guarantee": Both(
        "k-anonymity is a property of this one file, not a guarantee of what can be learnt from "
        "it: there is no ε, and nothing was entered in a ledger.",
        "k-匿名性はこの一つのファイルの性質であり、何が分かるかについての保証ではありません。"
        "ε はなく、台帳にも記録されません。",
    ),
    "done": Both(
        "{published:,} of {records:,} records are published, in {classes:,} classes of at least "
        "{k:,} {many} (average {average:.1f}); verified by reading the file again.",
        "{records:,} 件中 {published:,} 件を公開：{classes:,} クラス、最小 {k:,} {ken}（平均 "
        "{average:.1f} {ken}）。書き出したファイルを読み直して確認しました。",
    ),
    "suppressed": Both(
        '{starred:,} records lost {values:,} values to "*"; {dropped:,} records were left out.',
        "{starred:,} 件のレコードで {values:,} 個の値を「*」にし、{dropped:,} 件を除きました。",
    ),
    "people": Both(
        "People are counted, by column '{unit}', which is not published: {published:,} of {all:,} "
        "people are in the file, {suppressed:,} have a record that lost values or was left out.",
        "列「{unit}」により人数で数えました（この列は公開しません）：{all:,} 人中 {published:,} 人"
        "がファイルにあり、{suppressed:,} 人に値を失ったか除かれたレコードがあります。",
    ),
    "levels": Both("Published as: {levels}.", "公開した階層：{levels}。"),
    "search": Both(
        "The least lossy of {nodes:,} generalizations; {judged:,} had to be counted.",
        "{nodes:,} 通りの一般化のうち損失が最小のもの（実際に数えたのは {judged:,} 通り）。",
    ),
    "loss": Both(
        "Information lost: NCP {loss:.1%}; discernibility {discernibility:,}.",
        "失われた情報：NCP {loss:.1%}、識別性指標 {discernibility:,}。",
    ),
    "still": Both("Still disclosed of '{column}'", "「{column}」についてなお明かされること"),
    "zero": Both(
        "A zero of this kind is how paper 001 learns from a safe-looking table what one person did "
        "not do, and with it what the person did.",
        "論文001の表1のように、安全に見える表でもこの種の 0 から、ある人がしなかったこと、"
        "ひいてはしたことが分かります。",
    ),
    "composition": Both("With a second file", "二つ目のファイルがあれば"),
    "second": Both(
        "A second file of the same records, just as k-anonymous, could publish {levels}.",
        "同じレコードから、同じ k-匿名性をもつ二つ目のファイル（{levels}）も公開できます。",
    ),
    "together": Both(
        "Whoever sees both knows '{column}' for certain for {together:,} of {records:,} {many} "
        "({first:,} from the first alone, {second:,} from the second), and has fewer values left "
        "than from either for {narrowed:,}; the two classes of a person have as few as "
        "{smallest:,} in common.",
        "両方を見る人には {records:,} {ken}中 {together:,} {ken}の「{column}」が確実に分かり"
        "（一つ目だけなら {first:,} {ken}、二つ目だけなら {second:,} {ken}）、{narrowed:,} {ken}で"
        "候補がどちらか一方よりも絞られます。同じ人の二つのクラスの共通部分は最小 {smallest:,} "
        "{ken}です。",
    ),
    "compose": Both(
        "Guarantees of this kind do not add up. An ε does: that is what `sudare tabulate` and "
        "`sudare ask` spend.",
        "この種の性質は合成できません。ε は合成でき、`sudare tabulate` や `sudare ask` が使うのは"
        "それです。",
    ),
}


def said(key: str, *, people: bool = False, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages, about records or about people."""
    return filled(TEXTS[key], people, values)
