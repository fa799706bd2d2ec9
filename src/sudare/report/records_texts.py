"""The sentences about classes of records, in both languages."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both("What these records give away", "このレコードが明かすもの"),
    "steward": Both(
        "For the steward only: these numbers are exact. No value of the data is shown.",
        "管理者専用：これらの数は正確な値です。データの値は示しません。",
    ),
    "k": Both(
        "{records:,} {many} fall into {classes:,} classes by {quasi}: k = {k:,}.",
        "{records:,} {of_them}は {quasi} により {classes:,} クラスに分かれます：k = {k:,}。",
    ),
    "counted": Both(
        "Column '{unit}' says whose record each is: {rows:,} records of {people:,} people. People "
        "are counted; one with several records is in the class of each of them.",
        "列「{unit}」が誰のレコードかを示します：{people:,} 人の {rows:,} 件。人数で数え、複数の"
        "レコードを持つ人はそれぞれのクラスに入ります。",
    ),
    "several": Both(
        "Some people are in several classes, so models that give each person one class say "
        "nothing.",
        "複数のクラスに入る人がいるため、各人が一つのクラスに入るとするモデルでは何も言えません。",
    ),
    "average": Both(
        "Whoever knows these columns of a person names the {single} with probability {risk:.1%} on "
        "average.",
        "これらの列を知る人が本人のレコードを当てる確率は平均 {risk:.1%} です。",
    ),
    "below": Both(
        "{records:,} {many} ({share:.1%}) are in classes of fewer than {limit}.",
        "{limit} {ken}未満のクラスに {records:,} {ken}（{share:.1%}）。",
    ),
    "alone": Both(
        "{records:,} {many} ({share:.1%}) are alone in their class: for them these columns name a "
        "person.",
        "{records:,} {ken}（{share:.1%}）はクラスに一人だけです：その人はこれらの列で"
        "特定されます。",
    ),
    "rows": Both("Rows that are alone: {rows}.", "一人だけの行：{rows}。"),
    "sizes": Both("Sizes of classes", "クラスの大きさ"),
    "size": Both("size", "大きさ"),
    "classes": Both("classes", "クラス数"),
    "records": Both("{many}", "{how_many}"),
    "sensitive": Both("What a class tells of '{column}'", "クラスから分かる「{column}」"),
    "diversity": Both(
        "Distinct ℓ = {distinct} of {values} values, entropy ℓ = {entropy:.3g}, "
        "t = {t:.3f} ({distance}).",
        "distinct ℓ = {distinct}（全 {values} 値）、entropy ℓ = {entropy:.3g}、"
        "t = {t:.3f}（{distance}）。",
    ),
    "ordered": Both("distance in the order of numbers", "数の順序による距離"),
    "equal": Both("equal distances", "等距離"),
    "recursive": Both(
        "Recursive (c, {wanted})-diversity holds for c above {least:.3g}.",
        "再帰的 (c, {wanted})-多様性は c が {least:.3g} を超えれば成り立ちます。",
    ),
    "certain": Both(
        "{records:,} {many} ({share:.1%}) are in {classes:,} classes that {all_have}: to know "
        "the class is to know the value, however large the class.",
        "{records:,} {ken}（{share:.1%}）は全員が同じ値を持つ {classes:,} クラスにあり、"
        "クラスが大きくてもその値が確実に分かります。",
    ),
    "nearly": Both(
        "{records:,} {many} ({share:.1%}) are in classes where one value has nine of ten or more.",
        "{records:,} {ken}（{share:.1%}）は一つの値が九割以上を占めるクラスにあります。",
    ),
    "excluded": Both(
        "For {records:,} {many} ({share:.1%}) some value can be ruled out: nobody in the class "
        "has it ({zeros:,} such zeros).",
        "{records:,} {ken}（{share:.1%}）では、クラスの誰も持たない値があり、その値でないことが"
        "分かります（0 のセルが {zeros:,} 個）。",
    ),
    "guess": Both(
        "Guessing the value succeeds in {best:.1%} with the class, in {blind:.1%} without; some "
        "value is up to {ratio:.3g} times as common in a class as in the table.",
        "値を当てる確率はクラスを知ると {best:.1%}、知らなければ {blind:.1%}。ある値はクラス内で"
        "全体の最大 {ratio:.3g} 倍の頻度です。",
    ),
    "combinations": Both("Columns that single people out", "個人を特定する列の組"),
    "columns": Both("columns", "列"),
    "alone_head": Both("alone", "一人だけ"),
    "few_head": Both("in classes below 5", "5 {ken}未満"),
    "without": Both("Left out, what stays alone", "その列を除いたとき一人だけの{whom}"),
    "left_out": Both("without", "除く列"),
    "work": Both(
        "{counted:,} sets of columns were counted; {skipped:,} could not be among the worst.",
        "列の組 {counted:,} 通りを数えました。{skipped:,} 通りは上位になりえないため省きました。",
    ),
    "population": Both("In the population", "母集団では"),
    "pitman": Both(
        "Pitman's model (α = {alpha:.3f}, θ = {theta:.3g}), an even sample of {fraction} of "
        "{size:,} people: about {uniques:,.0f} people are unique there, and {share:.1%} of those "
        "alone in the sample are among them.",
        "Pitman モデル（α = {alpha:.3f}、θ = {theta:.3g}）、{size:,} 人からの均等な標本"
        "（{fraction}）：母集団で唯一の人は約 {uniques:,.0f} 人、標本で一人だけの人の "
        "{share:.1%} がこれに当たります。",
    ),
    "pitman_none": Both(
        "Pitman's model says nothing here: no record, or every record, is alone.",
        "一人だけのレコードがないか全部がそうなので、Pitman モデルでは何も言えません。",
    ),
    "whole": Both(
        "The sample is the whole population: who is alone here is alone there.",
        "標本は母集団全体です：標本で一人だけの人は母集団でも一人だけです。",
    ),
    "binomial": Both(
        "Negative binomial model (μ-ARGUS): {share:.1%} of those alone in the sample.",
        "負の二項モデル（μ-ARGUS）：標本で一人だけの人の {share:.1%}。",
    ),
    "models": Both(
        "Both assume an even sample; they are models, not bounds.",
        "どちらも均等な標本を仮定したモデルであり、限界ではありません。",
    ),
    "linkage": Both("Against the other file", "他のファイルとの照合"),
    "matches": Both(
        "By {columns}: {one:,} of {records:,} {many} ({share:.1%}) match exactly one of its "
        "{other:,}, {both:,} of them one to one; {few:,} match 1 to 4; {none:,} match "
        "none.",
        "{columns} による照合：{records:,} {ken}中 {one:,} {ken}（{share:.1%}）が相手の {other:,} "
        "{ken}のちょうど一つに一致し、うち一対一は {both:,} {ken}。1〜4 {ken}に一致するのは "
        "{few:,} {ken}、一致なしは {none:,} {ken}。",
    ),
    "syntactic": Both(
        "k-anonymity, ℓ-diversity and t-closeness describe this one table. They are no formal "
        "guarantee: they bound nothing for an attacker who knows more, or who sees a second table.",
        "k-匿名性、ℓ-多様性、t-近接性はこの一つの表の性質であり、形式的な保証ではありません。"
        "より多くを知る攻撃者や二つ目の表を見る攻撃者に対しては何も保証しません。",
    ),
    "raw": Both(
        "Without a schema every column counts as a category, by its text.",
        "スキーマがないため、どの列も文字列のカテゴリとして扱いました。",
    ),
}


_RECORDS = {
    "many": Both("records", ""),
    "single": Both("record", ""),
    "all_have": Both("have one value only", ""),
    "of_them": Both("", "件のレコード"),
    "ken": Both("", "件"),
    "how_many": Both("", "レコード数"),
    "whom": Both("", "レコード"),
}
_PEOPLE = {
    "many": Both("people", ""),
    "single": Both("person", ""),
    "all_have": Both("share a value among all", ""),
    "of_them": Both("", "人"),
    "ken": Both("", "人"),
    "how_many": Both("", "人数"),
    "whom": Both("", "人"),
}


def said(key: str, *, people: bool = False, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages, about records or about people."""
    return filled(TEXTS[key], people, values)


def filled(text: Both, people: bool, values: dict[str, object]) -> Both:
    words = _PEOPLE if people else _RECORDS
    english = {key: word.en for key, word in words.items()}
    japanese = {key: word.ja for key, word in words.items()}
    return Both(text.en.format(**english, **values), text.ja.format(**japanese, **values))
