"""The sentences about joint statistics of organisations, in both languages: of a secure
computation, of own central releases, and of what they cost together."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both("Joint statistics, no records", "組織横断の統計（個票なし）"),
    "lead": Both(
        "Session {session}: {count} organisations, about {rows:,} common people (with noise).",
        "セッション {session}：{count} 組織、共通の人は約 {rows:,} 人（ノイズを含む）。",
    ),
    "note": Both(
        "Organisations sent secret shares. Collector {collector} and helper {helper} computed sums "
        "from them, under masks of {dealer}, and opened them with noise of both. This holds while "
        "no two of these three work together.",
        "各組織は秘密分散した値だけを送りました。収集者 {collector} と補助者 {helper} が、"
        "{dealer} のマスクの下で和を計算し、双方のノイズを加えて開示しました。"
        "この三者のうち二者が結託しない"
        "限り成り立ちます。",
    ),
    "computed": Both(
        "Computed statistics over {names} from secret shares; ε = {epsilon} under replace-one, and "
        "nobody sees a record. About {rows:,} people are common to all (with noise).",
        "{names} にまたがる統計を秘密分散のまま計算しました。ε = {epsilon}（replace-one）で、"
        "個票は誰にも見えません。共通の人は約 {rows:,} 人です（ノイズを含む）。",
    ),
    "classes": Both(
        "Collector and helper see exactly how many people every set of organisations shares.",
        "収集者と補助者には、どの組織の組に何人が共通するかの正確な人数が見えます。",
    ),
    "is_party": Both(
        "{name} is one of the organisations and computes as well: it can find its own rows again "
        "by their shares, and so learn which of its people the others hold.",
        "{name} は参加組織であり計算も担います。自分の行を分散値から見分けられるため、"
        "自分の顧客のうち誰が他組織にいるかを知り得ます。",
    ),
    "all_deleted": Both(
        "All organisations and the helper have signed that shares, masks and secrets are deleted.",
        "すべての組織と補助者が、分散値・マスク・秘密の削除を署名しました。",
    ),
    "hybrid": Both(
        "Blocks inside {names} come from their own central releases; only what crosses "
        "organisations comes from the join.",
        "{names} の列どうしの統計は各組織自身の中央型の公開から、組織をまたぐ統計だけが連結から"
        "得られたものです。",
    ),
    "costs": Both(
        "Both costs add up: ε = {joined} of the join and {central} of own releases, {total} for a "
        "person whom all organisations hold.",
        "費用は合算されます：連結の ε = {joined} と自組織の公開の {central}、全組織に属する人で"
        "合計 {total}。",
    ),
    "central": Both(
        "Means and covariances of its own columns were released beside it (release {release}); "
        "ε = {epsilon} was spent on that.",
        "自組織の列の平均と共分散も公開し（release {release}）、ε = {epsilon} を消費しました。",
    ),
    "head_costs": Both("What it costs a person", "一人あたりの費用"),
    "joined_epsilon": Both("ε of the join", "連結の ε"),
    "central_epsilon": Both("ε of the own release", "自組織の公開の ε"),
    "total_epsilon": Both("ε together", "合計 ε"),
    "whole": Both("a person whom all hold", "全組織に属する人"),
    "head_compared": Both(
        "Standard errors, beside the all-local way", "標準誤差：すべて局所型の場合との比較"
    ),
    "compared_about": Both(
        "What the covariances would have had if all of ε had gone to randomised reports is "
        "predicted from this result. A ratio below 1 is a gain.",
        "ε をすべてランダム化報告に使った場合の共分散の標準誤差を、この結果から予測したものです。"
        "比が 1 未満なら改善です。",
    ),
    "compared_median": Both(
        "Median ratio inside organisations: {own}; across organisations: {cross}.",
        "比の中央値：組織内 {own}、組織間 {cross}。",
    ),
    "pair": Both("columns", "列の組"),
    "block": Both("block", "ブロック"),
    "own": Both("own", "組織内"),
    "cross": Both("cross", "組織間"),
    "all_local": Both("all-local (predicted)", "すべて局所型（予測）"),
    "way": Both("hybrid", "ハイブリッド"),
    "ratio": Both("ratio", "比"),
    "errors_secure": Both(
        "Standard errors are of the noise of collector and helper, not of who happens to be in the "
        "tables.",
        "標準誤差は収集者と補助者のノイズによるもので、人の抽出による変動は含みません。",
    ),
    "errors_hybrid": Both(
        "Own blocks are of all people of an organisation, cross blocks of the joined people. "
        "Standard errors of own blocks are of their noise alone.",
        "組織内のブロックはその組織の全員、組織間のブロックは連結された人についての値です。"
        "組織内の標準誤差はノイズだけによります。",
    ),
    "head_statistics": Both("What it tells", "分かること"),
    "head_who": Both("Who took part", "参加組織"),
    "head_deleted": Both("Signed deletions", "署名された削除"),
    "head_facts": Both("The session", "セッション"),
    "card_epsilon": Both("ε of the statistics, for a person", "統計の ε（一人あたり）"),
    "card_rows": Both("common people (with noise)", "共通の人（ノイズを含む）"),
    "card_total": Both("ε with own releases", "自組織の公開を含む ε"),
    "organisation": Both("organisation (columns)", "組織（列）"),
    "rows": Both("rows sent", "送付行数"),
    "spent": Both("ε spent there", "消費した ε"),
    "attributes": Both("ε of its attributes alone", "属性だけの ε"),
    "helper": Both("helper", "補助者"),
    "dealer": Both("dealer of masks", "マスクの配布者"),
    "collector": Both("collector", "収集者"),
    "pseudonyms": Both("pseudonyms", "仮名"),
    "plan": Both("plan (SHA-256)", "計画 (SHA-256)"),
    "file": Both("statistics (SHA-256)", "統計ファイル (SHA-256)"),
    "log_head": Both("log head", "ログの最新ハッシュ"),
    "created": Both("made", "作成日時"),
    "warning_empty": Both(
        "WARNING: the noisy number of common people is zero or less: there may be none. Compare "
        "the rules and the spelling of the keys on all sides.",
        "警告：共通の人数（ノイズ付き）が 0 以下です。一人もいないかもしれません。"
        "全組織のキーの規則と表記を確認してください。",
    ),
    "helped_again": Both(
        "{party}: the session {session} had ended already; nothing was computed or sent now.",
        "{party}：セッション {session} は既に終了しています。今回は計算も送信もしていません。",
    ),
    "helped": Both(
        "{party}: helped the session {session}; the collector has the result.",
        "{party}：セッション {session} の計算を補助しました。結果は収集者にあります。",
    ),
    "help_deleted": Both(
        "Shares, masks and keys are deleted; the collector has countersigned: {log}",
        "分散値・マスク・鍵を削除し、収集者の副署を得ました：{log}",
    ),
    "help_unconfirmed": Both(
        "Shares, masks and keys are deleted; the collector has ended and could not countersign "
        "that: {log}",
        "分散値・マスク・鍵を削除しました。収集者は終了しており副署は得られません：{log}",
    ),
}


def said(key: str, **values: object) -> Both:
    """A sentence with its values."""
    found = TEXTS[key]
    return Both(found.en.format(**values), found.ja.format(**values))
