"""logistic(t ~ x1, …; rounds=3, alpha=1): Newton's method on noisy gradients and curvatures.

Claim    round r spends its part of the budget on one look (queries/logistic_look.py), and from the
         second on a tenth of it on a gauge (queries/logistic_gauge.py), at coefficients that are
         public by then; the rounds add up to the question's share.
Start    the first look is at β = 0: number, means and covariance of the predictors, and how the
         labels hang together with them. The linear discriminant (Fisher) of these moments is the
         start: for normal predictors it is the logistic regression itself.
Rounds   a histogram of scores by label tells how wide they should be (queries/logistic_gauge.py);
         then β ← β + (K + alpha·I)⁻¹(g − alpha·β), K the noisy curvature, drawn to what the scores
         lead one to expect (queries/logistic_model.py), its eigenvalues raised to τ = ½σ√(p+1), σ
         the noise in its cells (details["lifted"] says whether one was). A step is
         cut to a root mean square change of the score of 2. The early rounds only bring β near, so
         the last one has most of the budget: it decides.
         alpha is scikit-learn's 1/C on columns scaled to [−1, 1] by their declared bounds; it does
         not touch the intercept, and keeps separable classes finite.
Error    as in queries/linear.py: the last step again with fresh noise of the same law, and the
         standard errors that the curvature gives. details["last_step"] says how far the last step
         went in units of these errors: what is left to go is a small part of it.
Accuracy details["accuracy"] is what the fitted model expects of itself if its scores are normal
         with the released mean and variance; no row was scored for it.
Why not objective perturbation: its proof needs the exact minimizer of a perturbed objective, and
         floats have none; here every noisy number is an integer sum.
Gaps     standard errors take the model as right and rows as independent. Where a direction was
         lifted, steps along it are too short, and intervals do not hold what is missing.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from sudare.facts.aggregate import MomentsRequest
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent
from sudare.facts.fetch import Fetch
from sudare.facts.query import Query, predicate_columns
from sudare.facts.release import Answer, Clip, NoiseFact
from sudare.facts.schema import Schema
from sudare.queries import logistic_gauge as gauge
from sudare.queries.axes import group_axis
from sudare.queries.coefficients import INTERCEPT, Scales, intervals, predictor_grids, undecided
from sudare.queries.interval import GAUSSIAN_95
from sudare.queries.learning import (
    bounds_of,
    clips_of,
    named_numbers,
    nested_numbers,
    penalty_option,
    refuse_groups,
    whole_option,
)
from sudare.queries.logistic_gauge import Gauge
from sudare.queries.logistic_look import Look, Seen, score_axis
from sudare.queries.logistic_model import expected_curvature
from sudare.queries.measurement import Forecast, Iterative, Share
from sudare.queries.newton import Newton, discriminant, expected_accuracy
from sudare.queries.noising import Noising
from sudare.queries.second_moments import Array
from sudare.queries.spread import DRAWS, Spread, least_rows, reach95, spread_of
from sudare.randomness.bits import RandomBits

LAST_PART = Fraction(3, 5)
# Of every round after the first, for the histogram of scores.
GAUGE_PART = Fraction(1, 10)


class Logistic(Iterative):
    """The chance of the second of two labels as a logistic function of predictors."""

    def __init__(self, query: Query, schema: Schema) -> None:
        refuse_groups(query)
        super().__init__(query, schema)
        assert query.target is not None
        self.target = query.target
        self.grids = predictor_grids(query, schema)
        self.label, self.classes = group_axis(self.target, schema)
        if len(self.classes) != 2:
            raise InvalidPlan(
                f"Column '{self.target}' has not exactly two values.",
                "Take a boolean, a category of two values, or an integer from 0 to 1.",
            )
        self.rounds = whole_option(query, "rounds", 3, 2, 10)
        self.alpha = penalty_option(query, Fraction(1))
        self.scales = Scales.of(self.grids)
        self.keys = (INTERCEPT, *query.columns)

    def used_columns(self) -> frozenset[str]:
        named = {*self.query.columns, self.target}
        return predicate_columns(self.query.where) | named

    def parts(self) -> tuple[Fraction, ...]:
        """The share of every round."""
        early = (1 - LAST_PART) / (self.rounds - 1)
        return (*[early] * (self.rounds - 1), LAST_PART)

    def events(self, share: Share) -> list[PrivacyEvent]:
        found: list[PrivacyEvent] = []
        for place, part in enumerate(self.parts()):
            amount = share.amount * part
            if place:
                found.extend(self._gauging(share, amount).events())
                amount *= 1 - GAUGE_PART
            # The noise of a look does not depend on the coefficients it looks at.
            beta = self._zero() if place else None
            found.extend(self._look(beta).events(share.mechanism, amount))
        return found

    def _zero(self) -> Array:
        return np.zeros(len(self.keys))

    def _look(self, beta: Array | None) -> Look:
        at = None if beta is None else tuple(beta.tolist())
        return Look(self.grids, self.setting, at)

    def _gauging(self, share: Share, amount: Fraction) -> Noising:
        blocks = Gauge(self.setting).blocks()
        return Noising.of(self.relation, blocks, share.mechanism, amount * GAUGE_PART)

    def forecast(self, share: Share) -> Forecast:
        """The slope of a column that is uniform over its bounds and tells nothing: curvature
        n/4·1/3."""
        look, amount = self._look(self._zero()), share.amount * LAST_PART * (1 - GAUGE_PART)
        pull, _ = look.noisings(share.mechanism, amount)
        curvature = max(1.0, self.expected_rows) / 12
        deviation = float(look.gradient_deviations(pull).max())
        noise = GAUSSIAN_95 * deviation / curvature
        whole = math.hypot(min(noise, 20.0), GAUSSIAN_95 / math.sqrt(curvature))
        return Forecast(whole * self.scales.steepest, whole, noise)

    def measure(self, fetch: Fetch, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        first, *later = self.parts()
        facts: list[NoiseFact] = []
        seen = self._see(fetch, None, share, share.amount * first, bits, facts)
        spread = spread_of(seen.curvature, least_rows(seen.count_deviation))
        beta = discriminant(spread, seen.gradient, seen.noise)
        for part in later:
            amount = share.amount * part
            before, model = self._regauge(fetch, spread, beta, share, amount, bits, facts)
            seen = self._see(fetch, before, share, amount * (1 - GAUGE_PART), bits, facts)
            seen = seen.drawn_to(model)
            newton = Newton(spread, self.alpha, seen.noise)
            beta = newton.stepped(before, seen.gradient, seen.curvature)
        return self._answer(spread, newton, before, beta, seen, epsilon, tuple(facts))

    def _see(
        self, fetch: Fetch, beta: Array | None, share: Share, amount: Fraction, bits: RandomBits,
        facts: list[NoiseFact],
    ) -> Seen:  # fmt: skip
        look = self._look(beta)
        pull, curve = look.noisings(share.mechanism, amount)
        facts.extend((*pull.facts(), *curve.facts()))
        asked = look.request(self.query.where, self.query.columns, self.label)
        return look.see(fetch.moments([asked])[0], pull, curve, DRAWS, bits)

    def _regauge(
        self, fetch: Fetch, spread: Spread, beta: Array, share: Share, amount: Fraction,
        bits: RandomBits, facts: list[NoiseFact],
    ) -> tuple[Array, Array]:  # fmt: skip
        """The coefficients with scores as wide as the labels say, and the curvature that the
        scores lead one to expect there."""
        noising = self._gauging(share, amount)
        facts.extend(noising.facts())
        columns = self.query.columns
        axis = score_axis(columns, self.grids, beta.tolist(), gauge.REACH, gauge.BINS)
        asked = MomentsRequest(self.query.where, (axis, self.label), columns)
        exact = Gauge(self.setting).exact(fetch.moments([asked])[0])
        counts = np.array(noising.apply(exact, bits))
        deviation = noising.noises()[0].variance ** 0.5
        start, scale = gauge.fitted(counts, deviation)
        found = gauge.regauged(beta, start, scale)
        scores = start + scale * gauge.middles()
        rows = gauge.standing_out(counts, deviation).sum(axis=1)
        return found, expected_curvature(spread, found, scores, rows)

    def _answer(
        self, spread: Spread, newton: Newton, before: Array, beta: Array, seen: Seen,
        epsilon: float, facts: tuple[NoiseFact, ...],
    ) -> Answer:  # fmt: skip
        redrawn = newton.stepped(before, seen.gradients_again, seen.curvatures_again)
        found = self.scales.in_units(beta[0], beta[1:])
        again = self.scales.in_units(redrawn[:, 0], redrawn[:, 1:])
        sampling = self.scales.of_coefficients(newton.sampling(seen.curvature))
        noise_only = reach95(again - found)
        deviations = np.sqrt(np.maximum(np.diagonal(sampling), 0.0))
        errors = np.hypot(noise_only, GAUSSIAN_95 * deviations)
        together = np.atleast_2d(np.cov(again, rowvar=False)) + sampling
        step = self.scales.in_units((beta - before)[0], (beta - before)[1:])
        details: dict[str, Any] = {
            "target": self.target,
            "classes": list(self.classes),
            "target_type": self.schema.columns[self.target].type,
            "columns": list(self.query.columns),
            "bounds": bounds_of(self.query.columns, self.grids),
            "alpha": self.alpha,
            "rounds": self.rounds,
            "shares": [float(part) for part in self.parts()],
            "rows": float(spread.rows),
            "accuracy": expected_accuracy(spread, beta),
            "lifted": newton.lifts(seen.curvature),
            "last_step": float((np.abs(step) / np.maximum(errors, 1e-300)).max()),
            "noise_only_errors95": named_numbers(self.keys, noise_only),
            "covariance": nested_numbers(self.keys, together),
        }
        return Answer(
            query=self.query.text,
            function="logistic",
            value=named_numbers(self.keys, found),
            error95=float(errors.max()),
            epsilon=epsilon,
            errors95=named_numbers(self.keys, errors),
            interval=intervals(self.keys, found, errors),
            drowned=undecided(self.keys, found, errors),
            clips=self.clips(),
            columns=self.query.columns,
            noise=facts,
            details=details,
        )

    def clips(self) -> tuple[Clip, ...]:
        return clips_of(self, self.query.columns)
