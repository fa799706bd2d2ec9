"""The sentences about baskets before a release, in both languages: who could infer what."""

from __future__ import annotations

from sudare.report.both import Both
from sudare.report.words import singular

TEXTS: dict[str, Both] = {
    "title": Both("What these baskets give away", "この集合値データが明かすもの"),
    "lead": Both(
        "{records:,} records, {items:,} different items, {occurrences:,} occurrences, as they are "
        "before any release.",
        "公開前の状態：レコード {records:,} 件、アイテム {items:,} 種、延べ {occurrences:,} 個。",
    ),
    "owner": Both(
        "For the owner alone, not for publication: the figures come from the original data, and a "
        "rule is listed because somebody calls its last item sensitive.",
        "データ保有者専用・公開不可：数値は元データによるものです。ルールが載っているのは、その帰結"
        "のアイテムを機微とする人がいるためです。",
    ),
    "attacker": Both(
        "An attacker knows some items of one person's record and succeeds if, among the records "
        "with all of them, a share above ρ = {rho} holds an item that this person calls sensitive.",
        "攻撃者はある人のレコードの一部のアイテムを知っており、それらをすべて持つレコードのうち、"
        "その人が機微とするアイテムを持つものの割合が ρ = {rho} を超えれば成功です。",
    ),
    "exposed": Both(
        "{exposed:,} of {records:,} records ({share}) have at least one attacker who succeeds with "
        "at most {known:,} items known.",
        "{records:,} 件中 {exposed:,} 件（{share}）のレコードに、{known:,} 個以下のアイテムを知って"
        "成功する攻撃者が少なくとも一人います。",
    ),
    "safe": Both(
        "No attacker succeeds with at most {known:,} items known.",
        "{known:,} 個以下のアイテムを知って成功する攻撃者はいません。",
    ),
    "drawn": Both(
        "With more items known attackers were drawn by lot; records, rules and items below come "
        "from those with at most {known:,}.",
        "それより多く知る攻撃者は抽出で調べました。以下のレコード・ルール・アイテムは "
        "{known:,} 個以下を知る攻撃者によるものです。",
    ),
    "advice": Both(
        "sudare suppress takes out what is needed, and verifies the result.",
        "sudare suppress は必要なものを除き、結果を検証します。",
    ),
    "syntactic": Both(
        "These figures are about attackers who know items of the record, and about this one file; "
        "they are no differential privacy, and say nothing of other knowledge.",
        "これらの値はレコードのアイテムを知る攻撃者と、この一つのファイルについてのものです。"
        "差分プライバシーではなく、他の知識については何も言えません。",
    ),
    "head_shares": Both("Attackers who succeed", "成功する攻撃者"),
    "shares": Both(
        "H_ℓ is the chance to succeed of whoever knows ℓ items, drawn at random, of a person drawn "
        "at random among those who have so many.",
        "H_ℓ は、ℓ 個以上のアイテムを持つ人から無作為に選んだ人の、無作為に選んだ ℓ 個のアイテムを"
        "知る攻撃者が成功する割合です。",
    ),
    "caption_shares": Both(
        "H_ℓ in % (across) by the number ℓ of items known. The thin line is the 99 % interval "
        "where attackers were drawn by lot; elsewhere all were counted.",
        "既知のアイテム数 ℓ ごとの H_ℓ（横、%）。細い線は攻撃者を抽出した場合の 99 % 区間で、"
        "それ以外は全数です。",
    ),
    "known": Both("items known", "既知のアイテム数"),
    "attackers": Both("attackers", "攻撃者数"),
    "share": Both("H_ℓ", "H_ℓ（割合）"),
    "interval": Both("99 % interval", "99 % 区間"),
    "exact": Both("exact", "正確"),
    "head_rules": Both("The worst rules", "最も危険なルール"),
    "rules": Both(
        "Whoever knows the items before the arrow infers the one after it.",
        "矢印の前のアイテムを知る人は、後のアイテムを推定できます。",
    ),
    "rule": Both("known → inferred", "既知 → 推定"),
    "confidence": Both("confidence", "確信度"),
    "together": Both("records with all", "すべてを持つ件数"),
    "alone": Both("records with the known", "既知を持つ件数"),
    "people_exposed": Both("people exposed", "危険な人数"),
    "head_people": Both("The most exposed people", "最も危険な人"),
    "people": Both(
        "By the number of the record in the file, from 1: so many different attackers succeed. "
        "What they infer is not shown here.",
        "ファイル内のレコード番号（1 から）と、成功する攻撃者の数です。何が推定されるかはここでは"
        "示しません。",
    ),
    "record": Both("record", "レコード番号"),
    "head_causes": Both("Items that cause it", "原因となるアイテム"),
    "causes": Both(
        "How often an item is the one inferred, and how often it is among those known.",
        "アイテムが推定される側になる回数と、知られている側になる回数です。",
    ),
    "item": Both("item", "アイテム"),
    "inferred": Both("inferred", "推定される側"),
    "knowing": Both("known", "知られている側"),
    "card_exposed": Both("of {records:,} records are exposed", "件が危険（全 {records:,} 件）"),
    "card_share": Both(
        "of those who know {known:,} items succeed", "アイテムを {known:,} 個知る攻撃者の成功割合"
    ),
    "card_worst": Both("is the highest confidence listed", "一覧中の最大の確信度"),
}


def said(key: str, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages."""
    text = TEXTS[key]
    return Both(singular(text.en.format(**values)), text.ja.format(**values))
