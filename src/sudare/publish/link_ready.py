"""Is an organisation ready? Asked before it comes to a session, so that nobody pays for a session
that ends over a file's name, a column or an empty ledger."""

from __future__ import annotations

from sudare.engines.open import open_source
from sudare.facts.cost import NANO, Cost, to_units
from sudare.facts.errors import BudgetRefused
from sudare.facts.link_plan import LinkPlan
from sudare.ledger.ledger import Ledger
from sudare.publish.caps import cap_of
from sudare.publish.link_rows import Rows


def check_ready(rows: Rows, plan: LinkPlan, name: str, joined: Cost) -> None:
    """Refuse where the table cannot be opened, lacks a column, or cannot be paid for."""
    party = plan.party(name)
    wanted = [*(key.column for key in party.key), *party.columns]
    with open_source(rows.data, party.schema, list(dict.fromkeys(wanted)), rows.engine):
        pass
    check_budget(rows, plan, name, joined)


def check_budget(rows: Rows, plan: LinkPlan, name: str, joined: Cost) -> None:
    """Refuse before anything is paid, where the ledger has not enough left for all of it."""
    party = plan.party(name)
    schema, table = party.schema, party.schema.table
    cap = cap_of(schema)
    if cap.rho_pico is not None:
        return
    left = cap.epsilon_nano
    with Ledger.open(rows.ledger, create=True, relation=table.neighbours) as books:
        if table.name in books.datasets():
            left = min(left, round(books.balance(table.name).left.epsilon * NANO))
    own = 0 if party.central is None else to_units(party.central, NANO)
    cost = joined.epsilon_nano + own
    if cost > left:
        raise BudgetRefused(
            f"Taking part costs ε={cost / NANO:g}; only ε={left / NANO:g} is left on "
            f'"{table.name}".',
            "Nothing was charged. Lower epsilon or central in link.toml on all sides, or raise the "
            "budget.",
        )
