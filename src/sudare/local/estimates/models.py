"""Which model can be fitted to a target, on which columns."""

from __future__ import annotations

import numpy as np

from sudare.facts.estimated import Model, Reason
from sudare.facts.randomized import LabelDomain, NumberDomain, Randomized
from sudare.local.estimates.channels import two_places
from sudare.local.estimates.jackknife import REACH, spread
from sudare.local.estimates.moments import Moments
from sudare.local.estimates.problem import problem
from sudare.local.estimates.regression import Kind, model


def fit(facts: Randomized, moments: Moments, target: str, kind: Kind) -> Model | Reason:
    """The model of a target on all columns that the file tells enough of, or why there is none."""
    is_label = isinstance(facts.domains[target], LabelDomain)
    classes = classes_of(facts, target)
    if classes is None and (kind != "regression" or is_label):
        return "not_two"
    if target not in moments.columns:
        return "no_label" if is_label else "no_value"
    columns = _told(moments, target)
    if isinstance(columns, str):
        return columns
    found = problem(moments.of((*columns, target)), target)
    units = {name: _units(facts, name) for name in (*columns, target)}
    return model(found, kind, units, classes)


def _told(moments: Moments, target: str) -> tuple[str, ...] | Reason:
    """The columns with sure variances whose covariances with the target and each other are told."""
    own = moments.columns.index(target)
    variances = np.einsum("rii->ri", moments.covariances)
    if not np.isfinite(variances[0, own]):
        return "no_square"
    is_sure = variances[0] > REACH * spread(np.nan_to_num(variances))
    if not is_sure[own]:
        return "drowned"
    is_told = moments.told()
    others = [i for i in np.flatnonzero(is_sure & np.isfinite(variances[0])) if i != own]
    if not others:
        return "drowned" if len(moments.columns) > 1 else "no_columns"
    near: list[int] = []
    for i in others:
        if is_told[i, [own, *near]].all():
            near.append(int(i))
    return tuple(moments.columns[i] for i in near) or "no_pair"


def classes_of(facts: Randomized, target: str) -> tuple[str, str] | None:
    """The names of the two classes of a target that has two."""
    domain = facts.domains[target]
    if isinstance(domain, NumberDomain):
        if domain.high - domain.low != 1:
            return None
        return (
            ("false", "true")
            if domain.type == "boolean"
            else (
                f"{domain.low * domain.step:g}",
                f"{domain.high * domain.step:g}",
            )
        )
    if len(domain.labels) - (None in domain.labels) != 2:
        return None
    first, second = (domain.labels[i] for i in two_places(facts, target))
    return str(first), str(second)


def _units(facts: Randomized, column: str) -> tuple[float, float]:
    """Middle and half of a column's bounds; a target with two labels is 0 or 1."""
    domain = facts.domains[column]
    return (domain.middle, domain.half) if isinstance(domain, NumberDomain) else (0.5, 0.5)
