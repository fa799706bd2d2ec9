"""The texts about robust statistics, clusters, components, regressions and shares, in both
languages. A clause (keys `say_…`) carries no full stop: sentences.py joins and ends them."""

from __future__ import annotations

from sudare.report.both import Both
from sudare.report.texts import Language

TEXTS: dict[str, Both] = {
    # What an answer is about.
    "subject_iqr": Both("the interquartile range of {column}", "{column}の四分位範囲"),
    "subject_range": Both(
        "the distance from the {low} % mark to the {high} % mark of {column}",
        "{column}の {low} % 点から {high} % 点までの幅",
    ),
    "subject_trimmed_mean": Both(
        "the mean of {column} without the lowest and the highest {percent} %",
        "{column}の平均（上下 {percent} % ずつを除く）",
    ),
    "subject_mst": Both(
        "the cost of the minimum spanning tree of the graph of {a} and {b}, weighted by {weight}",
        "{a}と{b}を結び{weight}を重みとするグラフの最小全域木の費用",
    ),
    "subject_sq": Both("the share of rows", "行の割合"),
    "subject_sq_where": Both("the share of rows where {where}", "条件「{where}」に合う行の割合"),
    "subject_aggregate": Both(
        "the function's {column} over random blocks of rows",
        "無作為に分けた行の塊ごとに実行した関数の{column}",
    ),
    "subject_kmeans": Both("clusters by {column}", "{column}によるクラスタ"),
    "subject_pca": Both("the principal components of {column}", "{column}の主成分"),
    "subject_linear": Both(
        "linear regression of {target} on {column}", "{column}による{target}の線形回帰"
    ),
    "subject_ridge": Both(
        "ridge regression of {target} on {column}", "{column}による{target}のリッジ回帰"
    ),
    "subject_logistic": Both(
        "logistic regression of {target} on {column}", "{column}による{target}のロジスティック回帰"
    ),
    # What a sentence says.
    "say_within": Both(
        "asked for was ± {within} with probability {sure}, which needs ε = {epsilon}",
        "求められた精度は確率 {sure} で ± {within} 以内で、必要な ε は {epsilon} です",
    ),
    "say_blocks": Both(
        "{subject} is about {value}; the forecast of its error is ± {error}",
        "{subject}は約 {value} です（誤差の予測は ± {error}）",
    ),
    "say_clusters": Both("{count} {subject}: {first}", "{subject}（{count} 個）：{first}"),
    "cluster": Both(
        "cluster {row} holds about {size} rows (± {error}) around {center}",
        "クラスタ {row} は約 {size} 行（± {error}）で、中心は{center}です",
    ),
    "coordinate": Both("{column} {value}", "{column} {value}"),
    "say_more": Both("{count} more in the table", "ほかの {count} 個は表に示します"),
    "say_centers": Both(
        "each with 95 % probability; counted are the rows nearest to the centres before the last "
        "step, and the ± of the centres is in the table",
        "いずれも 95 % の確率です。行数は最後の更新の前の中心に最も近い行を数えたもので、"
        "中心の ± は表に示します",
    ),
    "say_lost_clusters": Both(
        "for {count} of the {total} clusters the noise is as large as the cluster, so it says "
        "nothing",
        "{total} 個のうち {count} 個では、雑音がクラスタの大きさと同じくらい大きいため"
        "何も言えません",
    ),
    "say_all_lost_clusters": Both(
        "in all {total} clusters the noise is as large as their size, so they say nothing about "
        "{subject}",
        "{total} 個すべてのクラスタで雑音がその大きさと同じくらい大きいため、{subject}について"
        "何も言えません",
    ),
    "say_components": Both(
        "{count} of {subject} hold about {share} of the variance: {first}",
        "{subject}のうち {count} 個で分散の約 {share} を占めます。{first}",
    ),
    "component": Both(
        "component {row} about {share} (± {error}), mainly {loadings}",
        "第 {row} 主成分は約 {share}（± {error}）で、主に{loadings}です",
    ),
    "component_angle": Both(
        "component {row} about {share} (± {error}), mainly {loadings}, its direction right to "
        "within {angle}°",
        "第 {row} 主成分は約 {share}（± {error}）で、主に{loadings}、"
        "方向の誤差は {angle}° 以内です",
    ),
    "component_lost": Both(
        "component {row} about {share} (± {error}), its direction lost in the noise",
        "第 {row} 主成分は約 {share}（± {error}）で、方向は雑音に埋没しています",
    ),
    "component_noise": Both(
        "component {row} cannot be told from noise", "第 {row} 主成分は雑音と区別できません"
    ),
    "say_no_components": Both(
        "{subject}: none can be told from noise", "{subject}：雑音と区別できるものはありません"
    ),
    "loading": Both("{column} ({value})", "{column}（{value}）"),
    "say_probably": Both("each with 95 % probability", "いずれも 95 % の確率です"),
    "say_coefficients": Both("{subject}: {first}", "{subject}：{first}"),
    "rises": Both(
        "with each unit more of {a}, {target} rises by about {value} (95 % interval {low} to "
        "{high})",
        "{a}が 1 増えると{target}は約 {value} 増えます（95 % 区間 {low} から {high}）",
    ),
    "falls": Both(
        "with each unit more of {a}, {target} falls by about {value} (95 % interval {low} to "
        "{high})",
        "{a}が 1 増えると{target}は約 {value} 減ります（95 % 区間 {low} から {high}）",
    ),
    "higher": Both(
        "where {a} holds, {target} is higher by about {value} (95 % interval {low} to {high})",
        "{a}に当てはまると{target}は約 {value} 大きくなります（95 % 区間 {low} から {high}）",
    ),
    "lower": Both(
        "where {a} holds, {target} is lower by about {value} (95 % interval {low} to {high})",
        "{a}に当てはまると{target}は約 {value} 小さくなります（95 % 区間 {low} から {high}）",
    ),
    "odds": Both("the log of the odds of {target}", "{target}の対数オッズ"),
    "say_untold": Both(
        "the effect of {names} cannot be told from zero",
        "{names}の影響は 0 と区別できません",
    ),
    "say_all_untold": Both(
        "{subject}: no coefficient can be told from zero",
        "{subject}：0 と区別できる係数はありません",
    ),
    # Tables and charts.
    "head_name": Both("Name", "名前"),
    "head_coefficient": Both("Coefficient", "係数"),
    "head_size": Both("Rows", "行数"),
    "head_variance": Both("Variance", "分散"),
    "head_share": Both("Share", "割合"),
    "row_kmeans": Both("Cluster {row}", "クラスタ {row}"),
    "row_pca": Both("Component {row}", "第 {row} 主成分"),
    "intercept": Both("(intercept)", "（切片）"),
    "holds_zero": Both("holds 0", "0 を含む"),
    "head_interval": Both("95 % interval", "95 % 区間"),
    "picture_scree": Both("Variance of each component", "主成分ごとの分散"),
    "picture_loadings": Both("Loadings", "負荷量"),
    "picture_effects": Both("Effects", "影響の大きさ"),
    "caption_clusters": Both(
        "Each disc lies at a cluster's centre, its area is the number of rows; the box is the "
        "95 % range of the noise.",
        "円はクラスタの中心、面積は行数、四角は雑音の 95 % の範囲です。",
    ),
    "caption_cluster_strip": Both(
        "Each disc lies at a cluster's centre, its area is the number of rows; the line is the "
        "95 % range of the noise.",
        "円はクラスタの中心、面積は行数、線は雑音の 95 % の範囲です。",
    ),
    "caption_lost_clusters": Both(
        "Grey: the noise is as large as the cluster, no result.",
        "灰色は、雑音がクラスタと同じくらい大きく、結果とはいえないところです。",
    ),
    "caption_spread": Both(
        "Of the {total} columns, the {shown} are drawn in which the centres lie farthest apart.",
        "{total} 列のうち、中心が最も離れている {shown} 列を示します。",
    ),
    "caption_scree": Both(
        "Bars show the variance along each component, thin lines the 95 % range of the noise; the "
        "components that were asked for are dark.",
        "棒は各主成分の分散、細い線は雑音の 95 % の範囲、濃い棒は求められた主成分です。",
    ),
    "caption_lost_scree": Both(
        "Grey: the range reaches zero, no result.",
        "灰色は、範囲が 0 に達し、結果とはいえないところです。",
    ),
    "caption_loadings": Both(
        "How much of each column a component holds (from −1 to 1).",
        "各主成分に占める列の重み（−1 から 1）です。",
    ),
    "caption_lost_loadings": Both(
        "Grey: the direction is lost in the noise.", "灰色は、方向が雑音に埋没しているところです。"
    ),
    "caption_effects": Both(
        "What {target} changes by when a column goes from its lowest to its highest declared "
        "value; lines are 95 % intervals of noise and sampling.",
        "列が宣言された最小値から最大値まで動くときの{target}の変化です。線は雑音と標本の"
        "ばらつきを合わせた 95 % 区間です。",
    ),
    "caption_untold": Both(
        "Grey: cannot be told from zero.", "灰色は、0 と区別できないところです。"
    ),
    "caption_outside": Both(
        "A line that reaches the edge goes on beyond it.", "端に届く線はその先まで続きます。"
    ),
    # What stands under a card.
    "note_kmeans": Both(
        "Found in {rounds} rounds. The ± is the noise of the last round; that another run may end "
        "at other centres is not in it.",
        "{rounds} 回の反復で求めました。± は最後の回の雑音だけで、別の実行が別の中心に"
        "行き着きうることは含みません。",
    ),
    "note_scaled": Both(
        "Each column was scaled to variance 1 before, so columns with large numbers count no more "
        "than others.",
        "列ごとに分散を 1 にそろえてあるため、数の大きい列が特に重くなることはありません。",
    ),
    "note_bounds": Both(
        "Each column was measured in parts of its declared range before.",
        "列ごとに、宣言された範囲に対する割合で測ってあります。",
    ),
    "note_lifted": Both(
        "The noise was too large for a plain fit, so the slopes are drawn towards zero; the ± does "
        "not hold that.",
        "雑音が大きくそのままでは解けないため、係数を 0 に近づけてあります。± はその影響を"
        "含みません。",
    ),
    "note_r2": Both(
        "It explains about {share} of the variance of {target} (R²).",
        "{target}の分散の約 {share} を説明します（R²）。",
    ),
    "note_accuracy": Both(
        "By its own reckoning it puts about {share} of the rows on the right side.",
        "モデル自身の見積もりでは、約 {share} の行を正しく分類します。",
    ),
    "note_sampling": Both(
        "The ± covers the noise and how much another sample of this size would differ.",
        "± は雑音と、同じ大きさの別の標本との違いの両方を含みます。",
    ),
    "note_why": Both("Why this one: {why}.", "選ばれた理由（英語）：{why}。"),
    "note_blocks": Both(
        "The function saw {blocks} random blocks of rows, one at a time.",
        "関数は無作為に分けた {blocks} 個の行の塊を一つずつ受け取りました。",
    ),
    "blocks_median": Both(
        "Aggregated by a private choice of the blocks' median.",
        "塊ごとの答えの中央値を秘匿選択でまとめました。",
    ),
    "blocks_smooth": Both(
        "Aggregated by the blocks' median with noise scaled to its smooth sensitivity.",
        "塊ごとの答えの中央値に、平滑感度に合わせた雑音を加えました。",
    ),
    "blocks_winsorized": Both(
        "Aggregated by the mean of the blocks' answers, the farthest of them drawn in.",
        "塊ごとの答えのうち極端なものを引き寄せたうえで平均しました。",
    ),
    "note_blocks_forecast": Both(
        "The ± is a forecast, as if the blocks answered evenly over an eighth of the declared "
        "range.",
        "± は、塊の答えが宣言された範囲の八分の一に一様に散らばるとした場合の予測です。",
    ),
    "note_blocks_within": Both(
        "Whatever the blocks answered: with 95 % probability at most {within} of them would have "
        "to answer otherwise for this to be their median.",
        "塊の答えが何であっても、95 % の確率で、この値は最大 {within} 個の塊の答えを変えれば"
        "中央値になります。",
    ),
    "note_blocks_any": Both(
        "With so few blocks at this ε nothing is promised for every table: more blocks or a larger "
        "ε would.",
        "この ε に対して塊が少ないため、どんな表でも成り立つ保証はありません。塊か ε を増やすと"
        "得られます。",
    ),
    "note_blocks_bias": Both(
        "The ± is that of the noise; drawing in the farthest answers may shift the mean.",
        "± は雑音の大きさです。極端な答えを引き寄せたことで平均がずれることがあります。",
    ),
    "method_global": Both(
        "Method: Laplace noise scaled to the largest change that any table allows.",
        "方法：どんな表でも起こりうる最大の変化に合わせたラプラス雑音。",
    ),
    "method_exponential": Both(
        "Method: a private choice among the declared values (exponential mechanism).",
        "方法：宣言された値の中からの秘匿選択（指数メカニズム）。",
    ),
    "method_smooth": Both(
        "Method: heavy-tailed noise scaled to the smooth sensitivity.",
        "方法：平滑感度に合わせた裾の重い雑音。",
    ),
    "method_smooth-laplace": Both(
        "Method: Laplace noise scaled to the smooth sensitivity, which needs a δ.",
        "方法：平滑感度に合わせたラプラス雑音（δ が必要）。",
    ),
}


def told(key: str, language: Language, **values: object) -> str:
    """One text with its gaps filled in."""
    return TEXTS[key][language].format(**values)


def said(key: str, **values: object) -> Both:
    """The same in both languages."""
    return Both(told(key, "en", **values), told(key, "ja", **values))
