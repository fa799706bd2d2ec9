"""What is said of an identity that was made, and of a session's log that was checked."""

from __future__ import annotations

from typing import Any

from sudare.report.both import Both
from sudare.report.compared_section import plain
from sudare.report.texts import Language

_MADE: dict[str, tuple[Both, ...]] = {
    "authority": (
        Both(
            "Wrote the authority {name} to {path}: key.pem stays there, ca.pem is for everybody.",
            "認証局 {name} を {path} に作りました。key.pem は外に出さず、ca.pem を全員に渡します。",
        ),
        Both(
            'Pin it in link.toml: ca_sha256 = "{ca_sha256}"',
            'link.toml で固定してください：ca_sha256 = "{ca_sha256}"',
        ),
    ),
    "identity": (
        Both(
            "Wrote the identity of {name} to {path}.",
            "{name} の鍵と証明書を {path} に作りました。",
        ),
        Both(
            'Its authority, for link.toml: ca_sha256 = "{ca_sha256}"',
            '認証局（link.toml 用）：ca_sha256 = "{ca_sha256}"',
        ),
    ),
    "certificate": (
        Both(
            "Wrote {path}, the certificate of {name}: give it back, with ca.pem.",
            "{name} の証明書 {path} を作りました。ca.pem と一緒に返してください。",
        ),
    ),
    "adopted": (
        Both("{path} is now the identity of {name}.", "{path} を {name} の鍵と証明書にしました。"),
        Both(
            'Its authority, for link.toml: ca_sha256 = "{ca_sha256}"',
            '認証局（link.toml 用）：ca_sha256 = "{ca_sha256}"',
        ),
    ),
    "request": (
        Both(
            "Wrote a new key and {path}. Have the request signed by your authority, then run",
            "新しい鍵と {path} を作りました。認証局に署名してもらい、次を実行してください：",
        ),
        plain("  sudare link init {name} -o {folder} --certificate certificate.pem --ca ca.pem"),
    ),
}
_HOLDS = Both(
    "The log of {owner} holds: {entries} entries, head {head}.",
    "{owner} のログに矛盾はありません：{entries} 件、最新ハッシュ {head}。",
)
_SIGNED = Both(
    "{by} has signed entries 1 to {entry}.", "{by} が 1 件目から {entry} 件目までに署名しています。"
)
_UNSIGNED = Both(
    "Nobody has signed it: its owner could have rewritten it.",
    "誰の署名もありません。持ち主が書き換えることができました。",
)
_DELETED = Both(
    "Entry {entry} states that {what} are deleted: a statement, not a proof. Head {head}.",
    "{entry} 件目に {what} の削除が記されています（申告であり、証明ではありません）。"
    "最新ハッシュ {head}。",
)
_BEYOND = Both("No signature covers that entry.", "その記載より後の署名はありません。")
_NOT_DELETED = Both("It states no deletion.", "削除の記載はありません。")


def made_lines(told: dict[str, Any], language: Language) -> list[str]:
    """What `sudare link init` made, and what to do with it."""
    folder = told["path"].rpartition("/")[0] or "."
    return [line[language].format(**told, folder=folder) for line in _MADE[told["made"]]]


def log_lines(told: dict[str, Any], language: Language) -> list[str]:
    """Whose log it is, who signed how much of it, and whether it states a deletion."""
    lines = [_HOLDS[language].format(**told)]
    # Of a party's signatures the last one covers the others.
    last = {each["by"]: each["entry"] for each in told["countersigned"]}
    lines += [_SIGNED[language].format(by=by, entry=entry) for by, entry in last.items()]
    if not last:
        lines.append(_UNSIGNED[language])
    found = told["deleted"]
    if found is None:
        return [*lines, _NOT_DELETED[language]]
    what = ", ".join(found["what"])
    lines.append(_DELETED[language].format(entry=found["entry"], what=what, head=found["head"]))
    return lines if found["entry"] <= told["signed_entries"] else [*lines, _BEYOND[language]]
