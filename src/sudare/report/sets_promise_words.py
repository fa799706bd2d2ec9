"""What released baskets promise and what they do not, and the verifier's words."""

from __future__ import annotations

from sudare.report.both import Both
from sudare.report.words import singular

TEXTS: dict[str, Both] = {
    "head_promise": Both("What is promised", "約束すること"),
    "head_not": Both("What is not promised", "約束しないこと"),
    "head_verified": Both("The independent verifier", "独立した検証"),
    "rho": Both(
        "Whoever knows items of a person's original record, however many, cannot infer from the "
        "released file, with confidence above ρ = {rho}, an item that this person calls sensitive.",
        "ある人の元のレコードのアイテムをいくつ知っていても、公開データから、その人が機微とする"
        "アイテムを ρ = {rho} を超える確信度で推定することはできません。",
    ),
    "rho_m": Both(
        "Whoever knows at most {m:,} items of a person's original record cannot infer from the "
        "released file, with confidence above ρ = {rho}, an item that this person calls sensitive.",
        "ある人の元のレコードのアイテムを {m:,} 個まで知っていても、公開データから、その人が機微と"
        "するアイテムを ρ = {rho} を超える確信度で推定することはできません。",
    ),
    "sampled": Both(
        "Whoever knows ℓ items, drawn at random, of the original record of a person drawn at "
        "random can infer from the released file, with confidence above ρ = {rho}, an item that "
        "this person calls sensitive with a chance below ε = {eps:g} only, for each ℓ up to {m:,}; "
        "this holds but for a chance of δ = {delta:g}.",
        "無作為に選んだ人の元のレコードから無作為に選んだ ℓ 個のアイテムを知る攻撃者が、公開データ"
        "からその人が機微とするアイテムを ρ = {rho} を超える確信度で推定できる割合は、{m:,} 以下の"
        "どの ℓ でも ε = {eps:g} 未満です（確率 δ = {delta:g} の例外を除く）。",
    ),
    "sought": Both("Sought, not proved: {promise}", "目標（証明なし）：{promise}"),
    "km": Both(
        "Any set of at most {m:,} items is in no released record or in at least {k:,} "
        "(k^m-anonymity): whoever knows so many items of a person cannot tell the record from "
        "{others:,} others.",
        "どの {m:,} 個以下のアイテムの組も、公開データのどのレコードにもないか、{k:,} 件以上に"
        "あります（k^m-匿名性）。それだけ知っていても、その人のレコードを他の {others:,} 件と"
        "区別できません。",
    ),
    "confidence": Both(
        "Confidence is the share of those who hold the inferred item among the released records "
        "that hold all items known. An item may be sensitive to a person who does not have it: "
        "then nobody is to be led to a false conclusion.",
        "確信度とは、既知のアイテムをすべて持つ公開レコードのうち、推定されるアイテムも持つものの割合"
        "です。持っていないアイテムも機微とすることができ、誤った推定からも守られます。",
    ),
    "with_base": Both(
        "The same holds for whoever knows no item at all.",
        "アイテムを一つも知らない人についても同じことが成り立ちます。",
    ),
    "no_epsilon": Both(
        "The promise is a property of this one file (syntactic). It is not differential privacy: "
        "no privacy loss ε is claimed, and nothing was entered in a ledger.",
        "この約束はこの一つのファイルの性質（構文的な性質）です。差分プライバシーではなく、"
        "プライバシー損失 ε は主張せず、台帳にも記録しません。",
    ),
    "share_epsilon": Both(
        "The ε above is a share of attackers, not a privacy loss; those who succeed may all aim at "
        "the same few people.",
        "上の ε は攻撃者の割合であり、プライバシー損失ではありません。成功する攻撃者は同じ少数の人"
        "に集中しうることに注意してください。",
    ),
    "only_items": Both(
        "It holds against those who know items of a record alone. Who also knows what a person "
        "does not have, when or in which order, or other people's records, may infer more.",
        "レコードに含まれるアイテムだけを知る攻撃者に対する約束です。その人が持たないもの、時期や順序、"
        "他人のレコードも知る人は、より多くを推定できるかもしれません。",
    ),
    "only_m": Both(
        "Nothing is promised against those who know more than {m:,} items.",
        "{m:,} 個より多くのアイテムを知る攻撃者に対しては何も約束しません。",
    ),
    "below_rho": Both(
        "A confidence of ρ or less may still be far more than a guess without the file.",
        "確信度が ρ 以下でも、ファイルなしの推測よりはるかに高いことがあります。",
    ),
    "base_rate": Both(
        "How common an item is at all was not held to ρ: of an item that most people have, "
        "everybody is suspected.",
        "アイテム自体の出現率は ρ で制限していません。大多数が持つアイテムは、誰についても推測でき"
        "ます。",
    ),
    "homogeneous": Both(
        "Records that cannot be told apart may still agree in an item, which is then known of all "
        "of them.",
        "区別できないレコードが同じアイテムを共有していれば、それは全員について分かってしまいます。",
    ),
    "minimality": Both(
        "Who knows the program and asks why something is missing may infer what it was and why it "
        "had to go (minimality attack).",
        "プログラムを知る人が、なぜ欠けているのかを問うことで、何がなぜ除かれたかを推定するおそれが"
        "あります（最小性攻撃）。",
    ),
    "by_lot": Both(
        "Order and choice were drawn by lot (--random), which makes minimality attacks harder, "
        "not impossible.",
        "順序と選択を乱択しました（--random）。最小性攻撃は難しくなりますが、不可能ではありません。",
    ),
    "not_by_lot": Both(
        "--random, which draws order and choice by lot and makes minimality attacks harder, was "
        "not used.",
        "順序と選択を乱択して最小性攻撃を難しくする --random は使われていません。",
    ),
    "literal": Both(
        "The paper's way tests the same data again and again as if each test were the first: its "
        "(ε, δ) is not proved. What the audit found holds all the same.",
        "論文の方法は、同じデータを何度も検定しながら毎回を最初の検定のように扱うため、その (ε, δ) "
        "は証明されていません。監査の結果は有効です。",
    ),
    "composition": Both(
        "Together with another release about the same people, even one that is as safe by itself, "
        "more may be inferred: promises of this kind do not add up.",
        "同じ人々についての別の公開データと合わせると、それ単独では同じく安全でも、より多くが推定され"
        "うるため、この種の約束は合成できません。",
    ),
    "wishes": Both(
        "Who calls what sensitive is private like the data: neither this page nor the certificate "
        "tells it.",
        "誰が何を機微とするかはデータと同じく秘密であり、このページにも証明書にも示しません。",
    ),
    "separate": Both(
        "A separate program, which shares no counting with the one that made the release, read the "
        "written file back, checked it from scratch and found no attacker left.",
        "公開データを作ったものと集計を共有しない別のプログラムが、書き出したファイルを一から検査し、"
        "攻撃者が残っていないことを確認しました。",
    ),
    "separate_km": Both(
        "A separate program, which shares no counting with the one that made the release, read the "
        "written file back, checked it from scratch and found no set of items in too few records.",
        "公開データを作ったものと集計を共有しない別のプログラムが、書き出したファイルを一から検査し、"
        "少なすぎるレコードにしかないアイテム集合が残っていないことを確認しました。",
    ),
    "separate_sampled": Both(
        "A separate program drew attackers anew and did not find the promise broken.",
        "別のプログラムが攻撃者を新たに抽出し、約束が破られていないことを確認しました。",
    ),
    "tested": Both(
        "It tested {tested:,} rules, each for everyone who originally held its items, with up to "
        "{deepest:,} items known.",
        "検査したルールは {tested:,} 個（それぞれ元の保有者全員について）、既知のアイテムは最大 "
        "{deepest:,} 個です。",
    ),
    "highest": Both(
        "The highest confidence left is {top:,} of {bottom:,} records ({share}), at most "
        "ρ = {rho}.",
        "残った最大の確信度は {bottom:,} 件中 {top:,} 件（{share}）で、ρ = {rho} 以下です。",
    ),
    "none_left": Both(
        "No rule about a sensitive item is left at all.",
        "機微なアイテムについてのルールは一つも残っていません。",
    ),
    "empty_km": Both(
        "No item is left in the released file, so that nobody can be told from others by one.",
        "公開データにアイテムは一つも残っておらず、アイテムで人を区別することはできません。",
    ),
    "tested_km": Both(
        "It tested {tested:,} sets of up to {deepest:,} items.",
        "検査した集合は {tested:,} 個、アイテムは最大 {deepest:,} 個です。",
    ),
    "fewest": Both(
        "The rarest set that occurs is in {fewest:,} records, at least k = {k:,}.",
        "最も稀な集合も {fewest:,} 件にあり、k = {k:,} 以上です。",
    ),
    "audit": Both(
        "The upper bounds hold but for a chance of one in a million. An audit that passes is "
        "evidence, not proof.",
        "上限は百万分の一の確率の例外を除いて成り立ちます。監査に通ることは証拠であって証明ではあり"
        "ません。",
    ),
    "exact_too": Both(
        "The exact model (--model rho) promises more, leaves no attacker at all, and mostly "
        "suppresses no more than this: try it first.",
        "厳密なモデル (--model rho) はより強い保証を与え、攻撃者を一人も残さず、抑制も多くの場合"
        "これより増えません。まずそちらをお試しください。",
    ),
    "known": Both("items known", "既知のアイテム数"),
    "drawn": Both("attackers drawn", "抽出した攻撃者"),
    "successful": Both("succeeded", "成功"),
    "at_most": Both("share at most", "割合の上限"),
    "model_rho": Both("personalised ρ-uncertainty", "個人適応型 ρ-不確実性"),
    "model_sampled": Both("personalised (ε, δ)-ρ^m-uncertainty", "個人適応型 (ε, δ)-ρ^m-不確実性"),
    "model_km": Both("k^m-anonymity", "k^m-匿名性"),
}


def said(key: str, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages."""
    text = TEXTS[key]
    return Both(singular(text.en.format(**values)), text.ja.format(**values))
