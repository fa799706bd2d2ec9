"""The covariances as paper 000 computes them: plain moments of the scores, the diagonal too.

For comparison only. A two-point score squared is always (b/a)², so the diagonal tells nothing of
the data (papers/README.md, "Diagonal"), and correlations made from it are far too small.
"""

from __future__ import annotations

import numpy as np

from sudare.local.estimates.channels import Scores
from sudare.local.estimates.sums import Sums


def paper_covariance(sums: Sums) -> tuple[tuple[str, ...], Scores]:
    """Items in order, and the covariances of their scores, in units of x. Everyone must have
    reported every item, as the paper has it."""
    products = sums.products
    if products is None:
        return (), np.zeros((0, 0))
    rows = float(sums.rows.sum())
    means = products.beside[:, :, 0].sum(axis=0) / rows
    found: Scores = products.products.sum(axis=0) / rows - np.outer(means, means)
    return tuple(channel.item for channel in products.channels), found
