"""Pk-anonymity over all parties: every attribute is kept by chance, and k says how often.

Claim    whoever knows all n true records of a class names a person's published record with
         probability at most 1/k, k = 1 + (n−1)·e^{−2Σε}, Σ over the attributes of all parties of
         the class; some data reach it. A wanted k gives Σε = ln((n−1)/(k−1))/2 for the people whom
         all parties hold, in equal parts over all attributes, rounded down.
Source   accounting/pram.py; the derivation is in docs/accounting.md ("Keeping values by chance").
Symbols  ρ = (e^ε − 1)/(e^ε + |V| − 1) -> retention; n -> `joined_rows`, or the least number of
         rows that a schema declares public.
Needs    numbers in bins: the formula is about values that are kept or drawn evenly from a list.
Gaps     n is declared before the join. `reached` computes k from the sizes that came out, for every
         class; a class that is smaller than declared has a smaller k, and is to be marked so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sudare.accounting.pram import by_epsilon, epsilon_for_pk, pk
from sudare.facts.cost import NANO
from sudare.facts.errors import InvalidPlan
from sudare.facts.link_plan import LinkPlan, Party
from sudare.facts.local_plan import LocalPlan
from sudare.facts.randomized import Domain, Item, LabelDomain, Randomized
from sudare.local.compile import Candidate, LocalJob, check_table
from sudare.local.items import Way, columns_of, domains_of
from sudare.mechanisms.local.shares import GREATEST_EPSILON

# Kept by chance, a number in many bins says little; the same few that synthesis takes.
_BINS = 6


def declared_rows(plan: LinkPlan) -> int:
    """How many people are known to be in the join before it is made."""
    known = [party.schema.table.public_rows for party in plan.parties]
    least = plan.joined_rows or min((rows for rows in known if rows is not None), default=None)
    if least is None:
        raise InvalidPlan(
            "Pk-anonymity depends on how many people are joined, which is not declared.",
            "Add joined_rows to link.toml, or public_rows under [table] of a schema.",
        )
    return least


def attribute_epsilon(plan: LinkPlan) -> Fraction:
    """The ε of every attribute, rounded down to 1e-9."""
    rows, k = declared_rows(plan), plan.k or 0
    if not 1 < k < rows:
        raise InvalidPlan(
            "k lies above 1 and below the number of people.", "Lower k, or raise joined_rows."
        )
    attributes = sum(len(party.columns) for party in plan.parties)
    each = Fraction(math.floor(epsilon_for_pk(k, rows) / attributes * NANO), NANO)
    return min(each, Fraction(GREATEST_EPSILON))


def pk_job(plan: LinkPlan, party: Party, epsilon: Fraction) -> LocalJob:
    """Retention and replacement of every column: categories as they are, numbers in bins."""
    check_table(party.schema)
    local = LocalPlan(epsilon * len(party.columns), party.columns, shuffle=True, bins=_bins(plan))
    domains = domains_of(party.schema, columns_of(party.schema, local))
    items = tuple(_item(name, domain, epsilon, local.bins) for name, domain in domains.items())
    facts = Randomized(
        party.schema.table.name, float(local.epsilon), len(items), items, domains, True
    )
    way = Way("split", len(items), items, "pram")
    return LocalJob(local, facts, ("histogram", "table"), (Candidate(way, {}),))


def _bins(plan: LinkPlan) -> int:
    return plan.bins or _BINS


def _item(name: str, domain: Domain, epsilon: Fraction, bins: int) -> Item:
    if isinstance(domain, LabelDomain):
        return Item(name, "label", (name,), "pram", str(epsilon), {"values": len(domain.labels)})
    values = min(bins, domain.high - domain.low + 1)
    return Item(f"{name} (bins)", "bins", (name,), "pram", str(epsilon), {"values": values})


def retentions(facts: Randomized) -> dict[str, dict[str, float]]:
    """How often each column's value is kept, and is the true one after all."""
    found = {}
    for item in facts.items:
        own = by_epsilon(float(item.exact_epsilon), int(item.parameters["values"]))
        found[item.columns[0]] = {
            "values": own.values,
            "epsilon": own.epsilon,
            "retention": own.retention,
            "unchanged": own.unchanged,
        }
    return found


def reached(
    wanted: int, epsilons: Mapping[str, Fraction], sizes: Mapping[frozenset[str], int]
) -> list[dict[str, Any]]:
    """The k of every class that has members, beside the wanted one."""
    found = []
    for members, rows in sizes.items():
        if rows:
            epsilon = float(sum((epsilons[name] for name in members), Fraction(0)))
            k = pk(epsilon, rows)
            # A hair below is rounding.
            is_kept = k >= wanted * (1 - 1e-9)
            found.append({"members": sorted(members), "n": rows, "k": k, "kept": is_kept})
    return found
