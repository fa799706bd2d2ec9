"""From a question's text to a measurement that the schema allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from sudare.facts.errors import InvalidPlan
from sudare.facts.query import Query
from sudare.facts.schema import Schema
from sudare.queries.filters import checked
from sudare.queries.measurement import Measurement
from sudare.queries.parse import parse

# Where each function's measurement is made. A module is imported when a question asks for its
# function: two simple questions would otherwise load every way to learn from a table.
_MAKERS = {
    "count": ("sudare.queries.counts", "count"),
    "histogram": ("sudare.queries.counts", "Count"),
    "sum": ("sudare.queries.sums", "Sum"),
    "mean": ("sudare.queries.means", "mean"),
    "variance": ("sudare.queries.variances", "Variance"),
    "covariance": ("sudare.queries.covariances", "Covariance"),
    "quantile": ("sudare.queries.robust", "robust"),
    "median": ("sudare.queries.robust", "robust"),
    "iqr": ("sudare.queries.robust", "robust"),
    "trimmed_mean": ("sudare.queries.robust", "robust"),
    "sq": ("sudare.queries.sq", "StatisticalQuery"),
    "mst": ("sudare.queries.mst", "SpanningTree"),
    "kmeans": ("sudare.queries.kmeans", "KMeans"),
    "pca": ("sudare.queries.pca", "Pca"),
    "linear": ("sudare.queries.linear", "Linear"),
    "ridge": ("sudare.queries.linear", "Linear"),
    "logistic": ("sudare.queries.logistic", "Logistic"),
}


def maker_of(function: str) -> Callable[[Query, Schema], Measurement]:
    """What makes the measurement of a question with this function."""
    module, name = _MAKERS[function]
    found: Callable[[Query, Schema], Measurement] = getattr(import_module(module), name)
    return found


def compile_question(text: str, schema: Schema) -> Measurement:
    """Parse, check against the schema, and choose the way to measure."""
    try:
        query = parse(text)
        if query.where is not None:
            query = replace(query, where=checked(query.where, schema))
        return maker_of(query.function)(query, schema)
    except RecursionError:
        raise InvalidPlan(
            "A filter is nested too deeply.", "Write it with fewer brackets."
        ) from None
