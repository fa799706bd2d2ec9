"""Is an organisation ready? Asked before it comes to a session, so that nobody pays for a session
that ends over a file's name, a column or an empty ledger."""

from __future__ import annotations

from dataclasses import replace

from sudare.engines.open import open_source
from sudare.engines.whereabouts import looked_up
from sudare.facts.cost import NANO, Cost, to_units
from sudare.facts.errors import BudgetRefused
from sudare.facts.link_plan import LinkPlan
from sudare.publish.link_rows import Rows
from sudare.publish.outlook import foreseen
from sudare.publish.recording import charge_for


def check_ready(rows: Rows, plan: LinkPlan, name: str, joined: Cost) -> None:
    """Refuse where the table cannot be opened, lacks a column, or cannot be paid for."""
    party = plan.party(name)
    party.schema.require_confirmed()
    wanted = [*(key.column for key in party.key), *party.columns]
    with open_source(rows.data, party.schema, list(dict.fromkeys(wanted)), rows.engine):
        pass
    check_budget(rows, plan, name, joined)


def check_budget(rows: Rows, plan: LinkPlan, name: str, joined: Cost) -> None:
    """Refuse before anything is paid, where the ledger would not allow all of it."""
    party = plan.party(name)
    schema = party.schema
    schema.require_confirmed()
    charge = charge_for(rows.data, schema, joined, plan.digest(), "link", None, None)
    charge = replace(charge, places=looked_up(rows.data))
    found = foreseen(rows.ledger, charge)
    own = 0 if party.central is None else to_units(party.central, NANO)
    cost, left_nano = joined.epsilon_nano + own, found.left.epsilon_nano
    if found.left.rho_pico is None and cost > left_nano:
        raise BudgetRefused(
            f"Taking part costs ε={cost / NANO:g}; only ε={left_nano / NANO:g} is left on "
            f'"{charge.dataset}".',
            "Nothing was charged. Lower epsilon or central in link.toml on all sides, or raise the "
            "budget.",
        )
    if found.refusal is not None:
        raise found.refusal
