"""What every local mechanism can do.

A local mechanism turns one person's value into a report, an integer, so that no two values make a
report's probability differ by more than the factor e^ε: ε-local differential privacy. Numbers come
in as x in [−1, 1] (the declared bounds), labels and bins as their number 0 ... v−1. What a report
says of x is computed by the analyst: `scores` are unbiased for x (or for the indicators of the
labels), `squares` for x².
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sudare.randomness.bits import RandomBits

Reports = NDArray[Any]
Scores = NDArray[np.float64]


class LocalMechanism(Protocol):
    """One randomiser with fixed parameters. All are frozen and can be sent to a worker."""

    @property
    def epsilon(self) -> Fraction:
        """The ε that is charged."""

    @property
    def odds(self) -> Fraction:
        """The greatest ratio between the probabilities of one report under two values, exact (or
        never below it); at most e^ε."""

    @property
    def cells(self) -> int | None:
        """Reports are 0 ... cells−1; None where they are no such number."""

    def report(self, values: NDArray[Any], bits: RandomBits) -> Reports:
        """One report for each value."""

    def parameters(self) -> dict[str, Any]:
        """What has to be stored to read reports later, beside name and ε."""


class Numbers(LocalMechanism, Protocol):
    """A mechanism for numbers in [−1, 1]."""

    def scores(self, reports: Reports) -> Scores:
        """For each report an unbiased estimate of x."""

    def squares(self, reports: Reports) -> Scores | None:
        """For each report an estimate of x², unbiased up to what the mechanism's page states; None
        where reports do not tell x²."""

    def variance(self, x: Scores) -> Scores:
        """The variance of a score, given x."""

    def square_variance(self, x: Scores) -> Scores | None:
        """The variance of `squares`, given x."""


class Labels(LocalMechanism, Protocol):
    """A mechanism for one of v labels or bins."""

    @property
    def values(self) -> int:
        """How many labels there are."""

    def scores(self, reports: Reports) -> Scores:
        """For each report a row of v unbiased estimates of the indicators of the labels."""

    def law(self) -> Scores | None:
        """P(report | label) as a matrix of cells × v; None where reports are not cells."""

    def variance(self, share: float) -> float:
        """The variance of one indicator's score, for a label that this share of people has."""
