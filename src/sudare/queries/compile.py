"""From a question's text to a measurement that the schema allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sudare.facts.errors import InvalidPlan
from sudare.facts.query import Query
from sudare.facts.schema import Schema
from sudare.queries.counts import Count, PublicCount
from sudare.queries.covariances import Covariance
from sudare.queries.filters import checked
from sudare.queries.kmeans import KMeans
from sudare.queries.linear import Linear
from sudare.queries.logistic import Logistic
from sudare.queries.means import mean
from sudare.queries.measurement import Measurement
from sudare.queries.mst import SpanningTree
from sudare.queries.parse import parse
from sudare.queries.pca import Pca
from sudare.queries.robust import robust
from sudare.queries.sq import StatisticalQuery
from sudare.queries.sums import Sum
from sudare.queries.variances import Variance


def count(query: Query, schema: Schema) -> Measurement:
    """The cheapest right way to a count."""
    is_public = schema.table.public_rows is not None and query.where is None and not query.by
    return PublicCount(query, schema) if is_public else Count(query, schema)


_MAKERS: dict[str, Callable[[Query, Schema], Measurement]] = {
    "count": count,
    "histogram": Count,
    "sum": Sum,
    "mean": mean,
    "variance": Variance,
    "covariance": Covariance,
    "quantile": robust,
    "median": robust,
    "iqr": robust,
    "trimmed_mean": robust,
    "sq": StatisticalQuery,
    "mst": SpanningTree,
    "kmeans": KMeans,
    "pca": Pca,
    "linear": Linear,
    "ridge": Linear,
    "logistic": Logistic,
}


def compile_question(text: str, schema: Schema) -> Measurement:
    """Parse, check against the schema, and choose the way to measure."""
    try:
        query = parse(text)
        if query.where is not None:
            query = replace(query, where=checked(query.where, schema))
        return _MAKERS[query.function](query, schema)
    except RecursionError:
        raise InvalidPlan(
            "A filter is nested too deeply.", "Write it with fewer brackets."
        ) from None
