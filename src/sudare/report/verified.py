"""What checking certificates found, a line a finding, in English and Japanese."""

from __future__ import annotations

from sudare.facts.checked import Checked, Finding
from sudare.report.both import Both
from sudare.report.texts import Language

TEXTS = {
    "form": Both(
        "this is not a sudare certificate, or it was changed.",
        "sudare の証明書ではないか、変更されています。",
    ),
    "signature": Both(
        "the signature does not fit: the certificate was changed, or {signer} did not sign it.",
        "署名が合いません。証明書が変更されたか、{signer} の署名ではありません。",
    ),
    "uncertified": Both(
        "no certificate beside it speaks of it.", "これについて述べる証明書が同じ場所にありません。"
    ),
    "changed": Both(
        "this is not the file that was certified.", "証明書が述べるファイルと内容が異なります。"
    ),
    "another-key": Both(
        "signed by {signer}, not by the key that was named, {pinned}.",
        "指定された鍵 {pinned} ではなく、{signer} が署名しています。",
    ),
    "ledger-broken": Both(
        "the ledger {ledger} does not hold and vouches for nothing: {fault}",
        "台帳 {ledger} は壊れており、何も裏付けません：{fault}",
    ),
    "stranger": Both(
        "the ledger {ledger} does not know the signer {signer}.",
        "台帳 {ledger} は署名者 {signer} を知りません。",
    ),
    "no-release": Both(
        "the ledger {ledger} has no release {release}.",
        "台帳 {ledger} に公表 {release} はありません。",
    ),
    "differs": Both(
        "{field} is not what the ledger {ledger} says of release {release}.",
        "{field} は、台帳 {ledger} の公表 {release} の記録と異なります。",
    ),
    "signed": Both(
        "form and signature hold; job {job}, signed by {signer}.",
        "形式と署名は正しく、ジョブは {job}、署名者は {signer} です。",
    ),
    "same": Both("as certified.", "証明書のとおりです。"),
    "absent": Both("is not here and was not checked.", "ここになく、確認していません。"),
    "unbound": Both("no certificate here speaks of it.", "これについて述べる証明書はありません。"),
    "pinned": Both("signed by the key that was named.", "指定された鍵による署名です。"),
    "known": Both(
        "the ledger {ledger} names the signer in entry {entry}.",
        "台帳 {ledger} の記録 {entry} に署名者の名があります。",
    ),
    "agrees": Both(
        "all that it states of release {release} is what the ledger {ledger} keeps.",
        "公表 {release} についての記載は、すべて台帳 {ledger} のとおりです。",
    ),
    "words": Both(
        "its sentences are those of {software} and were not compared.",
        "文章は {software} のものなので、照合していません。",
    ),
    "brought": Both(
        "the ledger {ledger} agrees, but this machine has never charged in it: it may have come "
        "with the files. If it is the steward's, name it with --ledger.",
        "台帳 {ledger} とは一致しますが、この機械で使われたことがなく、ファイルと一緒に届いた"
        "ものかもしれません。管理者の台帳であれば --ledger で指定してください。",
    ),
    "nobody": Both(
        "this shows that nothing was changed since {signer} signed it, not whose key that is. "
        "Compare the fingerprint with the steward's (--public-key).",
        "{signer} の署名後に変更がないことだけを示し、誰の鍵かは示しません。"
        "管理者の指紋と照合してください（--public-key）。",
    ),
    "no-ledger": Both(
        "no ledger is at hand; name it with --ledger to compare what was charged.",
        "台帳が見つかりません。費用の記録と照合するには --ledger で指定してください。",
    ),
    "key_made": Both(
        "Made the key that signs certificates, {path}. Its fingerprint: {fingerprint}. Give it to "
        "your readers by another way than the certificates, and keep the file.",
        "証明書に署名する鍵 {path} を作成しました。指紋：{fingerprint}。証明書とは別の経路で読者に"
        "伝え、ファイルは大切に保管してください。",
    ),
    "key_written": Both(
        "Wrote {path}: the public key with the fingerprint {fingerprint}.",
        "{path} に公開鍵を書き出しました。指紋は {fingerprint} です。",
    ),
    "valid": Both("Valid: nothing at fault was found.", "有効：問題は見つかりませんでした。"),
    "partly": Both(
        "What was checked is valid. Files marked with · are not here, or no certificate here "
        "speaks of them: do not rely on those.",
        "確認したものは有効です。· の付いたファイルは、ここにないか、証明書がないので、信頼しないで"
        "ください。",
    ),
    "unvouched": Both(
        "Unchanged since it was signed. Who signed is not shown: see what is marked with ·.",
        "署名後の変更はありません。ただし、誰が署名したかは示されていません（· を参照）。",
    ),
    "invalid": Both(
        "NOT valid: do not rely on what is marked with ✗.",
        "無効：✗ の付いたものは信頼しないでください。",
    ),
}
_MARKS = {True: "✗", False: "✓"}
# What is neither good nor bad.
_NOTES = frozenset({"absent", "unbound", "words", "brought", "nobody", "no-ledger"})


def said(key: str, language: Language, **values: object) -> str:
    return TEXTS[key][language].format(**{name: _plain(each) for name, each in values.items()})


def words(finding: Finding, language: Language) -> str:
    return said(finding.code, language, **finding.words)


def _plain(value: object) -> str:
    """What a certificate says must not steer the terminal that shows it."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in str(value))


def lines(checked: Checked, language: Language) -> list[str]:
    """Every finding, and the verdict."""
    found = [
        f"{_mark(each)} {_plain(each.file)}: {words(each, language)}" for each in checked.findings
    ]
    return [*found, TEXTS[_verdict(checked)][language]]


def _verdict(checked: Checked) -> str:
    if not checked.ok:
        return "invalid"
    if not checked.is_vouched:
        return "unvouched"
    return "valid" if checked.is_complete else "partly"


def _mark(finding: Finding) -> str:
    return "·" if finding.code in _NOTES else _MARKS[finding.is_fault]
