"""The sentences of a comparison of real and synthetic rows, in both languages."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both("Synthetic beside real: {table}", "合成データと実データの比較：{table}"),
    "warning": Both(
        "For the steward only. This page was computed from the raw rows and shows exact figures "
        "of them. Do not publish it and do not send it with the synthetic rows.",
        "管理者専用。このページは生の行から計算され、その正確な値を示します。公開したり、"
        "合成データに添えて渡したりしないでください。",
    ),
    "summary": Both("Summary", "要約"),
    "sizes": Both(
        "{real:,} real and {synthetic:,} synthetic rows, {columns} columns compared.",
        "実データ {real:,} 行、合成データ {synthetic:,} 行、比較した列 {columns}。",
    ),
    "left_out": Both("Not compared: {names}.", "比較しなかった列：{names}。"),
    "like_green": Both(
        "The synthetic rows are like the real ones in everything measured here.",
        "合成データは、ここで測ったすべての点で実データに似ています。",
    ),
    "like_amber": Both(
        "The synthetic rows are like the real ones in the main; mind the yellow lines.",
        "合成データはおおむね実データに似ています。黄色の行に注意してください。",
    ),
    "like_red": Both(
        "The synthetic rows differ from the real ones where a red line says so; do not use them "
        "for that.",
        "赤の行の点で合成データは実データと異なります。その用途には使わないでください。",
    ),
    "like_grey": Both(
        "Too little was measured to say whether the synthetic rows are like the real ones.",
        "合成データが実データに似ているかを言えるほどには測れていません。",
    ),
    "safe_grey": Both(
        "No attack could be tried on enough people: whether the rows give anybody away was not "
        "measured.",
        "十分な人数に試せた攻撃がなく、個人のことが分かるかどうかは未測定です。",
    ),
    "safe_green": Both(
        "No attack tried here won more than its control. That is no proof: only an ε bounds every "
        "attacker.",
        "ここで試した攻撃はどれも対照を上回りませんでした。証明ではありません：すべての攻撃者を"
        "抑えるのは ε だけです。",
    ),
    "safe_amber": Both(
        "Some attack won a little more than its control; look at it before the rows leave.",
        "対照を少し上回った攻撃があります。データを渡す前に確認してください。",
    ),
    "safe_red": Both(
        "The synthetic rows give people away; do not let them leave as they are.",
        "合成データから個人のことが分かります。このまま渡さないでください。",
    ),
    "green": Both("good", "良好"),
    "amber": Both("with care", "要注意"),
    "red": Both("bad", "不可"),
    "grey": Both("not measured", "未測定"),
    "topic_single": Both(
        "One column at a time: {tv:.1%} of the rows, on average, would need another value to give "
        "the real column.",
        "列ごと：実データの分布にするには平均で行の {tv:.1%} の値を変える必要があります。",
    ),
    "too_few": Both(
        "Too few rows, or too little to learn, to call this good.",
        "良好と言うには行数か手がかりが足りません。",
    ),
    "topic_moments_none": Both(
        "No column is a number, so there are no means.", "数値の列がないため、平均はありません。"
    ),
    "topic_pairs_none": Both(
        "Only one column is in both files, so there are no tables of two.",
        "両方のファイルにある列は一つだけで、二元表はありません。",
    ),
    "topic_ranks_none": Both(
        "Fewer than two columns vary, so there are no rank correlations.",
        "値の変わる列が二つないため、順位相関はありません。",
    ),
    "topic_outside_none": Both(
        "No column has bounds that a value could leave.", "範囲を外れうる列がありません。"
    ),
    "topic_linkage_none": Both(
        "Two lists cannot be joined: the files share one column.",
        "両方のファイルにある列が一つなので、名簿の結合は試せません。",
    ),
    "topic_inference_none": Both(
        "Nothing can be guessed from other columns: the files share one.",
        "両方のファイルにある列が一つなので、ほかの列からの推測は試せません。",
    ),
    "topic_telling_below": Both(
        "A model names the synthetic row of a pair in only {auc:.0%} of cases, far below guessing: "
        "rows of one file are near copies of rows of the other.",
        "モデルが合成の方を当てる割合は {auc:.0%} で、当て推量を大きく下回ります：一方の行が他方の"
        "行の写しに近いしるしです。",
    ),
    "topic_moments": Both(
        "Means are off by at most {mean:.2g} standard deviations, covariances by at most {cov:.2g} "
        "of their scale.",
        "平均のずれは最大で標準偏差の {mean:.2g} 倍、共分散のずれは最大で尺度の {cov:.2g} 倍です。",
    ),
    "topic_pairs": Both(
        "Two columns at a time: {tv:.1%} of the rows, on average, sit in the wrong cell of a "
        "table; {worst:.1%} in the worst table.",
        "二列ごと：クロス表で誤ったセルにある行は平均 {tv:.1%}、最悪の表で {worst:.1%} です。",
    ),
    "topic_ranks": Both(
        "Rank correlations are off by {difference:.3f} on average.",
        "順位相関のずれは平均 {difference:.3f} です。",
    ),
    "topic_outside": Both(
        "{count:,.0f} synthetic values lie outside their declared bounds.",
        "宣言された範囲の外にある合成値は {count:,.0f} 個です。",
    ),
    "topic_telling": Both(
        "Given a real and a synthetic row, a model names the synthetic one in {auc:.0%} of cases; "
        "50 % is guessing.",
        "実データと合成データの行を一つずつ見たモデルが合成の方を当てる割合は {auc:.0%} です"
        "（50 % は当て推量）。",
    ),
    "topic_regression": Both(
        "A regression gives intervals that overlap with the real ones by {overlap:.0%}.",
        "回帰係数の区間は実データのものと {overlap:.0%} 重なります。",
    ),
    "topic_learning": Both(
        "A model trained on synthetic rows scores {synthetic:.3f} on real rows; trained on real "
        "rows {real:.3f}, a blind guess {blind:.3f}.",
        "合成データで学習したモデルの実データでの得点は {synthetic:.3f}、実データで学習すると "
        "{real:.3f}、当て推量なら {blind:.3f} です。",
    ),
    "topic_nearest": Both(
        "{identical:.2%} of the synthetic rows are identical to a real row; the nearest ones are "
        "{ratio:.2f} times as far from the real rows as other real rows are.",
        "合成データの {identical:.2%} は実データの行と同一です。最も近い行どうしの距離は、実データ"
        "どうしの {ratio:.2f} 倍です。",
    ),
    "topic_nearest_none": Both(
        "{identical:.2%} of the synthetic rows are identical to a real row; so many real rows are "
        "alike that distances tell nothing.",
        "合成データの {identical:.2%} は実データの行と同一です。実データに同じ行が多いため、距離"
        "からは何も言えません。",
    ),
    "topic_membership": Both(
        "Given somebody of the data and somebody who is not in it, the attacker names the former "
        "in {auc:.0%} of cases; 50 % is guessing.",
        "データに含まれる人と含まれない人のうち、攻撃者が前者を当てる割合は {auc:.0%} です"
        "（50 % は当て推量）。",
    ),
    "topic_membership_none": Both(
        "Whether it shows who is in the data needs rows that the synthesiser never saw: --holdout.",
        "誰がデータに含まれるかが分かるかは、合成に使っていない行がないと測れません：--holdout。",
    ),
    "topic_linkage": Both(
        "Two lists of the same people can be joined through synthetic rows for {success:.1%} of "
        "them; the control does for {control:.1%}.",
        "同じ人々の二つの名簿を合成データを通じて結びつけられる人は {success:.1%}、対照では "
        "{control:.1%} です。",
    ),
    "topic_inference": Both(
        "In the column most at risk, who knows all else of a person guesses right in {success:.1%} "
        "of cases; the control in {control:.1%}.",
        "最も危うい列では、他のすべてを知る人の推測が {success:.1%} 当たります。対照では "
        "{control:.1%} です。",
    ),
    "sampled": Both(
        "Models, distances and attacks use random rows of large tables, drawn anew each time, so "
        "their figures move a little between runs; everything else uses all rows.",
        "モデル・距離・攻撃は大きな表では毎回無作為に選んだ行を使うため、数値は実行ごとに少し"
        "変わります。それ以外はすべての行を使います。",
    ),
    "outside": Both("Values outside their bounds: {names}.", "範囲外の値：{names}。"),
    "measures": Both("The paper's measures", "論文の指標"),
    "measure": Both("measure", "指標"),
    "value": Both("value", "値"),
    "ave_mean": Both(
        "AveMean (2), in the units of the data", "AveMean（式 2）、データの単位のまま"
    ),
    "ave_mean_scaled": Both(
        "mean difference of means, in standard deviations", "平均の差の平均（標準偏差単位）"
    ),
    "max_mean_scaled": Both(
        "largest difference of means, in standard deviations", "平均の差の最大（標準偏差単位）"
    ),
    "ave_cov": Both("AveCov (3), in the units of the data", "AveCov（式 3）、データの単位のまま"),
    "ave_cov_scaled": Both(
        "mean difference of covariances, of σ_j σ_k", "共分散の差の平均（σ_j σ_k 単位）"
    ),
    "max_cov_scaled": Both(
        "largest difference of covariances, of σ_j σ_k", "共分散の差の最大（σ_j σ_k 単位）"
    ),
    "ave_cross": Both("AveCross (4) in %, as printed", "AveCross（式 4、%）、式のとおり"),
    "ave_cross_cells": Both(
        "AveCross in %, mean over all cells of all pairs", "AveCross（%）、全ペア全セルの平均"
    ),
    "ave_spearman": Both(
        "AveSpearCorr (5): labels by frequency, numbers by value",
        "AveSpearCorr（式 5）：カテゴリは頻度順、数値は値の順",
    ),
    "ave_spearman_shared": Both(
        "AveSpearCorr, labels ranked by the real frequencies",
        "AveSpearCorr、実データの頻度順で固定",
    ),
    "ave_spearman_printed": Both(
        "AveSpearCorr, every value by its frequency", "AveSpearCorr、すべての値を頻度順に"
    ),
    "one_way_tv": Both("total variation, one column", "全変動距離（一列）"),
    "two_way_tv": Both("total variation, two columns, mean", "全変動距離（二列、平均）"),
    "max_two_way_tv": Both("total variation, two columns, worst", "全変動距離（二列、最悪）"),
    "numbers": Both("Means and spreads", "平均とばらつき"),
    "column": Both("column", "列"),
    "mean": Both("mean", "平均"),
    "deviation": Both("standard deviation", "標準偏差"),
    "scaled": Both("difference in σ", "差（σ 単位）"),
    "real": Both("real", "実データ"),
    "synthetic": Both("synthetic", "合成データ"),
    "marginals": Both("Columns one by one", "列ごとの分布"),
    "marginals_more": Both(
        "The most frequent {shown} of {all} cells of '{column}' are drawn.",
        "「{column}」は {all} 個のうち頻度の高い {shown} 個を描きました。",
    ),
    "caption_marginal": Both(
        "{column}: shares in %, upper bar real, lower bar synthetic; total variation {tv:.1%}",
        "{column}：割合（%）、上が実データ、下が合成データ。全変動距離 {tv:.1%}",
    ),
    "correlations": Both("Rank correlations", "順位相関"),
    "caption_real": Both("Real rows", "実データ"),
    "caption_synthetic": Both("Synthetic rows", "合成データ"),
    "caption_difference": Both("Synthetic less real", "合成データ − 実データ"),
    "worst": Both("The worst two-way tables", "最もずれたクロス表"),
    "worst_lead": Both(
        "Of the tables small enough to be read, those with the largest total variation. Squares "
        "are percent of all rows.",
        "読める大きさの表のうち全変動距離の大きいもの。各マスは全行に対する %。",
    ),
    "caption_table": Both(
        "{which}: {a} (down) by {b} (across), total variation {tv:.1%}",
        "{which}：{a}（縦）× {b}（横）、全変動距離 {tv:.1%}",
    ),
    "pair": Both("columns", "列"),
    "tv": Both("total variation", "全変動距離"),
    "cells": Both("cells", "セル数"),
    "cell_error": Both("mean error of a cell, %", "セルの誤差の平均（%）"),
    "telling": Both("Can a model tell them apart?", "見分けられるか"),
    "telling_about": Both(
        "pMSE {pmse:.3g} with {parameters} parameters; {expected:.3g} would be expected of rows "
        "from a right model, 0.25 of rows that are always told apart. {rows:,} rows of each table.",
        "pMSE は {pmse:.3g}（パラメータ {parameters} 個）。正しいモデルの行なら {expected:.3g}、"
        "必ず見分けられる行なら 0.25 が期待されます。各表 {rows:,} 行を使用。",
    ),
    "telling_auc": Both(
        "Out of sample, area under the curve: logistic regression {logit}, boosted trees {trees} "
        "(0.5: cannot tell; well below 0.5: rows of one table are copies of the other's).",
        "標本外の AUC：ロジスティック回帰 {logit}、ブースティング木 {trees}（0.5 は見分けられない、"
        "0.5 を大きく下回れば一方が他方の写し）。",
    ),
    "regression": Both("The same regression on both", "両方での同じ回帰"),
    "linear": Both(
        "Least squares of '{target}'; {rows} rows.", "「{target}」の最小二乗回帰。{rows} 行。"
    ),
    "logistic": Both(
        "Logistic regression of '{target}' being '{event}'; {rows} rows.",
        "「{target}」が「{event}」であることのロジスティック回帰。{rows} 行。",
    ),
    "regression_about": Both(
        "Numbers count in standard deviations, labels against the most frequent one. Errors of the "
        "synthetic rows are those of as many rows as the real ones. Intervals overlap by "
        "{overlap:.0%} on average; {sign:.0%} of the coefficients have the same sign. {left_out} "
        "terms that the others determine are left out.",
        "数値は標準偏差単位、カテゴリは最頻値との比較です。合成データの標準誤差は実データと同じ"
        "行数に換算しました。区間の重なりは平均 {overlap:.0%}、符号が同じ係数は {sign:.0%}。他から"
        "決まる {left_out} 項は除きました。",
    ),
    "regression_none": Both(
        "There is no regression: the target, or everything else, is constant.",
        "目的の列または他のすべての列が定数なので、回帰はできません。",
    ),
    "term": Both("term", "項"),
    "error": Both("standard error", "標準誤差"),
    "overlap": Both("overlap", "重なり"),
    "caption_forest": Both(
        "Coefficients with 95 % intervals: upper line real, lower line synthetic",
        "係数と 95 % 区間：上が実データ、下が合成データ",
    ),
    "learning": Both("Train on synthetic, test on real", "合成で学習、実データで検証"),
    "learning_about": Both(
        "Boosted trees predict '{target}', trained on {rows:,} rows of either table, tested on "
        "{test:,} real rows {aside}.",
        "ブースティング木で「{target}」を予測。各表 {rows:,} 行で学習し、実データ {test:,} 行"
        "（{aside}）で検証。",
    ),
    "aside_holdout": Both("of the holdout", "ホールドアウト"),
    "aside_split": Both(
        "that the first model was not trained on", "実データのモデルの学習に使っていない行"
    ),
    "learning_none": Both(
        "There are too few rows with a target, or no other column, to train on.",
        "目的の列のある行が少なすぎるか他の列がないため、学習できません。",
    ),
    "chosen": Both(
        "The target '{target}' was chosen because none was named: the last boolean or category.",
        "指定がなかったので、最後の真偽値またはカテゴリ列「{target}」を目的の列にしました。",
    ),
    "score": Both("score", "得点"),
    "accuracy": Both("accuracy", "正解率"),
    "auc": Both("area under the curve", "AUC"),
    "r2": Both("R²", "決定係数 R²"),
    "trained_real": Both("trained on real", "実データで学習"),
    "trained_synthetic": Both("trained on synthetic", "合成データで学習"),
    "blind": Both("blind guess", "当て推量"),
    "nearest": Both("Distance to the nearest real row", "最も近い実データの行までの距離"),
    "nearest_about": Both(
        "{synthetic:,} synthetic and {control:,} real rows held aside, each against {reference:,} "
        "real rows; 0 is identical, 1 differs in everything. Identical to one of these: "
        "{identical} of the synthetic rows, {same} of the real ones.",
        "合成データ {synthetic:,} 行と取り分けた実データ {control:,} 行を、それぞれ実データ "
        "{reference:,} 行と比べました（0 は同一、1 は全て異なる）。そのどれかと同一：合成データの "
        "{identical}、実データの {same}。",
    ),
    "distance": Both("distance", "距離"),
    "percentile5": Both("5th percentile", "5 パーセンタイル"),
    "median": Both("median", "中央値"),
    "control_rows": Both("real, held aside", "取り分けた実データ"),
    "attacks": Both("What an attacker wins", "攻撃者が得るもの"),
    "control_holdout": Both(
        "The control is the same attack on {rows:,} people of the holdout, whom the synthesiser "
        "never saw.",
        "対照は、合成に使われていないホールドアウト {rows:,} 人への同じ攻撃です。",
    ),
    "control_other_rows": Both(
        "The control is the same attack on the same people through other real rows in place of "
        "the synthetic ones: what honest data of this population give.",
        "対照は、合成データの代わりに他の実データの行を通した、同じ人々への同じ攻撃です："
        "この集団の正直なデータが与えるもの。",
    ),
    "attack_about": Both(
        "Attacks go through {reference:,} rows. Risk is the share of what the control leaves that "
        "the attack wins. Other attackers may win more: these figures are no bound.",
        "攻撃には {reference:,} 行を使います。リスクは、対照が外した分のうち攻撃が当てた割合です。"
        "他の攻撃者はより多くを得るかもしれず、これらは上限ではありません。",
    ),
    "membership_about": Both(
        "Membership by the distance to the nearest synthetic row: area under the curve {auc}; "
        "{one:.1%} of members are found at 1 % false alarms, {ten:.1%} at 10 %.",
        "最も近い合成行までの距離による所属推定：AUC {auc}。誤警報 1 % で {one:.1%}、10 % で "
        "{ten:.1%} の所属者が見つかります。",
    ),
    "attack": Both("attack", "攻撃"),
    "attack_linkage": Both("linking two lists", "二つの名簿の結合"),
    "attack_inference": Both("guessing '{column}'", "「{column}」の推測"),
    "success": Both("success", "成功"),
    "control": Both("control", "対照"),
    "risk": Both("risk", "リスク"),
    "more": Both("… {count} more on the page", "…他 {count} 件はページに"),
    "missing": Both("(missing)", "（欠損）"),
}


def said(key: str, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages; a text of two is filled by either."""
    text = TEXTS[key]
    english = {
        name: value.en if isinstance(value, Both) else value for name, value in values.items()
    }
    japanese = {
        name: value.ja if isinstance(value, Both) else value for name, value in values.items()
    }
    return Both(text.en.format(**english), text.ja.format(**japanese))
