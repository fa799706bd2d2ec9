"""The sentences about synthetic rows and the statistics they were made of, in both languages."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both("Synthetic rows: {table}", "合成データ：{table}"),
    "lead": Both(
        "{rows:,} synthetic rows with {columns} columns, drawn from statistics alone: no real row "
        "was seen, and none was copied.",
        "合成データ {rows:,} 行、{columns} 列。統計だけから作られ、実際の行は見ておらず、"
        "写してもいません。",
    ),
    # Whether there is a guarantee.
    "head_guarantee": Both("Is there a formal guarantee?", "形式的な保証はあるか"),
    "none": Both(
        "There is no formal guarantee: these rows were made from exact statistics.",
        "形式的な保証はありません：これらの行は正確な統計から作られました。",
    ),
    "none_means": Both(
        "What the statistics tell about a person the rows may tell too. Give the rows only to "
        "those whom you would give the statistics listed here.",
        "統計が個人について語ることは、合成データも語りえます。下に挙げた統計そのものを渡しても"
        "よい相手にだけ渡してください。",
    ),
    "private_route": Both(
        "The private route measures the same kinds of statistics with noise under the ledger; the "
        "rows then carry a guarantee that holds whatever else is known:",
        "保証付きの方法もあります。同じ種類の統計を台帳の管理下で雑音を加えて測れば、ほかに何が"
        "知られていても成り立つ保証が合成データに付きます：",
    ),
    "private": Both(
        "There is a formal guarantee: these rows were made from differentially private statistics, "
        "ε = {epsilon}, δ = {delta}, for one {unit} ({neighbours}).",
        "形式的な保証があります：これらの行は差分プライバシーを満たす統計（ε = {epsilon}、"
        "δ = {delta}、単位は{unit}、隣接関係は {neighbours}）から作られました。",
    ),
    "processed": Both(
        "The rows were made from those statistics and fresh random bits. Whatever is done with the "
        "statistics or the rows is post-processing: the guarantee stays as it is, however many "
        "rows are made, and nothing more is charged.",
        "行はその統計と新しい乱数だけから作られました。統計や行をどう処理しても（後処理）、何行"
        "作っても保証はそのまま変わらず、追加の予算もかかりません。",
    ),
    "cited": Both(
        "It is stated by release {release}, entry {entry} of the holder's ledger.",
        "これは公開番号 {release}（保有者の台帳の記入番号 {entry}）が述べる保証です。",
    ),
    "randomized": Both(
        "There is a formal guarantee: these rows were made from reports, in which every {unit} was "
        "randomised by itself with local ε = {epsilon}. It holds towards everyone who gets the "
        "reports, whoever made these rows included.",
        "形式的な保証があります：これらの行は、{unit}ごとに局所 ε = {epsilon} でランダム化された"
        "報告から作られました。この行を作った人を含め、報告を受け取る誰に対しても成り立ちます。",
    ),
    "local_only": Both(
        "What shuffling would add to it is not known here; the local ε holds in any case.",
        "シャッフルの効果はここでは分かりません。局所 ε の保証は必ず成り立ちます。",
    ),
    "unstated": Both(
        "No guarantee is known: the statistics are said to be protected, but they do not say how "
        "strongly. Rely on none until whoever sent them states it.",
        "保証は不明です：統計は保護されているとありますが、強さが書かれていません。送り主が明らか"
        "にするまで、保証はないものとして扱ってください。",
    ),
    "head_noise": Both("Noise that was added", "加えた雑音"),
    "noise_of": Both("what was measured", "測ったもの"),
    "noise_scale": Both("scale", "尺度"),
    "noise_sensitivity": Both("sensitivity", "感度"),
    # What was used.
    "head_used": Both("Which statistics were used", "使った統計"),
    "used_rows": Both("the number of rows: {rows:,.0f}", "行数：{rows:,.0f}"),
    "used_histograms": Both(
        "histograms of {count} columns: {names}", "{count} 列のヒストグラム：{names}"
    ),
    "used_all_tables": Both(
        "two-way tables of all {count} pairs of these columns",
        "これらの列の全 {count} 組の二元表",
    ),
    "used_tables": Both("{count} two-way tables: {pairs}", "二元表 {count} 個：{pairs}"),
    "used_more": Both("{shown} and {count} more", "{shown}、ほか {count} 個"),
    "used_moments": Both(
        "mean and covariance of {count} numbers: {names}", "{count} 個の数値の平均と共分散：{names}"
    ),
    "used_sums": Both(
        "sums of a number within the labels of a category, for {count} pairs",
        "カテゴリの値ごとの数値の合計：{count} 組",
    ),
    "used_only": Both("These were used, and nothing else:", "使ったのは次のものだけです："),
    "untold": Both(
        "Columns of which the reports tell nothing, left out: {names}.",
        "報告から何も分からないので除いた列：{names}。",
    ),
    # How they were made.
    "head_made": Both("How the rows were made", "行の作り方"),
    "mode_default_tables": Both(
        "A mixture of product distributions was fitted to the two-way tables and histograms "
        "(--preserve tables), and rows were drawn from it.",
        "積分布の混合を二元表とヒストグラムに合わせ（--preserve tables）、そこから行を引きました。",
    ),
    "mode_default_moments": Both(
        "A mixture of product distributions was fitted to means, covariances and histograms "
        "(--preserve moments), and rows were drawn from it.",
        "積分布の混合を平均・共分散・ヒストグラムに合わせ（--preserve moments）、そこから行を"
        "引きました。",
    ),
    "matched": Both(
        "Then numbers were moved, inside their bounds and without breaking a rule, until the rows "
        "met the stated means and covariances.",
        "その後、示された平均と共分散になるまで、範囲と規則を守りながら数値を動かしました。",
    ),
    "mode_paper": Both(
        "Paper mode: Algorithms 1 to 5 of the paper, to the letter.",
        "論文モード：論文のアルゴリズム 1〜5 をそのまま使いました。",
    ),
    "mode_a": Both(
        "The paper's comparison method A: Algorithm 2 alone, every column drawn from its histogram "
        "and independent of the others.",
        "論文の比較手法 A：アルゴリズム 2 のみ。各列をヒストグラムから互いに独立に引きます。",
    ),
    "mode_b": Both(
        "The paper's comparison method B: Algorithm 2, then Algorithm 4 on the numbers; categories "
        "stay independent.",
        "論文の比較手法 B：アルゴリズム 2 の後、数値だけにアルゴリズム 4。カテゴリは独立のまま"
        "です。",
    ),
    "leaves": Both(
        "Values may leave their declared bounds, whole numbers may come out as fractions, and "
        "rules may be broken: the paper's methods do not prevent it.",
        "値が宣言された範囲を超えたり、整数が小数になったり、規則が破られたりすることがあります"
        "（論文の手法は防ぎません）。",
    ),
    "panel": Both(
        "A panel: {periods} periods of '{time}' for every '{person}'; autocovariances are kept up "
        "to lag {lags}.",
        "パネルデータ：各「{person}」について「{time}」の {periods} 期間。自己共分散はラグ {lags} "
        "まで保たれます。",
    ),
    # Moments.
    "head_moments": Both("Means and covariances", "平均と共分散"),
    "moments_gap": Both(
        "How far the rows are from the stated moments, before and after whole numbers are rounded.",
        "示された値からのずれ。整数への丸めの前と後の両方を示します。",
    ),
    "moments_estimated": Both(
        "The stated moments are themselves estimates with noise; this table does not show that "
        "noise.",
        "示された値自体が雑音を含む推定値です。この表はその雑音を含みません。",
    ),
    "moments_rounded": Both(
        "Rounded to whole numbers (years, days, 0 and 1): {names}.",
        "整数に丸めた列（年、日、0 と 1 を含む）：{names}。",
    ),
    "moments_none": Both(
        "No mean or covariance was stated, so none was matched; those of the rows follow from the "
        "histograms and tables.",
        "平均や共分散は示されていないので、合わせていません。行の平均や共分散はヒストグラムと表から"
        "決まります。",
    ),
    "measure": Both("measure", "指標"),
    "as_drawn": Both("as drawn", "引いた直後"),
    "before": Both("before rounding", "丸める前"),
    "after": Both("after rounding", "丸めた後"),
    "as_written": Both("as written", "書き出した値"),
    "gap_mean": Both(
        "largest error of a mean, in standard deviations", "平均の最大誤差（標準偏差単位）"
    ),
    "gap_covariance": Both(
        "largest error of a covariance, of σ_j σ_k", "共分散の最大誤差（σ_j σ_k に対する比）"
    ),
    "gap_ave_mean": Both("AveMean, in the units of the data", "AveMean（データの単位）"),
    "gap_ave_cov": Both("AveCov, in the units of the data", "AveCov（データの単位）"),
    "gap_ave_mean_relative": Both("AveMean, relative", "AveMean（相対）"),
    "gap_ave_cov_relative": Both("AveCov, relative", "AveCov（相対）"),
    # Pairs.
    "head_pairs": Both("Two columns at a time", "二列ずつ"),
    "two_way_real": Both(
        "Mean total variation between the two-way tables of the real rows and those of these rows, "
        "over the cells of `sudare compare`: {tv:.2%}. So many rows, on average, sit in the wrong "
        "cell.",
        "実データと合成データの二元表の全変動距離の平均（`sudare compare` のセル）：{tv:.2%}。"
        "平均してこの割合の行が別のセルに入っています。",
    ),
    "two_way_stated": Both(
        "Mean total variation between the stated two-way tables and those of the rows: "
        "{tv:.2%}, over the cells that were stated. So many rows, on average, sit in the wrong "
        "cell.",
        "示された二元表と合成データの二元表との全変動距離の平均：{tv:.2%}。平均してこの割合の行が"
        "別のセルに入っています。",
    ),
    "two_way_noisy": Both(
        "The stated tables are noisy, so part of this distance is the noise that was taken out.",
        "示された表は雑音を含むため、この距離の一部は取り除いた雑音です。",
    ),
    "recovered": Both(
        "A dependence was recovered for {count} of {all} pairs: {pairs}.",
        "{all} 組のうち {count} 組で関連を復元できました：{pairs}。",
    ),
    "lost": Both(
        "It was lost in the noise for {count} of {all} pairs; in the rows these columns are "
        "independent of each other, or joined only through others: {pairs}.",
        "{all} 組のうち {count} 組では雑音に埋もれました。合成データではこれらの列は独立か、"
        "他の列を通してだけ関連します：{pairs}。",
    ),
    "recovered_none": Both(
        "No dependence between columns could be recovered from the noise: only the histograms "
        "carry information.",
        "列どうしの関連は雑音から復元できませんでした。情報があるのはヒストグラムだけです。",
    ),
    # Rules.
    "head_rules": Both("Rules and impossible combinations", "規則とありえない組合せ"),
    "rules_kept": Both(
        "Declared rules: {count}; 0 rows break one.", "宣言された規則：{count} 個。違反する行は 0。"
    ),
    "rules_broken": Both(
        "Declared rules: {count}; {broken:,} times a row breaks one.",
        "宣言された規則：{count} 個。違反は延べ {broken:,} 行。",
    ),
    "clash": Both(
        "Of the rows behind the statistics {percent:.2g} % break the rule: {rule}. The synthetic "
        "rows keep it, so they cannot meet these statistics exactly.",
        "統計のもとになった行の{percent:.2g}%が次の規則に反しています: {rule}。"
        "合成した行は規則を守るため、この統計に正確には一致しません。",
    ),
    "rules_none": Both("No rules were declared.", "規則は宣言されていません。"),
    "rule": Both("rule", "規則"),
    "broken": Both("rows that break it", "違反する行"),
    "exclusive": Both(
        "Numbers that exclude each other (at most one is above its minimum in any row, as stated): "
        "{pairs}.",
        "互いに排他的な数値（示された統計どおり、どの行でも最小値を超えるのは一方だけ）：{pairs}。",
    ),
    "head_proposals": Both("Rules proposed", "提案された規則"),
    "proposals": Both(
        "Proposed from exact statistics, for the steward to confirm: combinations that nobody in "
        "the table has. Paste into the schema those that hold for everyone, and only those: a rule "
        "is public knowledge, and some of these may only say who is missing from this table.",
        "正確な統計からの提案です。管理者が確認してください：この表の誰にも当てはまらない組合せです。"
        "誰についても成り立つものだけをスキーマに貼り付けてください。規則は公知の事実であり、中には"
        "この表にたまたまいないだけのものもあります。",
    ),
    # Pictures and files.
    "head_marginals": Both("Every column by itself", "列ごとの分布"),
    "marginals": Both(
        "Bars: as stated. Marks: synthetic rows. In % of the rows.",
        "棒：示された統計。印：合成データ。全行に対する %。",
    ),
    "caption_marginal": Both(
        "{column}; total variation {tv:.2%}", "{column}（全変動距離 {tv:.2%}）"
    ),
    "caption_most": Both(
        "{column}; the {count} most frequent", "{column}（多い方から {count} 個）"
    ),
    "head_correlations": Both("Correlations of the numbers", "数値の相関"),
    "caption_stated": Both("As stated", "示された統計"),
    "caption_synthetic": Both("Synthetic rows", "合成データ"),
    "caption_difference": Both(
        "Synthetic less stated, {most:.1g} at most; colours ten times as strong",
        "合成 − 統計（最大 {most:.1g}、色は 10 倍に強調）",
    ),
    "head_file": Both("The file", "ファイル"),
    "fact_name": Both("Name", "名前"),
    "fact_file_sha256": Both("SHA-256 of the file", "ファイルの SHA-256"),
    "fact_rows": Both("Rows", "行数"),
    "fact_statistics_source": Both("Statistics of", "統計の出所"),
    "fact_made_by": Both("Made by", "作成"),
    # The terminal.
    "made_of": Both(
        "{rows:,} rows with {columns} columns from {origin}.",
        "{origin}から {rows:,} 行、{columns} 列を作りました。",
    ),
    "origin_exact": Both("exact statistics", "正確な統計"),
    "origin_private": Both("private statistics", "差分プライベートな統計"),
    "origin_randomized": Both("randomised reports", "ランダム化された報告"),
    "terse_moments": Both(
        "After rounding: means within {mean:.1e} standard deviations, covariances within "
        "{covariance:.1e} of σ_j σ_k (before: {before_mean:.1e} and {before_covariance:.1e}).",
        "丸めた後の最大誤差：平均は標準偏差の {mean:.1e} 倍、共分散は σ_j σ_k の "
        "{covariance:.1e} 倍（丸める前：{before_mean:.1e}、{before_covariance:.1e}）。",
    ),
    "terse_written": Both(
        "As written: means within {mean:.1e} standard deviations, covariances within "
        "{covariance:.1e} of σ_j σ_k.",
        "書き出した値の最大誤差：平均は標準偏差の {mean:.1e} 倍、共分散は σ_j σ_k の "
        "{covariance:.1e} 倍。",
    ),
    "terse_two_way_real": Both(
        "Two-way tables: total variation {tv:.2%} on average, as `sudare compare` measures it.",
        "二元表：全変動距離は平均 {tv:.2%}（`sudare compare` と同じ測り方）。",
    ),
    "terse_two_way_stated": Both(
        "Two-way tables: total variation {tv:.2%} on average from the stated ones, cell by cell.",
        "二元表：示された表との全変動距離は、そのセルごとに見て平均 {tv:.2%}。",
    ),
    "terse_pairs": Both(
        "A dependence was recovered for {recovered} of {all} pairs; {lost} were lost in the noise.",
        "{all} 組のうち {recovered} 組で関連を復元し、{lost} 組は雑音に埋もれました。",
    ),
    "terse_proposals": Both(
        "Rules that the report proposes, for the steward to confirm: {count}.",
        "報告書に規則の案が {count} 個あります。管理者が確認してください。",
    ),
    "close_fine": Both(
        "A look at how close these statistics come to a person found nothing that says much "
        "about one; that is no proof.",
        "統計がどこまで個人に近づくかを点検し、一人について多くを語る箇所は見つかりませんでした。"
        "証明ではありません。",
    ),
    "close_look": Both(
        "How close these statistics come to a person: look at the places in the report before the "
        "rows leave the house. With a guarantee:",
        "統計がどこまで個人に近づくか：外に出す前に、報告書に挙げた箇所を確かめてください。"
        "保証を付けるには：",
    ),
    "close_high": Both(
        "These statistics give people away; the report lists the places. With a guarantee:",
        "これらの統計からは個人のことが分かってしまいます（箇所は報告書に）。保証を付けるには：",
    ),
    "near_tested": Both(
        "Tested on people held out: {value:.0%} of synthetic rows lie nearer to somebody whose row "
        "was used (at most {high:.0%} at 99 %; chance is 50 %, the limit {limit:.0%}).",
        "除外した人との比較：合成された行の {value:.0%} は、使われた行の人により近い"
        "（99 % で高々 {high:.0%}、偶然なら 50 %、上限 {limit:.0%}）。",
    ),
    "near_guessed": Both(
        "A number is guessed better from the other columns in {value:.0%} of cases where the "
        "person's row was used (at most {high:.0%} at 99 %).",
        "ほかの列からの数値の推測は、その人の行が使われた場合のほうが {value:.0%} の割合で"
        "よく当たる（99 % で高々 {high:.0%}）。",
    ),
    "near_reduced": Both(
        "The rows bear no finer statistics: columns were cut into fewer levels, and labels of few "
        "people gathered{more}.",
        "人数に見合うよう統計を粗くしました：列の水準を減らし、少人数の値をまとめました{more}。",
    ),
    "near_moments": Both(
        "; numbers are described by their means and covariances, which rows come near to",
        "。数値は平均と共分散だけで表し、行はそれに近づけるだけです",
    ),
    "near_pairs": Both(
        "; only the {pairs} pairs of columns that depend most are kept",
        "。依存の強い {pairs} 組の列だけを残しました",
    ),
    "near_accepted": Both(
        "Disclosure was accepted (--accept-disclosure): the statistics are whole.",
        "開示は承知の上です（--accept-disclosure）。統計はそのままです。",
    ),
    "near_unknown": Both(
        "Nearness to people was not measured: these statistics came without a test, and no rows "
        "are at hand.",
        "個人への近さは未測定：この統計には試験の結果がなく、手もとに行もありません。",
    ),
    "near_too_few": Both(
        "Nearness to people was not measured: there are too few.",
        "個人への近さは未測定：人数が足りません。",
    ),
    "statistics_of": Both(
        "Statistics of '{table}': histograms of {columns} columns, {tables} two-way tables; no "
        "rows were made.",
        "「{table}」の統計：{columns} 列のヒストグラムと二元表 {tables} 個。行は作っていません。",
    ),
    "statistics_none": Both(
        "There is no formal guarantee: these statistics are exact, and so will be whatever is made "
        "of them.",
        "形式的な保証はありません：これらは正確な統計で、ここから作られるものにも保証はありません。",
    ),
    "statistics_private": Both(
        "There is a formal guarantee: ε = {epsilon}, δ = {delta}. Rows made of them cost nothing "
        "more.",
        "形式的な保証があります：ε = {epsilon}、δ = {delta}。ここから行を作っても追加の予算は"
        "かかりません。",
    ),
}


def said(key: str, **values: object) -> Both:
    """A sentence with its gaps filled, in both languages; a text of two is filled by either."""
    text = TEXTS[key]
    english, japanese = (
        {name: v[language] if isinstance(v, Both) else v for name, v in values.items()}
        for language in ("en", "ja")
    )
    return Both(text.en.format(**english), text.ja.format(**japanese))
