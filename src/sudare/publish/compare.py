"""Compare synthetic rows with the real rows that they imitate.

It is the steward's own, like `validate`: it reads the real rows, charges nothing, and what it finds
is exact, so nothing of it is a release.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from sudare.engines.choose import beside
from sudare.engines.microdata import columns_in, read_microdata
from sudare.facts.compared import Compared
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidFile, InvalidPlan
from sudare.facts.extras import require
from sudare.facts.microdata import Microdata
from sudare.facts.schema import Schema
from sudare.publish.counted_units import people_in
from sudare.randomness.bits import RandomBits, SystemBits
from sudare.risk.compare.attacks import attacks
from sudare.risk.compare.bounds import comparable, outside, widened
from sudare.risk.compare.discriminator import discriminator
from sudare.risk.compare.learning import learning
from sudare.risk.compare.measures import compare_measures
from sudare.risk.compare.nearest import nearest
from sudare.risk.compare.regression import regression
from sudare.risk.compare.target import check_target, default_target
from sudare.risk.compare.verdicts import verdicts

__all__ = ["STEPS", "compare", "compare_rows"]

LEAST_ROWS = 10
# How many steps are done, and the name of the next one.
Progress = Callable[[int, str], None]
STEPS = (
    "read",
    "measures",
    "discriminator",
    "regression",
    "learning",
    "nearest",
    "attacks",
)


def _silent(done: int, step: str) -> None:
    """Nobody is watching."""


def compare(
    real: object,
    synthetic: object,
    schema: Schema,
    *,
    target: str | None = None,
    holdout: object | None = None,
    engine: EngineChoice = AUTO,
    bits: Callable[[], RandomBits] = SystemBits,
    progress: Progress = _silent,
) -> Compared:
    """Everything that `sudare compare` shows. `holdout` holds real rows that the synthesiser never
    saw; `target` is the column that models explain."""
    require("synthesis", "sklearn", "threadpoolctl")
    progress(0, STEPS[0])
    wide = widened(schema)
    other = beside(synthetic, engine)
    present = set(columns_in(real, schema, engine)) & set(columns_in(synthetic, wide, other))
    names, left_out = comparable(schema, present)
    if not names:
        raise InvalidPlan(
            "The two files have no declared column in common that can be compared.",
            "Numbers need min and max, categories need values, and both files need the column.",
        )
    check_target(names, target)
    # The nearest pairs of real rows are of different people, where the table says whose they are.
    whose = people_in(schema, columns_in(real, schema, engine))
    rows, made = (
        read_microdata(real, names, schema, engine, whose),
        read_microdata(synthetic, names, wide, other),
    )
    aside = None
    if holdout is not None:
        aside = read_microdata(holdout, names, schema, beside(holdout, engine))
    return compare_rows(
        rows,
        made,
        holdout=aside,
        target=target,
        table=schema.table.name,
        left_out=left_out,
        beyond=outside(made, schema),
        bits=bits(),
        progress=progress,
    )


def compare_rows(
    real: Microdata,
    synthetic: Microdata,
    *,
    holdout: Microdata | None = None,
    target: str | None = None,
    table: str = "rows",
    left_out: Sequence[str] = (),
    beyond: Mapping[str, int] = MappingProxyType({}),
    bits: RandomBits,
    progress: Progress = _silent,
) -> Compared:
    """The same of rows in memory: the columns of `real`."""
    for each in (real, synthetic, *(() if holdout is None else (holdout,))):
        if each.rows < LEAST_ROWS:
            raise InvalidFile(
                f"A table of fewer than {LEAST_ROWS} rows cannot be compared.",
                "Check that these are the right files.",
            )
    chosen = default_target(real) if target is None else target
    progress(1, STEPS[1])
    measures = compare_measures(real, synthetic)
    progress(2, STEPS[2])
    told = discriminator(real, synthetic, bits)
    progress(3, STEPS[3])
    fitted = regression(real, synthetic, chosen, bits)
    progress(4, STEPS[4])
    learnt = learning(real, synthetic, holdout, chosen, bits)
    progress(5, STEPS[5])
    near = nearest(real, synthetic, holdout, bits)
    progress(6, STEPS[6])
    attacked = attacks(real, synthetic, holdout, bits)
    progress(7, STEPS[6])
    return Compared(
        table,
        real.names,
        tuple(left_out),
        chosen,
        target is None,
        0 if holdout is None else holdout.rows,
        dict(beyond),
        measures,
        told,
        fitted,
        learnt,
        near,
        attacked,
        verdicts(measures, dict(beyond), told, fitted, learnt, near, attacked),
    )
