"""The sentences about released baskets, in both languages: what was done, and what it cost."""

from __future__ import annotations

from sudare.report.both import Both
from sudare.report.words import singular

TEXTS: dict[str, Both] = {
    "title": Both("Baskets with items suppressed", "アイテムを抑圧した集合値データ"),
    "title_generalized": Both(
        "Baskets under coarser names", "アイテムを粗い名前に一般化した集合値データ"
    ),
    "lead": Both(
        "{records:,} records, {items:,} different items, {occurrences:,} occurrences.",
        "レコード {records:,} 件、アイテム {items:,} 種、延べ {occurrences:,} 個。",
    ),
    "owner": Both(
        "The owner's own page, not for publication: it compares the release with the original "
        "data. Publish the released file and its certificate alone.",
        "データ保有者専用・公開不可：このページは公開データを元データと比べています。"
        "公開してよいのは公開データと証明書だけです。",
    ),
    "head_summary": Both("In short", "概要"),
    "kept": Both(
        "Kept: {released:,} of {occurrences:,} occurrences ({share}) in {records:,} records; "
        "{changed:,} records lost something, {emptied:,} all they had.",
        "延べ {occurrences:,} 個のうち {released:,} 個（{share}）を残しました。全 {records:,} 件中 "
        "{changed:,} 件のレコードが何かを失い、{emptied:,} 件は空になりました。",
    ),
    "generalized": Both(
        "{items:,} different items of {records:,} records, some of them under {names:,} coarser "
        "names; {released:,} of {occurrences:,} occurrences are left, as in {changed:,} records "
        "items fell together.",
        "{records:,} 件のレコードの {items:,} 種のアイテムの一部を {names:,} 個の粗い名前に"
        "まとめました。{changed:,} 件のレコードでアイテムが一つになり、延べ "
        "{occurrences:,} 個のうち {released:,} 個が残りました。",
    ),
    "all_gone": Both(
        "Nothing is left of {occurrences:,} occurrences in {records:,} records: even under the "
        "coarsest name fewer than {k:,} records hold an item.",
        "全 {records:,} 件のレコードの延べ {occurrences:,} 個は一つも残りませんでした。最も粗い名前"
        "にしても、アイテムを持つレコードが {k:,} 件に届きません。",
    ),
    "paper_mode": Both(
        "Chosen as the paper's algorithm chooses (paper mode), for comparison: the default "
        "usually suppresses less.",
        "論文のアルゴリズムどおりの選び方（paper モード）による比較用の結果です。通常は既定の"
        "方法の方が抑圧は少なくなります。",
    ),
    "utility": Both(
        "Lost: util1 = {util1} of all occurrences, util2 = {util2} nats.",
        "損失：util1 = {util1}（抑圧された割合）、util2 = {util2} nat。",
    ),
    "mining": Both(
        "Association rules (support {support}, confidence {confidence}): {before:,} before, "
        "{after:,} after, {common:,} in both; Jaccard distance {distance:.3f}.",
        "相関ルール（支持度 {support}、確信度 {confidence}）：前 {before:,}、後 {after:,}、"
        "共通 {common:,}。Jaccard 距離 {distance:.3f}。",
    ),
    "nothing_left": Both(
        "The released file is empty: nothing could be kept, so that no attacker was found says "
        "nothing about what you wanted to publish.",
        "公開ファイルは空です。残せるものがなかったため、攻撃者が見つからないことに意味は"
        "ありません。",
    ),
    "loss": Both(
        "Information lost to coarser names: NCP {loss}.",
        "粗い名前により失われた情報：NCP {loss}。",
    ),
    "card_kept": Both("of all occurrences are kept", "延べ個数のうち残った割合"),
    "card_changed": Both(
        "of {records:,} records lost something", "件が何かを失った（全 {records:,} 件）"
    ),
    "card_merged": Both(
        "of {records:,} records have items that fell together",
        "件でアイテムが一つになった（全 {records:,} 件）",
    ),
    "card_emptied": Both("records are empty now", "件が空になった"),
    "card_confidence": Both(
        "the highest confidence left, of ρ = {rho} allowed", "残った最大の確信度（上限 ρ = {rho}）"
    ),
    "card_fewest": Both(
        "records hold the rarest known set; {k:,} are demanded",
        "件が最も稀な既知集合を持つ（要求 {k:,} 件）",
    ),
    "card_share": Both(
        "of attackers succeed at most, of ε = {eps:g} allowed",
        "成功する攻撃者の割合の上限（許容 ε = {eps:g}）",
    ),
    "card_rules": Both(
        "of {before:,} association rules are kept", "残った相関ルール（全 {before:,} 個）"
    ),
    "head_utility": Both("What it cost", "有用性の損失"),
    "util1_means": Both(
        "{value}: the share of occurrences that were suppressed",
        "{value}：抑圧されたアイテムの割合（延べ）",
    ),
    "util2_means": Both(
        "{value} nats: the Kullback-Leibler divergence of the items' shares after from those "
        "before",
        "{value} nat：アイテムの出現割合の、加工後から加工前への KL ダイバージェンス",
    ),
    "mining_means": Both(
        "{value:.3f}: the Jaccard distance of the best-supported rules before and after; 0 is the "
        "same, 1 none in common",
        "{value:.3f}：支持度上位の相関ルールの前後の Jaccard 距離。0 なら同じ、1 なら共通なし",
    ),
    "loss_means": Both(
        "{value}: the normalized certainty penalty; 0 is as it was, 100 % all under one name",
        "{value}：正規化確実性ペナルティ。0 なら元のまま、100 % ならすべて一つの名前",
    ),
    "head_mining": Both("Association rules", "相関ルール"),
    "rules_before": Both("before", "加工前"),
    "rules_after": Both("after", "加工後"),
    "rules_common": Both("in both", "両方にある"),
    "rules_lost": Both("lost", "失われた"),
    "rules_new": Both("only after: not in the original", "加工後だけ：元データにはない"),
    "rules": Both("rules", "ルール数"),
    "head_frequencies": Both("How often items occur", "アイテムの出現頻度"),
    "before": Both("before", "加工前"),
    "after": Both("after", "加工後"),
    "caption_ranks": Both(
        "Records that hold an item (up) by the item's rank (across), both logarithmic; each line "
        "has its own ranks.",
        "アイテムを持つレコード数（縦）と順位（横）、両対数。順位は線ごとに付けています。",
    ),
    "caption_scatter": Both(
        "Records that hold an item before (across) and after (up), both logarithmic; on the line "
        "nothing changed, at the height 0 the item is gone. One dot stands for all items at about "
        "its place.",
        "アイテムを持つレコード数の加工前（横）と加工後（縦）、両対数。線上は変化なし、高さ 0 は"
        "消えたアイテム。一つの点は近い位置のアイテムをまとめて表します。",
    ),
    "gone": Both(
        "{gone:,} of {items:,} items occur no more.",
        "{items:,} 種のうち {gone:,} 種は現れなくなりました。",
    ),
    "coarse_gone": Both(
        "An item that is published under a coarser name counts as gone here.",
        "粗い名前で公開されるアイテムは、ここでは消えたものとして数えます。",
    ),
    "head_why": Both("What was suppressed, and why", "何がなぜ抑圧されたか"),
    "why_rho": Both(
        "Every step met an attacker who would have succeeded: either the item that could be "
        "inferred was taken out of records, or one of the items known.",
        "各ステップは、成功するはずだった攻撃者への対処です。推定されうるアイテムか、知られている"
        "アイテムのどちらかをレコードから除きました。",
    ),
    "why_km": Both(
        "An item was taken out of a record where it was part of a set of items that too few "
        "records hold.",
        "少なすぎるレコードしか持たないアイテム集合に含まれるアイテムを、そのレコードから除きました。",
    ),
    "why_coarse": Both(
        "An item was put under a coarser name where it was part of a set of items that too few "
        "records hold.",
        "少なすぎるレコードしか持たないアイテム集合に含まれるアイテムを、粗い名前にまとめました。",
    ),
    "put_back": Both(
        "{walks:,} walks over the records; {put_back:,} occurrences turned out to be unnecessary "
        "to suppress and were put back.",
        "レコードを {walks:,} 回走査。抑圧が不要と分かった {put_back:,} 個を元に戻しました。",
    ),
    "known_items": Both("items known", "既知のアイテム数"),
    "inferred_out": Both("inferred item suppressed", "推定される側を抑圧"),
    "knowing_out": Both("known item suppressed", "知られている側を抑圧"),
    "head_most": Both("Items that lost most", "最も抑圧されたアイテム"),
    "item": Both("item", "アイテム"),
    "lost": Both("lost", "失った割合"),
    "head_coarse": Both("Coarser names", "粗い名前"),
    "name": Both("published as", "公開する名前"),
    "under": Both("items under it", "含まれるアイテム数"),
    "head_optimum": Both("Against the true minimum", "真の最小値との比較"),
    "optimum": Both(
        "No safe release suppresses fewer than {suppressed:,} occurrences (proved); this one "
        "suppresses {own:,}, a gap of {gap}.",
        "安全な公開データで抑圧が {suppressed:,} 個より少ないものはありません（証明済み）。今回は "
        "{own:,} 個で、差は {gap} です。",
    ),
    "optimum_open": Both(
        "No safe release suppresses fewer than {at_least:,} occurrences; the solver's best, "
        "{suppressed:,}, is not proved to be the fewest. This one suppresses {own:,}, at most "
        "{gap} more than needed.",
        "安全な公開データで抑圧が {at_least:,} 個より少ないものはありません。ソルバーの最良値 "
        "{suppressed:,} 個は最小とは証明されていません。今回は {own:,} 個で、必要な数との差は "
        "{gap} 以下です。",
    ),
    "head_notices": Both("About the input", "入力について"),
    "duplicates": Both(
        "{count:,} items stood twice in one record; such are read once.",
        "同じレコードに重複していたアイテム {count:,} 個は一つに数えました。",
    ),
    "undecodable": Both(
        "Careful: {count:,} names do not decode and count as missing. Name the encoding of the "
        "file (--encoding) if it is not UTF-8.",
        "注意: 名前 {count:,} 個は文字として読めず、欠損としました。ファイルが UTF-8 でなければ "
        "--encoding で指定してください。",
    ),
    "unnamed": Both(
        "{count:,} rows name no user that can be read; they were left out.",
        "読み取れる利用者名のない行 {count:,} 行は除きました。",
    ),
    "unknown_items": Both(
        "The file of sensitive items names {count:,} items that no record holds.",
        "機微アイテムのファイルにある {count:,} 種は、どのレコードにもありません。",
    ),
    "unknown_users": Both(
        "The file of sensitive items names {count:,} users without a record.",
        "機微アイテムのファイルにある利用者のうち {count:,} 人にはレコードがありません。",
    ),
    "head_file": Both("The released file", "公開データ"),
    "fact_sha256": Both("SHA-256 of the file", "ファイルの SHA-256"),
    "fact_records": Both("records", "レコード数"),
    "fact_model": Both("model", "モデル"),
    "fact_m": Both("most items an attacker knows", "攻撃者が知るアイテム数の上限"),
    "fact_random": Both("order and choice by lot", "順序と選択の乱択"),
    "fact_seconds": Both("seconds to read, suppress, verify", "読込・抑圧・検証の秒数"),
    "unbounded": Both("without bound", "上限なし"),
    "yes": Both("yes", "あり"),
    "no": Both("no", "なし"),
}


def said(key: str, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages."""
    text = TEXTS[key]
    return Both(singular(text.en.format(**values)), text.ja.format(**values))
