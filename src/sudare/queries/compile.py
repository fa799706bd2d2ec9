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
    "count": ("counts", "count"),
    "histogram": ("counts", "Count"),
    "sum": ("sums", "Sum"),
    "mean": ("means", "mean"),
    "variance": ("variances", "Variance"),
    "covariance": ("covariances", "Covariance"),
    "quantile": ("robust", "robust"),
    "median": ("robust", "robust"),
    "iqr": ("robust", "robust"),
    "trimmed_mean": ("robust", "robust"),
    "sq": ("sq", "StatisticalQuery"),
    "mst": ("mst", "SpanningTree"),
    "kmeans": ("kmeans", "KMeans"),
    "pca": ("pca", "Pca"),
    "linear": ("linear", "Linear"),
    "ridge": ("linear", "Linear"),
    "logistic": ("logistic", "Logistic"),
}


def maker_of(function: str) -> Callable[[Query, Schema], Measurement]:
    """What makes the measurement of a question with this function."""
    module, name = _MAKERS[function]
    found: Callable[[Query, Schema], Measurement] = getattr(
        import_module(f"sudare.queries.{module}"), name
    )
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
