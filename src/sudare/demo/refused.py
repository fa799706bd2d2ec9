"""The end: more than is left is asked for, and the ledger refuses before anything is computed."""

from __future__ import annotations

from sudare.demo.asked import plan_of
from sudare.demo.part import Found, Place
from sudare.facts.errors import BudgetRefused
from sudare.publish.ask import ask
from sudare.report.both import Both
from sudare.report.index_page import Card

# The town's whole cap: whatever was spent before, this is more than what is left.
EPSILON = "3"


def refusal(place: Place) -> Found:
    try:
        ask(place.data, place.schema(), plan_of(("count()",), EPSILON), ledger=place.ledger)
    except BudgetRefused as refused:
        what = refused.what
    else:
        raise AssertionError("the cap of the demo must refuse this")
    said = Both(
        f"Asking for ε = {EPSILON} more is refused, and nothing is computed: {what}",
        f"さらに ε = {EPSILON} を求めると、何も計算せずに拒否されます：{what}",
    )
    card = Card(
        "refusal",
        Both("Refused at the cap", "上限での拒否"),
        Both(f"count() with ε = {EPSILON}", f"ε = {EPSILON} での count()"),
        Both("Refused", "拒否"),
        said,
        "epsilon",
        Both(
            "The cap of the town is ε = 3, for all releases together",
            "町の上限は、すべての公開を合わせて ε = 3",
        ),
        (),
        (place.link(place.ledger),),
    )
    return Found((said[place.language],), (card,))
