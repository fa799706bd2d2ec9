"""What every mechanism asks of its parameters. They come from the plan, never from the data."""

from __future__ import annotations

from fractions import Fraction

from sudare.facts.errors import InvalidPlan


def require_positive(name: str, value: Fraction | int) -> None:
    """Refuse a parameter that is zero or negative."""
    if value <= 0:
        raise InvalidPlan(
            f"The {name} of a mechanism must be positive.",
            "Give a positive ε or ρ, and a query that one unit can change.",
        )


def require_cells(expected: int, given: int) -> None:
    """Refuse a vector that is not the one whose event was charged."""
    if given != expected:
        raise InvalidPlan(
            f"The mechanism was charged for {expected} cells and got {given}.",
            "Build the mechanism for as many cells as the query declares.",
        )
