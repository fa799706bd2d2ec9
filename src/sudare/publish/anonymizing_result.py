"""What an anonymization did, cost and still discloses, ready for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from sudare.facts.coded import Integers
from sudare.risk.anonymize.composition import composed
from sudare.risk.anonymize.demand import Demand
from sudare.risk.anonymize.keys import grouped, sizes_of
from sudare.risk.anonymize.records import Records
from sudare.risk.anonymize.run import Result, another


def described(
    records: Records, result: Result, demand: Demand, verified: dict[str, Any]
) -> dict[str, Any]:
    """The figures of the report; `verified` are the measures of the written file."""
    people = records.people
    sizes = sizes_of(result.ids, None if people is None else people[result.kept])
    rows = records.counter.rows
    dropped = int((~result.kept).sum())
    return {
        "records": rows,
        "published": rows - dropped,
        "dropped": dropped,
        "starred_records": int(result.starred.any(axis=1).sum()),
        "starred_values": int(result.starred.sum()),
        "loss": result.loss,
        # Bayardo, Agrawal 2005: every record pays the size of its class, a dropped one all rows.
        "discernibility": int((np.bincount(result.ids).astype(object) ** 2).sum()) + dropped * rows,
        "average_class": float(sizes.mean()),
        "people": None if people is None else _people(people, result),
        "search": _search(result),
        "demand": asdict(demand),
        **verified,
        "composition": _composition(records, result, demand),
    }


def _people(people: Integers, result: Result) -> dict[str, int]:
    """How many people there are, how many are in the file, and how many have a record that lost a
    value or was left out."""
    touched = result.starred.any(axis=1) | ~result.kept
    everybody, published, suppressed = (
        len(np.unique(each)) for each in (people, people[result.kept], people[touched])
    )
    return {"all": everybody, "published": published, "suppressed": suppressed}


def _search(result: Result) -> dict[str, Any] | None:
    if result.choice is None:
        return None
    lattice = result.choice.lattice
    return {
        "levels": list(result.choice.levels),
        "judged": len(lattice.judged),
        "nodes": int(lattice.loss.size),
    }


def _composition(records: Records, result: Result, demand: Demand) -> dict[str, Any] | None:
    """What a second file, as good as this one, would tell together with it."""
    second = None if result.choice is None else another(records, demand, result.choice)
    if result.choice is None or second is None:
        return None
    choice, whole = second
    both = result.whole & whole
    if not both.any():
        return None
    ids = [
        grouped([codes[both] for codes in records.generalized(each.node)])
        for each in (result.choice, choice)
    ]
    people = None if records.people is None else records.people[both]
    found = {
        name: asdict(composed(ids[0], ids[1], secret.codes[both], secret.size, people))
        for name, secret in zip(records.sensitive, records.secrets, strict=True)
    }
    shared = int(both.sum()) if people is None else len(np.unique(people))
    return {"levels": list(choice.levels), "records": shared, "columns": found}
