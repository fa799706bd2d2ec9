"""Help of arguments and options in Japanese, by the English words."""

from __future__ import annotations

_SHARED = {
    "A CSV, TSV or Parquet file, a pattern of Parquet files in quotes, or a table in PostgreSQL: "
    "postgresql://user@host/database#schema.table": (
        "CSV・TSV・Parquet のファイル、引用符で囲んだ Parquet ファイルのパターン、または "
        "PostgreSQL の"
        "表：postgresql://user@host/database#schema.table"
    ),
    "The total ε of all questions together.": "すべての質問を合わせた ε。",
    "The schema; by default people.schema.toml beside people.csv.": (
        "スキーマ。既定では people.csv と同じ場所の people.schema.toml。"
    ),
    "The total δ; 0 keeps pure ε.": "δ の合計。0 なら純粋な ε のまま。",
    "The ledger; by default beside the schema. For many machines: "
    "postgresql://user@host/database": (
        "台帳。既定ではスキーマと同じ場所。複数の計算機で使う場合：postgresql://user@host/database"
    ),
    "Who reads the rows; by default the kind of data decides.": (
        "行を読むエンジン。既定ではデータの種類によって決まる。"
    ),
    "Where Spark runs: local[*], or spark://host:7077.": (
        "Spark を動かす場所：local[*] または spark://host:7077。"
    ),
    "Who asks, where quotas are declared.": "質問者（割り当てが宣言されている場合）。",
    "Idempotency key: the same key returns the same bytes, unpaid.": (
        "冪等キー。同じキーには、同じ結果を費用なしで返す。"
    ),
    "Show cost and expected errors; spend nothing.": "費用と予想誤差を示し、支出しない。",
    "Replace outputs that are there already; never what the command reads.": (
        "既にある出力を置き換える。コマンドが読むファイルは決して置き換えない。"
    ),
    "Write CSV, certificate and report: a folder, or a name.csv.": (
        "CSV・証明書・報告書の出力先：フォルダー、または 名前.csv。"
    ),
    "Print the result as JSON on stdout.": "結果を JSON で標準出力に書く。",
    "Language of sentences and reports.": "文と報告書の言語。",
    "Show this message and exit.": "この説明を表示する。",
    "Show the version.": "版を表示する。",
    "Install completion for the current shell.": "現在のシェルに補完を設定する。",
    "Print the completion script of the current shell.": (
        "現在のシェル用の補完スクリプトを表示する。"
    ),
}
_ASKING = {
    "Questions, each in quotes.": "質問。それぞれ引用符で囲む。",
    "The noise: laplace, gaussian (needs δ), or geometric.": (
        "雑音：laplace、gaussian（δ が必要）、geometric。"
    ),
    'Questions, each in quotes, e.g. "mean(age) ± 0.5".': (
        '質問。それぞれ引用符で囲む。例："mean(age) ± 0.5"。'
    ),
    "Wanted 95 % error of every question.": "各質問について望む誤差（95 %）。",
    "The same as a share: 5% or 0.05.": "同じく割合で：5% または 0.05。",
    "A TOML plan.": "TOML の計画。",
    "Columns or levels, one a dimension: sex,region,age_band.": (
        "次元ごとの列または階層：sex,region,age_band。"
    ),
    'Sums to publish: all, none, 1, 2, or "sex,region; age_band".': (
        '公表する周辺和：all、none、1、2、または "sex,region; age_band"。'
    ),
    'A margin that matters more: "sex,region=4".': '重視する周辺和："sex,region=4"。',
    "Steward only: also write true against released counts.": (
        "管理者専用：真の度数と公表値の対照も書き出す。"
    ),
    "A folder for CSV, XLSX, certificate and report.": "CSV・XLSX・証明書・報告書のフォルダー。",
    "Run on every block: it reads CSV on stdin and writes a number, or JSON by output, on "
    "stdout.": (
        "各ブロックで実行するコマンド。標準入力から CSV を読み、標準出力に数値、または出力ごとの"
        " JSON を書く。"
    ),
    "Columns it gets: age,income.": "渡す列：age,income。",
    'What it answers: "mean_income=0..20000000:1000".': (
        '出力の宣言："mean_income=0..20000000:1000"。'
    ),
    "Where the kernel grants too few walls: I know what the program does.": (
        "カーネルの隔離機能が足りない場合に指定：プログラムの動作は確認済みである。"
    ),
    "How many disjoint random blocks.": "互いに重ならない無作為なブロックの数。",
    "The tick: what a block gets, and takes.": "1 ブロックに割り当て、必ず使い切る秒数。",
    "MiB for each process.": "各プロセスのメモリー（MiB）。",
    "What a failed block counts as; by default the middle.": (
        "失敗したブロックの値。既定では範囲の中央。"
    ),
    "How the blocks' answers become one number.": "ブロックの値を一つの数値にまとめる方法。",
    "Write results, certificate and report: name.json.": (
        "結果・証明書・報告書の出力先：名前.json。"
    ),
    "The ε to explain; the total, where there are --values.": (
        "説明する ε。--values がある場合は合計。"
    ),
    "PRAM: the probability of keeping a value, or 0.8,0.6.": (
        "PRAM：値を維持する確率。属性ごとなら 0.8,0.6。"
    ),
    "PRAM: the k of Pk-anonymity to reach.": "PRAM：達成する Pk-匿名性の k。",
    "PRAM: how many values each attribute has, e.g. 5,2.": "PRAM：各属性の値の数。例：5,2。",
    "PRAM: how many records are published.": "PRAM：公表するレコードの数。",
}
_LOCAL = {
    "The Parquet file of reports to write.": "書き出す報告の Parquet ファイル。",
    "The local ε of one person's whole report.": "一人の報告全体の局所 ε。",
    "auto, or a mechanism for all columns that it fits, or column=mechanism: two-point, piecewise, "
    "hybrid, laplace, square-wave; grr, oue, olh, one-hot, pram:0.8.": (
        "auto、適合するすべての列に使う機構、または 列=機構：two-point, piecewise, hybrid, "
        "laplace, "
        "square-wave; grr, oue, olh, one-hot, pram:0.8。"
    ),
    "Columns to randomise; all that can be.": "撹乱する列。既定では可能なすべて。",
    "What the reports are for: mean, variance, covariance, correlation, histogram, table, "
    "distribution, pca, regression, logistic, svm; or synthesis, alone: tables of all pairs.": (
        "報告の用途：mean, variance, covariance, correlation, histogram, table, distribution, pca, "
        "regression, logistic, svm。synthesis は単独で指定（すべての組の集計表）。"
    ),
    "split ε over all columns, sample: report some of them, statistic: report one statistic at "
    "full ε.": (
        "split：ε を全列に分ける。sample：一部の列を報告する。statistic：一つの統計量を全 ε "
        "で報告する。"
    ),
    "How many items a person reports (sample).": "一人が報告する項目の数（sample）。",
    "Bins of a distribution.": "分布の階級の数。",
    "Write the rows in a secure random order.": "行を安全な無作為順に書き出す。",
    "With --shuffle: pay the amplified (ε*, δ) instead of the local ε.": (
        "--shuffle とともに：局所 ε の代わりに増幅後の (ε*, δ) を支払う。"
    ),
    "As the paper does: two-point, one-hot, ε split over all.": (
        "論文どおり：two-point、one-hot、ε を全列に分割。"
    ),
    "A file of `sudare randomize`.": "`sudare randomize` が書いたファイル。",
    "mean (with variance), covariance, correlation, histogram, table, pca, regression, logistic, "
    "svm; without it all that the file tells.": (
        "mean（分散を含む）, covariance, correlation, histogram, table, pca, regression, logistic, "
        "svm。省略時はファイルから分かるすべて。"
    ),
    "The column that models explain.": "モデルの目的変数とする列。",
    "Two columns of a table: sex,region.": "集計表の二つの列：sex,region。",
    "Iterative Bayes, or the matrix inverse.": "反復ベイズ法、または逆行列。",
    "Also write a page, name.html.": "ページ（名前.html）も書き出す。",
    "How many people shuffle.": "シャッフルに参加する人数。",
    "What one person's whole report satisfies, in total.": "一人の報告全体が満たす ε の合計。",
    "Instead: the ε wanted after shuffling.": "代わりに：シャッフル後に望む ε。",
    "How each attribute is randomised.": "各属性の撹乱の方法。",
    "How many values a category has (grr, oue, …).": "カテゴリの値の数（grr、oue など）。",
    "How many attributes a report has.": "一つの報告の属性の数。",
    "--epsilon0 is for one attribute, as in the paper.": (
        "論文のとおり、--epsilon0 を 1 属性当たりとする。"
    ),
    "The δ after shuffling.": "シャッフル後の δ。",
    "The δ of a report; only Theorem 3 takes one.": "報告の δ。定理 3 だけが扱う。",
    "Two organisations: people in both.": "二つの組織：両方にいる人数。",
    "People in A alone.": "A だけにいる人数。",
    "People in B alone.": "B だけにいる人数。",
    "Attributes that A reports.": "A が報告する属性の数。",
    "Attributes that B reports.": "B が報告する属性の数。",
}
_LINK = {
    "The name: of an organisation, or of the authority.": "組織または認証局の名前。",
    "The folder to make.": "作成するフォルダー。",
    "Make the consortium's authority, once.": "コンソーシアムの認証局を作る（一度だけ）。",
    "The authority's folder: key and certificate in one step.": (
        "認証局のフォルダー。鍵と証明書を一度に作る。"
    ),
    "The authority signs this request.pem; -o is its folder.": (
        "認証局がこの request.pem に署名する。-o は認証局のフォルダー。"
    ),
    "Put a signed certificate beside the key it is for.": "署名済みの証明書を鍵と同じ場所に置く。",
    "With --certificate: the authority's ca.pem.": "--certificate とともに：認証局の ca.pem。",
    "A host name for the certificate.": "証明書に記すホスト名。",
    "How long it is valid.": "有効な日数。",
    "The plan: link.toml, with the schemas beside it.": (
        "計画：link.toml（スキーマを同じ場所に置く）。"
    ),
    "The organisation's own table.": "自組織の表。",
    "This organisation's name in the plan.": "計画における自組織の名前。",
    "The folder of this party's key and certificate.": "自組織の鍵と証明書のフォルダー。",
    "Where this party keeps the session; beside the plan.": (
        "セッションの保管場所。既定では計画と同じ場所。"
    ),
    "Seconds without a word of a party before giving up.": "応答がない場合に打ち切るまでの秒数。",
    "The joined Parquet file to write.": "書き出す結合済みの Parquet ファイル。",
    "The folder to work in.": "作業用のフォルダー。",
    "How many organisations.": "組織の数。",
    "How many people the town has.": "町の人数。",
    "ε of a joined row.": "結合された 1 行の ε。",
    "commutative or salt.": "commutative または salt。",
    "randomize: joined records; secure: statistics alone.": (
        "randomize：結合レコード。secure：統計量のみ。"
    ),
    "ε of every organisation's own central release.": "各組織が独自に行う公表の ε。",
    "A log.jsonl, as one of the parties kept it.": "いずれかの組織が保管した log.jsonl。",
    "certificate.pem of a party that signed it.": "署名した組織の certificate.pem。",
    "ca.pem: certificates must be from this authority.": "ca.pem：証明書を発行した認証局。",
    "Accept a log that nobody has signed, for its chain alone.": (
        "署名のない記録も、連鎖だけを検証して認める。"
    ),
}
_SYNTHESIS = {
    "The .csv or .parquet file of rows to write.": "書き出す行のファイル（.csv または .parquet）。",
    "The real rows, as for `sudare ask`; none with --from-statistics or --from-randomized.": (
        "実データ（`sudare ask` と同じ）。--from-statistics と --from-randomized では指定しない。"
    ),
    "How many rows; by default as many as the data.": "行の数。既定ではデータと同数。",
    "Columns to synthesise; all that can be.": "合成する列。既定では可能なすべて。",
    "tables: all two-way tables close; moments: mean, covariance, histograms only. Moments are "
    "exact in both.": (
        "tables：すべての 2 元表を近づける。moments：平均・共分散・ヒストグラムのみ。"
        "積率はどちらでも"
        "正確。"
    ),
    "paper: Algorithms 1 to 5 of the paper, to the letter.": (
        "paper：論文のアルゴリズム 1～5 をそのまま使う。"
    ),
    "The paper's comparison methods: a or b.": "論文の比較手法：a または b。",
    "Of a panel: keep autocovariances up to this lag.": "パネル：このラグまでの自己共分散を保つ。",
    "Exact statistics: fewest people in a bin.": "正確な統計量：一つの階級の最少人数。",
    "Exact statistics whole and untested; the certificate says so.": (
        "正確な統計量を粗くせず、近さの試験もしない。証明書に記す。"
    ),
    "Make rows of a statistics file alone.": "統計量のファイルだけから行を作る。",
    "Make rows of locally randomised reports.": "局所的に撹乱された報告から行を作る。",
    "Also write the statistics that were used, as JSON.": "使用した統計量も JSON で書き出す。",
    "Write the statistics to --output, and no rows.": (
        "行を作らず、統計量を --output に書き出す。"
    ),
    "Idempotency key: the same key returns the same statistics, unpaid; rows are drawn anew.": (
        "冪等キー。同じキーには同じ統計量を費用なしで返す。行は新たに引く。"
    ),
    "The synthetic rows: any file that can hold the real ones.": (
        "合成データ。実データを収められる形式のファイル。"
    ),
    "The column that models explain; by default the last boolean or category.": (
        "モデルの目的変数とする列。既定では最後の真偽値またはカテゴリ。"
    ),
    "Real rows that the synthesiser never saw: for the membership risk.": (
        "合成に使わなかった実データ。所属推定のリスクを測るため。"
    ),
    "Write a page, name.html.": "ページ（名前.html）を書き出す。",
}
_SETS = {
    "Records: one a line (.dat, .txt, .spmf), or columns user,item (.csv, .parquet, .arrow, "
    "postgresql://user@host/database#table).": (
        "レコード：1 行に 1 件（.dat, .txt, .spmf）、または user,item の列（.csv, .parquet, "
        ".arrow, "
        "postgresql://user@host/database#table）。"
    ),
    "The file to release; .dat, .csv, .parquet, …": (
        "公開するファイル（.dat、.csv、.parquet など）。"
    ),
    "Columns user,item: what each calls sensitive. * stands for everyone; where the data name no "
    "users, the user is the line's number.": (
        "user,item の列：各人が機微とする項目。* は全員を表す。利用者名のないデータでは行番号を"
        "利用者とする。"
    ),
    "The most confidence an attacker may have: 0.5, 1/3 or 30%.": (
        "攻撃者に許す確信度の上限：0.5、1/3、30% など。"
    ),
    "rho: no inference; sampled: few; km: nobody alone.": (
        "rho：推論させない。sampled：わずかに許す。km：一人だけにしない。"
    ),
    "How many items an attacker knows at most; else any.": (
        "攻撃者が知る項目の最大数。既定では無制限。"
    ),
    "sampled: successful attackers, at most.": "sampled：成功する攻撃者の割合の上限。",
    "sampled: the chance that it fails.": "sampled：失敗する確率。",
    "km: records that share what is known.": "km：知られた項目を共有するレコードの数。",
    "km: columns item,parent; generalize, not suppress.": (
        "km：item,parent の列。秘匿せず一般化する。"
    ),
    "paper follows the paper's algorithm to the letter.": (
        "paper：論文のアルゴリズムのとおりに行う。"
    ),
    "Also stop those who know nothing about a person.": "何も知らない攻撃者の推論も防ぐ。",
    "Order and records by lot, against minimality attacks; without it ties alone are.": (
        "最小性攻撃に備え、順序とレコードを抽選で決める。既定では同順位のみ抽選。"
    ),
    "Small data: seconds to look for the fewest suppressions.": (
        "小さなデータ：秘匿が最少の解を探す秒数。"
    ),
    "Columns item,category: --sensitive may name categories.": (
        "item,category の列：--sensitive に分類名を書ける。"
    ),
    "blank, comma, spmf, long or lists; by default as the ending says.": (
        "blank、comma、spmf、long、lists。既定では拡張子から判断。"
    ),
    "The column that names the person.": "人を示す列。",
    "The column that names the item.": "項目を示す列。",
    "How text is coded; default: mark, header, UTF-8.": "文字コード。省略時は BOM、見出し、UTF-8。",
    "The confidence above which an attacker succeeds; 0.5.": (
        "攻撃者の成功とみなす確信度。既定は 0.5。"
    ),
    "How many items an attacker knows at most; 3, with --released any number.": (
        "攻撃者が知る項目の最大数。既定は 3、--released では無制限。"
    ),
    "Verify this release of the data instead.": "代わりに、この公開ファイルを検証する。",
    "--released: its form, if suppress did not write.": (
        "--released：suppress 以外が書いた場合の形式。"
    ),
    "--released: also those who know nothing.": "--released：何も知らない攻撃者も含める。",
}
_CHECKING = {
    "The tables: CSV files with attributes and a count.": "表：属性と度数の CSV ファイル。",
    "How many people there are: 20, or 18-22.": "対象の人数：20、または 18-22。",
    "What everybody knows beside them, in TOML.": "表のほかに誰もが知っている事実（TOML）。",
    "What an attacker wants: result,disease.": "攻撃者が知りたい属性：result,disease。",
    "The column of counts; by default count or 人数.": "度数の列。既定では count または 人数。",
    "Noise was added to all of these tables.": "すべての表に雑音が加えられている。",
    "Report counts known up to so many people.": "この人数以内の幅で分かる度数を報告する。",
    "Stop searching after so many seconds.": "探索を打ち切るまでの秒数。",
    "Write a report: a name.html.": "報告書（名前.html）を書き出す。",
    "Columns that others may know of a person: age,sex,zip.": (
        "他者が知り得る列（準識別子）：age,sex,zip。"
    ),
    "Columns that they must not learn: disease.": "知られてはならない列：disease。",
    "The share of the population in the file.": "母集団のうちファイルに含まれる割合。",
    "A file or table that others may hold, to match with.": (
        "照合する、他者が持ち得るファイルまたは表。"
    ),
    "Sets of up to so many columns are searched.": "調べる列の組の最大の大きさ。",
    "Show so many row numbers of records that are alone.": "単独のレコードの行番号を示す件数。",
    "The file to write: .csv or .parquet.": "書き出すファイル：.csv または .parquet。",
    "Records, or people, in every class, at least.": "各同値類のレコード（または人）の最少数。",
    "The column that says whose record each is, or row.": "誰のレコードかを示す列、または row。",
    "Distinct sensitive values in every class, at least.": "各同値類の機微な値の最少種類数。",
    "Distance of a class from the whole, at most.": "同値類と全体との距離の上限。",
    "Records that may lose values, at most: 5% or 0.05.": (
        "値を失ってよいレコードの上限：5% または 0.05。"
    ),
    "Levels of the schema, or ranges of numbers.": "スキーマの階層、または数値の範囲。",
    "Other columns to publish as they are; else left out.": (
        "そのまま公表する他の列。指定しない列は除く。"
    ),
}
_REPRODUCING = {
    "UCI Adult with a header; by default $SUDARE_ADULT, else ../shared/data, else the made town is "
    "used.": (
        "見出し付きの UCI Adult。既定では $SUDARE_ADULT、なければ ../shared/data、"
        "それもなければ架空の"
        "町を使う。"
    ),
    "The folder for the page and the CSV files.": "ページと CSV ファイルのフォルダー。",
    "How often every experiment is repeated.": "各実験の反復回数。",
    "The folder of adult.csv.gz and census-income.csv.gz; by default $SUDARE_DATA.": (
        "adult.csv.gz と census-income.csv.gz のフォルダー。既定では $SUDARE_DATA。"
    ),
    "The page with the tables and plots.": "表と図のページ。",
    "How many synthetic rows every method draws.": "各手法が引く合成行の数。",
    "The folder of bms-webview-1.dat.gz and bms-webview-2.dat.gz; by default $SUDARE_DATA, else "
    "the made town is used.": (
        "bms-webview-1.dat.gz と bms-webview-2.dat.gz のフォルダー。既定では $SUDARE_DATA、なければ"
        "架空の町を使う。"
    ),
    "Which of figures 3 to 7, such as 3,4 or 5-7.": "図 3～7 のうち作るもの。例：3,4 または 5-7。",
    "The paper's algorithms, the default, or both.": "論文のアルゴリズム、既定の方法、または両方。",
}
_KEEPING = {
    "The folder to write to.": "書き出すフォルダー。",
    "By default people.schema.toml.": "既定では people.schema.toml。",
    "Whom the budget protects: row, or the column of people.": (
        "予算が守る単位：row、または人を区別する列。"
    ),
    "Rows that each unit may count with.": "一つの単位が数えられる行数の上限。",
    "The ε that may be spent in all, ever.": "全期間で使ってよい ε の合計。",
    "Row numbers shown for each finding.": "指摘ごとに示す行番号の数。",
    "people, people.ledger, nothing if there is only one, or the address of a ledger in "
    "PostgreSQL.": (
        "people、people.ledger、または PostgreSQL の台帳のアドレス。台帳が一つだけなら省略できる。"
    ),
    "A head exported earlier; must be a prefix.": "以前に出力した末尾。現在の連鎖に含まれること。",
    "A certificate to compare, as `sudare verify` does.": (
        "`sudare verify` と同じ方法で台帳と照合する証明書。"
    ),
    "Certificates, released files beside theirs, or folders of them.": (
        "証明書、証明書と同じ場所にある公表ファイル、またはそのフォルダー。"
    ),
    "The steward's key: its fingerprint, or the file of `key export`.": (
        "管理者の鍵：指紋、または `key export` が書き出したファイル。"
    ),
    "The ledger to compare with; else the release's own, if it is near.": (
        "照合する台帳。省略時は、近くにあればその公表の台帳を使う。"
    ),
    "Write it to a file, steward.pub.": "ファイル（steward.pub など）に書き出す。",
    "Write it to a file.": "ファイルに書き出す。",
    "people or people.ledger.": "people または people.ledger。",
    "The new place: postgresql://user@host/database": "移動先：postgresql://user@host/database",
    "The release's id, as `ledger show` lists it.": "`ledger show` に表示される公表の ID。",
    "people or people.ledger, if there are several.": (
        "台帳が複数ある場合：people または people.ledger。"
    ),
    "Show every release.": "すべての公表を表示します。",
    "How many releases to show. 20; with --json, all.": (
        "表示する公表の数。20；--json ではすべて。"
    ),
    "Run this part alone; may be given more than once.": (
        "この部分だけを実行します。複数回指定できます。"
    ),
    "Open the page that links all others in a browser.": (
        "すべての頁につながる頁をブラウザーで開きます。"
    ),
}
OPTIONS = {
    **_SHARED,
    **_ASKING,
    **_LOCAL,
    **_LINK,
    **_SYNTHESIS,
    **_SETS,
    **_CHECKING,
    **_REPRODUCING,
    **_KEEPING,
}
