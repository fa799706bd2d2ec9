"""Plans of joins for tests: link.toml as text, and schemas that need no file."""

from __future__ import annotations

from typing import Any

from sudare.facts.link_plan import LinkPlan, read_link_plan
from sudare.facts.schema import Schema, make_schema

NUMBER: dict[str, Any] = {"type": "integer", "min": 0, "max": 1000, "complete": True}


def label(*values: str) -> dict[str, Any]:
    return {"type": "category", "values": list(values), "other": "他"}


def schema(name: str, columns: dict[str, dict[str, Any]], **table: Any) -> Schema:
    """One row a person, and a key."""
    facts = {"name": name, "neighbours": "replace-one", **table}
    return make_schema({"table": facts, "columns": {"電話番号": {"type": "key"}, **columns}})


TWO = {
    "病院": schema("病院", {"年齢": NUMBER, "血圧": NUMBER, "喫煙": label("はい", "いいえ")}),
    "商店": schema("商店", {"支出": NUMBER, "回数": NUMBER, "年齢": NUMBER}),
    "役所": schema("役所", {"所得": NUMBER}),
}


def party(name: str, *columns: str, more: str = "") -> str:
    return f"""
[[parties]]
name = "{name}"
address = "127.0.0.1:7302"
schema = "{name}"
key = [{{ column = "電話番号", rule = "phone" }}]
columns = {list(columns)}
{more}
"""


def text(*parties: str, top: str = "epsilon = 6", more: str = "") -> str:
    return f"""
session = "試し-1"
{top}

[collector]
name = "集計所"
address = "127.0.0.1:7301"
{more}
{"".join(parties)}
"""


def plan(
    *parties: str, top: str = "epsilon = 6", more: str = "", schemas: dict[str, Schema] = TWO
) -> LinkPlan:
    return read_link_plan(text(*parties, top=top, more=more), schemas.__getitem__)
