"""What is said of released baskets: the promise and its limits in both languages, and no wish."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path
from typing import Any

import pytest

from report.sets_facts import EVIL, generalized, km, rho, sampled
from sudare.report import sets_check_words, sets_promise, sets_promise_words, sets_words
from sudare.report.sets import lines, statement

SOURCES = Path(sets_words.__file__).parent
TABLES = (sets_words, sets_promise_words, sets_check_words)
TEXTS = {f"{table.__name__}:{key}": text for table in TABLES for key, text in table.TEXTS.items()}
# Keys that are put together of a prefix and a model or a list.
MADE = re.compile(r"^(model_|head_(rules|people|causes)$)")
RESULTS = (rho(), rho(max_knowledge=3), sampled(), km(), generalized())
# A result that carries, by mistake, more than the report may tell.
WISH = {"sensitive": {"person CANARY": ["item CANARY"]}}
LOADED = [
    each | WISH | {"verified": each["verified"] | WISH, "notices": each["notices"] | WISH}
    for each in RESULTS
]
NOW = "2026-01-01T00:00:00+00:00"
ALLOWED = {
    "kind", "model", "method", "mode", "rho", "max_knowledge", "eps", "delta", "k",
    "base_rate", "random", "records", "verified", "promise", "not_promised",
}  # fmt: skip


def gaps(words: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(words) if name}


@pytest.mark.parametrize("key", TEXTS)
def test_both_languages_fill_the_same_gaps(key: str) -> None:
    assert gaps(TEXTS[key].en) == gaps(TEXTS[key].ja)
    assert TEXTS[key].en != TEXTS[key].ja


def test_every_text_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("sets*.py"))
    for table in TABLES:
        plain = [key for key in table.TEXTS if not MADE.match(key)]
        assert not [key for key in plain if code.count(f'"{key}"') < 2]


def test_lines_tell_what_was_kept_and_promised() -> None:
    notices = {"duplicates": 2, "unknown_items": 0, "unknown_users": 4}
    told = lines(rho(notices=notices), "en")
    assert told[0] == (
        "Kept: 131,682 of 149,639 occurrences (88 %) in 59,602 records; 14,321 records lost "
        "something, 877 all they had."
    )
    assert "however many" in told[1]
    assert "above ρ = 1/2" in told[1]
    assert "no privacy loss ε is claimed" in told[2]
    text = "\n".join(told)
    assert "found no attacker left" in text
    assert "It tested 1,234,567 rules" in text
    assert "37 of 75 records (49 %), at most ρ = 1/2" in text
    assert "util1 = 12 % of all occurrences, util2 = 0.0123 nats" in text
    assert "100 before, 98 after, 71 in both; Jaccard distance 0.441" in text
    assert "2 items stood twice in one record" in text
    assert "4 users without a record" in text
    assert "that no record holds" not in text


def test_where_nothing_is_left_no_items_fell_together() -> None:
    told = lines(generalized() | {"released": 0, "changed": 9}, "en")
    assert told[0] == (
        "Nothing is left of 149,639 occurrences in 59,602 records: even under the coarsest name "
        "fewer than 5 records hold an item."
    )
    assert "fell together" not in "\n".join(told)


def test_the_verdict_on_a_release_knows_when_nothing_is_left_to_infer() -> None:
    nothing = {"tested": 0, "deepest": 0, "confidence": (0, 1)}
    told = sets_promise.released_lines(rho(verified=nothing), "en")
    assert "however many" in told[0]
    assert told[-1] == sets_promise_words.TEXTS["none_left"].en
    found = sets_promise.released_lines(rho(max_knowledge=1), "ja")
    assert "アイテムを 1 個まで知っていても" in found[0]
    assert "37" in found[-1]


def test_lines_in_japanese() -> None:
    text = "\n".join(lines(rho(max_knowledge=3), "ja"))
    assert "アイテムを 3 個まで知っていても" in text
    assert "差分プライバシーではなく" in text
    assert "延べ 149,639 個のうち 131,682 個（88 %）" in text


def test_each_model_has_its_promise() -> None:
    assert "at most 3 items" in sets_promise.promise(rho(max_knowledge=3)).en
    drawn = sets_promise.promise(sampled()).en
    assert "below ε = 0.05 only, for each ℓ up to 2" in drawn
    assert "a chance of δ = 0.01" in drawn
    assert "in no released record or in at least 5" in sets_promise.promise(km()).en
    assert "from 4 others" in sets_promise.promise(km()).en


def test_the_papers_sampling_proves_nothing() -> None:
    literal = sampled(mode="paper")
    assert sets_promise.promise(literal).en.startswith("Sought, not proved: ")
    assert sets_promise.promise(literal).ja.startswith("目標（証明なし）：")
    assert "is not proved" in " ".join(statement(literal, NOW).body["not_promised"]["en"])
    assert "paper mode" in lines(literal, "en")[1]


def limits(result: dict[str, Any]) -> str:
    return " ".join(each.en for each in sets_promise.not_promised(result))


@pytest.mark.parametrize("result", RESULTS, ids=lambda each: each["model"])
def test_what_is_not_promised(result: dict[str, Any]) -> None:
    told = limits(result)
    assert "not differential privacy" in told
    assert "know items of a record alone" in told
    assert "minimality attack" in told
    assert "do not add up" in told
    assert ("those who know more than" in told) == (result["max_knowledge"] is not None)


def test_limits_follow_the_options() -> None:
    assert "How common an item is" in limits(rho())
    assert "How common an item is" not in limits(rho(base_rate=True))
    assert "was not used" in limits(rho())
    assert "harder, not impossible" in limits(rho(random=True))
    assert "a share of attackers, not a privacy loss" in limits(sampled())
    assert "may still agree in an item" in limits(km())
    assert "whoever knows no item at all" in sets_promise.explained(rho(base_rate=True))[-1].en


def test_nothing_left_to_infer() -> None:
    gone = {"tested": 0, "deepest": 0, "confidence": (0, 1)}
    assert "No rule about a sensitive item is left" in "\n".join(lines(rho(verified=gone), "en"))
    none = {"tested": 0, "deepest": 0, "fewest": None}
    told = "\n".join(lines(km(verified=none, util1=1.0, util2=None), "en"))
    assert "rarest" not in told
    assert "No item is left in the released file" in told
    assert "util2 = – nats" in told


def test_one_is_singular() -> None:
    notices = {"duplicates": 1, "unknown_items": 1, "unknown_users": 1}
    text = "\n".join(lines(rho(max_knowledge=1, changed=1, notices=notices), "en"))
    for right in ("1 item stood", "names 1 item that", "1 user without", "at most 1 item of"):
        assert right in text
    assert "1 record lost something" in text
    assert not re.search(r"(?<![\d,])1 (items|records|users)", text)
    assert "71 in both" in text


def test_sentences_carry_no_marks_of_markdown() -> None:
    assert not [key for key, text in TEXTS.items() if "`" in text.en + text.ja]


def test_the_gap_from_the_optimum() -> None:
    best = {"suppressed": 17000, "at_least": 17000, "proved": True, "gap": 0.0563}
    assert (
        "fewer than 17,000 occurrences (proved); this one suppresses 17,957, a gap of 5.6%"
        in (lines(rho(optimum=best), "en")[-1])
    )
    # Against the proved bound, not against what the solver happened to find.
    unsure = {"suppressed": 20000, "at_least": 15000, "proved": False, "gap": -0.102}
    told = lines(rho(optimum=unsure), "en")[-1]
    assert "fewer than 15,000" in told
    assert "at most 19.7% more than needed" in told


@pytest.mark.parametrize("result", LOADED, ids=lambda each: each["model"])
def test_the_certificate_holds_only_what_may_be_published(result: dict[str, Any]) -> None:
    found = statement(result, NOW)
    text = json.dumps(found.to_dict(), ensure_ascii=False)
    assert {*(found.guarantee or {}), *found.body} == ALLOWED
    assert found.body["records"] == 59602
    for private in ("CANARY", EVIL, "薬", "util", "0.44", "149639", "131682", "14321"):
        assert private not in text
    assert "CANARY" not in "\n".join(lines(result, "en"))


def test_the_certificate_does_not_depend_on_wishes() -> None:
    # What the verifier counts of rules and attackers differs with who calls what sensitive.
    other = {"tested": 7, "deepest": 2, "confidence": (1, 3)}
    assert statement(rho(), NOW) == statement(rho(verified=other), NOW)
    assert statement(rho(), NOW).body["verified"] == {"passed": True}
    figures = {"tested": 54321, "deepest": 2, "fewest": 6}
    assert statement(km(), NOW).body["verified"] == {"passed": True} | figures
    drawn = [{"known": 1, "drawn": 20000}, {"known": 2, "drawn": 20000}]
    assert statement(sampled(), NOW).body["verified"] == {"passed": True, "shares": drawn}
    assert (statement(sampled(), NOW).guarantee or {})["kind"] == "syntactic"
