"""The envelope: read only in the one form in which it is written, so any change is another text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sudare.facts.certificate import JOBS, Certificate, Sealed, Statement, beside, canonical
from sudare.facts.errors import VerificationFailed
from support.certificates import another_key, flipped, leaves

PLACE = Path("certificate.json")
FILES = {"answers.csv": Sealed("ab" * 32, 12), "report.html": Sealed("cd" * 32, 0)}


def made(**parts: Any) -> Certificate:
    body = dict.fromkeys(JOBS["ask"].keys, 1.5) | {"table": "人々", "asked": [{"ε": 1e-9}, []]}
    told: dict[str, Any] = {
        "job": "ask",
        "created": "2026-01-02T03:04:05+00:00",
        "guarantee": {"epsilon": 1.0, "delta": 0.0, "rho": None},
        "provenance": {"software": "sudare 0"},
        "body": body,
    }
    return Certificate(Statement(**(told | parts)), FILES, another_key().fingerprint, "0" * 128)


def text() -> str:
    return made().to_text()


def refused(raw: str | bytes) -> None:
    whole = raw.encode() if isinstance(raw, str) else raw
    with pytest.raises(VerificationFailed, match="not a sudare certificate, or it was changed"):
        Certificate.from_text(whole, PLACE)


def test_what_is_written_is_read() -> None:
    shown = text()
    found = Certificate.from_text(shown.encode(), PLACE)
    assert found.to_text() == shown
    assert found.statement == made().statement
    assert found.files == FILES
    assert list(json.loads(shown)) == [
        "format", "job", "created", "guarantee", "provenance", "files", "body", "signer",
        "signature",
    ]  # fmt: skip


def test_every_changed_byte_is_refused_or_another_statement() -> None:
    whole = text().encode()
    true = Certificate.from_text(whole, PLACE).signed_bytes()
    for each in flipped(whole):
        try:
            found = Certificate.from_text(each, PLACE)
        except VerificationFailed:
            continue
        # A signature of the whole finds these; the signature itself is no part of them.
        assert found.signed_bytes() != true or found.signature != "0" * 128


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"format": 1', '"format": 2'),
        ('"format": 1', '"format": 1.0'),
        ('"format": 1', '"format": true'),
        ('"format": 1,', '"format": 1, '),
        ('"job": "ask"', '"job": "asked"'),
        ('"job": "ask"', '"job": "synthesize"'),
        ('"job": "ask"', '"job": ["ask"]'),
        ('"job": "ask",', '"job": "ask",\n  "job": "ask",'),
        ('"epsilon": 1.0', '"epsilon": 1.00'),
        ('"epsilon": 1.0', '"epsilon": 10e-1'),
        ('"epsilon": 1.0', '"epsilon": NaN'),
        ('"epsilon": 1.0', '"epsilon": Infinity'),
        ('"epsilon": 1.0', '"epsilon": 1e999'),
        ('"bytes": 12', '"bytes": -12'),
        ('"bytes": 12', '"bytes": 12.0'),
        ('"bytes": 12', '"bytes": true'),
        ('"bytes": 12', '"more": 1,\n      "bytes": 12'),
        ('"answers.csv"', '"../answers.csv"'),
        ('"answers.csv"', '"a\\\\b.csv"'),
        ('"answers.csv"', '""'),
        ('"人々"', '"\\u4eba\\u3005"'),
        ("2026-01-02T03:04:05+00:00", "2026-01-02"),
        ("2026-01-02T03:04:05+00:00", "2026-01-02T03:04:05+09:00"),
        ("abab", "ABAB"),
        ('"sha256": "ab', '"sha256": "a'),
    ],
)
def test_any_other_form_is_refused(old: str, new: str) -> None:
    assert old in text()
    refused(text().replace(old, new, 1))


def test_other_files_are_refused() -> None:
    for raw in ("", "{}", "[]", "1", '"x"', "null", "[" * 10_000, text() + "\n", "\ufeff" + text()):
        refused(raw)
    refused(b"\xff\xfe")
    refused(json.dumps(json.loads(text())))
    refused(text().encode("utf-16"))


def test_a_missing_key_and_one_too_many_are_refused() -> None:
    whole = json.loads(text())
    for group in (whole, whole["body"], whole["files"]["answers.csv"]):
        for key in list(group):
            kept = group.pop(key)
            refused(json.dumps(whole, ensure_ascii=False, indent=2) + "\n")
            group[key] = kept
    whole["body"]["zzz"] = 1
    refused(json.dumps(whole, ensure_ascii=False, indent=2) + "\n")


def test_every_field_is_signed() -> None:
    told = made().to_dict()
    assert canonical({"b": [1], "a": "ε"}) == '{"a":"ε","b":[1]}'.encode()
    signed = json.loads(made().signed_bytes().removeprefix(b"sudare certificate 1\n"))
    assert set(leaves(told)) - set(leaves(signed)) == {("signature",)}


def test_the_place_beside_a_file() -> None:
    assert beside(Path("a/out.csv")) == Path("a/out.certificate.json")
