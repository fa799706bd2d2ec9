"""sudare (簾): answer, publish, join, synthesize and share data about people, with a guarantee.

    people = sudare.open("people.csv", schema="people.schema.toml")
    people.ask("count()", "mean(age)", epsilon=1)

Importing sudare loads no engine; names are fetched when they are first used.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from sudare._python import check_python
from sudare._version import VERSION as __version__

check_python(sys.version_info[:2], sys.argv)

if TYPE_CHECKING:
    from sudare.api import (
        Forecasts,
        Result,
        Synthesizer,
        Table,
        TableResult,
        check_sets,
        compare,
        estimate,
        suppress,
    )
    from sudare.api import open_table as open
    from sudare.api.estimators.kmeans import KMeans
    from sudare.api.estimators.pca import PCA
    from sudare.api.estimators.regression import LinearRegression, LogisticRegression, Ridge
    from sudare.facts.errors import SudareError
    from sudare.facts.release import Answer, Release
    from sudare.facts.schema import Schema

_WHERE = {
    "check_sets": ("sudare.api", "check_sets"),
    "compare": ("sudare.api", "compare"),
    "estimate": ("sudare.api", "estimate"),
    "open": ("sudare.api", "open_table"),
    "suppress": ("sudare.api", "suppress"),
    "KMeans": ("sudare.api.estimators.kmeans", "KMeans"),
    "LinearRegression": ("sudare.api.estimators.regression", "LinearRegression"),
    "LogisticRegression": ("sudare.api.estimators.regression", "LogisticRegression"),
    "PCA": ("sudare.api.estimators.pca", "PCA"),
    "Ridge": ("sudare.api.estimators.regression", "Ridge"),
    "Forecasts": ("sudare.api", "Forecasts"),
    "Result": ("sudare.api", "Result"),
    "Synthesizer": ("sudare.api", "Synthesizer"),
    "Table": ("sudare.api", "Table"),
    "TableResult": ("sudare.api", "TableResult"),
    "SudareError": ("sudare.facts.errors", "SudareError"),
    "Answer": ("sudare.facts.release", "Answer"),
    "Release": ("sudare.facts.release", "Release"),
    "Schema": ("sudare.facts.schema", "Schema"),
}
__all__ = [
    "PCA",
    "Answer",
    "Forecasts",
    "KMeans",
    "LinearRegression",
    "LogisticRegression",
    "Release",
    "Result",
    "Ridge",
    "Schema",
    "SudareError",
    "Synthesizer",
    "Table",
    "TableResult",
    "__version__",
    "check_sets",
    "compare",
    "estimate",
    "open",
    "suppress",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'sudare' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _WHERE[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
