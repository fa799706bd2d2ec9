"""The sentences about paper 004's figures made again, in both languages."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both(
        "The set-valued data paper's figures 3 to 7, made again",
        "集合値データ論文の図3〜7の再現",
    ),
    "lead": Both(
        "Nakagawa, Arai, Nakagawa: a personalised anonymisation method for set-valued data. Its "
        "two experiments are run again, with its algorithms to the letter (paper mode) beside what "
        "sudare does by default.",
        "中川・荒井・中川「集合値データに対する個人適応型匿名化手法」の二つの実験を、論文どおりの"
        "アルゴリズム（論文モード）と sudare の既定の方法とで並べて再実行したものです。",
    ),
    "data": Both(
        "{name}: {records:,} records of {items:,} items, at most {longest} in one; {short:,} "
        "records have at most five. Repetitions: {repeats}, each with 10 % of the records and the "
        "sensitive items drawn anew; marks are means, bars reach one standard deviation both ways.",
        "{name}：{records:,} レコード、アイテム {items:,} 種、最大レコード長 {longest}。5アイテム"
        "以下のレコードは {short:,} 件。{repeats} 回の試行ごとにレコードの 10 % と機微アイテムを新"
        "たに抽出します。印は平均、線は標準偏差の範囲です。",
    ),
    "get": Both(
        "BMS-WebView-1 and -2 were not found, so the shop baskets of the made town stand in, and "
        "the numbers are not the paper's. The data sets are public (KDD Cup 2000); "
        "docs/reproduce.md says how to get them. Then: --data folder.",
        "BMS-WebView-1・2 が見つからないため、架空の町の買い物かごで代用しています。数値は論文のも"
        "のとは比較できません。データは公開されています（KDD Cup 2000、入手方法は docs/"
        "reproduce.md）。入手後は --data フォルダー で指定します。",
    ),
    "public": Both(
        "This is an experiment on public data with sensitive items drawn by lot, and no release.",
        "公開データと抽選で選んだ機微アイテムによる実験であり、リリースではありません。",
    ),
    "verified": Both(
        "{count:,} releases passed the independent verifier: no attacker who knows items of the "
        "original record is left. Those of Algorithm 2, which promises less, were tried with "
        "20,000 fresh attackers of every size instead.",
        "独立した検証器が {count:,} 件の加工結果を検査し、元のレコードのアイテムを知る攻撃者が一人"
        "も残っていないことを確かめました。保証がより弱いアルゴリズム2の結果は、各サイズ 20,000 人"
        "の新しい攻撃者で調べています。",
    ),
    "findings": Both("What reproduces", "再現したもの"),
    "kept": Both(
        "Figure 3, {mode}. The paper: mostly 7 to 9 of 10 items are kept. Here at least 7 are at "
        "{within} of {places} places; kept are between {least:.0%} and {most:.0%}.",
        "図3（{mode}）。論文：多くの場合 7〜9 割のアイテムが残る。ここでは {places} 点のうち "
        "{within} 点で 7 割以上が残り、残る割合は {least:.0%}〜{most:.0%} です。",
    ),
    "more": Both(
        "Figure 3, {mode}. The paper: personalized loses more than fixed throughout. Here at "
        "{times} of {places} places.",
        "図3（{mode}）。論文：personalized は一貫して fixed より損失が大きい。ここでは {places} 点"
        "のうち {times} 点で成立します。",
    ),
    "second": Both(
        "Figure 3, {mode}. The paper: BMS-WebView-2 loses more than BMS-WebView-1. Here at {times} "
        "of {places} places.",
        "図3（{mode}）。論文：BMS-WebView-2 は BMS-WebView-1 より損失が大きい。ここでは {places} 点"
        "のうち {times} 点で成立します。",
    ),
    "kl": Both(
        "Figure 4, {mode}. The paper: the KL divergence differs little between fixed and "
        "personalized. Here at ρ = 0.5: {pairs}.",
        "図4（{mode}）。論文：KL ダイバージェンスの差は僅か。ここでの ρ = 0.5 の値：{pairs}。",
    ),
    "kl_pair": Both(
        "{name} {fixed:.4f} fixed and {personalized:.4f} personalized",
        "{name} は fixed {fixed:.4f}、personalized {personalized:.4f}",
    ),
    "longer": Both(
        "Figure 5, {mode}. The paper: with records of any length more is lost than with short ones "
        "at the same ρ = 0.5, and a little more for smaller ε. Here {pairs}.",
        "図5（{mode}）。論文：レコード長を制限しないと（同じ ρ = 0.5 で）損失が増え、ε が小さいほど"
        "僅かに増える。ここでは {pairs}。",
    ),
    "longer_pair": Both(
        "{name}, personalized: {loose:.1%} at ε = 0.1, {tight:.1%} at ε = 0.01{short}",
        "{name}（personalized）は ε = 0.1 で {loose:.1%}、ε = 0.01 で {tight:.1%}{short}",
    ),
    "longer_short": Both(" ({short:.1%} with short records)", "（短いレコードでは {short:.1%}）"),
    "plus": Both(
        "Figure 6, {mode}. The paper: personalized+ loses much less than fixed+, most so where few "
        "items are prone to be sensitive. Here {pairs}.",
        "図6（{mode}）。論文：personalized+ の損失は fixed+ よりずっと小さく、機微になりやすいアイ"
        "テムが少ないほど差が大きい。ここでは {pairs}。",
    ),
    "plus_pair": Both(
        "{name}: {few:.1%} in place of {few_fixed:.1%} at 5 %, {many:.1%} in place of "
        "{many_fixed:.1%} at 80 %",
        "{name} は 5 % のとき {few_fixed:.1%} に対し {few:.1%}、80 % のとき {many_fixed:.1%} に対"
        "し {many:.1%}",
    ),
    "rules": Both(
        "Figure 7, {mode}. The paper: the Jaccard distance of the best 100 rules is almost always "
        "0.8 or more with fixed+. Here at {times} of {places} places (least {least:.2f}); with "
        "personalized+ and 5 % it is {few}.",
        "図7（{mode}）。論文：fixed+ では上位 100 ルールの Jaccard 距離がほぼ 0.8 以上。ここでは "
        "{places} 点のうち {times} 点で成立します（最小 {least:.2f}）。personalized+ の 5 % では "
        "{few} です。",
    ),
    "ratio": Both(
        "{name}: sudare's default suppresses {least:.2f} to {most:.2f} times as much as paper mode "
        "(figures 3 and 6).",
        "{name}：sudare の既定の方法の抑圧数は論文モードの {least:.2f}〜{most:.2f} 倍です（図3・図"
        "6）。",
    ),
    "kl_ratio": Both(
        "{name}: the KL divergence of the default is {least:.2f} to {most:.2f} times paper mode's "
        "(figure 4): to suppress fewer items it takes some that are easier to suppress than "
        "others, most so at a small ρ.",
        "{name}：既定の方法の KL ダイバージェンスは論文モードの {least:.2f}〜{most:.2f} 倍です（図"
        "4）。抑圧数を減らすため、ρ が小さいほど特定のアイテムに抑圧が偏ります。",
    ),
    "rules_ratio": Both(
        "{name}: the Jaccard distance of the default is {least:.2f} to {most:.2f} times paper "
        "mode's (figure 7).",
        "{name}：既定の方法の Jaccard 距離は論文モードの {least:.2f}〜{most:.2f} 倍です（図7）。",
    ),
    "sampled": Both(
        "{name}, figure 5 at ε = 0.1, personalized: the literal Algorithm 2 loses {paper:.1%} and "
        "leaves {left:.1%} of the attackers successful; the corrected one loses {ours:.1%} and "
        "leaves {ours_left:.2%}. The exact release (ε = 0 in the plot), against attackers who know "
        "any number of items, loses {exact:.1%}.",
        "{name}、図5の ε = 0.1（personalized）：論文どおりのアルゴリズム2の損失は {paper:.1%} で、"
        "攻撃者の {left:.1%} が成功します。修正版の損失は {ours:.1%}、成功は {ours_left:.2%} です"
        "。背景知識の数を制限しない厳密な加工（図の ε = 0）の損失は {exact:.1%} です。",
    ),
    "differs": Both("What differs from the paper, and why", "論文との違いとその理由"),
    "original": Both(
        "The attacker knows items of the original record, in both modes. Read as Q ⊆ the current "
        "record, whoever lost an item is protected no longer from those who know that item, and "
        "hundreds of people stay exposed.",
        "両モードとも、攻撃者は元のレコードのアイテムを知るものとします。Q を加工後のレコードの部"
        "分集合と読むと、抑圧されたアイテムを知る攻撃者からその人を守れず、数百人が推定される状態"
        "で残ります。",
    ),
    "every": Both(
        "Every item e is tested that stands in a record with Q, not only those of the person: a "
        "false accusation harms too (both modes).",
        "本人が持つアイテムに限らず、Q とともに現れるすべての機微アイテム e を検査します（濡れ衣対"
        "策、両モード）。",
    ),
    "choice": Both(
        "The choice F of equation (5) is 0 for every item at the start, and where an item has "
        "become rarer (F < 0) its sign prefers larger numbers of suppressions. Paper mode keeps F "
        "and decides ties: fewest suppressions, then the order of the items. The default takes the "
        "fewest suppressions, weighed by whether an item has become rarer than it was.",
        "式(5)の F は最初すべてのアイテムで 0 であり、頻度が下がったアイテム（F < 0）では抑圧数が"
        "多いものほど選ばれます。論文モードは F をそのまま使い、同点は抑圧数の少ない順、次にアイテ"
        "ムの順で決めます。既定の方法は頻度の変化で重みづけた抑圧数を最小にします。",
    ),
    "theorem": Both(
        "Theorem 1 holds for a data set that does not depend on the sample. Algorithm 2 tests "
        "again and again until it passes, so the default spends δ over the passes; and with no "
        "failure among n attackers the exact bound (1 − ε)ⁿ needs far fewer than Hoeffding's "
        "(668 in the first pass in place of 23,026 at ε = δ = 0.01). Where all attackers can be "
        "walked through, none is drawn before they are stopped.",
        "定理1はサンプルに依存しないデータに対するものですが、アルゴリズム2は合格するまで検査を繰"
        "り返します。既定の方法は δ を各回に配分し、失敗ゼロのときの正確な上限 (1 − ε)ⁿ を使います"
        "。Hoeffding の不等式より必要数がずっと少なく、ε = δ = 0.01 の初回は 23,026 に対し 668 で"
        "す。攻撃者をすべて調べられる場合は、抽出の前に全員を防ぎます。",
    ),
    "return": Both(
        "The default puts items back at the end where everything stays safe without their "
        "suppression; the paper does not.",
        "既定の方法は最後に、抑圧が不要になったアイテムを安全な範囲で戻します（論文にはありません"
        "）。",
    ),
    "silent": Both(
        "The paper does not say which ρ figures 6 and 7 have: here 0.5. Shares of items are of all "
        "items of the data set. Among rules of equal support, confidence, length and names decide.",
        "図6・図7の ρ は論文に記載がなく、0.5 としました。アイテムの割合はデータセットの全アイテム"
        "に対するものです。support が等しいルールは確信度・長さ・名前の順で決めます。",
    ),
    "plots": Both(
        "The paper has plots and no tables, so only what its text states is compared.",
        "論文には図のみで数表がないため、本文の記述とだけ比較しています。",
    ),
    "seconds": Both(
        "All {places} places took {seconds:.0f} seconds on this machine.",
        "全 {places} 点の計算時間はこの計算機で {seconds:.0f} 秒でした。",
    ),
    "figure": Both("Figure {number}", "図{number}"),
    "what3": Both(
        "Share of items that were suppressed (util₁) over ρ; records of at most five items, 40 % "
        "sensitive.",
        "ρ と抑圧されたアイテムの割合（util₁）。5アイテム以下のレコード、機微アイテム 40 %。",
    ),
    "what4": Both(
        "KL divergence of the items' frequencies (util₂) over ρ, of the same releases.",
        "同じ加工結果での、ρ とアイテムの出現頻度の KL ダイバージェンス（util₂）。",
    ),
    "what5": Both(
        "util₁ over ε = δ at ρ = 0.5, attackers with at most five known items, records of any "
        "length; and the largest share of fresh attackers who succeed. ε = 0: exact, any number of "
        "known items.",
        "ρ = 0.5、背景知識は5個まで、レコード長の制限なしでの、ε = δ と util₁、および新しい攻撃者"
        "の成功率の最大値。ε = 0 は背景知識の数を制限しない厳密な加工。",
    ),
    "what6": Both(
        "util₁ over the share of items that are prone to be sensitive, 1 % of them flipped for "
        "every person; ρ = 0.5.",
        "機微になりやすいアイテムの割合と util₁（個人ごとに 1 % を反転）。ρ = 0.5。",
    ),
    "what7": Both(
        "Jaccard distance of the best 100 rules before and after (util_mining); least support "
        "0.05 %, least confidence 30 %; the same releases.",
        "加工前後の上位 100 相関ルールの Jaccard 距離（util_mining）。support 0.05 % 以上、確信度 "
        "30 % 以上。同じ加工結果。",
    ),
    "paper": Both("paper mode", "論文モード"),
    "default": Both("sudare's default", "sudare の既定"),
    "csv": Both("Every number: {name}", "すべての数値：{name}"),
    "panel": Both("{name}, {mode}", "{name}、{mode}"),
    "chart": Both(
        "{name}, {mode}: {quantity} over {axis}, a line for each setting",
        "{name}、{mode}：{axis} と {quantity}。設定ごとに一本の線",
    ),
}
NAMES = {
    "bms-webview-1": Both("BMS-WebView-1", "BMS-WebView-1"),
    "bms-webview-2": Both("BMS-WebView-2", "BMS-WebView-2"),
    "town": Both("the made town", "架空の町"),
}


def said(key: str, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages."""
    text = TEXTS[key]
    return Both(*(_filled(text[language], language, values) for language in ("en", "ja")))


def name_of(data: str) -> Both:
    return NAMES.get(data, Both(data, data))


def joined(parts: list[Both]) -> Both:
    return Both("; ".join(each.en for each in parts), "、".join(each.ja for each in parts))


def _filled(text: str, language: str, values: dict[str, object]) -> str:
    """A gap that has a text of its own takes that of its language."""
    own = {
        name: (value.en if language == "en" else value.ja) if isinstance(value, Both) else value
        for name, value in values.items()
    }
    return text.format(**own)
