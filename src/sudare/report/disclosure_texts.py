"""The sentences about what tables give away, in both languages."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both("What these tables give away", "これらの表から確実に分かること"),
    "nothing": Both(
        "Nothing is certain about anyone from {tables}.",
        "{tables}からは、誰についても確実に分かることはありません。",
    ),
    "some": Both(
        "{tables}: certain statements about people: {count}.",
        "{tables}：人について確実に分かることが {count} 件あります。",
    ),
    "unknown": Both(
        "The time limit ended the search before it came to a result.",
        "制限時間内に結論が出ませんでした。",
    ),
    "noisy": Both(
        "{tables}: noise was added, so the counts fit every data set and make nothing certain. "
        "They were left out of the search.",
        "{tables}：雑音が加えられているため、どのデータとも矛盾せず、確実に分かることはありません。"
        "探索からは除きました。",
    ),
    "stopped": Both(
        "The time limit ended the search: what is listed is certain, but there may be more, and "
        "intervals may be narrower.",
        "制限時間で探索を打ち切りました。挙げたことは確実ですが、ほかにもあるかもしれず、"
        "区間はもっと狭いかもしれません。",
    ),
    "unrefined": Both(
        "The list of what is certain is complete; the time limit ended the search for ways and "
        "counts.",
        "確実に分かることの一覧は完全ですが、道筋と人数の計算は制限時間で打ち切りました。",
    ),
    "inferred": Both(
        "The values of {names} were taken from the tables; declare them if there may be others.",
        "{names}の値は表から取りました。ほかの値がありうるなら宣言してください。",
    ),
    "overlapping": Both(
        "{tables}: rows overlap, and each person was read as counted in one of them; set "
        "subtotals = true if rows are sums of others.",
        "{tables}：行が重なり合うため、各人はそのうち一行で数えられているとみなしました。"
        "他の行の合計である行があれば subtotals = true としてください。",
    ),
    "absent": Both(
        "The facts file tells of tables that were not given: {tables}.",
        "事実ファイルにあるが指定されていない表：{tables}。",
    ),
    "person": Both("{person}: {attribute} = {value}.", "{person}：{attribute} = {value}。"),
    "person_not": Both(
        "{person}: {attribute} is not {value}.", "{person}：{attribute} ≠ {value}。"
    ),
    "everyone": Both(
        "Everyone has {attribute} = {value}{people}.",
        "全員が {attribute} = {value} です{people}。",
    ),
    "nobody": Both("Nobody has {attribute} = {value}.", "{attribute} = {value} の人はいません。"),
    "all": Both(
        "Whoever has {who} has {attribute} = {value}{people}.",
        "{who} の人は全員 {attribute} = {value} です{people}。",
    ),
    "none": Both(
        "Nobody with {who} has {attribute} = {value}.",
        "{who} の人に {attribute} = {value} の人はいません。",
    ),
    "exactly": Both(" ({low} people)", "（{low} 人）"),
    "between": Both(" ({low} to {high} people)", "（{low}～{high} 人）"),
    "at_least": Both(" (at least {low} people)", "（{low} 人以上）"),
    "any": Both(" (if there is anyone)", "（該当者がいれば）"),
    "fills": Both(
        "The counts of {table} add up to the whole population, so nobody is left with {against}.",
        "{table}の人数を足すと全体の人数になるので、{against} の人は残りません。",
    ),
    "alone": Both(
        "{parts} alone leaves nobody with {against}.",
        "{parts}だけから、{against} の人はいないと分かります。",
    ),
    "together": Both(
        "Laid together, {parts} leave nobody with {against}.",
        "{parts}を重ね合わせると、{against} の人はいないことになります。",
    ),
    "fills_person": Both(
        "The counts of {table} add up to the whole population, so no place with {against} is left "
        "for {person}.",
        "{table}の人数を足すと全体の人数になるので、{person}が {against} である余地は残りません。",
    ),
    "alone_person": Both(
        "{parts} alone leaves no place with {against} for {person}.",
        "{parts}だけから、{person}が {against} である余地はないと分かります。",
    ),
    "together_person": Both(
        "Laid together, {parts} leave no place with {against} for {person}.",
        "{parts}を重ね合わせると、{person}が {against} である余地はありません。",
    ),
    "no_way": Both(
        "All tables and facts together imply it; the time limit ended the search for fewer.",
        "すべての表と事実を合わせると従います（より少ない組は制限時間内に見つかりませんでした）。",
    ),
    "also": Both("Or: {way}", "別の道筋：{way}"),
    "other_than": Both("{attribute} other than {value}", "{attribute} ≠ {value}"),
    "population": Both("the population", "全体の人数"),
    "known": Both("the fact “{name}”", "事実「{name}」"),
    "presence": Both("the presence of {name}", "{name}がいること"),
    "list_join": Both(", ", "、"),
    "list_last": Both(" and ", "と"),
    "who_join": Both(" and ", "・"),
    "ruled_out": Both("Values that are ruled out", "ありえないと分かる値"),
    "withheld": Both("Withheld counts that can be worked out", "伏せた人数のうち求められるもの"),
    "worked_out": Both(
        "Small groups that no table shows and whose size can be worked out",
        "どの表にもないが人数を求められる小さな集団",
    ),
    "row": Both("Row", "行"),
    "people": Both("People", "人数"),
    "group": Both("Group", "集団"),
    "more": Both("… and {count} more; --json lists all.", "ほか {count} 件（--json で全件）。"),
    "question": Both("Question", "質問"),
    "beside_title": Both(
        "What the exact tables would have disclosed",
        "正確な表なら何が明かされたか",
    ),
    "beside_lead": Both(
        "A made class of 20 sat an exam. Below: what exact tables of the results make certain, and "
        "what is published instead.",
        "架空の 20 人の学級が試験を受けました。正確な集計表から確実に分かってしまうことと、"
        "代わりに公開したものを並べて示します。",
    ),
    "beside_exact": Both("Exact: {tables}", "正確な表：{tables}"),
    "beside_instead": Both("What we published instead", "代わりに公開したもの"),
    "beside_noise": Both(
        "The same counts with discrete Laplace noise, ε = {epsilon} for all of them together; ± "
        "with 95 % probability.",
        "同じ人数に離散ラプラス雑音を加えたもの（全体で ε = {epsilon}、± は 95 % の確率）。",
    ),
    "premise": Both(
        "This holds if the tables are exact and the facts are true. What an attacker may guess "
        "with good odds, without being certain, is not listed.",
        "表が正確で事実が正しいことを前提とします。確実ではなくても高い確率で推測できることは"
        "含みません。",
    ),
}


def said(key: str, **values: Both | str | int | None) -> Both:
    """A sentence with its gaps filled, in both languages."""
    text = TEXTS[key]
    filled = [
        getattr(text, language).format(
            **{k: v[language] if isinstance(v, Both) else v for k, v in values.items()}
        )
        for language in ("en", "ja")
    ]
    return Both(*filled)
