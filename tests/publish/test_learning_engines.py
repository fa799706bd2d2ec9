"""Spanning trees and sample and aggregate, the whole way, on every engine.

Where the bits are given, so is everything: spanning trees are compared to the last digit. Blocks
depend on a secret key and on the order of a stream, or on the units' names; a function's answers
are compared with the truth there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import cloudpickle
import pyarrow as pa
import pytest
from pyarrow import parquet

from engines.places import ENGINES, load
from sudare.facts.block_plan import BlockPlan, read_output
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.plan import Plan
from sudare.facts.schema import Schema, make_schema
from sudare.publish.aggregate import aggregate, of_function
from sudare.publish.ask import ask
from sudare.queries import mst
from support.bits import CountedBits

cloudpickle.register_pickle_by_value(sys.modules[__name__])
NODES = [f"n{place}" for place in range(6)]
Lay = Callable[[pa.Table], tuple[object, EngineChoice]]
SCHEMA = {
    "columns": {
        "id": {"type": "key"},
        "a": {"type": "category", "values": NODES},
        "b": {"type": "category", "values": NODES},
        "w": {"type": "integer", "min": 0, "max": 9},
    }
}


@pytest.fixture(params=ENGINES)
def lay(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lay]:
    """A function that puts a table where the engine reads it, and names the engine."""
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_url")

        def in_postgres(table: pa.Table) -> tuple[object, EngineChoice]:
            load(url, "t", table)
            return f"{url}#public.t", AUTO

        yield in_postgres
        return
    choice = AUTO
    if request.param == "spark":
        choice = EngineChoice("spark", request.getfixturevalue("spark_master"))

    def in_file(table: pa.Table) -> tuple[object, EngineChoice]:
        parquet.write_table(table, tmp_path / "t.parquet")
        return tmp_path / "t.parquet", choice

    yield in_file


def schema(**table: Any) -> Schema:
    facts = {"table": {"name": "roads", **table}, "budget": {"epsilon": 1000.0}, **SCHEMA}
    return make_schema(facts)


def roads() -> pa.Table:
    """Every pair of nodes twice, some weights beyond the bounds, some ends unknown or missing."""
    rows = [
        {"id": f"r{i % 40}", "a": NODES[i % 6], "b": NODES[(i * 5 + i // 6) % 6], "w": i % 13 - 1}
        for i in range(72)
    ]
    odd = {"id": "odd", "a": "nowhere", "b": None, "w": 0}
    kinds = {"id": pa.string(), "a": pa.string(), "b": pa.string(), "w": pa.int64()}
    return pa.Table.from_pylist([*rows, odd], schema=pa.schema(list(kinds.items())))


@pytest.mark.parametrize("most", [2**22, 1], ids=["counted", "as rows"])
@pytest.mark.parametrize("unit", [{}, {"unit": "id", "max_rows_per_unit": 2}], ids=["row", "id"])
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_spanning_trees(
    lay: Lay,
    tmp_path: Path,
    unit: dict[str, Any],
    relation: str,
    most: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All engines answer what DuckDB answers from the same bits, whether edges are counted or,
    where that has too many cells, read."""
    monkeypatch.setattr(mst, "MOST_CELLS", most)
    facts = schema(neighbours=relation, **unit)
    plan = Plan(("mst(a, b, w)", "mst(a, b, w; method=global)"), Fraction(2))
    data, engine = lay(roads())
    found = ask(data, facts, plan, ledger=tmp_path / "one", engine=engine, bits=CountedBits("tree"))
    plain = ask(roads(), facts, plan, ledger=tmp_path / "two", bits=CountedBits("tree"))
    assert [answer.value for answer in found] == [answer.value for answer in plain]
    assert found.spent == plain.spent


def mean_weight(block: dict[str, Any]) -> float:
    return float(block["w"].mean())


@pytest.mark.parametrize("unit", [{}, {"unit": "id", "max_rows_per_unit": 2}], ids=["row", "id"])
def test_sample_and_aggregate(lay: Lay, tmp_path: Path, unit: dict[str, Any]) -> None:
    """All weights are 6, so that every block that has a row says 6, whatever the key; with 400
    units 4 blocks are not empty, but for a chance of 4·(3/4)^400. At ε = 100 a place next to it is
    chosen with a probability below e^−50."""
    rows = [{"id": f"u{i // 2}", "a": "n0", "b": "n1", "w": 6} for i in range(800)]
    data, engine = lay(pa.Table.from_pylist(rows))
    program = of_function(mean_weight)
    plan = BlockPlan(
        columns=("w", "a"),
        epsilon=Fraction(100),
        blocks=4,
        seconds=Fraction(2),
        outputs=(read_output("w=0..9:0.5"),),
        program=program.digest,
    )
    release = aggregate(
        data, schema(**unit), plan, program, ledger=tmp_path / "books", engine=engine
    )
    assert release[0].value == 6
    assert release.spent["epsilon"] == 100
