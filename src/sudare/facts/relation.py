"""The two neighbour relations of paper 001, section 3.1 (its footnote 2).

add-remove    D' is D with all rows of one unit added or taken out; the number of units is private.
replace-one   D' is D with the rows of one unit replaced by other rows; the number of units is
              public.
A guarantee without its relation is not a guarantee: a histogram's sensitivity is 1 under the
first and 2 under the second.
"""

from __future__ import annotations

from enum import StrEnum


class Relation(StrEnum):
    """Which tables count as neighbours."""

    ADD_REMOVE = "add-remove"
    REPLACE_ONE = "replace-one"
