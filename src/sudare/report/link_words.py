"""The sentences about a join between organisations, in both languages."""

from __future__ import annotations

from sudare.report.both import Both

TEXTS: dict[str, Both] = {
    "title": Both("Joined by pseudonym", "仮名による連結データ"),
    "lead": Both(
        "Session {session}: {count} organisations, {rows:,} joined rows.",
        "セッション {session}：{count} 組織、連結行 {rows:,} 件。",
    ),
    "note": Both(
        "Every row was randomised by the organisations that hold it, and permuted. Keys, "
        "pseudonyms and true values are in no file of the collector.",
        "各行は保有する組織がランダム化し、並べ替えたものです。収集者のファイルに連結キー、仮名、"
        "真の値はありません。",
    ),
    "joined": Both(
        "{rows:,} joined rows of {names}; ε = {epsilon} for a whole row, whoever looks.",
        "{names} の連結行 {rows:,} 件。1 行全体の ε = {epsilon}（誰が見ても成立）。",
    ),
    "with_dummies": Both("Made-up rows are among them.", "この件数にはダミー行が含まれます。"),
    "alone": Both(
        "These figures are of the joined rows alone: what organisations released of their own "
        "columns comes on top of each, ε = {central} for a person whom all hold.",
        "これらは連結行だけについての値です。各組織が自組織の列について公開した分が、それぞれに"
        "加わります（全組織に属する人で ε = {central}）。",
    ),
    "outsider": Both(
        "Towards an outsider, about all columns: ε = {epsilon}, δ = {delta} in the worst class.",
        "外部の者に対して（全列）：最悪のクラスで ε = {epsilon}、δ = {delta}。",
    ),
    "honest": Both(
        "Towards another organisation that deleted its rows, about the columns of the others: "
        "ε = {epsilon}, δ = {delta}.",
        "自分の行を削除した他組織に対して（自分以外の列）：ε = {epsilon}、δ = {delta}。",
    ),
    "kept": Both(
        "Towards another organisation that kept its rows, about the columns of the others: "
        "ε = {epsilon}, δ = {delta}.",
        "自分の行を残した他組織に対して（自分以外の列）：ε = {epsilon}、δ = {delta}。",
    ),
    "all_deleted": Both(
        "All organisations have signed that rows, permutation and secrets are deleted.",
        "すべての組織が、行・置換・秘密の削除を署名しました。",
    ),
    "is_party": Both(
        "The collector {name} is one of the organisations: it sees the pseudonyms of its own rows, "
        "so it learns which of its people the others hold, and towards it nothing is amplified.",
        "収集者 {name} は参加組織の一つです。自分の行の仮名が見えるため、自分の顧客のうち誰が"
        "他組織にいるかが分かり、シャッフルによる増幅は効きません。",
    ),
    "membership": Both(
        "Who is in which organisations is not protected: the sizes of the classes are exact.",
        "誰がどの組織に属するかは保護されません。各クラスの人数は正確な値です。",
    ),
    "dummies": Both(
        "Made-up rows, about {count:,} in every class, hide the sizes of the classes from an "
        "outsider: ε = {epsilon}, δ = {delta}; and which organisations hold a person, values "
        "included: ε = {member_epsilon}, δ = {member_delta}. The organisations of a class know how "
        "many are made up in it: from them its size is not hidden. The budgets are charged for "
        "values; this comes on top and is charged to nobody.",
        "ダミー行（各クラスに約 {count:,} 行）が、外部の者に対してクラスの人数を隠します："
        "ε = {epsilon}、δ = {delta}。ある人をどの組織が保有するか（値を含む）については "
        "ε = {member_epsilon}、δ = {member_delta} です。クラスに属する組織はそのダミー数を知って"
        "いるため、その組織に対して人数は隠れません。台帳に課金されるのは値についての ε で、"
        "これは別枠であり、どの台帳にも課金されません。",
    ),
    "head_who": Both("Who took part", "参加組織"),
    "head_seen": Both("What is seen, by whom", "誰に何が見えるか"),
    "head_deleted": Both("Signed deletions", "署名された削除"),
    "head_facts": Both("The session", "セッション"),
    "seen": Both(
        "A joined row shows which organisations hold the person, so a person hides among those of "
        "the same class. (ε, δ) is for replacing one person's values.",
        "連結行からはどの組織がその人を保有するかが分かるため、人は同じクラスの人々の中に隠れます。"
        "(ε, δ) は一人の値を置き換えることについての保証です。",
    ),
    "theorem": Both(
        "Theorem 4 of the paper takes n = min(n_A, n_B); where a class has fewer people, or its "
        "condition fails, it does not hold and is marked ✗.",
        "論文の定理 4 は n = min(n_A, n_B) を用います。クラスの人数がそれより少ない場合や条件を"
        "満たさない場合は成り立たず、✗ を付けています。",
    ),
    "class": Both("held by", "保有組織"),
    "people": Both("people", "人数"),
    "people_dummies": Both("people and made-up rows", "人数（ダミー行を含む）"),
    "local": Both("ε of a row", "1 行の ε"),
    "to_outsider": Both("outsider", "外部の者"),
    "to_honest": Both("other organisation, deleted", "他組織（削除済）"),
    "to_kept": Both("other organisation, kept", "他組織（保持）"),
    "theorem4": Both("Theorem 4", "定理 4"),
    "card_local": Both("ε of a joined row, whoever looks", "連結 1 行の ε（誰に対しても）"),
    "card_outsider": Both("ε towards an outsider", "外部の者に対する ε"),
    "card_honest": Both("ε towards another organisation that deleted", "削除した他組織に対する ε"),
    "card_kept": Both("ε towards one that kept its rows", "行を残した他組織に対する ε"),
    "card_total": Both(
        "ε for a person whom all hold, own releases included",
        "全組織に属する人の ε（自組織の公開を含む）",
    ),
    "drawn_outsider": Both(
        "ε towards an outsider, about all columns; the mark is the ε of the row itself",
        "外部の者に対する ε（全列）。印は行そのものの ε",
    ),
    "drawn_honest": Both(
        "ε towards another organisation that deleted its rows, about the others' columns",
        "自分の行を削除した他組織に対する ε（自分以外の列）",
    ),
    "drawn_kept": Both(
        "ε towards another organisation that kept its rows, about the others' columns",
        "自分の行を残した他組織に対する ε（自分以外の列）",
    ),
    "deleted_heads": Both(
        "Each organisation signed the head of its log after the entry that states its deletion. "
        "The signatures are in the certificate; sudare link verify-log checks a log against "
        "them. A signed statement is not a proof.",
        "各組織は、削除を記した時点のログの最新ハッシュに署名しました。署名は証明書 (JSON) にあり、"
        "ログは sudare link verify-log で検証できます。署名は申告であり、証明ではありません。",
    ),
    "organisation": Both("organisation (columns)", "組織（列）"),
    "rows": Both("rows sent", "送付行数"),
    "spent": Both("ε spent there", "消費した ε"),
    "log_head": Both("log head", "ログの最新ハッシュ"),
    "pseudonyms": Both("pseudonyms", "仮名"),
    "plan": Both("plan (SHA-256)", "計画 (SHA-256)"),
    "file": Both("file (SHA-256)", "ファイル (SHA-256)"),
    "file_of": Both("file {name} (SHA-256)", "ファイル {name} (SHA-256)"),
    "collector": Both("collector", "収集者"),
    "created": Both("made", "作成日時"),
    "k_kept": Both(
        "Pk-anonymity of the class {members}: k = {k}, as wanted.",
        "クラス {members} の Pk-匿名性：k = {k}（目標を満たす）。",
    ),
    "k_missed": Both(
        "Pk-anonymity of the class {members}: k = {k}, BELOW what was wanted, because fewer people "
        "than declared are in it.",
        "クラス {members} の Pk-匿名性：k = {k}。宣言より人数が少なく、目標を下回ります。",
    ),
    "part": Both(
        "{party}: sent {rows:,} rows to the session {session}; ε = {epsilon} was spent.",
        "{party}：セッション {session} に {rows:,} 行を送り、ε = {epsilon} を消費しました。",
    ),
    "part_again": Both(
        "{party}: the session {session} had ended already; nothing was sent or charged now. Then, "
        "{rows:,} rows were sent and ε = {epsilon} was spent.",
        "{party}：セッション {session} は既に終了しています。今回は送信も課金もしていません。"
        "前回は {rows:,} 行を送り、ε = {epsilon} を消費しました。",
    ),
    "collected_again": Both(
        "The session {session} had ended already; nothing was collected or changed now.",
        "セッション {session} は既に終了しています。今回は何も収集も変更もしていません。",
    ),
    "warning_empty": Both(
        "WARNING: nobody is held by all organisations, and the joined file has no row. Compare the "
        "rules and the spelling of the keys on all sides.",
        "警告：全組織に共通する人がいないため、連結ファイルに行がありません。"
        "全組織のキーの規則と表記を確認してください。",
    ),
    "wrote": Both("Wrote {path}.", "{path} を書き出しました。"),
    "theorem_condition": Both("its condition fails", "条件を満たさない"),
    "theorem_n": Both("fewer people", "人数が少ない"),
    "part_own": Both(
        "Of {read:,} rows, {unusable:,} had no usable key and {repeated:,} the key of another row; "
        "{bounded:,} more were left out by the schema's unit: they name no person, or a person has "
        "more rows than are kept.",
        "{read:,} 行のうち {unusable:,} 行は使えるキーがなく、{repeated:,} 行は他の行と同じキー"
        "でした。ほかに {bounded:,} 行は、スキーマの単位により除かれました（単位が空、または"
        "一人あたりの行数の上限を超過）。",
    ),
    "part_deleted": Both(
        "Rows, permutation, exponent and generator state are deleted; the collector has "
        "countersigned: {log}",
        "行・置換・指数・乱数生成器の状態を削除し、収集者の副署を得ました：{log}",
    ),
    "part_unconfirmed": Both(
        "Rows, permutation, exponent and generator state are deleted; the collector has ended and "
        "could not countersign that: {log}",
        "行・置換・指数・乱数生成器の状態を削除しました。収集者は終了しており副署は得られません："
        "{log}",
    ),
}


def said(key: str, **values: object) -> Both:
    """A sentence with its values."""
    found = TEXTS[key]
    return Both(found.en.format(**values), found.ja.format(**values))
