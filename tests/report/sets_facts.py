"""Results as the commands about sets hand them to the report, made up."""

from __future__ import annotations

from typing import Any

EVIL = "<script>alert(1)</script>"
BEFORE = [max(1, 5000 // rank) for rank in range(1, 498)]
AFTER = [count - count // 7 if place % 9 else 0 for place, count in enumerate(BEFORE)]


def rho(**changes: Any) -> dict[str, Any]:
    """Personalised ρ-uncertainty, unbounded knowledge."""
    return {
        "model": "rho", "mode": "default", "method": "suppression", "rho": "1/2",
        "max_knowledge": None, "eps": None, "delta": None, "k": None, "base_rate": False,
        "random": False, "records": 59602, "items": 497, "occurrences": 149639,
        "released": 131682, "changed": 14321, "emptied": 877, "util1": 0.12, "util2": 0.01234,
        "loss": None,
        "mining": {"support": "0.05%", "confidence": "30%", "before": 100, "after": 98,
                   "common": 71, "distance": 0.44094},
        "frequencies": {"before": BEFORE, "after": AFTER},
        "most_suppressed": [{"item": EVIL, "before": 4321, "after": 1000},
                            {"item": "薬 A", "before": 1200, "after": 0}],
        "steps": [{"known": 1, "or_more": False, "inferred": 2345, "knowing": 67},
                  {"known": 2, "or_more": True, "inferred": 12345, "knowing": 3210}],
        "put_back": 4242, "walks": 3,
        "verified": {"tested": 1234567, "deepest": 9, "confidence": (37, 75)},
        "optimum": None,
        "notices": {"duplicates": 0, "unknown_items": 0, "unknown_users": 0},
        "sha256": "ab" * 32, "seconds": {"read": 0.1, "suppress": 1.25, "verify": 0.5},
    } | changes  # fmt: skip


def sampled(**changes: Any) -> dict[str, Any]:
    """The sampled model, at most two items known."""
    shares = [
        {"known": 1, "drawn": 20000, "successful": 3, "at_least": 1e-6, "at_most": 0.00112},
        {"known": 2, "drawn": 20000, "successful": 40, "at_least": 6e-4, "at_most": 0.0046},
    ]
    given = {"model": "sampled", "max_knowledge": 2, "eps": 0.05, "delta": 0.01}
    return rho(**given, verified={"shares": shares}) | changes


def km(**changes: Any) -> dict[str, Any]:
    """k^m-anonymity by local suppression."""
    given: dict[str, Any] = {
        "model": "km",
        "rho": None,
        "max_knowledge": 2,
        "k": 5,
        "steps": [],
        "walks": 0,
    }
    verified = {"tested": 54321, "deepest": 2, "fewest": 6}
    return rho(**given, put_back=0, verified=verified) | changes


def generalized() -> dict[str, Any]:
    """k^m-anonymity along a hierarchy."""
    names = [{"item": f"drinks {EVIL}", "items": 12}, {"item": "薬", "items": 1000}]
    given: dict[str, Any] = {"util1": None, "util2": None, "loss": 0.25, "most_suppressed": []}
    return km(method="generalization", generalized=names, **given)


def checked(**changes: Any) -> dict[str, Any]:
    """What `check sets` found."""
    return {
        "rho": "1/2", "max_knowledge": 3, "records": 59602, "items": 497, "occurrences": 149639,
        "shares": [
            {"known": 1, "attackers": 149639, "share": 0.0123, "low": 0.0123, "high": 0.0123,
             "is_exact": True},
            {"known": 2, "attackers": 2345678, "share": 0.2, "low": 0.2, "high": 0.2,
             "is_exact": True},
            {"known": 3, "attackers": 20000, "share": 0.42, "low": 0.41, "high": 0.435,
             "is_exact": False},
        ],
        "looked_at_all_up_to": 2, "exposed_records": 12345,
        "rules": [{"known": ["milk", EVIL], "inferred": "薬 A", "together": 30, "alone": 40,
                   "exposed": 17},
                  {"known": ["\x1b[31mred"], "inferred": "b", "together": 4, "alone": 7,
                   "exposed": 2}],
        "people": [{"record": 10421, "attackers": 9876}, {"record": 3, "attackers": 5}],
        "causes": [{"item": "薬 A", "inferred": 4567, "known": 12}],
        "notices": {"duplicates": 2, "unknown_items": 3, "unknown_users": 4},
    } | changes  # fmt: skip
