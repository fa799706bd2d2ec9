"""Panels under ε: a person is one record of every table, and noise may hide who is absent."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from sudare.facts.errors import InvalidSchema
from sudare.publish.panels import panel_facts, panel_statistics, wide_schema
from sudare.publish.private_statistics import (
    PrivatePlan,
    price_statistics,
    private_statistics,
    statistics_of,
)
from sudare.synthesis.panel import fit_panel
from sudare.synthesis.panel.gates import gates_of
from support.bits import CountedBits
from support.panels import from_rows, made_panel, panel_schema


def test_the_price_does_not_grow_with_the_rows_of_a_person() -> None:
    plan = PrivatePlan(Fraction(1))
    schema = panel_schema(4, 1)
    table = schema.table.model_copy(update={"max_rows_per_unit": 400})
    more = schema.model_copy(update={"table": table})
    assert price_statistics(schema, plan).noise_two == price_statistics(more, plan).noise_two


def test_a_panel_whose_unit_is_a_row_is_refused() -> None:
    schema = panel_schema(4, 1, table={"name": "panel"})
    with pytest.raises(InvalidSchema, match="protects persons"):
        price_statistics(schema, PrivatePlan(Fraction(1)))


def test_little_noise_keeps_who_is_there_and_how_values_go_on(tmp_path: Path) -> None:
    real, schema = made_panel(3000, 3, seed=3, gaps=0.5), panel_schema(3, 1, budget={"epsilon": 99})
    bits = CountedBits("private panel")
    released = private_statistics(
        real.table(), schema, PrivatePlan(Fraction(60)), ledger=tmp_path / "ledger", bits=bits
    )
    statistics = statistics_of(released)
    assert statistics.rows == pytest.approx(3000, abs=60)
    drawn, matched = fit_panel(statistics, bits).sample(3000, bits)
    # Noisy moments are not met: rows that met them would carry their noise.
    assert matched is None
    made = from_rows(drawn, "income", 3000, 3)
    there = ~np.isnan(made)
    assert np.allclose(there.mean(axis=0), real.there.mean(axis=0), atol=0.03)
    both = there[:, 0] & there[:, 1]
    wanted = np.asarray(np.corrcoef(real.series["income"][:, :2].T))[0, 1]
    assert np.asarray(np.corrcoef(made[both, :2].T))[0, 1] == pytest.approx(wanted, abs=0.15)


def test_presence_that_noise_has_drowned_gates_nothing() -> None:
    real = made_panel(400, 3, seed=4, gaps=0.5)
    schema = panel_schema(3, 1)
    statistics, facts = panel_statistics(real.table(), schema), panel_facts(schema)
    assert set(gates_of(facts, statistics).values()) == {"@2", "@3"}
    blurred = tuple(
        replace(each, level_of=np.zeros(2, np.int64)) if each.name == "@3" else each
        for each in statistics.marginals
    )
    gates = gates_of(facts, replace(statistics, marginals=blurred))
    assert set(gates.values()) == {"@2"}


def test_every_varying_column_of_a_period_may_miss() -> None:
    """A column that is never missing in a row is missing where there is no row."""
    columns = panel_schema(3).model_dump(mode="json", exclude_none=True)["columns"]
    columns["income"] |= {"complete": True}
    columns["work"] = {"type": "category", "values": ["no"], "other": "yes"}
    schema = panel_schema(3, columns=columns)
    wide = wide_schema(schema, panel_facts(schema))
    assert not wide.column("income@2").complete
    assert wide.column("work@2").other is None
    assert wide.domain("work@2") == schema.domain("work")
    assert wide.domain("@2") == ("absent", "present")
