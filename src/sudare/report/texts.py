"""Every text that `report` shows, in both languages; nothing else here holds a sentence.

A clause (keys `say_…`) carries no full stop: sentences.py joins clauses and ends them.
"""

from __future__ import annotations

from typing import Literal

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "ja")

_EN: dict[str, str] = {
    # How sentences are put together.
    "clause_join": "; ",
    "clause_end": ".",
    "name": "{name}",
    "list_join": ", ",
    "list_last": " and ",
    # What an answer is about.
    "subject_count": "the number of rows",
    "subject_histogram": "the number of rows",
    "subject_sum": "the sum of {column}",
    "subject_mean": "the mean of {column}",
    "subject_variance": "the variance of {column}",
    "subject_median": "the median of {column}",
    "subject_quantile": "the {percent} % mark of {column} ({percent} % of the values do not "
    "exceed it)",
    "subject_covariance": "the covariances of {column}",
    "with_where": "{subject} where {where}",
    "with_by": "{subject} by {by}",
    # What a sentence says.
    "say_scalar": "{subject} is about {value}, ± {error} with 95 % probability",
    "say_interval": "{subject} is about {value}; with 95 % probability it lies between "
    "{low} and {high}",
    "say_public": "{subject} is {value}; it is public, so no noise was added and nothing was spent",
    "say_drowned": "the noise (± {error}) is as large as the answer, so it says nothing about "
    "{subject}",
    "say_lost_range": "the noise (± {error}) is as large as the answer's whole declared range, so "
    "it says nothing about {subject}",
    "say_few": "{subject} is about {cells}, {spread}",
    "say_many": "{subject}, {total} groups: from about {least} to about {most}, {spread}",
    "say_all_drowned": "in each of the {total} groups the noise (± {error}) is as large as the "
    "answer, so it says nothing about {subject}",
    "say_some_drowned": "for {count} of the {total} groups the noise is as large as the answer, so "
    "they say nothing",
    "say_named_drowned": "for {names} the noise is as large as the answer, so it says nothing",
    "say_clip": "values outside {ranges} count as the nearest bound; that effect is not in the ±",
    "say_together": "{subject}: {pairs}",
    "say_matrices": "{subject}: {total} numbers, each with its own ± in the table",
    "say_some_numbers_drowned": "for {count} of the {total} numbers the noise is as large as the "
    "answer, so they say nothing",
    "say_all_numbers_drowned": "in all {total} numbers the noise is as large as the answer, so "
    "it says nothing about {subject}",
    "pair_up": "{a} and {b} tend to rise together (about {value}, ± {error} with 95 % probability)",
    "pair_down": "{a} tends to fall as {b} rises (about {value}, ± {error} with 95 % probability)",
    "pair_drowned": "for {a} and {b} the noise is as large as the answer, so it says nothing",
    "pairs_drowned": "for {count} of the {total} pairs of columns the noise is as large as the "
    "answer, so they say nothing",
    "pairs_more": "{count} more pairs are in the table",
    "cell": "{value} for {label}",
    "spread_each": "each ± {error} with 95 % probability",
    "spread_most": "each ± {error} or less with 95 % probability",
    "range": "{low}–{high}",
    "range_signed": "{low} to {high}",
    "range_of": "{range} ({column})",
    "days": "{count} days",
    "day": "1 day",
    # What the guarantee means.
    "local_one": "Each row reports one item, at ε = {epsilon}.",
    "local_all": "Each row reports all {count} items, at ε = {epsilon} together.",
    "local_some": "Each row reports {asked} of {count} items, drawn evenly, at ε = {epsilon} "
    "together.",
    "local_item": "  {name}: {mechanism}, ε = {epsilon}",
    "local_more": "  and {count} more",
    "local_only": "No other way to spend ε was open.",
    "local_alone": "Chosen: {chosen}, with expected error × √n: {errors}. No other way was open.",
    "local_why": "Chosen: {chosen}, with expected error × √n: {errors}. The best other way, "
    "{other}: {other_errors}.",
    "local_shuffled": "Shuffled among {n} rows the reports are (ε = {epsilon}, δ = {delta})-"
    "private for whoever sees only the file.",
    "head_reported": "What each row reports",
    "reported_item": "Item",
    "reported_kind": "Kind",
    "reported_epsilon": "ε",
    "not_local_rows": "The number of rows is published as it is.",
    "not_local_missing": "A missing number was reported as the middle of its bounds, unless its "
    "column is declared complete; estimates are off by that.",
    "unit_row": "row",
    "unit_column": "“{unit}”",
    "promise_add_remove": "Whether any one {unit} is in the table or not, every possible result "
    "of this release stays almost equally likely: no probability changes by more than the factor "
    "e^ε = {ratio}{slack}.",
    "promise_replace_one": "Whatever any one {unit} holds, every possible result of this release "
    "stays almost equally likely: no probability changes by more than the factor "
    "e^ε = {ratio}{slack}. The number of units ({unit}) is taken as public.",
    "promise_slack": ", apart from an extra chance of at most δ = {delta}",
    "promise_rows": "A {unit} means all rows that share one value of {unit}; at most {rows} of "
    "them are used, chosen at random.",
    "promise_honest": "Whoever reads this release learns at most as much about one {unit} as from "
    "a survey that asks one yes-or-no question about it and gets the honest answer with "
    "probability {honest}, and otherwise the toss of a coin{more}.",
    "promise_guess": "Someone who knows everything else, and thinks two cases equally likely, "
    "guesses right with probability at most {guess} instead of 50 %{more}.",
    "promise_more": " (δ = {delta} comes on top)",
    # What it does not cover.
    "not_clipping": "Clipping: values outside the declared bounds count as the nearest bound. The "
    "± covers the noise only, not this shift.",
    "not_sampling": "Sampling: the figures describe the rows of this table. How well those rows "
    "stand for a wider population is not in the ±.",
    "not_rows": "Row limit: of a {unit} with more than {rows} rows only {rows} are counted. That "
    "shift is not in the ±.",
    "not_public": "Public facts: what the schema states (columns, bounds, categories, expected "
    "number of rows) is taken as public and is not protected.",
    "not_groups": "Groups: what holds for many people can be learned, and then be believed of each "
    "of them. Protected is what depends on one {unit}.",
    "not_others": "Other releases: each further release about the same people adds its own ε to "
    "this one.",
    # The page.
    "page_title": "Protected figures from “{table}”",
    "page_lead": "These figures carry deliberate noise, so that nobody in the table can be singled "
    "out. Each one says how far the noise may have moved it.",
    "switch": "日本語",
    "head_asked": "What was asked",
    "head_budget": "Privacy budget",
    "head_guarantee": "What is promised",
    "head_answers": "Answers",
    "head_not_covered": "What is not covered",
    "head_notes": "Notes",
    "head_provenance": "Where this comes from",
    "head_noise": "Noise",
    "budget_spent": "This release: ε = {epsilon}",
    "budget_left": "Left afterwards: ε = {epsilon}",
    "budget_alt": "This release spent {percent} of the ε that was left before it.",
    "budget_delta": "δ spent {spent}, left {left}.",
    "question": "Question",
    "answer": "Answer",
    "share": "ε",
    "share_of": "ε = {epsilon}",
    "share_free": "public, free",
    "value": "Value",
    "error": "± (95 %)",
    "interval": "95 % interval",
    "relative": "relative",
    "total": "Total",
    "mechanism": "Mechanism",
    "cells": "Cells",
    "scale": "Scale",
    "sensitivity": "Sensitivity",
    "lost": "lost in the noise",
    "no_noise": "public",
    "caption_bars": "Bars show the released values, thin lines the 95 % range of the noise.",
    "caption_dots": "Dots show the released values, lines the 95 % range of the noise.",
    "caption_strip": "The declared range; the thick line is the 95 % range, the dot the released "
    "value.",
    "caption_heat": "Correlations worked out from the released covariances (from −1 to 1).",
    "caption_grey": "Grey: the noise is as large as the answer, no result.",
    "caption_millions": "Axis in millions.",
    "caption_billions": "Axis in billions.",
    "chart_of": "Chart of {query}. {sentence}",
    "table_of": "Table of {query}",
    "first_rows": "The first {shown} of {total} rows are shown; the CSV file has all of them.",
    "first_numbers": "The first {shown} of {total} numbers are shown; the CSV file has all of "
    "them.",
    "first_groups": "Charts are drawn for the first {shown} of {total} groups.",
    "fact_id": "Release",
    "fact_table": "Table",
    "fact_created": "Made at",
    "fact_epsilon": "ε of this release",
    "fact_delta": "δ of this release",
    "fact_rho": "ρ (zCDP)",
    "fact_neighbours": "Neighbours",
    "fact_unit": "Privacy unit",
    "fact_max_rows_per_unit": "Rows per unit, at most",
    "fact_source": "Source",
    "fact_engine": "Engine",
    "fact_sandbox": "Walls around the blocks",
    "fact_schema_sha256": "SHA-256 of the schema",
    "fact_plan_sha256": "SHA-256 of the plan",
    "fact_ledger_entry": "Ledger entry",
    "fact_software": "Software",
    "fact_sha256": "SHA-256 of the released bytes",
    "spent_left": "Spent ε = {spent} on “{table}”; ε = {left} left.",
    # Tables.
    "not_invariant": "Public totals: “{name}” ({source}) stands in the schema as public knowledge. "
    "These numbers are shown as they are: they carry no noise and no protection.",
    "not_negative": "Small cells: counts are never negative, so where many cells are empty the "
    "released ones lie a little too high one by one; their sums do not.",
    "not_shown": "Larger margins: {names} are in the CSV files, not on this page.",
    "share_table": "within the table's ε",
    "margin": "Margin",
    "sheet_table": "table",
    "sheet_errors": "errors",
    "sheet_about": "about",
    "compare_title": "NOT FOR PUBLICATION: “{table}”, true against released",
    "compare_lead": "For the steward alone: this page shows exact counts. It is no release, and "
    "nothing protects the people in it.",
    "compare_cell": "Cell",
    "compare_true": "True",
    "compare_released": "Released",
    "compare_lost": "{count} of {total} cells are drowned: their true count is smaller than the "
    "95 % error ± {error}.",
    "compare_rmse": "Root mean square error {found}; forecast {forecast}.",
    "compare_chart": "True counts across, released counts up, for margin {name}. The line is where "
    "both are equal; grey cells are drowned in noise.",
    "more_cells": "and {count} more",
}

_JA: dict[str, str] = {
    "clause_join": "。",
    "clause_end": "。",
    "name": "「{name}」",
    "list_join": "、",
    "list_last": "、",
    "subject_count": "行数",
    "subject_histogram": "行数",
    "subject_sum": "{column}の合計",
    "subject_mean": "{column}の平均",
    "subject_variance": "{column}の分散",
    "subject_median": "{column}の中央値",
    "subject_quantile": "{column}の {percent} % 点（値の {percent} % がこれ以下）",
    "subject_covariance": "{column}の共分散",
    "with_where": "条件「{where}」に合う行での{subject}",
    "with_by": "{by}別の{subject}",
    "say_scalar": "{subject}は約 {value} です（95 % の確率で ± {error}以内）",
    "say_interval": "{subject}は約 {value} です（95 % の確率で {low} から {high} の間）",
    "say_public": "{subject}は {value} です。公開されている数なので、"
    "雑音は加えず、費用もかかりません",
    "say_drowned": "雑音（± {error}）が答えと同じくらい大きいため、"
    "{subject}については何も言えません",
    "say_lost_range": "雑音（± {error}）が宣言された範囲全体に及ぶほど大きいため、"
    "{subject}については何も言えません",
    "say_few": "{subject}は、約 {cells}です（{spread}）",
    "say_many": "{subject}（{total} 区分）は、約 {least}から約 {most}までです（{spread}）",
    "say_all_drowned": "{total} 区分すべてで雑音（± {error}）が答えと同じくらい大きいため、"
    "{subject}については何も言えません",
    "say_some_drowned": "{total} 区分のうち {count} 区分では、"
    "雑音が答えと同じくらい大きいため何も言えません",
    "say_named_drowned": "{names}では、雑音が答えと同じくらい大きいため何も言えません",
    "say_clip": "{ranges}の外の値は近いほうの端の値として数えており、"
    "その影響は ± に含まれていません",
    "say_together": "{subject}：{pairs}",
    "say_matrices": "{subject}は {total} 個の数で、それぞれの ± は表に示します",
    "say_some_numbers_drowned": "{total} 個のうち {count} 個では、"
    "雑音が答えと同じくらい大きいため何も言えません",
    "say_all_numbers_drowned": "{total} 個すべてで雑音が答えと同じくらい大きいため、"
    "{subject}については何も言えません",
    "pair_up": "{a}と{b}は一緒に増える傾向があります（約 {value}、95 % の確率で ± {error}以内）",
    "pair_down": "{b}が増えると{a}は減る傾向があります（約 {value}、95 % の確率で ± {error}以内）",
    "pair_drowned": "{a}と{b}については、雑音が答えと同じくらい大きいため何も言えません",
    "pairs_drowned": "{total} 組の列のうち {count} 組では、"
    "雑音が答えと同じくらい大きいため何も言えません",
    "pairs_more": "ほかの {count} 組は表に示します",
    "cell": "{value}（{label}）",
    "spread_each": "いずれも 95 % の確率で ± {error}以内",
    "spread_most": "いずれも 95 % の確率で最大 ± {error}以内",
    "range": "{low}～{high}",
    "range_signed": "{low} から {high}",
    "range_of": "{range}（{column}）",
    "days": "{count} 日",
    "day": "1 日",
    "local_one": "各行は1項目を ε = {epsilon} で報告します。",
    "local_all": "各行は{count}項目すべてを、合計 ε = {epsilon} で報告します。",
    "local_some": "各行は{count}項目のうち均等に選ばれた{asked}項目を、"
    "合計 ε = {epsilon} で報告します。",
    "local_item": "  {name}：{mechanism}、ε = {epsilon}",
    "local_more": "  ほか{count}項目",
    "local_only": "ε の使い方はほかにありませんでした。",
    "local_alone": "採用：{chosen}、予想誤差×√n：{errors}。ほかの方法はありませんでした。",
    "local_why": "採用：{chosen}、予想誤差×√n：{errors}。次善は{other}：{other_errors}。",
    "local_shuffled": "{n}行の中でシャッフルされているため、ファイルだけを見る人に対して"
    "（ε = {epsilon}、δ = {delta}）の保護があります。",
    "head_reported": "各行が報告する項目",
    "reported_item": "項目",
    "reported_kind": "種類",
    "reported_epsilon": "ε",
    "not_local_rows": "行数はそのまま公表されています。",
    "not_local_missing": "欠損した数値は、列が complete と宣言されていないかぎり範囲の中央として"
    "報告されており、推定値はその分ずれます。",
    "unit_row": "行",
    "unit_column": "「{unit}」",
    "promise_add_remove": "どの 1 つの{unit}が表に入っていてもいなくても、この公開で"
    "どの結果が出る確率もほとんど変わりません。変わっても e^ε = {ratio} 倍までです{slack}。",
    "promise_replace_one": "どの 1 つの{unit}の中身が何であっても、この公開で"
    "どの結果が出る確率もほとんど変わりません。変わっても e^ε = {ratio} 倍までです{slack}。"
    "単位（{unit}）の数は公開されているものとします。",
    "promise_slack": "（ほかに δ = {delta} 以下の確率の例外があります）",
    "promise_rows": "ここでの{unit}は、{unit}の値が同じすべての行を指します。"
    "そのうち無作為に選んだ {rows} 行までを使います。",
    "promise_honest": "この公開を見た人が 1 つの{unit}について知りうることは、それについての"
    "「はい・いいえ」の質問 1 つに、確率 {honest} で正直な答えが返り、残りは硬貨の裏表で"
    "答えが決まる調査から知りうることを超えません{more}。",
    "promise_guess": "ほかのすべてを知っていて、2 つの場合が半々だと考える人が正しく言い当てる"
    "確率は、50 % から上がっても {guess} までです{more}。",
    "promise_more": "（ほかに δ = {delta}）",
    "not_clipping": "範囲の制限：宣言された範囲の外の値は近いほうの端の値として数えます。"
    "± は雑音だけの大きさで、このずれを含みません。",
    "not_sampling": "標本：数値はこの表の行についてのものです。"
    "より広い集団をどれだけ代表しているかは ± に含まれません。",
    "not_rows": "行数の制限：{rows} 行を超える{unit}については {rows} 行だけを数えます。"
    "このずれは ± に含まれません。",
    "not_public": "公開情報：スキーマに書かれたこと（列、範囲、区分、想定行数）は公開とみなし、"
    "保護しません。",
    "not_groups": "集団の傾向：多くの人に当てはまることは分かり、そこから一人ひとりについて"
    "推測できます。保護されるのは 1 つの{unit}だけに左右されることです。",
    "not_others": "ほかの公開：同じ人々についての公開が増えるたびに、"
    "その ε がこの ε に加わります。",
    "page_title": "「{table}」の保護済み統計",
    "page_lead": "表の中の誰かが特定されないよう、数値にはわざと雑音を加えてあります。"
    "雑音でどれだけ動いた可能性があるかを、数値ごとに示します。",
    "switch": "English",
    "head_asked": "質問",
    "head_budget": "プライバシー予算",
    "head_guarantee": "約束されること",
    "head_answers": "答え",
    "head_not_covered": "約束に含まれないこと",
    "head_notes": "備考",
    "head_provenance": "出所",
    "head_noise": "雑音",
    "budget_spent": "この公開：ε = {epsilon}",
    "budget_left": "残り：ε = {epsilon}",
    "budget_alt": "この公開は、それまで残っていた ε の {percent} を使いました。",
    "budget_delta": "δ は使用 {spent}、残り {left}。",
    "question": "質問",
    "answer": "答え",
    "share": "ε",
    "share_of": "ε = {epsilon}",
    "share_free": "公開情報（無料）",
    "value": "値",
    "error": "±（95 %）",
    "interval": "95 % 区間",
    "relative": "相対誤差",
    "total": "合計",
    "mechanism": "方式",
    "cells": "セル数",
    "scale": "尺度",
    "sensitivity": "感度",
    "lost": "雑音に埋没",
    "no_noise": "公開情報",
    "caption_bars": "棒は公開した値、細い線は雑音の 95 % の範囲です。",
    "caption_dots": "点は公開した値、線は雑音の 95 % の範囲です。",
    "caption_strip": "軸は宣言された範囲、太い線は 95 % の範囲、点は公開した値です。",
    "caption_heat": "公開した共分散から計算した相関（−1 から 1）です。",
    "caption_grey": "灰色は、雑音が答えと同じくらい大きく、結果とはいえないところです。",
    "caption_millions": "軸の単位は百万です。",
    "caption_billions": "軸の単位は十億です。",
    "chart_of": "{query} の図。{sentence}",
    "table_of": "{query} の表",
    "first_rows": "全 {total} 行のうち最初の {shown} 行を示します。"
    "CSV ファイルにはすべての行があります。",
    "first_numbers": "全 {total} 個の数のうち最初の {shown} 個を示します。"
    "CSV ファイルにはすべてあります。",
    "first_groups": "全 {total} 区分のうち最初の {shown} 区分の図を示します。",
    "fact_id": "公開番号",
    "fact_table": "表",
    "fact_created": "作成日時",
    "fact_epsilon": "この公開の ε",
    "fact_delta": "この公開の δ",
    "fact_rho": "ρ（zCDP）",
    "fact_neighbours": "隣接関係",
    "fact_unit": "保護の単位",
    "fact_max_rows_per_unit": "単位あたりの最大行数",
    "fact_source": "元データ",
    "fact_engine": "エンジン",
    "fact_sandbox": "塊を隔てる壁",
    "fact_schema_sha256": "スキーマの SHA-256",
    "fact_plan_sha256": "計画の SHA-256",
    "fact_ledger_entry": "台帳の記入番号",
    "fact_software": "ソフトウェア",
    "fact_sha256": "公開したバイト列の SHA-256",
    "spent_left": "「{table}」に ε = {spent} を使い、残りは ε = {left} です。",
    "not_invariant": "公開済みの合計：「{name}」（{source}）は、公開されている数としてスキーマに"
    "書かれています。そのまま示し、雑音も保護もありません。",
    "not_negative": "小さいセル：件数は負にならないため、空のセルが多いところでは個々の値が"
    "わずかに大きめになります。合計には影響しません。",
    "not_shown": "大きい周辺表：{names} はこのページではなく CSV ファイルにあります。",
    "share_table": "表全体の ε に含む",
    "margin": "周辺表",
    "sheet_table": "集計表",
    "sheet_errors": "誤差",
    "sheet_about": "説明",
    "compare_title": "公開禁止：「{table}」の真の値と公開値の比較",
    "compare_lead": "データ管理者専用です。このページには正確な件数があります。公開物ではなく、"
    "載っている人々は保護されていません。",
    "compare_cell": "セル",
    "compare_true": "真の値",
    "compare_released": "公開値",
    "compare_lost": "{total} セルのうち {count} セルは雑音に埋没しています"
    "（真の件数が 95 % の誤差 ± {error} より小さい）。",
    "compare_rmse": "二乗平均平方根誤差は {found}、予測は {forecast} でした。",
    "compare_chart": "周辺表 {name} の真の件数（横軸）と公開した件数（縦軸）です。線の上では"
    "両者が等しく、灰色のセルは雑音に埋没しています。",
    "more_cells": "ほか {count} 件",
}

TEXTS: dict[Language, dict[str, str]] = {"en": _EN, "ja": _JA}


def text(key: str, language: Language, **values: object) -> str:
    """One text with its gaps filled in; the caller escapes it where it becomes HTML."""
    return TEXTS[language][key].format(**values)
