"""Why a join does not go on, in Japanese. The English sentence, which has the names, follows it."""

from __future__ import annotations

from sudare.facts.errors import LinkRefused, SudareError

_BY_CODE = {
    "plan": "計画（link.toml またはスキーマ）が他の組織と一致しません。全ホストで揃えてください。",
    "peer": "証明書の名前がこの計画の参加組織にありません。link.toml の名前と比べてください。",
    "stream": "この組織はそのデータを送受信できません。link.toml の組織の順序を比べてください。",
    "replay": "一度送った内容と異なる内容が届きました。新しい session 名で始めてください。",
    "closed": "送信は終了または削除済みです。新しい session 名で始めてください。",
    "expired": "相手の証明書が期限切れか、まだ有効ではありません。時計も確認してください。",
    "issuer": "相手の証明書が固定した認証局のものではありません。ca.pem を比べてください。",
    "name": "相手の証明書は別の組織のものです。link.toml のアドレスを確認してください。",
    "certificate": "こちらの証明書が相手に拒否されました。期限と ca.pem を確認してください。",
    "identity": "鍵または証明書に問題があります。sudare link init で作り直せます。",
    "altered": "届いた行が申告と一致しません。新しいセッションで原因を調べてください。",
    "folder-lost": "このセッションの行は一度作られましたが、このフォルダにありません。--folder で"
    "最初のフォルダを指定するか、新しい session 名で始めてください。",
    "cut-off": "この組織は支払いの後、行を書き終える前に中断しました。支払いは戻りません。全組織で"
    "新しい session 名を使って始めてください。",
    "log": "ログの検証に失敗しました。",
}
_BY_EXIT_CODE = {
    2: "指定に誤りがあります。",
    3: "予算が足りないか、既に使われています。",
    4: "計画またはデータに問題があり、続けられません。",
    5: "相手に接続できないか、応答がありません。再開すると続きから始まります。",
}


def in_japanese(error: SudareError) -> str:
    """One sentence for the kind of refusal."""
    known = _BY_CODE.get(error.code) if isinstance(error, LinkRefused) else None
    return known or _BY_EXIT_CODE.get(error.exit_code, "続けられません。")
