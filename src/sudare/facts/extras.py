"""What one job alone needs is an extra of the package; whoever misses one reads how to get it.

An import of such a module stands inside `with needs("extra"):`, and a job that reads or charges
calls `require("extra")` first. The same module may come with several extras, so the job names its
own: whoever synthesises without SciPy reads of `sudare[synthesis]`, not of `sudare[risk]`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Literal, NamedTuple

from sudare.facts.errors import EngineUnavailable

ExtraName = Literal[
    "accounting", "learn", "link", "postgres", "risk", "sets", "spark", "synthesis"
]  # fmt: skip


class Extra(NamedTuple):
    """The modules of an extra, the one that is named first in front, and the jobs in words."""

    modules: tuple[str, ...]
    english: str
    japanese: str


EXTRAS: dict[ExtraName, Extra] = {
    "accounting": Extra(("dp_accounting", "scipy"), "A plan with a δ", "δ を指定した計画"),
    "learn": Extra(
        ("sklearn", "scipy", "threadpoolctl"),
        "This question or estimator",
        "この質問または推定器",
    ),
    "link": Extra(("rbcl",), "Joining with other organisations", "組織間の結合"),
    "postgres": Extra(
        ("psycopg",),
        "A table or ledger in PostgreSQL",
        "PostgreSQL の表または台帳",
    ),
    "risk": Extra(
        ("ortools", "scipy"),
        "An exact search over tables or sets",
        "表や集合の厳密な探索",
    ),
    "sets": Extra(("numba", "scipy"), "This work on sets of items", "この規模の集合データの処理"),
    "spark": Extra(("pyspark", "pandas"), "A table on Spark", "Spark 上の表"),
    "synthesis": Extra(
        ("scipy", "sklearn", "threadpoolctl"),
        "Synthesis or comparison of records",
        "合成データの生成と比較",
    ),
}
# What pip calls a module, where that is another word.
_PACKAGES = {
    "dp_accounting": "dp-accounting",
    "ortools": "OR-Tools",
    "pyspark": "PySpark",
    "scipy": "SciPy",
    "sklearn": "scikit-learn",
}


class MissingExtra(EngineUnavailable, ImportError):
    """A module that an extra brings is not installed."""

    def __init__(self, extra: ExtraName, module: str) -> None:
        package = _PACKAGES.get(module, module)
        found = EXTRAS[extra]
        super().__init__(
            f"{found.english} needs {package}, which is not installed.",
            f"Run: pip install 'sudare[{extra}]'",
        )
        self.name = module
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return MissingExtra, (self.extra, str(self.name))

    def line(self, language: Literal["en", "ja"]) -> str:
        """All of it in one line."""
        if language == "en":
            return f"{self.what} {self.hint}"
        package = _PACKAGES.get(str(self.name), str(self.name))
        job = EXTRAS[self.extra].japanese
        return (
            f"{job}には {package} が必要ですが、インストールされていません。"
            f"次を実行してください：pip install 'sudare[{self.extra}]'"
        )


@contextmanager
def needs(extra: ExtraName) -> Iterator[None]:
    """Imports of what the extra brings; they fail as MissingExtra."""
    try:
        yield
    except ImportError as error:
        raise missing(error, extra) from None


def require(extra: ExtraName, *modules: str) -> None:
    """Refuse a job before it reads or charges anything; without names, for want of any module."""
    for module in modules or EXTRAS[extra].modules:
        if not _is_here(module):
            raise MissingExtra(extra, module)


def missing(error: ImportError, extra: ExtraName) -> MissingExtra:
    """What a failed import of this extra means. psycopg names nobody where its library lacks."""
    module = (error.name or "").partition(".")[0]
    modules = EXTRAS[extra].modules
    return MissingExtra(extra, module if module in modules else modules[0])


def _is_here(module: str) -> bool:
    # A module that was put aside as None cannot be imported, and has no specification either.
    if module in sys.modules:
        return sys.modules[module] is not None
    return find_spec(module) is not None
