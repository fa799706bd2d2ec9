"""Exact bounds of an unknown share from a sample.

Claim    For x of n independent draws, the share is below `at_least` with probability at most
         `error`, and above `at_most` with probability at most `error`.
Source   Clopper and Pearson 1934; SciPy's inverse of the incomplete beta function.
"""

from __future__ import annotations

from sudare.facts.extras import needs


def at_least(found: int, drawn: int, error: float) -> float:
    """The lower bound."""
    with needs("sets"):
        from scipy.special import betaincinv

    return float(betaincinv(found, drawn - found + 1, error)) if found else 0.0


def at_most(found: int, drawn: int, error: float) -> float:
    """The upper bound."""
    with needs("sets"):
        from scipy.special import betainccinv

    return float(betainccinv(found + 1, drawn - found, error)) if found < drawn else 1.0
