"""The hybrid way between hosts: an organisation's own central release, paid beside the join, and at
the collector one matrix out of these releases and what the join tells.

Claim    the own release is an ordinary one of the organisation's ledger, under a key of its own:
         asked again it is the same bytes, and is not paid again.
Needs    releases as their organisations sent them; a collector reads nothing else of their tables.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from sudare.facts.errors import InvalidPlan
from sudare.facts.estimated import Estimated, Matrix
from sudare.facts.link_plan import LinkPlan, Party
from sudare.facts.plan import Plan
from sudare.facts.randomized import NumberDomain, Randomized
from sudare.facts.reading import read_json
from sudare.facts.release import Release
from sudare.link.all_local import all_local
from sudare.link.compile import shown_columns
from sudare.link.hybrid import hybrid
from sudare.link.hybrid_compare import compare
from sudare.link.own_release import OwnColumn, OwnRelease, own_questions
from sudare.local.items import domains_of
from sudare.publish.ask import ask
from sudare.publish.link_rows import Rows
from sudare.publish.pricing import price
from sudare.wires.folder import Folder
from sudare.wires.refusals import refusal

# Where an organisation notes what it released of its own.
CENTRAL = "central"


def check_central(plan: LinkPlan) -> None:
    """An own release needs numbers that it is of, and that can be asked for."""
    for party in plan.parties:
        if party.central is None:
            continue
        if not own_numbers(plan, party):
            raise InvalidPlan(
                f"'{party.name}' has no number that a central release could be of.",
                "Leave central out for it: it is for means and covariances of numbers.",
            )
        price(party.schema, _own_plan(plan, party))


def own_numbers(plan: LinkPlan, party: Party) -> tuple[OwnColumn, ...]:
    """A party's numbers, by their own names and those of the result."""
    shown = shown_columns(plan)[party.name]
    return tuple(
        OwnColumn(column, shown[column], domain)
        for column, domain in domains_of(party.schema, party.columns).items()
        if isinstance(domain, NumberDomain)
    )


def _own_plan(plan: LinkPlan, party: Party) -> Plan:
    columns = [each.column for each in own_numbers(plan, party)]
    return Plan(own_questions(columns), party.central)


def own_release(rows: Rows, plan: LinkPlan, folder: Folder) -> dict[str, Any] | None:
    """The central release of an organisation, as it is sent; None where the plan has none."""
    name = folder.identity.name
    party = plan.party(name)
    if party.central is None:
        return None
    release = ask(
        rows.data,
        party.schema,
        _own_plan(plan, party),
        ledger=rows.ledger,
        key=f"link {plan.session} {name} central",
        engine=rows.engine,
    )
    folder.note(CENTRAL, {"release": release.id, "spent": release.spent})
    found: dict[str, Any] = read_json(release.to_bytes())
    return found


def combined(
    plan: LinkPlan, joined: Estimated, told: dict[str, Any], spent: dict[str, Fraction]
) -> dict[str, Any]:
    """What is published of statistics: the join's estimates, with own blocks from `told`, what the
    parties announced; `spent` is each one's ε in the join."""
    owns = [
        OwnRelease(party.name, own_numbers(plan, party), _release(told[party.name].get("central")))
        for party in plan.parties
        if party.central is not None
    ]
    if not owns:
        return {"estimated": joined.to_dict(), "compared": None}
    others = [
        each for party in plan.parties if party.central is None for each in own_numbers(plan, party)
    ]
    if joined.covariance is None:
        # Nothing is told across organisations; own blocks are there all the same.
        joined = replace(joined, covariance=Matrix((), (), None))
    found = _hybrid(owns, joined, others)
    ways: tuple[Randomized, ...] = ()
    # Where there is no such way, there is nothing to compare with.
    with suppress(InvalidPlan):
        ways = all_local(plan, spent)
    if not ways:
        return {"estimated": found.to_dict(), "compared": None}
    compared = [
        {"columns": list(each.columns), "block": each.block, "all_local": each.all_local,
         "hybrid": each.hybrid, "ratio": each.ratio}
        for each in compare(found, ways)
    ]  # fmt: skip
    return {"estimated": found.to_dict(), "compared": compared}


def _hybrid(owns: list[OwnRelease], joined: Estimated, others: list[OwnColumn]) -> Estimated:
    """Releases come from other hosts: what is none ends the session, without its text."""
    try:
        return hybrid(owns, joined, others)
    except (KeyError, TypeError, ValueError):
        pass
    raise refusal("request")


def write_statistics(path: Path, found: dict[str, Any]) -> None:
    text = json.dumps(found, ensure_ascii=False, indent=2, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def _release(sent: Any) -> Release:
    """What an organisation sent, if it is a release."""
    try:
        return Release.from_bytes(json.dumps(sent, ensure_ascii=False).encode())
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    raise refusal("request")
