"""Records that are sets, in Python: the same as `sudare suppress` and `sudare check sets`.

numba is loaded when one of them is called, not with the rest of the API.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from sudare.facts.baskets import read_rho
from sudare.facts.engine import EngineChoice
from sudare.facts.sets_plan import Mode, Model, SetsPlan


def suppress(
    data: object,
    output: str | Path,
    *,
    sensitive: object | None = None,
    rho: str | float | Fraction | None = None,
    model: Model = "rho",
    max_knowledge: int | None = None,
    eps: float | None = None,
    delta: float | None = None,
    k: int | None = None,
    hierarchy: object | None = None,
    mode: Mode = "default",
    base_rate: bool = False,
    at_random: bool = False,
    optimum_seconds: float | None = None,
    categories: object | None = None,
    form: str = "auto",
    user: str = "user",
    item: str = "item",
    encoding: str | None = None,
) -> dict[str, Any]:
    """Release records without what people call sensitive; `data`, `sensitive`, `categories` and
    `hierarchy` are files or dataframes. Returns what the owner's report shows."""
    from sudare.publish.sets_input import SetsInput
    from sudare.publish.suppress_sets import suppress_sets

    plan = SetsPlan(
        model=model,
        rho=None if rho is None else read_rho(rho),
        max_knowledge=max_knowledge,
        eps=eps,
        delta=delta,
        k=k,
        mode=mode,
        method="suppression" if hierarchy is None else "generalization",
        base_rate=base_rate,
        at_random=at_random,
    )
    given = SetsInput(data, sensitive, categories, form, user, item, encoding)
    return suppress_sets(given, plan, output, hierarchy=hierarchy, optimum_seconds=optimum_seconds)


def check_sets(
    data: object,
    *,
    sensitive: object,
    rho: str | float | Fraction = "0.5",
    max_knowledge: int = 3,
    categories: object | None = None,
    form: str = "auto",
    user: str = "user",
    item: str = "item",
    encoding: str | None = None,
    engine: EngineChoice | None = None,
) -> dict[str, Any]:
    """How exposed people are in records as they are; for their steward alone."""
    from sudare.publish import check_sets as job
    from sudare.publish.sets_input import SetsInput

    given = SetsInput(
        data, sensitive, categories, form, user, item, encoding, engine or EngineChoice()
    )
    return job.check_sets(given, read_rho(rho), max_knowledge)
