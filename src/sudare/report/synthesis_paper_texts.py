"""The sentences about paper 002's tables made again, in both languages."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both(
        "The synthesis paper's tables 3 to 5, made again",
        "擬似データ論文の表3〜5の再現",
    ),
    "lead": Both(
        "Okada, Masaki, Hasegawa, Tanaka: privacy-preserving synthetic data from statistics. Its "
        "three methods are run again to the letter, with what the text leaves open settled and "
        "said, beside what sudare does by default with the same statistics.",
        "岡田・正木・長谷川・田中「統計値を用いたプライバシー保護擬似データ生成手法」の三つの手法を、"
        "本文に書かれていない点を明示したうえで論文どおりに実行し、同じ統計値を使う sudare の既定の"
        "方法と並べたものです。",
    ),
    "data": Both(
        "{name}: {rows:,} rows without a missing value, {numbers} numbers and {categories} "
        "categories; {drawn:,} synthetic rows by every method.",
        "{name}：欠損のない {rows:,} 行、数値属性 {numbers}、カテゴリ属性 {categories}。各手法の"
        "擬似データは {drawn:,} 行です。",
    ),
    "constants": Both(
        "Constant after rows with a missing value are left out: {names}. They are taken out before "
        "Algorithm 4 and put back after it.",
        "欠損のある行を除くと一定値になる属性：{names}。アルゴリズム4の前に外し、後で戻しています。",
    ),
    "public": Both(
        "This is an experiment on public data: the real rows are compared with the synthetic ones, "
        "and labels are read off the files. It is no release, costs nothing, has no formal "
        "guarantee and must not be made with people's own data.",
        "公開データによる実験であり、生データと擬似データを直接比較し、カテゴリの値もファイルから読み"
        "取っています。リリースではなく、予算も使わず、形式的な保証もありません。実際の個人データに対し"
        "て行ってはいけません。",
    ),
    "findings": Both("What reproduces, and what does not", "再現したもの、しないもの"),
    "means": Both(
        "Table 3. Methods B and P have the means and covariances of the numbers up to rounding: "
        "the largest error is {largest:.1e} standard deviations. Method A's errors are those of "
        "sampling and of the histograms' bins, which the paper does not state: AveMean on Adult is "
        "{mean:.3g} here and 658 in the paper.",
        "表3：手法BとPの数値属性の平均・分散共分散は丸め誤差の範囲で一致します（最大の誤差は標準偏"
        "差の {largest:.1e} 倍）。手法Aの誤差は抽出誤差とヒストグラムの階級幅によるもので、論文には"
        "階級幅の記載がありません（Adult の AveMean はここでは {mean:.3g}、論文では 658）。",
    ),
    "cross": Both(
        "Table 4, {name}, AveCross over all cells: {verdicts}.",
        "表4、{name}、全セル平均の AveCross：{verdicts}。",
    ),
    "spearman": Both(
        "Table 5, {name}, AveSpearCorr by frequency: {verdicts}.",
        "表5、{name}、度数の順位による AveSpearCorr：{verdicts}。",
    ),
    "same": Both(
        "{method} {value:.4f} (paper {printed:.4f}: reproduces)",
        "{method} {value:.4f}（論文 {printed:.4f}：再現）",
    ),
    "other": Both(
        "{method} {value:.4f} (paper {printed:.4f}: does not)",
        "{method} {value:.4f}（論文 {printed:.4f}：再現せず）",
    ),
    "rule": Both(
        '"Reproduces" means within {within:.0%}. Methods B and P vary from draw to draw, because '
        "the ten cells of a number reach from its least to its greatest synthetic value, and "
        "Algorithm 4 makes single values extreme.",
        "「再現」は差が {within:.0%} 以内であることを指します。手法BとPの値は試行ごとに変動します。"
        "数値のセルは擬似データの最小値から最大値までを10等分したもので、アルゴリズム4が極端な値を生"
        "むためです。",
    ),
    "cells": Both(
        "Table 4 is the mean over all cells of all tables, not equation (4), which averages within "
        "each pair of attributes first and would give {printed:.4f} for A and {paper:.4f} for P on "
        "Adult.",
        "表4は式(4)（属性の組ごとに平均する）ではなく、全ての表の全セルの平均です。式(4)では "
        "Adult のAは {printed:.4f}、Pは {paper:.4f} になります。",
    ),
    "census": Both(
        "Census-Income, method A: draws from exact histograms have the right shares in every "
        "column, so its tables are only off by the dependence between columns. The paper's number "
        "for A is larger than that allows. It blames attributes that are constant after rows were "
        "dropped; here they stay constant.",
        "Census-Income の手法A：正確なヒストグラムからの抽出では各属性の割合は正しく、誤差は属性間"
        "の依存関係の分だけです。論文のAの値はそれより大きなものです。論文は行の削除後に一定値となる属"
        "性を原因に挙げていますが、ここでは一定値のままです。",
    ),
    "ranks": Both(
        "Table 5 prints the same for A and B on Adult. Algorithm 4 leaves hardly a number that "
        "occurs twice, and then the rank of its frequency says nothing. Ranked by value the three "
        "methods have {a:.4f}, {b:.4f} and {p:.4f}.",
        "表5では Adult のAとBが同じ値です。アルゴリズム4の後は同じ数値がほとんど二度現れず、度数の"
        "順位に意味がなくなるためです。数値を値の順位で見ると、A・B・P は {a:.4f}、{b:.4f}、"
        "{p:.4f} です。",
    ),
    "roots": Both(
        "Algorithm 4 does not say which root of Σ to take, and the result hangs on it: AveCross on "
        "Adult is {symmetric:.3f} with symmetric roots of the correlations and {literal:.3f} with "
        "eigenvectors as a library returns them.",
        "アルゴリズム4は Σ のどの平方根を使うかを定めておらず、結果はそれに左右されます。Adult の "
        "AveCross は相関行列の対称平方根で {symmetric:.3f}、固有ベクトルをそのまま使うと "
        "{literal:.3f} です。",
    ),
    "decoding": Both(
        "The threshold of Algorithm 5 is the same for all rows and does not look at how near a row "
        "is to the first label. Taking the largest of all labels gives an AveCross of "
        "{argmax:.3f} in place of {threshold:.3f} on Adult.",
        "アルゴリズム5の閾値は全ての行で同じで、行が先頭のカテゴリ値にどれだけ近いかを見ていません。"
        "全カテゴリ値の最大を取ると Adult の AveCross は {threshold:.3f} から {argmax:.3f} になりま"
        "す。",
    ),
    "bounds": Both(
        "In method P {outside:.0%} of the numbers of {name} lie outside their declared bounds, and "
        "{fractions:.0%} of whole numbers are fractions.",
        "手法Pでは {name} の数値の {outside:.0%} が宣言した上下限の外にあり、整数であるべき値の "
        "{fractions:.0%} が小数です。",
    ),
    "ours": Both(
        "sudare's default on {name}: AveCross {cells:.4f} where P has {paper:.4f}, AveSpearCorr "
        "(numbers by value) {ranks:.4f} where P has {paper_ranks:.4f}; the largest error of a mean "
        "or covariance is {largest:.1e} standard deviations, {outside:.0%} of the numbers lie "
        "outside their bounds, {fractions:.1%} are fractions.",
        "{name} での sudare の既定の方法：AveCross は {cells:.4f}（P は {paper:.4f}）、"
        "AveSpearCorr（数値は値の順位）は {ranks:.4f}（P は {paper_ranks:.4f}）。平均・分散共分散の"
        "最大の誤差は標準偏差の {largest:.1e} 倍、上下限の外の数値は {outside:.0%}、小数は "
        "{fractions:.1%} です。",
    ),
    "measure": Both("measure", "指標"),
    "a": Both("histograms alone", "ヒストグラムのみ"),
    "b": Both("Algorithm 4 on the numbers", "数値属性のみアルゴリズム4"),
    "paper": Both("the paper's method", "提案手法"),
    "argmax": Both("P with the largest of all labels", "Pで全カテゴリ値の最大を取る"),
    "literal": Both("P with eigenvectors as they come", "Pで固有ベクトルをそのまま使う"),
    "moments": Both("--preserve moments", "--preserve moments"),
    "tables": Both("the default, --preserve tables", "既定（--preserve tables）"),
    "ave_mean": Both("AveMean", "AveMean"),
    "ave_cov": Both("AveCov", "AveCov"),
    "ave_cross_cells": Both("AveCross %, all cells", "AveCross %（全セル）"),
    "ave_cross": Both("AveCross %, equation (4)", "AveCross %（式(4)）"),
    "ave_spearman_tied": Both("AveSpearCorr", "AveSpearCorr"),
    "ave_spearman": Both("AveSpearCorr, numbers by value", "AveSpearCorr（数値は値の順位）"),
    "two_way_tv": Both("two-way total variation", "二次元の全変動距離"),
    "outside": Both("outside", "範囲外"),
    "fractions": Both("fractions", "小数"),
    "seconds": Both("seconds", "秒"),
    "in_brackets": Both(
        "In brackets: what the paper prints (tables 3, 4 and 5). Outside: numbers beyond their "
        "declared bounds; fractions: whole numbers that are none. Seconds: fitting and drawing, on "
        "this machine.",
        "括弧内は論文の値（表3・4・5）。範囲外：宣言した上下限の外の数値の割合。小数：整数であるべき値"
        "が小数になった割合。秒：この計算機での生成時間。",
    ),
    "chart": Both(
        "{name}: {quantity} by method, bars as computed here, marks as the paper prints",
        "{name}：手法ごとの {quantity}。棒はここでの値、印は論文の値",
    ),
}
NAMES = {"adult": "Adult", "census": "Census-Income"}


def said(key: str, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages."""
    text = TEXTS[key]
    return Both(*(_filled(text[language], language, values) for language in ("en", "ja")))


def _filled(text: str, language: str, values: dict[str, object]) -> str:
    """A gap that has a text of its own takes that of its language."""
    own = {
        name: (value.en if language == "en" else value.ja) if isinstance(value, Both) else value
        for name, value in values.items()
    }
    return text.format(**own)
