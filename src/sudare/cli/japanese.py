"""Help of the commands in Japanese, by the English words; tests compare the two."""

from __future__ import annotations

from sudare.cli.japanese_options import OPTIONS

HEADINGS = {
    "Ask and publish": "質問と公表",
    "Randomise and join": "撹乱と結合",
    "Synthesise": "合成データ",
    "Sets": "集合データ",
    "Check": "検査",
    "Ledger and set-up": "台帳と準備",
    "Commands": "コマンド",
    "Arguments": "引数",
    "Options": "オプション",
    "Usage": "使い方",
    "Example": "例",
}
# What Typer says of a parameter in square brackets.
MARKS = {"required": "必須", "default": "既定値", "env var": "環境変数"}
SUMMARIES = {
    "Ask questions of a table and get noisy answers.": "表に質問し、雑音を加えた回答を得ます。",
    "Find the ε for a wanted error, without data.": "望む誤差に必要な ε をデータなしで求めます。",
    "Ask what a TOML plan says.": "TOML の計画どおりに質問します。",
    "Publish a cross table whose margins agree.": "周辺和が一致するクロス集計表を公表します。",
    "Publish what any program computes on blocks.": "任意のプログラムの計算結果を公表します。",
    "Randomise each person's row before it leaves.": "各人の行を、外に出す前に撹乱します。",
    "Estimate statistics from randomised rows.": "撹乱された行から統計量を推定します。",
    "Join tables of several organisations.": "複数の組織の表を結合します。",
    "Make synthetic rows from statistics.": "統計量から合成データを作ります。",
    "Compare synthetic rows with the real ones.": "合成データを実データと比較します。",
    "Release purchase or browsing histories.": "購買履歴や閲覧履歴を公開用に加工します。",
    "Check certificates and their files.": "証明書とそのファイルを検証します。",
    "See the key that signs certificates.": "証明書に署名する鍵を確認します。",
    "Show its fingerprint.": "指紋を表示します。",
    "Write the public key.": "公開鍵を書き出します。",
    "See what tables, records or sets give away.": "表・レコード・集合の開示リスクを調べます。",
    "Make records coarser (k-anonymity).": "レコードを粗くします（k-匿名性）。",
    "Say what an ε means.": "ε の意味を説明します。",
    "Compute guarantees without data.": "データなしで保証を計算します。",
    "Make the figures of a paper again.": "論文の図表を再現します。",
    "Take a tour with a made town.": "架空の町のデータで一通り体験します。",
    "Draft a schema for a data file.": "データファイルのスキーマを下書きします。",
    "List what a schema does not allow.": "スキーマに合わない箇所を列挙します。",
    "See and check what was spent.": "支出を確認し、検証します。",
    "List the engines that can read rows here.": "行を読めるエンジンを一覧にします。",
    "Make an organisation's identity.": "組織の身元（鍵と証明書）を作ります。",
    "Take part, on a host that listens.": "接続を待ち受けるホストで参加します。",
    "Take part, on a host nobody can call.": "接続を受けられないホストで参加します。",
    "Collect and join everybody's rows.": "全員の行を集めて結合します。",
    "Help a secure computation.": "秘密計算を補助します。",
    "Run a whole join on this machine.": "この計算機だけで結合を一通り実行します。",
    "Check a session's log.": "セッションの記録を検証します。",
    "Show caps, what is left, and releases.": "上限、残り、公表の一覧を表示します。",
    "Recompute the hash chain and all sums.": "ハッシュ連鎖と合計を計算し直します。",
    "Print the last link of the chain.": "連鎖の末尾を出力します。",
    "Go on after a ledger was lost.": "台帳が失われた後も続けます。",
    "Move a ledger into PostgreSQL.": "台帳を PostgreSQL に移します。",
    "Show a release once more, unpaid.": "公表済みの結果を無償で再表示します。",
    "Find what exact tables make certain.": "正確な表から確実に分かることを調べます。",
    "Say how exposed the records of a file are.": "レコードの露出の度合いを調べます。",
    "Say how exposed people's histories are.": "履歴の露出の度合いを調べます。",
    "Compute the central (ε, δ) of shuffled reports.": "シャッフル後の (ε, δ) を計算します。",
    "Publish records that k − 1 others share.": "k − 1 件以上と同じになるよう公表します。",
    "Figures 1 to 7 on shuffling.": "シャッフルの論文の図 1～7。",
    "Tables 3 to 5 on synthesis.": "合成データの論文の表 3～5。",
    "Figures 3 to 7 on sets.": "集合データの論文の図 3～7。",
}
# Paragraphs of the commands' own pages.
PAGES = {
    "Answer questions about people's data with a guarantee that is stated, accounted for and "
    "checkable.": (
        "人に関するデータへの質問に、明示され、記帳され、検証できる保証を付けて答えます。"
    ),
    "Start with `sudare demo`. `sudare COMMAND --help` shows a command's options and an example.": (
        "まず `sudare demo` をお試しください。各コマンドのオプションと例は "
        "`sudare COMMAND --help` で表示されます。"
    ),
    "Join with other organisations, without either learning the other's people.": (
        "互いの対象者を知らせることなく、他の組織のデータと結合します。"
    ),
    "See what tables or records give away.": "表やレコードから何が知られるかを調べます。",
    "Make records coarser until nobody stands alone; no formal guarantee.": (
        "一人だけになる人がいなくなるまでレコードを粗くします。形式的な保証はありません。"
    ),
    "Make a paper's figures again, as printed and as they should be.": (
        "論文の図表を、掲載どおりの方法と正しい方法の両方で再現します。"
    ),
    "Ask a table; the answers are perturbed and the cost is recorded.": (
        "表に質問します。回答には雑音が加えられ、費用は台帳に記録されます。"
    ),
    "Functions: count, sum, mean, variance, covariance, histogram, quantile, median, iqr, "
    "trimmed_mean, mst, kmeans, pca, linear, ridge, logistic, sq. See docs/queries.md.": (
        "関数：count, sum, mean, variance, covariance, histogram, quantile, median, iqr, "
        "trimmed_mean, mst, kmeans, pca, linear, ridge, logistic, sq。"
        "詳しくは docs/queries.md をご覧ください。"
    ),
    "Find the ε for a wanted error, from the schema alone: no data is read.": (
        "望む誤差に必要な ε を、スキーマだけから求めます。データは読みません。"
    ),
    "Of clusters, components and coefficients the wanted error is that of the largest one.": (
        "クラスタ、主成分、係数については、最大のものの誤差を指定します。"
    ),
    "Run a declarative plan: data, schema, ε, questions and outputs in one TOML file.": (
        "データ、スキーマ、ε、質問、出力を一つの TOML ファイルに書いた計画を実行します。"
    ),
    "Publish a cross table: non-negative integers whose margins all agree, with noise chosen for "
    "the margins that were asked for.": (
        "クロス集計表を公表します。値は非負の整数で、周辺和はすべて一致し、雑音は求められた周辺和に"
        "合わせて選ばれます。"
    ),
    "Run any program on disjoint random blocks, in separate processes, and publish one private "
    "number for each of its outputs (sample and aggregate).": (
        "任意のプログラムを、無作為に分けたブロックごとに別プロセスで実行し、出力ごとに保護された"
        "数値を一つ公表します（sample and aggregate）。"
    ),
    "A block's process sees copies of the files that the command names and of the programs that "
    "these name, and nothing else. Blocks run one after the other.": (
        "各ブロックのプロセスから見えるのは、コマンドで指定したファイルと、それが使うプログラムの"
        "写しだけです。ブロックは一つずつ順に実行します。"
    ),
    "Randomise every person's row before it leaves: numbers and categories together, with what an "
    "analyst needs to compute unbiased estimates from the reports alone.": (
        "各人の行を外に出す前に撹乱します。数値とカテゴリを併せて扱い、"
        "報告だけから不偏推定を行うため"
        "の情報を添えます。"
    ),
    "Estimate statistics from randomised reports alone: each number with its standard error and "
    "what one would have guessed without data. Costs nothing.": (
        "撹乱された報告だけから統計量を推定し、標準誤差と、データなしで推測した場合の値を添えます。"
        "費用はかかりません。"
    ),
    "Make an organisation's identity: a key pair, and a certificate from the consortium's small "
    "authority or from one's own.": (
        "組織の身元として、鍵の対と、コンソーシアムの認証局または自組織の認証局の証明書を作ります。"
    ),
    "Take part in a join on a host that listens at the address in the plan. Started again after a "
    "crash, it goes on where it was.": (
        "計画に書かれたアドレスで待ち受けるホストとして結合に参加します。"
        "異常終了の後に再び起動すると、"
        "続きから再開します。"
    ),
    "Take part in a join on a host that nobody can call: it fetches from the organisation before "
    "it, which must listen. The plan gives it no address.": (
        "外部から接続できないホストとして結合に参加します。"
        "直前の組織（待ち受けが必要）から取得します。"
        "計画にはアドレスを書きません。"
    ),
    "Collect everybody's sealed rows, join them, and write the joined file, its certificate and a "
    "report. `sudare estimate` and `sudare synthesize --from-randomized` read the file.": (
        "封印された全員の行を集めて結合し、結合ファイル、証明書、報告書を書き出します。ファイルは "
        "`sudare estimate` と `sudare synthesize --from-randomized` で読めます。"
    ),
    'Help a secure computation (job = "secure"): hold the other share of everything, and compute '
    "with the collector. On a host of its own, or beside an organisation that is not the "
    "collector.": (
        '秘密計算（job = "secure"）を補助します。もう一方のシェアを保持し、'
        "収集者とともに計算します。"
        "専用のホスト、または収集者以外の組織のホストで実行します。"
    ),
    "Run a whole join on this machine: an authority, organisations that each hold some columns of "
    "the town, and a collector, as separate processes that speak real TLS over loopback.": (
        "この計算機だけで結合を一通り実行します。認証局、町の列を分けて持つ組織、収集者が別々の"
        "プロセスとなり、ループバック上の TLS で通信します。"
    ),
    "Check a session's log: its chain of hashes, and who signed which head; exit code 4 if "
    "anything was changed, or if nobody but its owner vouches for it.": (
        "セッションの記録について、ハッシュ連鎖と署名を検証します。改変がある場合、"
        "または所有者以外の"
        "署名がない場合は終了コード 4 となります。"
    ),
    "Make synthetic microdata from statistics: exact ones (no formal guarantee), private ones "
    "(--epsilon), those of a file, or estimates from randomised reports.": (
        "統計量から合成ミクロデータを作ります。統計量は、正確なもの（形式的な保証なし）、"
        "保護されたもの"
        "（--epsilon）、ファイルのもの、撹乱された報告からの推定値のいずれかです。"
    ),
    "Compare synthetic rows with the real ones: means, tables, correlations, models, and what an "
    "attacker wins. Stewards only: it reads the real rows, and nothing of it is for publication.": (
        "合成データを実データと比較します。平均、集計表、相関、モデル、攻撃者の成功率を調べます。"
        "データ管理者専用です。実データを読むため、結果を公表してはなりません。"
    ),
    "Suppress items until nobody who knows some of a person's items can infer, with confidence "
    "above ρ, one that this person calls sensitive. A verifier of its own checks the file.": (
        "ある人の項目の一部を知る者が、その人の機微な項目を ρ "
        "を超える確信度で推論できなくなるまで、"
        "項目を秘匿します。独立した検証器がファイルを検査します。"
    ),
    "Find what holds for a person in every data set that fits these exact tables.": (
        "これらの正確な表に適合するすべてのデータで、ある人について成り立つことを調べます。"
    ),
    "Ends with 4 where something is certain, or a withheld count can be worked out.": (
        "確実に分かることがある場合、または秘匿した度数が算出できる場合は終了コード 4 となります。"
    ),
    "Say how exposed records are: k-anonymity, ℓ-diversity, t-closeness, uniqueness, the columns "
    "that single people out, and matches in another file. Stewards only; no values.": (
        "レコードの露出の度合いを調べます。k-匿名性、ℓ-多様性、t-近接性、一意性、"
        "個人を際立たせる列、"
        "他のファイルとの照合を示します。データ管理者専用です。値は表示しません。"
    ),
    "Say which share of attackers succeeds, through which rules and items, and who is most "
    "exposed, by the record's number. Stewards only. With --released: verify a release, of the "
    "model rho unless another is named.": (
        "攻撃者が成功する割合、その規則と項目、最も露出している人（レコード番号）を示します。"
        "データ管理者専用です。--released を付けると公開ファイルを検証します（モデルの既定は "
        "rho）。"
    ),
    "Publish records so that each shares its quasi-identifiers with k − 1 others, and show what "
    "the file discloses all the same. Levels come from the schema. Not a formal guarantee.": (
        "各レコードの準識別子が他の k − 1 件と同じになるように公表し、それでもなお開示される事項を"
        "示します。階層はスキーマで定めます。形式的な保証ではありません。"
    ),
    "Say what an ε means: honest answers, an attacker's error rates, repeated questions, PRAM.": (
        "ε の意味を、正直に答える確率、攻撃者の誤り率、繰り返しの質問、PRAM によって説明します。"
    ),
    "Compute the central (ε, δ) of shuffled reports by every bound that holds, or the ε0 that a "
    "wanted ε allows.": (
        "シャッフルされた報告の (ε, δ) を、成り立つすべての上界で計算します。望む ε から ε0 "
        "を求める"
        "こともできます。"
    ),
    "Figures 1 to 7 of the shuffle paper: paper mode beside corrected mode, a page that says what "
    "differs and why, and every number as CSV. Public data only; nothing is charged.": (
        "シャッフルの論文の図 1～7 を、論文どおりの方法と訂正した方法で作り、相違と理由の説明、"
        "すべての数値の CSV を添えます。公開データのみを使い、費用はかかりません。"
    ),
    "Tables 3 to 5 of the synthesis paper on Adult and Census-Income: its methods A, B and P to "
    "the letter, beside the default, and what does and does not reproduce. Public data only; "
    "nothing is charged.": (
        "合成データの論文の表 3～5 を、Adult と Census-Income について、論文どおりの方法 A・B・P と"
        "既定の方法で作り、再現の可否を示します。公開データのみを使い、費用はかかりません。"
    ),
    "Figures 3 to 7 of the paper on set-valued data: its algorithms to the letter beside the "
    "default, a page that says what reproduces and what differs and why, and every number as CSV. "
    "Public data only.": (
        "集合データの論文の図 3～7 を、論文どおりのアルゴリズムと既定の方法で作り、"
        "再現の可否と相違の"
        "理由の説明、すべての数値の CSV を添えます。公開データのみを使います。"
    ),
    "Make a town of 20,000 people and ask it: pages, tables and certificates in one folder.": (
        "2 万人の架空の町を作って質問し、報告書、表、証明書を一つのフォルダーに書き出します。"
    ),
    "Draft a schema from names and types; unit, budget, bounds and values wait for your "
    "confirmation. What is said with --unit and --budget is confirmed.": (
        "列の名前と型からスキーマを下書きします。単位、予算、範囲、値は確認をお願いします。"
        "--unit と --budget で指定したものは確認済みになります。"
    ),
    "List what the schema does not allow, by row and column, never by value. Stewards only.": (
        "スキーマに合わない箇所を、値を示さず、行と列で列挙します。データ管理者専用です。"
    ),
    "Show caps, what was spent and left, and the last releases.": (
        "上限、支出、残り、最近の公表を表示します。"
    ),
    "Recompute the hash chain and all sums; exit code 4 if anything was changed.": (
        "ハッシュ連鎖とすべての合計を計算し直します。改変がある場合は終了コード 4 となります。"
    ),
    "Print the last link of the chain as JSON; keep it where the ledger's keeper cannot reach.": (
        "連鎖の末尾を JSON で出力します。台帳の管理者の手が届かない場所に保管してください。"
    ),
    "Move a ledger into PostgreSQL, verify both chains, and close the old one for good.": (
        "台帳を PostgreSQL に移し、両方の連鎖を検証して、元の台帳を閉じます。"
    ),
    "Go on with a ledger that was set back or replaced, or without one that is lost for good.": (
        "巻き戻されたか置き換えられた台帳で続けます。または、永久に失われた台帳なしで続けます。"
    ),
    "Restore the latest copy if there is any. What this machine knew of the ledger is recorded in "
    "it, or in the one that is made in its place, for everyone who verifies it.": (
        "最新の写しがあれば復元してください。この機械が知っていた台帳の状態は、その台帳、または代わりに"
        "作られる台帳に記録され、検証する人の誰もが見られます。"
    ),
    "Show a release once more, exactly as it was released; costs nothing.": (
        "公表済みの結果を、そのままもう一度表示します。費用はかかりません。"
    ),
    "Check certificates: form, signature, the files beside them, and the ledger if it is there; "
    "exit code 4 if anything was changed or is not what it says.": (
        "証明書の形式、署名、同じ場所のファイル、台帳があれば台帳との一致を検証します。変更や相違が"
        "ある場合は終了コード 4 となります。"
    ),
    "Show the fingerprint of the key that signs certificates here; made at first use.": (
        "証明書に署名する鍵の指紋を表示します。鍵は最初の使用時に作成されます。"
    ),
    "Readers compare it with what `sudare verify` says, so give it to them by another way.": (
        "読者は `sudare verify` の表示と照合します。証明書とは別の経路で伝えてください。"
    ),
    "Print the public key, or write it to a file that readers name with --public-key.": (
        "公開鍵を表示します。または、読者が --public-key で指定するファイルに書き出します。"
    ),
    "List the engines that can read rows here, and what the others lack.": (
        "この環境で行を読めるエンジンと、他のエンジンに不足しているものを示します。"
    ),
}
JAPANESE = HEADINGS | SUMMARIES | PAGES | OPTIONS
