"""Paper 000's figures on data that everybody may have: read the rows, run the experiments.

Nothing is charged and nothing is released: exact matrices of Adult or of the made town stand beside
the estimates, which is what an experiment is for and what people's data are never used for. So only
these two are taken.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from sudare.accounting.shuffle import theorem
from sudare.engines.open import open_source
from sudare.facts.errors import InvalidFile, UsageError
from sudare.facts.relation import Relation
from sudare.facts.reproduced import Findings, Reproduced
from sudare.facts.schema import Schema, make_schema
from sudare.local.paper import against_laplace, bounds, correlations, two_points
from sudare.local.paper.people import People
from sudare.randomness.bits import RandomBits, SystemBits, run_key

# Experiments done so far, and how many there are.
Progress = Callable[[int, int], None]
DELTA = 1e-10
MOST_TRIALS = 1000
VARIABLE = "SUDARE_ADULT"
_BESIDE = Path("../shared/data/adult.csv.gz")
_LEAST_ROWS = 100
# What marks a missing value in Adult; a row with one is left out, as in the paper.
_MISSING = "?"
ADULT = make_schema(
    {
        "table": {"name": "adult", "neighbours": "replace-one"},
        "columns": {
            # The census asked people above 16 and cuts ages off at 90.
            "age": {"type": "integer", "min": 17, "max": 90, "complete": True},
            # Numbers of the code book: 1 is preschool, 16 a doctorate.
            "education_num": {"type": "integer", "min": 1, "max": 16, "complete": True},
            # How many people a person stands for: a round number above any weight of the survey.
            "fnlwgt": {"type": "integer", "min": 0, "max": 1_500_000, "complete": True},
            # Fields of five and of four digits; two digits of hours, from the first hour on.
            "capital_gain": {"type": "integer", "min": 0, "max": 99_999, "complete": True},
            "capital_loss": {"type": "integer", "min": 0, "max": 5_000, "complete": True},
            "hours_per_week": {"type": "integer", "min": 1, "max": 99, "complete": True},
            # The only columns with missing values.
            "workclass": {"type": "text"},
            "occupation": {"type": "text"},
            "native_country": {"type": "text"},
        },
    }
)


def find_adult(given: str | None) -> str | None:
    """Where Adult lies: as named, as the environment names it, or beside the working folder."""
    if given is not None:
        return given
    named = os.environ.get(VARIABLE)
    if named:
        return named
    return str(_BESIDE) if _BESIDE.is_file() else None


def reproduce(
    data: object,
    schema: Schema = ADULT,
    *,
    name: str = "adult",
    trials: int = 10,
    bits: Callable[[], RandomBits] = SystemBits,
    progress: Progress = lambda done, of: None,
) -> Reproduced:
    """All figures in both modes; `name` is what the data are called."""
    if not 2 <= trials <= MOST_TRIALS:
        raise UsageError(
            f"Trials are between 2 and {MOST_TRIALS}.", "The paper has 10: --trials 10"
        )
    people = read_people(data, schema, bits())
    return _Run(people, trials, bits, progress).all(name)


def read_people(data: object, schema: Schema, bits: RandomBits) -> People:
    """The numbers of all rows without a missing value."""
    fixed = schema.table.model_copy(update={"neighbours": Relation.REPLACE_ONE})
    schema = schema.model_copy(update={"table": fixed})
    numbers = tuple(n for n, c in schema.columns.items() if c.type not in _OTHER)
    texts = tuple(n for n, c in schema.columns.items() if c.type == "text")
    with open_source(data, schema, [*numbers, *texts]) as source:
        batches = list(source.batches([*numbers, *texts], run_key(bits)))
    parts = [_complete(batch, len(numbers)) for batch in batches]
    rows = sum(len(part) for part in parts)
    if rows < _LEAST_ROWS:
        raise InvalidFile(
            "The file has too few complete rows for the paper's experiments.",
            "Adult has 30,162; see docs/reproduce.md for how to get it.",
        )
    only = schema.model_copy(update={"columns": {n: schema.columns[n] for n in numbers}})
    return People(only, numbers, np.concatenate(parts))


_OTHER = frozenset({"text", "key", "category"})


def _complete(batch: Any, numbers: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Grid indices of the rows in which nothing is missing."""
    keep = np.ones(batch.num_rows, np.bool_)
    for place, array in enumerate(batch.columns):
        keep &= ~array.is_null().to_numpy(zero_copy_only=False)
        if place >= numbers:
            keep &= array.to_numpy(zero_copy_only=False) != _MISSING
    columns = [array.fill_null(0).to_numpy() for array in batch.columns[:numbers]]
    return np.stack(columns, axis=1)[keep].astype(np.int64)


class _Run:
    """The figures one after the other."""

    def __init__(
        self, people: People, trials: int, bits: Callable[[], RandomBits], progress: Progress
    ) -> None:
        self._people, self._trials, self._bits = people, trials, bits
        self._progress, self._done = progress, 0

    def _step(self) -> None:
        self._done += 1
        self._progress(self._done, STEPS)

    def all(self, name: str) -> Reproduced:
        people, trials, step = self._people, self._trials, self._step
        count = len(people.names)
        first = [bounds.figure_1(count), bounds.figure_2(count), bounds.figure_3(count, DELTA)]
        step()
        fourth = two_points.figure_4(people, trials, self._bits(), step)
        fifth = against_laplace.figure_5(people, trials, self._bits, step)
        sixth = against_laplace.figure_6(fifth)
        seventh = correlations.figure_7(people, trials, DELTA, self._bits, step)
        left = seventh.of("paper", "correlation")[0].value
        findings = Findings(
            identity=correlations.identity_error(people.correlation),
            left_end=left if left is not None else 0.0,
            diagonal=against_laplace.diagonal_share(fifth, count),
            crossing=against_laplace.crossing(sixth),
            spread=two_points.spread(fourth, trials),
            same_words=two_points.same_words(fourth),
            allowed=theorem.limit(people.count, DELTA),
            inverted=bounds.inverted(count),
        )
        figures = (*first, fourth, fifth, sixth, seventh)
        return Reproduced(name, people.count, people.names, trials, DELTA, figures, findings)


STEPS = (
    1
    + len(two_points.RATIOS)
    + len(against_laplace.PLACES)
    + len(against_laplace.CORRECTED)
    + 1
    + len(correlations.CORRECTED)
)
