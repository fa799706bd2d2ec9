"""The sentences about estimates from randomised reports, in both languages."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both("What the reports of {table} tell together", "{table} の回答から推定できること"),
    "overview": Both(
        "Estimated from {rows:,} randomised rows alone; nobody's true values were seen. Each "
        "person's own guarantee is ε = {epsilon:.4g}.",
        "ランダム化された {rows:,} 行だけから推定しました。真の値は誰のものも見ていません。"
        "一人ひとりの保証は ε = {epsilon:.4g} です。",
    ),
    "nobody": Both(
        "There are no people in this file, so there is nothing to estimate.",
        "このファイルには回答した人がいないため、推定できるものはありません。",
    ),
    "errors": Both(
        "Standard errors cover the draw of the people and the randomisation together. “Without "
        "data” is what somebody who knows only the declared bounds and labels would have guessed; "
        "what cannot be told from that is marked and is no result.",
        "標準誤差は、人の抽出とランダム化の両方を含みます。「データなし」は、宣言された範囲と"
        "ラベルだけを知る人の推測です。それと区別できない値には印があり、結果とはいえません。",
    ),
    "column": Both("column", "列"),
    "label": Both("share in %", "割合（%）"),
    "pair": Both("columns", "列の組"),
    "component": Both("component (eigenvalue)", "主成分（固有値）"),
    "value": Both("estimate", "推定値"),
    "error": Both("standard error", "標準誤差"),
    "interval": Both("95 % interval", "95 % 区間"),
    "without": Both("without data", "データなし"),
    "remark": Both("remark", "備考"),
    "no_zero": Both("not distinguishable from zero", "ゼロと区別できません"),
    "no_middle": Both(
        "not distinguishable from the middle of the bounds", "範囲の中央と区別できません"
    ),
    "no_even": Both("not distinguishable from an even share", "均等な割合と区別できません"),
    "no_link": Both("not distinguishable from no association", "関連なしと区別できません"),
    "no_guess": Both(
        "not distinguishable from naming the larger class always",
        "多いほうのクラスを常に答える推測と区別できません",
    ),
    "untold": Both("not told by this file", "このファイルからは分かりません"),
    "days": Both("{count} days", "{count} 日"),
    "means": Both("Means", "平均"),
    "means_about": Both(
        "Missing values were reported as the middle of the declared bounds, except in columns "
        "declared complete.",
        "欠損値は、complete と宣言された列を除き、宣言された範囲の中央として回答されています。",
    ),
    "variances": Both("Variances", "分散"),
    "variances_about": Both(
        "“Without data” is the variance of an even spread over the declared bounds. The remark "
        "compares with zero instead: a variance that cannot be told from zero carries no "
        "correlation and no model.",
        "「データなし」は、宣言された範囲に均等に散らばるときの分散です。備考だけはゼロと比べた"
        "ものです。ゼロと区別できない分散からは、相関もモデルも計算できません。",
    ),
    "caption_means": Both(
        "Where each mean lies between its declared bounds (0 to 100), with its 95 % interval; "
        "grey: not distinguishable from the middle.",
        "宣言された範囲（0〜100）のどこに平均があるかと 95 % 区間。灰色：中央と区別できません。",
    ),
    "covariance": Both("Covariances", "共分散"),
    "correlation": Both("Correlations", "相関"),
    "matrix_about": Both(
        "Where variances are told the matrix is positive semidefinite: raw estimates were moved "
        "towards zero or their mean as far as their errors say, and then to the nearest possible "
        "matrix. The JSON has the raw ones. A pair that is not told counts as a guess in the "
        "errors below.",
        "分散が推定できる列の行列は半正定値です。生の推定値を、誤差に応じてゼロか平均に近づけ、最も近い可能な行列に移しました。"
        "生の値は JSON にあります。推定できない組は、下の誤差では推測として数えます。",
    ),
    "caption_heat": Both(
        "Published correlations (from −1 to 1); grey: not distinguishable from zero, no result.",
        "公表する相関（−1 から 1）。灰色：ゼロと区別できず、結果とはいえません。",
    ),
    "beats": Both(
        "On average the published numbers are expected to be off by {ours}; {guess} would be off "
        "by {theirs}. The estimate is better.",
        "公表する値の平均誤差の見込みは {ours}、{guess}場合は {theirs} です。推定のほうが"
        "良い値です。",
    ),
    "hardly": Both(
        "On average the published numbers are expected to be off by {ours}; {guess} would be off "
        "by {theirs}. They are not all noise, but as a whole not surely twice as good as that "
        "guess and no result: take the single numbers that are distinguishable.",
        "公表する値の平均誤差の見込みは {ours}、{guess}場合は {theirs} です。すべてが雑音では"
        "ありませんが、全体の誤差が確実にこの推測の半分以下とはいえず、結果とはいえません。区別できる"
        "個々の値だけを使ってください。",
    ),
    "beaten": Both(
        "On average the published numbers are expected to be off by {ours}; {guess} would be off "
        "by {theirs}. The reports do not show that the estimate is better than that guess.",
        "公表する値の平均誤差の見込みは {ours}、{guess}場合は {theirs} です。推定がこの推測より"
        "良いとは、報告からはいえません。",
    ),
    "guess_identity": Both("guessing no correlation at all", "すべて無相関と推測した"),
    "guess_even": Both("guessing equal shares", "均等な割合と推測した"),
    "guess_link": Both("guessing no association", "関連なしと推測した"),
    "in_halves": Both(
        "These two errors are in units of half the declared ranges.",
        "この二つの誤差は、宣言された範囲の半分を単位とします。",
    ),
    "histogram": Both("Distribution of {column}", "{column} の分布"),
    "by_em": Both(
        "By iterative Bayes: the shares under which the reports are most likely.",
        "反復ベイズ法による推定：回答が最も起こりやすくなる割合です。",
    ),
    "by_bins": Both(
        "Bins were smoothed as far as reports that were left out of the fit allow; the errors hold "
        "what smoothing may have moved.",
        "階級は、当てはめから除いた回答が許す範囲で平滑化しました。誤差には平滑化による変化の見込みを"
        "含みます。",
    ),
    "by_inverse": Both(
        "By matrix inverse, moved to the nearest shares that can be.",
        "逆行列による推定を、最も近い可能な割合に移しました。",
    ),
    "caption_bars": Both(
        "Bars show the published shares (%), thin lines their 95 % intervals; grey: not "
        "distinguishable from an even share.",
        "棒は公表する割合（%）、細い線は 95 % 区間。灰色：均等な割合と区別できません。",
    ),
    "largest": Both(
        "The largest {shown} of {total} are shown.", "{total} 件中大きい順に {shown} 件です。"
    ),
    "wrote": Both("Wrote {path}.", "{path} を書きました。"),
    "reports_elsewhere": Both(
        "No ledger holds reports. They were written as {file}, SHA-256 {digest}; with -o and that "
        "name a run that was cut off is finished.",
        "回答そのものは台帳にありません。{file}（SHA-256 {digest}）として書かれました。"
        "その名前を -o に指定すると、中断した実行が完了します。",
    ),
    "reports_nowhere": Both(
        "No ledger holds reports; these have the SHA-256 {digest}.",
        "回答そのものは台帳にありません（SHA-256 {digest}）。",
    ),
    "spent": Both(
        'Spent {cost} on "{table}"; ε={left} left. Release {release}.',
        "「{table}」に {cost} を使い、残りは ε={left} です。リリース {release}。",
    ),
    "again": Both(
        "This key was used before: the stored release is shown again; nothing was spent.",
        "このキーは以前に使われました。保存済みのリリースを再び表示します。何も使っていません。",
    ),
    "cap_changes": Both(
        "The cap in this ledger is {was} and becomes {now} with this run, as the schema says.",
        "この台帳での上限は {was} ですが、スキーマのとおり、この実行で {now} になります。",
    ),
    "left_fits": Both("ε={left} is left.", "残りは ε={left} です。"),
    "left_refused": Both(
        "ε={left} is left, and this would be refused: {why}",
        "残りは ε={left} で、この実行は拒否されます：{why}",
    ),
    "left_stored": Both(
        "ε={left} is left. This key was used before: the stored release would be shown again, "
        "and nothing spent.",
        "残りは ε={left} です。このキーは以前に使われたため、保存済みのリリースを再び表示し、"
        "何も使いません。",
    ),
    "parted": Both(
        'These rows were charged as "{was}" before. The schema names the population "{now}", so '
        "they are charged to another budget; the ledger records it.",
        "これらの行は以前「{was}」として課金されました。スキーマが母集団を「{now}」としたため、"
        "別の予算に課金し、台帳に記録しました。",
    ),
    "parted_elsewhere": Both(
        "These rows are charged in another ledger too, as this machine knows. The schema names the "
        'population "{now}", so they are charged to another budget; this ledger records it.',
        "この機械の記録では、これらの行は別の台帳でも課金されています。スキーマが母集団を「{now}」と"
        "したため、別の予算に課金し、この台帳に記録しました。",
    ),
    "unwatched": Both(
        "This machine keeps no second record of the ledger ({why}): a ledger that is set back or "
        "deleted will not be noticed here. Name a folder with SUDARE_STATE.",
        "この機械には台帳の第二の記録がありません（{why}）。台帳が巻き戻されたり削除されたりしても"
        "ここでは気づけません。SUDARE_STATE でフォルダーを指定してください。",
    ),
    "would_spend": Both(
        "Would spend ε={epsilon}; nothing was spent.",
        "ε={epsilon} を使う見込みです。まだ何も使っていません。",
    ),
    "first": Both("The first {shown} of {total} are shown.", "{total} 件中最初の {shown} 件です。"),
    "table": Both("{a} by {b}", "{a} × {b}"),
    "table_about": Both(
        "Shares of all people in percent, ± standard error. In brackets: cells that are not "
        "distinguishable from no association (the product of the margins).",
        "全体に対する割合（%）± 標準誤差。括弧：関連なし（周辺割合の積）と区別できないセル。",
    ),
    "pca": Both("Principal components", "主成分"),
    "pca_about": Both(
        "Of the correlations. Without any correlation every eigenvalue would be 1; eigenvalues of "
        "noise spread around that, and only what lies beyond is told.",
        "相関行列の主成分。相関がなければ固有値はすべて 1 です。雑音の固有値もその周りに散らばる"
        "ので、それを超えるものだけを結果とします。",
    ),
    "of_variance": Both("{number} ({share} % of variance)", "{number}（寄与率 {share} %）"),
    "loadings": Both("Loadings", "負荷量"),
    "no_ones": Both("not distinguishable from 1", "1 と区別できません"),
    "regression": Both("Linear regression of {target}", "{target} の線形回帰"),
    "logistic": Both("Logistic regression of {target}", "{target} のロジスティック回帰"),
    "svm": Both("Linear SVM of {target}", "{target} の線形 SVM"),
    "classes": Both("{second} (1) against {first} (0).", "{first}（0）に対する {second}（1）。"),
    "sides": Both("{second} (1) against {first} (−1).", "{first}（−1）に対する {second}（1）。"),
    "approximate_logistic": Both(
        "Approximate: log odds as if the columns were normal with one covariance in both classes.",
        "近似です：両クラスで列が同じ共分散の正規分布に従うとしたときの対数オッズです。",
    ),
    "approximate_svm": Both(
        "Approximate: least squares on ±1 in place of the hinge loss.",
        "近似です：ヒンジ損失の代わりに ±1 への最小二乗を使います。",
    ),
    "ridge": Both(
        "The columns' correlations are not safely invertible; {ridge:.2g} was added to their "
        "diagonal (ridge), and the errors hold the bias of that.",
        "列の相関は安全に逆行列を計算できないため、対角に {ridge:.2g} を加えました（リッジ）。"
        "誤差にはその偏りを含みます。",
    ),
    "explained": Both(
        "R² = {value} ± {error} (standard error); without data 0.",
        "R² = {value} ± {error}（標準誤差）。データなしでは 0。",
    ),
    "accuracy": Both(
        "Expected accuracy {value} ± {error} (standard error), if columns are normal; always "
        "naming the larger class: {trivial}.",
        "正解率の見込み {value} ± {error}（標準誤差、列が正規分布の場合）。"
        "多いほうのクラスを常に答える場合：{trivial}。",
    ),
    "intercept": Both("intercept", "切片"),
    "missing": Both("What this file does not tell", "このファイルからは分からないこと"),
    "why": Both("{statistic} ({columns}): {reason}", "{statistic}（{columns}）：{reason}"),
    "why_all": Both("{statistic}: {reason}", "{statistic}：{reason}"),
    "reason_no_value": Both(
        "no reports of the values of numbers. Randomise with --statistics mean,covariance.",
        "数値の回答がありません。--statistics mean,covariance を付けてランダム化してください。",
    ),
    "reason_no_square": Both(
        "no reports of squares, and the mechanism's output does not carry them (a two-point bit "
        "squared is always the same). Randomise with --statistics covariance.",
        "二乗の回答がなく、この機構の出力にも二乗の情報はありません（2 点機構のビットの二乗は常に"
        "同じ値です）。--statistics covariance を付けてランダム化してください。",
    ),
    "reason_no_pair": Both(
        "nobody reports both, and there are no reports of the pair. Randomise with --statistics "
        "covariance (numbers) or table (categories), or with --budget split.",
        "両方を回答した人がおらず、組の回答もありません。--statistics covariance（数値）や "
        "table（カテゴリ）、または --budget split を付けてランダム化してください。",
    ),
    "reason_no_label": Both(
        "no reports of this category by itself.", "このカテゴリ単独の回答がありません。"
    ),
    "reason_no_people": Both("too few people report it.", "回答した人が少なすぎます。"),
    "reason_drowned": Both(
        "the variance is not distinguishable from zero under this much noise, so nothing can be "
        "divided by it. More people, a larger ε or narrower bounds help.",
        "この雑音のもとでは分散がゼロと区別できないため、それで割ることができません。人数を増やす、"
        "ε を大きくする、範囲を狭く宣言すると改善します。",
    ),
    "reason_not_two": Both(
        "the target is not one of two classes (a boolean, or a category of two labels).",
        "目的変数が二つのクラス（真偽値または 2 ラベルのカテゴリ）ではありません。",
    ),
    "reason_no_columns": Both("there is no other number.", "ほかに数値の列がありません。"),
    "mean_": Both("mean", "平均"),
    "covariance_": Both("covariance", "共分散"),
    "correlation_": Both("correlation", "相関"),
    "histogram_": Both("histogram", "分布"),
    "table_": Both("table", "クロス表"),
    "pca_": Both("principal components", "主成分"),
    "regression_": Both("linear regression", "線形回帰"),
    "logistic_": Both("logistic regression", "ロジスティック回帰"),
    "svm_": Both("linear SVM", "線形 SVM"),
    "no_label_name": Both("(missing)", "（欠損）"),
}


def said(key: str, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages; a gap may take a text of both."""
    text = TEXTS[key]
    return Both(*(text[code].format(**_in(values, code)) for code in ("en", "ja")))


def _in(values: dict[str, object], code: str) -> dict[str, object]:
    return {
        name: (value.en if code == "en" else value.ja) if isinstance(value, Both) else value
        for name, value in values.items()
    }
