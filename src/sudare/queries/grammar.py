"""The parser of the question language: read from tables made beforehand, since to build it from
grammar.lark takes longer than to ask a small table.

`python -m sudare.queries.grammar > src/sudare/queries/grammar_tables.py` makes the tables, and a
test compares them with the grammar, state by state. They belong to one version of Lark. Beside
another one the parser is built from the grammar, which gives the same parser, later.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef


@cache
def grammar() -> Lark:
    """The parser."""
    # Imported here: the tables are made anew by this module, when there may be none.
    from sudare.queries import grammar_tables

    if lark.__version__ != grammar_tables.LARK:
        return built()
    load: Callable[[Any, Any], Lark] = Lark._load_from_dict
    return load(grammar_tables.DATA, grammar_tables.MEMO)


def built() -> Lark:
    """The parser from grammar.lark itself."""
    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        parser="lalr",
        propagate_positions=False,
        start=["start", "any"],
    )


def tables() -> tuple[dict[str, Any], dict[int, Any]]:
    """What Lark needs to load the parser: states, and the rules and terminals that they name."""
    data, memo = built().memo_serialize([TerminalDef, Rule])
    # Where the grammar lies on the machine that made the tables is nobody's business.
    data["options"]["source_path"] = None
    return data, memo


def source() -> str:
    """The text of grammar_tables.py."""
    data, memo = tables()
    lines = [
        '"""Made from grammar.lark as grammar.py says; not to be edited."""',
        "# ruff: noqa: E501",
        "# fmt: off",
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
        "",
        f'LARK = "{lark.__version__}"',
        f"DATA: Any = {data!r}",
        "MEMO: Any = {",
        *(f"    {number}: {entry!r}," for number, entry in memo.items()),
        "}",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(source(), end="")
