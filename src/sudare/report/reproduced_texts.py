"""The sentences about a paper's figures, in both languages."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both(
        "The shuffle paper's figures, as printed and as they should be",
        "シャッフル論文の図：論文どおりと修正後",
    ),
    "paper": Both("Paper mode", "論文どおり"),
    "corrected": Both("Corrected mode", "修正後"),
    "about": Both(
        "Kii, Ichikawa, Miura, Yamamoto, Chida: privacy-preserving synthesis of vertically "
        "partitioned data with local differential privacy in the shuffle model. Every figure is "
        "computed again twice: to the letter, and with what was found to be wrong mended.",
        "紀伊・市川・三浦・山本・千田「シャッフルモデルにおける局所差分プライバシーに基づく垂直分"
        "割データのプライバシー保護データ合成」の各図を、論文どおりの方法と、誤りを正した方法の二"
        "通りで計算し直したものです。",
    ),
    "adult": Both(
        "Data: UCI Adult, {rows:,} rows without a missing value, {attributes}; {trials} trials "
        "each.",
        "データ：UCI Adult、欠損のない {rows:,} 行、{attributes}。各 {trials} 回の試行。",
    ),
    "town": Both(
        "Data: not Adult, but the made town that comes with sudare ({rows:,} people, {attributes}; "
        "{trials} trials each). Numbers that depend on the data are not the paper's.",
        "データ：Adult ではなく、sudare 付属の架空の町です（{rows:,} 人、{attributes}、各 {trials} "
        "回の試行）。データに依存する数値は論文のものとは異なります。",
    ),
    "public": Both(
        "This is an experiment on public data: estimates stand beside exact values. It is no "
        "release, costs nothing and must not be made with people's own data.",
        "公開データによる実験であり、推定値を真の値と並べています。リリースではなく、予算も使いま"
        "せん。実際の個人データに対して行ってはいけません。",
    ),
    "get_adult": Both(
        'To run it on Adult: fetch adult.data of the data set "Adult" from the UCI Machine '
        "Learning Repository (CC BY 4.0), add the header line of docs/reproduce.md, and name the "
        "file with --data or in SUDARE_ADULT.",
        "Adult で実行するには：UCI Machine Learning Repository の「Adult」（CC BY 4.0）から "
        "adult.data を取得し、docs/reproduce.md の見出し行を加え、--data か環境変数 SUDARE_ADULT で"
        "指定してください。",
    ),
    "differs": Both("What differs, and why", "何がなぜ違うのか"),
    "diagonal": Both(
        "Diagonal. Theorem 2 needs two attributes that are randomised independently. An attribute "
        "with itself is not: Algorithm 3's output squared is always (b/a)², whatever the data. "
        "{share:.0%} of paper mode's covariance error at ε = 1 per attribute is this diagonal. "
        "Corrected mode has x² reported, or reads it off a mechanism whose reports tell it.",
        "対角成分：定理2は独立にランダム化された二つの属性についてのものです。同じ属性どうしでは"
        "成り立たず、アルゴリズム3の出力の二乗はデータによらず常に (b/a)² です。1属性あたり ε = "
        "1 での論文どおりの共分散誤差の {share:.0%} はこの対角成分です。修正後は x² も報告させる"
        "か、x² が分かる機構を使います。",
    ),
    "identity": Both(
        "Figure 7. Printing the identity matrix without any data scores {identity:.4f}; paper mode "
        "at ε₀ = 1e-5 scores {left:.4f}. Nothing is transmitted there. Correlations are shown with "
        "that score beside them, and marked where they cannot be told from zero.",
        "図7：データを一切使わず単位行列を出力しても誤差は {identity:.4f} で、論文どおりの ε₀ = "
        "1e-5 での誤差は {left:.4f} です。つまり情報は何も伝わっていません。修正後はこの値を併記"
        "し、0 と区別できない相関には印を付けます。",
    ),
    "crossing": Both(
        "Figures 5 and 6. Laplace noise overtakes Algorithm 3 at ε = {each:.2f} per attribute, "
        "that is at a total of {total:.1f}; both diagonals are uncorrected there.",
        "図5・6：ラプラス機構がアルゴリズム3を上回るのは 1 属性あたり ε = {each:.2f}、合計では "
        "{total:.1f} です。そこではどちらの対角成分も補正されていません。",
    ),
    "no_crossing": Both(
        "Figures 5 and 6. On these data the two curves do not cross within the range.",
        "図5・6：このデータでは、二つの曲線はこの範囲で交わりません。",
    ),
    "condition": Both(
        "Theorem 3/4. Outside its condition ε′ ≤ ln(n/(16·ln(2/δ))) the formula is false: for "
        "1,000 people and ε′ = 4 it gives 2.33 where binary randomised response already needs "
        "3.99. It is refused there (for these {rows:,} people above ε′ = {limit:.2f}). The "
        "privacy blanket needs no condition and proves more.",
        "定理3・4：条件 ε′ ≤ ln(n/(16·ln(2/δ))) の外ではこの式は誤りです。1,000 人で ε′ = 4 のと"
        "き 2.33 になりますが、二値のランダム化応答でさえ 3.99 が必要です。条件の外では使いません"
        "（この {rows:,} 人では ε′ = {limit:.2f} を超える場合）。プライバシーブランケットに条件は"
        "なく、より良い値を証明します。",
    ),
    "noise": Both(
        "Figure 4. Only b/a matters, not a: with the same random words all a give errors that "
        "differ by {same:.1g}, so there is no floating-point instability. With fresh words their "
        "means vary {spread:.1f} times as much as their own noise explains, which is about 1 over "
        "many trials.",
        "図4：意味があるのは b/a だけで、a は無関係です。同じ乱数を使うとどの a でも誤差の差は "
        "{same:.1g} で、浮動小数点数による不安定さはありません。別々の乱数では平均のばらつきは試行"
        "の雑音から予想される値の {spread:.1f} 倍です（試行が多ければ 1 程度）。",
    ),
    "bounds": Both(
        "Bounds. Paper mode scales by the least and greatest value in the data, which tells them; "
        "corrected mode by bounds declared in public ({source}).",
        "上下限：論文どおりの方法はデータの最小値・最大値で正規化し、それらを漏らします。修正後は"
        "公に宣言した上下限を使います（{source}）。",
    ),
    "bounds_adult": Both(
        "age 17–90, education_num 1–16, fnlwgt 0–1,500,000, capital_gain 0–99,999, capital_loss "
        "0–5,000, hours_per_week 1–99: the survey's age limits, its code book, widths of fields "
        "and round numbers",
        "age 17–90、education_num 1–16、fnlwgt 0–1,500,000、capital_gain 0–99,999、capital_loss "
        "0–5,000、hours_per_week 1–99：調査の年齢範囲、符号表、桁数、切りのよい数",
    ),
    "bounds_town": Both("the town's schema", "町のスキーマ"),
    "inverted": Both(
        "ε′ that an ε* allows, 1,000,000 people, δ = 1e-10, {attributes} attributes",
        "ε* に対して許される ε′（1,000,000 人、δ = 1e-10、{attributes} 属性）",
    ),
    "printed": Both("paper prints", "論文の値"),
    "theorem": Both("Theorem 4", "定理4"),
    "tightest": Both("tightest bound", "最良の上界"),
    "csv": Both("Numbers: {name}", "数値：{name}"),
    "figure": Both("Figure {number}", "図 {number}"),
    "what1": Both(
        "The greatest ε′ against δ. Paper: what Theorem 4's condition allows, no statement about "
        "privacy. Corrected: what ε* = 1 after shuffling allows, by the tightest bound.",
        "δ に対する ε′ の上限。論文どおり：定理4の条件が許す値で、プライバシーの限界ではありませ"
        "ん。修正後：シャッフル後の ε* = 1 が許す値（最良の上界）。",
    ),
    "what2": Both(
        "The same against the number of people n.",
        "同じものを人数 n に対して示します。",
    ),
    "what3": Both(
        "ε* after shuffling against ε′, δ = 1e-10. Paper: the formula, also where it is false. "
        "Corrected: the tightest bound (with points), and thin the theorem where it holds.",
        "ε′ に対するシャッフル後の ε*（δ = 1e-10）。論文どおり：条件の外も含めた式の値。修正後："
        "最良の上界（点付き）と、成り立つ範囲の定理4（細線）。",
    ),
    "what4": Both(
        "Mean absolute error (MAE) of the covariances and its standard deviation (SD) over trials "
        "against a, ε = 1 in total, b as a multiple of the least that ε allows. Paper: fresh "
        "random words for each a, all entries. Corrected: the same words for each a, without the "
        "diagonal.",
        "a に対する共分散の平均絶対誤差（MAE）と試行間の標準偏差（SD）。合計 ε = 1、b は許される"
        "最小値の倍数。論文どおり：a ごとに別の乱数、全成分。修正後：どの a にも同じ乱数、対角成"
        "分を除く。",
    ),
    "what5": Both(
        "MAE of the covariances against ε per attribute. Paper: plain moments of the reports. "
        "Corrected: variances estimated rightly; PM is piecewise, HM hybrid (the paper's open "
        'question), all splitting ε evenly; "sudare" is the default choice at the same total, up '
        "to 16.",
        "1 属性あたりの ε に対する共分散の MAE。論文どおり：報告の単純なモーメント。修正後：分散"
        "を正しく推定。PM は区分機構、HM はハイブリッド機構（論文の今後の課題）で、いずれも ε を"
        "等分。「sudare」は同じ合計 ε（16 まで）での既定の方法です。",
    ),
    "what6": Both(
        "Laplace's MAE and SD over Algorithm 3's: above 1, Algorithm 3 is better.",
        "アルゴリズム3に対するラプラス機構の MAE と SD の比。1 より大きければアルゴリズム3が優位"
        "です。",
    ),
    "what7": Both(
        "MAE of the correlations against ε₀, the ε of one attribute, and ε* against ε′, for these "
        "people. Corrected: with the score of printing the identity matrix; where nothing can be "
        "told, that is what is left. ε* as in figure 3.",
        "1 属性の ε₀ に対する相関係数の MAE と、この人数での ε′ に対する ε*。修正後：単位行列を出"
        "力した場合の誤差を併記。何も分からないところではそれが残ります。ε* は図3と同じです。",
    ),
    "chart": Both("{mode}: {quantity} against {axis}", "{mode}：{axis} に対する {quantity}"),
}


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
