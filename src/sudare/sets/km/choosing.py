"""What one record keeps, if only sets that stand may show. Compiled.

Claim    every set of at most m items that is left in the record stands in the table.
Way      first sets of one item, then two, …: while a set of this size does not stand, the item
         with the most blame for its price goes (see `meaning`).
"""

from __future__ import annotations

from sudare.sets.compiled import compiled
from sudare.sets.km.table import Table
from sudare.sets.km.visiting import STANDS, WEIGH, Desk, Rule, visit


@compiled
def _is_fine(table: Table, rule: Rule, desk: Desk, count: int, size: int) -> bool:
    """Whether all sets of this size stand."""
    for member in range(count):
        if not desk.gone[member]:
            if not visit(table, rule, desk, count, size, member, True, STANDS, 0):
                return False
    return True


@compiled
def _weigh_all(table: Table, rule: Rule, desk: Desk, count: int, size: int) -> None:
    desk.fallen[:count] = 0
    desk.blame[:count] = 0.0
    desk.price[:count] = 1.0
    for member in range(count):
        if not desk.gone[member]:
            visit(table, rule, desk, count, size, member, True, WEIGH, 1)


@compiled
def _worst(desk: Desk, count: int) -> int:
    """The member with the most blame for its price among those in sets that do not stand."""
    worst, most = -1, 0.0
    for member in range(count):
        if desk.fallen[member] > 0 and not desk.gone[member]:
            weight = desk.blame[member] / desk.price[member]
            if weight > most:
                worst, most = member, weight
    return worst


@compiled
def choose(table: Table, rule: Rule, desk: Desk, count: int) -> None:
    """Mark the members that go, afresh. The table's use leaves this record out."""
    desk.gone[:count] = False
    for size in range(1, rule.m + 1):
        if _is_fine(table, rule, desk, count, size):
            continue
        _weigh_all(table, rule, desk, count, size)
        while True:
            member = _worst(desk, count)
            if member < 0:
                break
            visit(table, rule, desk, count, size, member, False, WEIGH, -1)
            desk.gone[member] = True
