"""All ways to spend ε that a plan allows, as lists of items."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from sudare.accounting.pram import by_retention
from sudare.facts.cost import NANO
from sudare.facts.errors import InvalidPlan
from sudare.facts.local_plan import NUMBER_MECHANISMS, LocalPlan, Statistic
from sudare.facts.randomized import Domain, LabelDomain, NumberDomain
from sudare.local.cells import MOST_CELLS, places_of
from sudare.local.crossed import crossed_ways
from sudare.local.designs import blocks
from sudare.local.items import (
    MOST_LABELS,
    Outline,
    Way,
    known_mechanisms,
    labels_mechanism,
    numbers_mechanism,
    pairs,
    squares_needed,
    with_epsilon,
)
from sudare.mechanisms.local.named import best_for_labels

# In this order, of equally good ones the first is taken.
_TRIED = ("hybrid", "piecewise", "two-point", "laplace")


def default_statistics(domains: dict[str, Domain]) -> tuple[Statistic, ...]:
    """Means and covariances of numbers, histograms of labels."""
    found: list[Statistic] = []
    if any(isinstance(domain, NumberDomain) for domain in domains.values()):
        found += ["mean", "covariance"]
    if any(isinstance(domain, LabelDomain) for domain in domains.values()):
        found.append("histogram")
    return tuple(found)


class Ways:
    """The ways of one plan; `epsilon` is what one row may cost."""

    def __init__(
        self,
        plan: LocalPlan,
        domains: dict[str, Domain],
        statistics: tuple[Statistic, ...],
        epsilon: Fraction,
    ) -> None:
        self._plan, self._domains, self._epsilon = plan, domains, epsilon
        self._statistics = set(statistics)
        named = [name for name, _ in plan.wishes if name]
        if not set(named) <= set(domains) or len(set(named)) != len(named):
            raise InvalidPlan(
                "A mechanism is named for a column that is not randomised, or twice for one.",
                "Check the spelling in --mechanism column=name, and --columns.",
            )
        if self._is_fixed() and (plan.budget not in ("auto", "split") or plan.report is not None):
            raise InvalidPlan(
                "PRAM keeps the ε of its retention probability, so it cannot share one with others "
                "from person to person.",
                "Use --budget split with pram, or grr for this column.",
            )
        for name, domain in domains.items():
            wish = plan.wish(name, known_mechanisms(domain))
            if wish is not None and wish.mechanism not in known_mechanisms(domain):
                raise InvalidPlan(
                    f"Column '{name}' cannot take the mechanism that was named for it.",
                    f"It takes {', '.join(known_mechanisms(domain))}.",
                )

    def all(self) -> Iterator[Way]:
        if "synthesis" in self._statistics:
            yield from crossed_ways(self._plan, self._domains, self._epsilon)
            return
        if self._plan.paper:
            yield self._paper()
            return
        wished = self._plan.budget
        if wished in ("auto", "statistic") and self._plan.report is None:
            yield from self._cells()
        for mechanism in self._mechanisms():
            if wished in ("auto", "split") and self._plan.report is None:
                yield self._split(mechanism)
            if wished in ("auto", "sample") and not self._is_fixed():
                yield from self._sampled(mechanism)
            if wished in ("auto", "statistic") and self._plan.report is None:
                yield from self._statistic(mechanism)

    def _mechanisms(self) -> tuple[str, ...]:
        """Mechanisms to try for numbers that nobody wished one for."""
        free = [
            name
            for name, domain in self._domains.items()
            if isinstance(domain, NumberDomain)
            and self._plan.wish(name, known_mechanisms(domain)) is None
        ]
        return _TRIED if free else _TRIED[:1]

    def _is_fixed(self) -> bool:
        return any(wish.mechanism == "pram" for _, wish in self._plan.wishes)

    def _outlines(self, mechanism: str) -> list[Outline]:
        """One item a column: what split and sample report."""
        found: list[Outline] = []
        for name, domain in self._domains.items():
            wish = self._plan.wish(name, known_mechanisms(domain))
            if isinstance(domain, LabelDomain):
                found.append(self._label(name, domain))
                continue
            is_wave = wish is not None and wish.mechanism == "square-wave"
            if not is_wave and self._statistics & {"mean", "covariance"}:
                choose = numbers_mechanism(wish, mechanism)
                found.append(Outline(name, "value", (name,), choose))
            if is_wave or "distribution" in self._statistics:
                found.append(self._bins(name, domain))
        if not found:
            raise InvalidPlan(
                "No column has a statistic that was asked for.",
                "Numbers have mean, covariance and distribution; categories histogram and table.",
            )
        return found

    def _label(self, name: str, domain: LabelDomain) -> Outline:
        wish, values = self._plan.wish(name, known_mechanisms(domain)), len(domain.labels)
        fixed = None
        if wish is not None and wish.mechanism == "pram":
            fixed = _fraction_above(by_retention(float(wish.numbers[0]), values).epsilon)
        weight = values if self._plan.paper else 1
        choose = labels_mechanism(wish, values, self._plan.paper)
        return Outline(name, "label", (name,), choose, fixed, weight)

    def _bins(self, name: str, domain: NumberDomain) -> Outline:
        values = min(self._plan.bins, domain.high - domain.low + 1)
        return Outline(
            f"{name} (bins)",
            "bins",
            (name,),
            lambda epsilon: (
                "square-wave",
                best_for_labels("square-wave", epsilon, values).parameters(),
            ),
        )

    def _squares(self, mechanism: str) -> list[Outline]:
        return [
            Outline(f"{name}²", "square", (name,), numbers_mechanism(wish, mechanism))
            for name, domain in self._domains.items()
            if isinstance(domain, NumberDomain)
            for wish in (self._plan.wish(name, known_mechanisms(domain)),)
            if wish is None or wish.mechanism != "square-wave"
        ]

    def _with_squares(self, outlines: list[Outline], mechanism: str, asked: int) -> list[Outline]:
        """Squares join where covariances are asked for and reports do not tell them."""
        if "covariance" not in self._statistics:
            return outlines
        items = with_epsilon(outlines, self._epsilon, asked)
        return outlines + self._squares(mechanism) if squares_needed(items) else outlines

    def _split(self, mechanism: str) -> Way:
        outlines = self._outlines(mechanism)
        outlines = self._with_squares(outlines, mechanism, len(outlines))
        items = with_epsilon(outlines, self._epsilon, len(outlines))
        return Way("split", len(items), items, mechanism)

    def _sampled(self, mechanism: str) -> Iterator[Way]:
        plain = self._outlines(mechanism)
        wanted = [self._plan.report] if self._plan.report else range(1, len(plain))
        for asked in wanted:
            if asked >= len(plain):
                raise InvalidPlan(
                    "There are not more columns than a person is to report.",
                    "Lower --report, or use --budget split.",
                )
            outlines = self._with_squares(plain, mechanism, asked)
            yield Way("sample", asked, with_epsilon(outlines, self._epsilon, asked), mechanism)

    def _statistic(self, mechanism: str) -> Iterator[Way]:
        outlines = [
            each
            for each in self._outlines(mechanism)
            if not (each.kind == "label" and self._is_paired())
        ]
        if "covariance" in self._statistics:
            # A product is of two columns; only a wish for all of them is one for it.
            common = self._plan.wish("", NUMBER_MECHANISMS)
            outlines += self._squares(mechanism)
            outlines += [
                Outline(f"{a}×{b}", "product", (a, b), numbers_mechanism(common, mechanism))
                for a, b in pairs([o.columns[0] for o in outlines if o.kind == "value"])
            ]
        if self._is_paired():
            outlines += self._pairs_of_labels()
        if len(outlines) > 1 and not self._is_fixed():
            items = with_epsilon(outlines, self._epsilon, 1)
            yield Way("statistic", 1, items, mechanism)

    def _cells(self) -> Iterator[Way]:
        """Cells of several numbers, in no more blocks than there are single moments: of places that
        tell squares, or of two places with squares beside them."""
        numbers = {n: d for n, d in self._domains.items() if isinstance(d, NumberDomain)}
        is_wished = any(self._plan.wish(n, NUMBER_MECHANISMS) is not None for n in numbers)
        if "covariance" not in self._statistics or is_wished or self._is_fixed():
            return
        rest = [each for each in self._outlines(_TRIED[0]) if each.kind != "value"]
        rest = [each for each in rest if not (each.kind == "label" and self._is_paired())]
        rest += self._pairs_of_labels() if self._is_paired() else []
        names, most = list(numbers), len(numbers) * (len(numbers) + 3) // 2
        for size in range(2, len(names) + 1):
            if 3**size <= MOST_CELLS:
                cells = [tuple(names[i] for i in each) for each in blocks(len(names), size, most)]
                fine = [self._cell(c, places_of([numbers[name] for name in c])) for c in cells]
                coarse = [self._cell(c, (2,) * size) for c in cells]
                for outlines in (fine + rest, coarse + self._squares(_TRIED[0]) + rest):
                    yield Way("statistic", 1, with_epsilon(outlines, self._epsilon, 1), "grr")

    def _cell(self, names: tuple[str, ...], places: tuple[int, ...]) -> Outline:
        values = math.prod(places)
        return Outline(
            "+".join(names),
            "cell",
            names,
            lambda epsilon: ("grr", best_for_labels("grr", epsilon, values).parameters()),
        )

    def _is_paired(self) -> bool:
        labels = [d for d in self._domains.values() if isinstance(d, LabelDomain)]
        return "table" in self._statistics and len(labels) > 1

    def _pairs_of_labels(self) -> list[Outline]:
        labels = {n: d for n, d in self._domains.items() if isinstance(d, LabelDomain)}
        found = []
        for a, b in pairs(list(labels)):
            values = len(labels[a].labels) * len(labels[b].labels)
            if values > MOST_LABELS:
                raise InvalidPlan(
                    f"The table of '{a}' and '{b}' has too many cells to be reported at once.",
                    "Group their values in the schema, or use --budget sample.",
                )
            choose = labels_mechanism(None, values, False)
            found.append(Outline(f"{a}×{b}", "labels", (a, b), choose))
        return found

    def _paper(self) -> Way:
        """Algorithm 3 on every attribute, categories one-hot, ε in equal parts over all of them."""
        items = with_epsilon(
            self._outlines("two-point"), self._epsilon, len(self._outlines("two-point"))
        )
        return Way("split", len(items), items, "two-point")


def _fraction_above(value: float) -> Fraction:
    return Fraction(math.ceil(value * NANO) + 1, NANO)
