"""Which tests run when.

`make test` runs before every commit. `make test-integration` runs what needs a real component
(PostgreSQL, Spark, a browser, killed processes, other libraries as oracles), what draws millions,
the documentation, and every property test again with more examples. Tests marked `slow` run in
`make test-all` alone.

A test belongs to the integration tier if it asks for a server, or if it or its module says so with
the mark. One worker has all modules of a server, so that each server is started once; any other
module stays together too, because its fixtures are made once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).parents[2]
SERVERS = {
    "postgres": {"postgres_server", "postgres_alone"},
    "spark": {"spark_master", "spark_cluster"},
}
# What tests that run once for every engine or store are given as a parameter.
NAMES = {"postgres": "postgres", "postgresql": "postgres", "spark": "spark"}
# What a file that uses a server has in its text, besides the fixtures' names.
TEXTS = {"postgres": ("postgres_url", "ledger_url"), "spark": ("engines.places", "spark_place")}
THOROUGH = "thorough"


def register_profiles() -> None:
    """`--hypothesis-profile=thorough` for the integration tier; quick otherwise."""
    settings.register_profile("quick", max_examples=25, deadline=None)
    settings.register_profile(THOROUGH, max_examples=100, deadline=None)
    settings.load_profile("quick")


def examples(thorough: int, **others: Any) -> settings:
    """So many examples in the integration tier, a quarter of them before a commit."""
    is_thorough = settings.get_current_profile_name() == THOROUGH
    count = thorough if is_thorough else max(10, thorough // 4)
    return settings(max_examples=count, deadline=None, **others)


def now_only(cases: Iterable[Any], *now: Any) -> list[Any]:
    """Cases of one parameter, of which only some run before a commit and all in CI."""
    later = pytest.mark.integration
    return [case if case in now else pytest.param(case, marks=later) for case in cases]


def sort_into_tiers(items: list[pytest.Item]) -> None:
    """Mark every test with its tier; the groups of servers take longest and come first."""
    for item in items:
        if _server(item) is not None:
            item.add_marker(pytest.mark.integration)
    order = [*sorted(SERVERS, reverse=True), ""]
    groups = {item.nodeid: group_of(item.nodeid.partition("::")[0]) for item in items}
    items.sort(key=lambda item: order.index(g if (g := groups[item.nodeid]) in SERVERS else ""))


class Together(LoadScopeScheduling):
    """Whoever asks next gets a whole group. xdist's own groups are lost with pytest 9.2 (its issue
    1386), and workers tell of a test no more than its name, so a group is found by the file."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        # What takes longest starts first, not what has most tests.
        self.config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid.partition("::")[0])


@cache
def group_of(file: str) -> str:
    """The server that a file of tests names; Spark's, if it names both; or the file itself."""
    text = (ROOT / file).read_text(encoding="utf-8")
    used = (name for name in SERVERS if any(one in text for one in (*SERVERS[name], *TEXTS[name])))
    return max(used, default=file)


def _server(item: pytest.Item) -> str | None:
    """The server that a test uses; Spark's, if it uses both."""
    fixtures = set(getattr(item, "fixturenames", ()))
    callspec = getattr(item, "callspec", None)
    params = callspec.params if callspec is not None else {}
    # An extra has its server's name, and needs no server.
    values = [each for name, each in params.items() if name != "extra" and isinstance(each, str)]
    named = {NAMES[value] for value in values if value in NAMES}
    used = named | {name for name, asked in SERVERS.items() if asked & fixtures}
    return max(used, default=None)
