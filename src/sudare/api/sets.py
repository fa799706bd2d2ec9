"""Records that are sets, in Python: the same as `sudare suppress` and `sudare check sets`.

numba is loaded when one of them is called, not with the rest of the API.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudare.facts.baskets import read_rho
from sudare.facts.engine import EngineChoice
from sudare.facts.errors import UsageError
from sudare.facts.sets_plan import Mode, Model, SetsPlan, beside
from sudare.report.texts import Language

if TYPE_CHECKING:
    from sudare.publish.outputs import OutputSet


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
    language: Language = "en",
    force: bool = False,
) -> dict[str, Any]:
    """Release records without what people call sensitive; `data`, `sensitive`, `categories` and
    `hierarchy` are files or dataframes. The certificate and the owner's report are written beside
    the release; files that are there already are refused without `force`. Returns what the report
    shows."""
    from sudare.publish.outputs import Beside
    from sudare.publish.sets_input import SetsInput
    from sudare.publish.suppress_sets import suppress_sets
    from sudare.report.sets import texts_beside

    names = beside(Path(output))

    def stage(result: dict[str, Any], files: OutputSet) -> None:
        for name, text in zip(names, texts_beside(result, language), strict=True):
            files.write(name, text)

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
    return suppress_sets(
        given,
        plan,
        output,
        hierarchy=hierarchy,
        optimum_seconds=optimum_seconds,
        force=force,
        beside=Beside(names, stage),
    )


def check_sets(
    data: object,
    *,
    sensitive: object | None = None,
    rho: str | float | Fraction | None = None,
    max_knowledge: int | None = None,
    released: object | None = None,
    released_form: str = "auto",
    base_rate: bool = False,
    model: Model = "rho",
    eps: float | None = None,
    delta: float | None = None,
    k: int | None = None,
    hierarchy: object | None = None,
    categories: object | None = None,
    form: str = "auto",
    user: str = "user",
    item: str = "item",
    encoding: str | None = None,
    engine: EngineChoice | None = None,
) -> dict[str, Any]:
    """How exposed people are in records as they are, to attackers who know up to three items
    unless told otherwise; ρ is 0.5 by default. With `released`: the independent verifier's verdict
    on a release of the data, which raises if the promise is not kept. For their steward alone."""
    from sudare.publish import check_released as released_job
    from sudare.publish import check_sets as job
    from sudare.publish.sets_input import SetsInput

    choice = engine or EngineChoice()
    given = SetsInput(data, sensitive, categories, form, user, item, encoding, choice)
    confidence = "0.5" if rho is None and model != "km" else rho
    plan = SetsPlan(
        model=model,
        rho=None if confidence is None else read_rho(confidence),
        max_knowledge=max_knowledge,
        eps=eps,
        delta=delta,
        k=k,
        method="suppression" if hierarchy is None else "generalization",
        base_rate=base_rate,
    )
    if released is not None:
        return released_job.check_released(
            given, released, plan, hierarchy=hierarchy, form=released_form
        )
    if plan.model != "rho" or plan.rho is None or base_rate or released_form != "auto":
        raise UsageError(
            "Models, the base rate and the released form are for the check of a release.",
            "Name the release with released=, or leave them out.",
        )
    return job.check_sets(given, plan.rho, 3 if max_knowledge is None else max_knowledge)
