"""The written file, read again and measured as if by a stranger.

Nothing of the search is used: the classes are counted from the labels in the file, "*" and bands as
plain text. A file that fails is a fault of sudare and never gets its name. Whose record each is
stands in no file: it is handed over in the order in which the records were written, and who is in
which class is then worked out anew, with sets, beside the counting that the measures come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from sudare.engines.classes import open_classes
from sudare.facts.coded import Integers
from sudare.facts.schema import Schema
from sudare.risk.anonymize.demand import SLACK, Demand
from sudare.risk.records.diversity import Diversity, diversity
from sudare.risk.records.sizes import anonymity


class VerificationFailed(Exception):
    """What was written does not meet what was demanded."""


def verify(
    path: Path,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    demand: Demand,
    schema: Schema | None,
    people: Integers | None = None,
) -> dict[str, Any]:
    """The measures of the file, or VerificationFailed."""
    read = _as_text(schema, quasi)
    with open_classes(path, [*quasi, *sensitive], read, people=people) as source:
        sizes = anonymity(source.sizes(quasi))
        found = {name: diversity(source.spread(quasi, name)) for name in sensitive}
        if people is not None:
            classes = list(zip(*(source.codes(name).tolist() for name in quasi), strict=True))
            whose = people.tolist()
            _check_people(classes, whose, whose, replace(demand, diversity=1))
            for name in sensitive:
                _check_people(classes, whose, source.codes(name).tolist(), demand)
    if sizes.k < demand.k or not all(_meets(each, demand) for each in found.values()):
        raise VerificationFailed
    return {
        "anonymity": asdict(sizes),
        "diversity": {name: asdict(each) for name, each in found.items()},
    }


def _check_people(
    classes: Sequence[tuple[int, ...]], people: Sequence[int], values: Sequence[int], demand: Demand
) -> None:
    """k people in every class, and no ℓ − 1 values that everybody in it could be covered by."""
    having: dict[tuple[int, ...], dict[int, set[int]]] = {}
    inside: dict[tuple[int, ...], set[int]] = {}
    for own, person, value in zip(classes, people, values, strict=True):
        inside.setdefault(own, set()).add(person)
        having.setdefault(own, {}).setdefault(value, set()).add(person)
    for own, members in inside.items():
        most = sorted(map(len, having[own].values()), reverse=True)[: demand.diversity - 1]
        if len(members) < demand.k or sum(most) >= len(members):
            raise VerificationFailed


def _meets(found: Diversity, demand: Demand) -> bool:
    is_close = demand.closeness is None or found.t <= demand.closeness + 2 * SLACK
    return found.distinct >= demand.diversity and is_close


def _as_text(schema: Schema | None, quasi: Sequence[str]) -> Schema | None:
    """The schema with generalized columns as text, and the file as sudare writes it."""
    if schema is None:
        return None
    columns = {
        name: column.model_copy(update={"type": "text", "values": (), "min": None, "max": None})
        if name in quasi
        else column
        for name, column in schema.columns.items()
    }
    table = schema.table.model_copy(update={"encoding": None, "delimiter": None})
    return schema.model_copy(update={"columns": columns, "table": table})
