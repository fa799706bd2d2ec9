"""Files with hardly anybody in them: no crash, no warning, no number that is none."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sudare.facts.estimated import Method, Wanted
from sudare.facts.randomized import LabelDomain, NumberDomain
from sudare.local.estimates.estimate import estimate
from support.randomized import item, labels, numbers, one_statistic, randomized, reports

NAMES = ["a", "b"]
DOMAINS = {
    **numbers(NAMES),
    "kind": labels(4),
    "sex": LabelDomain(("F", "M", None)),
    "y": NumberDomain("boolean", 0, 1, 1.0, True),
}
EACH = [
    item("value", ["a"], "piecewise", 1),
    item("value", ["b"], "laplace", 1),
    item("value", ["y"], "two-point", 1),
    item("label", ["kind"], "oue", 1, 4),
    item("label", ["sex"], "grr", 1, 3),
    item("bins", ["a"], "square-wave", 1, 8),
]
ONE = [*one_statistic([*NAMES, "y"], "hybrid", 1), item("labels", ["kind", "sex"], "olh", 1, 12)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rows", [1, 2, 7, 60])
@pytest.mark.parametrize(("items", "asked"), [(EACH, None), (EACH, 2), (ONE, 1)])
@pytest.mark.parametrize("method", ["em", "inverse"])
def test_every_statistic_of_few_people(rows: int, items: list, asked: int, method: Method) -> None:
    made = np.random.default_rng(rows)
    data = {name: np.full(rows, 0.3) for name in NAMES}
    data |= {"kind": made.integers(0, 4, rows), "sex": made.integers(0, 2, rows)}
    data["y"] = np.where(made.random(rows) < 0.5, 1.0, -1.0)
    facts = randomized(items, DOMAINS, asked)
    for target in ("y", "sex", "a"):
        wanted = Wanted(target=target, tables=(("kind", "sex"),), histogram_method=method)
        found = estimate(facts, reports(facts, data, f"few {rows}"), wanted)
        assert found.rows == rows
        assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["rows"] == rows
        if rows == 1:
            assert all(each.mean.value is None for each in found.means)
