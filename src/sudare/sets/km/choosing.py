"""What one record keeps, if only sets that stand may show. Compiled.

Claim    every set of at most m items that is left in the record stands in the table, and no item
         that went could come back without a set that does not.
Way      first sets of one item, then two, …: while a set of this size does not stand, the item
         with the most blame for its price goes (see `meaning`). Then items come back that others,
         which went after them, made unnecessary to suppress.
"""

from __future__ import annotations

from sudare.sets.compiled import compiled
from sudare.sets.km.table import Table
from sudare.sets.km.visiting import PRICE, STANDS, WEIGH, Desk, Rule, visit


@compiled
def _is_fine(table: Table, rule: Rule, desk: Desk, count: int, size: int) -> bool:
    """Whether all sets of this size stand."""
    for member in range(count):
        if desk.gone[member]:
            continue
        if not visit(table, rule, desk, count, size, member, True, STANDS, 0):
            return False
    return True


@compiled
def _weigh(
    table: Table, rule: Rule, desk: Desk, count: int, size: int, member: int, first: bool, by: int
) -> None:
    """Blame comes from sets of this size alone, the price from larger ones, too."""
    visit(table, rule, desk, count, size, member, first, WEIGH, by)
    for larger in range(size + 1, rule.m + 1):
        visit(table, rule, desk, count, larger, member, first, PRICE, by)


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
def _shrink(table: Table, rule: Rule, desk: Desk, count: int, size: int) -> None:
    """Let members go until all sets of this size stand."""
    desk.fallen[:count] = 0
    desk.blame[:count] = 0.0
    desk.price[:count] = 1.0
    for member in range(count):
        if not desk.gone[member]:
            _weigh(table, rule, desk, count, size, member, True, 1)
    while True:
        member = _worst(desk, count)
        if member < 0:
            return
        _weigh(table, rule, desk, count, size, member, False, -1)
        desk.gone[member] = True


@compiled
def _fits(table: Table, rule: Rule, desk: Desk, count: int, member: int) -> bool:
    """Whether all sets with this member stand."""
    for size in range(1, rule.m + 1):
        if not visit(table, rule, desk, count, size, member, False, STANDS, 0):
            return False
    return True


@compiled
def choose(table: Table, rule: Rule, desk: Desk, count: int) -> None:
    """Mark the members that go, afresh. The table's use leaves this record out."""
    desk.gone[:count] = False
    for size in range(1, rule.m + 1):
        if not _is_fine(table, rule, desk, count, size):
            _shrink(table, rule, desk, count, size)
    # Frequent items come first: they bring the most sets that many hold.
    for member in range(count - 1, -1, -1):
        if desk.gone[member]:
            desk.gone[member] = False
            desk.gone[member] = not _fits(table, rule, desk, count, member)
