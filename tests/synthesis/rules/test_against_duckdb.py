"""Rules on the grid against the engine's own filter on the same rows."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sudare.engines.open import open_source
from sudare.facts.aggregate import MomentsRequest
from sudare.facts.schema import EPOCH
from sudare.queries.rules import compiled_rules
from sudare.synthesis.rules.levels import ColumnLevels, LabelLevels, NumberLevels
from sudare.synthesis.rules.rules import Rules
from synthesis.rules.worlds import COLUMNS, levels_of, random_rules, schema_with

TYPES = {
    "age": pa.int64(),
    "height": pa.float64(),
    "born": pa.date32(),
    "employed": pa.bool_(),
    "続柄": pa.string(),
    "home town": pa.string(),
}


def values(column: str, levels: ColumnLevels, codes: list[int], rng: random.Random) -> list[Any]:
    found: list[Any] = []
    for code in codes:
        if code == levels.present:
            found.append(None)
        elif isinstance(levels, LabelLevels):
            found.append(rng.choice(levels.groups[code]))
        else:
            assert isinstance(levels, NumberLevels)
            index = rng.randint(levels.starts[code], levels.last(code))
            found.append(
                {
                    "born": EPOCH + dt.timedelta(days=index),
                    "employed": bool(index),
                    "height": index * 0.5,
                }.get(column, index)
            )
    return found


@pytest.mark.parametrize("case", range(3))
def test_engine_counts_the_same_violations(case: int) -> None:
    rng = random.Random(case)
    schema = schema_with(random_rules(rng, list(COLUMNS), 12), list(COLUMNS))
    compiled = compiled_rules(schema)
    levels = levels_of(schema, compiled, rng)
    # NULL in a category that has an `other` is that other, so this column is never missing.
    assert isinstance(levels["home town"], LabelLevels)
    levels["home town"] = LabelLevels(levels["home town"].groups)
    rules = Rules(compiled, levels)
    draw = np.random.default_rng(case)
    codes = {name: draw.integers(0, each.size, 400) for name, each in levels.items()}
    columns = {
        name: pa.array(values(name, levels[name], drawn.tolist(), rng), TYPES[name])
        for name, drawn in codes.items()
    }
    requests = [MomentsRequest(where=rule.violation) for rule in compiled]
    with open_source(pa.table(columns), schema, list(COLUMNS)) as source:
        counted = [moments.rows[0][0] for moments in source.moments(requests, b"k" * 32)]
    assert rules.broken_by_rule(codes).tolist() == counted
    assert 0 < sum(counted) < 400 * len(compiled)
