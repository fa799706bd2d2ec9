"""What a collector certifies, for tests of its report."""

from __future__ import annotations

from typing import Any


def certificate(**changed: Any) -> dict[str, Any]:
    """Two organisations that share 300 of 400 people, without dummies."""
    joined = _class(["病院", "shop"], 300, 8.0, 2.5, 2.5, 4.0, None)
    alone = _class(["shop"], 100, 4.0, 1.5, 1.5, 1.5, 0.75)
    return {
        "session": "checkup",
        "created": "2026-01-02T03:04:05+00:00",
        "plan_sha256": "1f" * 32,
        "job": "randomize",
        "pseudonyms": "commutative",
        "rows": 300,
        "warnings": [],
        "collector": {"name": "institute", "is_party": False},
        "sha256": {"": "2e" * 32},
        "parties": [_party("病院", ["age"], 300), _party("shop", ["spent"], 400)],
        "epsilon": 8.0,
        "costs": None,
        "neighbours": "replace-one",
        "account": {
            "delta": 1e-9,
            "neighbours": "replace-one",
            "classes": [joined, alone],
            "worst": {kind: joined[kind] for kind in ("outsider", "honest", "kept")},
        },
        "dummies": None,
        "k": None,
        "log_head": "3d" * 32,
        "software": "sudare 0",
        **changed,
    }


def _class(
    members: list[str],
    n: int,
    row: float,
    outsider: float,
    honest: float,
    kept: float,
    theorem: float | None,
) -> dict[str, Any]:
    return {
        "members": members,
        "n": n,
        "epsilon0": row,
        "outsider": {"viewer": None, "epsilon": outsider, "delta": 1e-9},
        "honest": {"viewer": "shop", "epsilon": honest, "delta": 1e-9},
        "kept": {"viewer": "shop", "epsilon": kept, "delta": 0.0},
        "theorem4": {
            "n": 300,
            "epsilon": theorem,
            "holds": False,
            "reason": "condition" if theorem is None else "n",
        },
    }


def _party(name: str, columns: list[str], rows: int) -> dict[str, Any]:
    return {
        "name": name,
        "columns": columns,
        "rows": rows,
        "epsilon": 4.0,
        "spent": {"epsilon": 4.0, "delta": 0.0},
        "release": "5c" * 8,
        "central": None,
        "deleted": {"head": f"{len(name)}a" * 32, "signature": "MEUC"},
    }
