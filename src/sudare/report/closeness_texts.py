"""The sentences about how close exact statistics come to a person, in both languages."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both(
        "How close the statistics come to a person", "統計がどこまで個人に近づいているか"
    ),
    "verdict_fine": Both(
        "Nothing was found that says much about a single person.",
        "一人ひとりについて多くを語る箇所は見つかりませんでした。",
    ),
    "verdict_look": Both(
        "Look at what was found before these statistics leave the house.",
        "これらの統計を外に出す前に、見つかった箇所を確かめてください。",
    ),
    "verdict_high": Both(
        "These statistics give people away: the places are listed below.",
        "これらの統計からは個人のことが分かってしまいます。該当箇所は以下のとおりです。",
    ),
    "fine": Both("fine", "問題なし"),
    "look": Both("look", "要確認"),
    "high": Both("high", "高い"),
    "small_bins": Both(
        "Bins of histograms with fewer than {minimum} people: {found:,}.",
        "ヒストグラムで {minimum} 人に満たない区間：{found:,} 個。",
    ),
    "small_cells": Both(
        "Cells of two-way tables with fewer than {minimum} people: {found:,}.",
        "二元表で {minimum} 人に満たないセル：{found:,} 個。",
    ),
    "alone": Both(
        "Cells of two-way tables with one person alone: {found:,}. Whoever knows both columns of "
        "somebody has singled this person out.",
        "二元表で一人だけのセル：{found:,} 個。両方の列を知る人には誰のことか分かります。",
    ),
    "groups": Both(
        "Groups of fewer than {minimum} people who are all the same in another column: {found:,}. "
        "Whoever knows that somebody belongs to one learns the other column.",
        "{minimum} 人に満たない全員が別の列で同じ値になる集団：{found:,} 個。ある人がその集団に"
        "属すると知っていれば、別の列の値も分かります。",
    ),
    "values": Both(
        "Values of one person that a histogram states: {found:,}.",
        "ヒストグラムにそのまま現れる一人の値：{found:,} 個。",
    ),
    "extremes": Both(
        "Least or greatest values that a histogram states and that fewer than {minimum} people "
        "have: {found:,}.",
        "ヒストグラムから分かり、{minimum} 人に満たない人だけが持つ最小値・最大値：{found:,} 個。",
    ),
    "sums": Both(
        "Sums over fewer than {minimum} people: {found:,}. Over one person the sum is this "
        "person's value; of two, each learns the other's.",
        "{minimum} 人に満たない人についての合計：{found:,} 個。一人ならその人の値そのもので、"
        "二人なら互いの値が分かります。",
    ),
    "constants": Both(
        "Columns in which everyone is the same: {found:,}. To be in the table is to have this "
        "value.",
        "全員が同じ値の列：{found:,} 個。表に含まれると分かれば、その値も分かります。",
    ),
    "equations": Both(
        "Independent numbers published: {found:,} ({tables:,} of them in two-way tables); unknown: "
        "{unknowns:,} values in {rows:,} rows. Each is an equation; where there are as many as "
        "unknowns, rows can be computed back, and with fewer often too.",
        "公開される独立な数：{found:,} 個（うち二元表に {tables:,} 個）。未知数：{rows:,} 行の値 "
        "{unknowns:,} 個。それぞれが方程式になり、未知数と同じ数があれば行を逆算でき、"
        "少なくても逆算できることがよくあります。",
    ),
    "against": Both(
        "Whoever knows everything but '{column}' reads {equations:,} equations in {rows:,} "
        "unknowns for each of its levels.",
        "「{column}」以外をすべて知る人は、その水準ごとに {rows:,} 個の未知数について "
        "{equations:,} 本の方程式を得ます。",
    ),
    "where": Both("Most of them: {places}.", "主な箇所：{places}。"),
    "place": Both("{columns} ({cells:,})", "{columns}（{cells:,}）"),
    "list_join": Both(", ", "、"),
    "private": Both(
        "With {options} the statistics are measured with noise under the ledger: then what any "
        "one person can change in them is bounded, whatever else is known.",
        "{options} を付けると、統計は台帳の管理下で雑音を加えて測られます。"
        "ほかに何が知られていても、一人の人が統計に与える影響は限られます。",
    ),
    "premise": Both(
        "This is a look at the statistics, no guarantee: that nothing was found does not mean that "
        "nothing is there.",
        "これは統計を点検した結果であり、保証ではありません。見つからなかったことは、"
        "何もないことを意味しません。",
    ),
}


def said(key: str, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages."""
    text = TEXTS[key]
    filled = [
        getattr(text, language).format(
            **{k: v[language] if isinstance(v, Both) else v for k, v in values.items()}
        )
        for language in ("en", "ja")
    ]
    return Both(*filled)
