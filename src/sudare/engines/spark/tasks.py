"""Work that splits into parts on Spark's workers: each part on its own, the results joined there.

What a part needs beside itself travels with the function, once a worker. Spark may keep it on the
workers' disks while the work runs, as it does with any table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from sudare.engines.spark.border import gave_up, guarded
from sudare.engines.spark.session import lease
from sudare.engines.spark.ship import ship
from sudare.facts.engine import EngineChoice

Part = TypeVar("Part")
Result = TypeVar("Result")


def run_tasks(
    function: Callable[[Part], Result],
    join: Callable[[Result, Result], Result],
    parts: Sequence[Part],
    choice: EngineChoice,
) -> Result:
    """join(function(first), function(second), …): the parts may come in any order."""
    leased = lease(choice.session, choice.master)
    try:
        context = leased.session.sparkContext
        ship(context)

        def run() -> Result:
            tasks = context.parallelize(list(parts), len(parts))
            joined: Result = tasks.map(function).treeReduce(join)
            return joined

        return guarded(run, gave_up())
    finally:
        leased.close()
