"""Drawn records break no rule, and histograms hardly move for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudare.facts.statistics import Statistics
from sudare.publish.given_statistics import schema_of
from sudare.queries.rules import compiled_rules
from sudare.synthesis.drawing import draw_components
from sudare.synthesis.mixture import Mixture
from sudare.synthesis.records import Forbidden, draw_records, exclusive_pairs, possible_records
from sudare.synthesis.ruled import bound_rules
from support.bits import CountedBits
from support.exact_statistics import exact_statistics

BITS = "records"


def statistics(*rules: dict[str, str], rows: int = 300) -> Statistics:
    draw = np.random.default_rng(0)
    columns: dict[str, Any] = {
        "sex": draw.choice(["F", "M"], rows).tolist(),
        "tie": draw.choice(["husband", "wife", "child"], rows).tolist(),
        "age": draw.integers(0, 4, rows).tolist(),
    }
    return exact_statistics(columns, {"age": ((0, 1, 2, 3), 3)}).with_rules(rules)


def forbidden(given: Statistics) -> Forbidden:
    compiled = compiled_rules(schema_of(given)) if given.rules else ()
    return Forbidden(given, bound_rules(given.marginals, compiled))


def independent(given: Statistics, components: int = 3) -> Mixture:
    shares = np.concatenate([each.level_counts / given.rows for each in given.marginals])
    offsets = np.cumsum([0, *(each.levels for each in given.marginals)])
    chances = np.tile(shares, (components, 1)).astype(np.float32)
    return Mixture(np.full(components, 1 / components), chances, offsets)


HUSBANDS = {"if": "tie = 'husband'", "then": "sex = 'M' and age > 1"}
WIVES = {"if": "tie = 'wife'", "then": "sex = 'F' and age > 1"}


def test_rules_hold_and_histograms_stay() -> None:
    given = statistics(HUSBANDS)
    rules = forbidden(given)
    drawn = draw_records(independent(given), given, rules, 3_000, CountedBits(BITS))
    assert not rules.broken(drawn).any()
    for each in given.marginals:
        shares = np.bincount(drawn[each.name], minlength=each.levels) / 3_000
        # Exchanges leave histograms as they were drawn.
        assert shares == pytest.approx(each.level_counts / given.rows, abs=1e-2)
    free = draw_records(
        independent(given), given, forbidden(statistics()), 3_000, CountedBits(BITS)
    )
    assert rules.broken(free).mean() > 0.1


def test_what_no_exchange_can_mend_is_replaced() -> None:
    """Both rules together leave too few old enough, so that some records are given up."""
    given = statistics(HUSBANDS, WIVES, {"never": "age > 1 and sex = 'F'"})
    rules = forbidden(given)
    drawn = draw_records(independent(given), given, rules, 600, CountedBits(BITS))
    assert not rules.broken(drawn).any()
    assert {len(codes) for codes in drawn.values()} == {600}


def test_where_every_row_is_broken_the_possible_record_is_taken() -> None:
    given = statistics({"never": "sex = 'F' or sex is null"})
    rules = forbidden(given)
    codes = {name: np.zeros(5, np.int64) for name in given.names}
    components = draw_components(np.ones(1), 5, CountedBits(BITS))
    found = possible_records(codes, components, given, rules, CountedBits(BITS))
    assert not rules.broken(found).any()


def test_numbers_that_exclude_each_other() -> None:
    draw = np.random.default_rng(1)
    gain = np.where(draw.random(400) < 0.7, 0, draw.integers(1, 50, 400))
    loss = np.where((gain > 0) | (draw.random(400) < 0.5), 0, draw.integers(1, 50, 400))
    other = draw.integers(0, 50, 400)
    bins = dict.fromkeys(("gain", "loss", "other"), ((0, 1, 20), 50))
    columns = {"gain": gain.tolist(), "loss": loss.tolist(), "other": other.tolist()}
    given = exact_statistics(columns, bins)
    assert exclusive_pairs(given) == (("gain", "loss"),)
    rules = forbidden(given)
    drawn = draw_records(independent(given), given, rules, 2_000, CountedBits(BITS))
    assert not ((drawn["gain"] > 0) & (drawn["loss"] > 0)).any()
    loss[0] = gain[0] = 5
    assert exclusive_pairs(exact_statistics({**columns, "loss": loss.tolist(),
                                             "gain": gain.tolist()}, bins)) == ()  # fmt: skip
