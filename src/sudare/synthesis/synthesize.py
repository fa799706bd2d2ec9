"""From statistics to rows: complete, fit, draw, and match the moments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sudare.facts.drawn import Drawn
from sudare.facts.rules import CompiledRule
from sudare.facts.statistics import Floats, Statistics
from sudare.randomness.bits import RandomBits
from sudare.synthesis.drawing import Ints, draw_bins, draw_indices
from sudare.synthesis.matching.match import Matched, match, settled
from sudare.synthesis.mixture import COMPONENTS, NOISY_ROUNDS, ROUNDS, Mixture, fit
from sudare.synthesis.records import Codes, Forbidden, draw_records
from sudare.synthesis.ruled import bound_rules
from sudare.synthesis.targets import offsets_of, targets_of

_A_LEVEL, _FEWEST = 2, 60
Preserve = Literal["tables", "moments"]
Progress = Callable[[str, float], None]


def silent(step: str, share: float) -> None:
    """Nobody is watching."""


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted mixture with what is needed to draw from it as often as one likes."""

    statistics: Statistics
    mixture: Mixture
    forbidden: Forbidden

    def draw(self, rows: int, bits: RandomBits) -> Codes:
        """Level codes of so many records."""
        return draw_records(self.mixture, self.statistics, self.forbidden, rows, bits)

    def sample(
        self, rows: int, bits: RandomBits, progress: Progress = silent
    ) -> tuple[Drawn, Matched | None]:
        """Rows, and how well their moments were met where moments are known."""
        statistics = self.statistics
        progress("draw", 0.0)
        codes = self.draw(rows, bits)
        bins = {each.name: draw_bins(each, codes[each.name], bits) for each in statistics.marginals}
        indices = {
            each.name: draw_indices(each, bins[each.name], bits) for each in statistics.numbers
        }
        progress("match", 0.0)
        # Noisy moments are no goal: rows that met them exactly would carry their noise, as those
        # that met the moments of few people would carry their accidents.
        matched = None
        if statistics.origin == "exact":
            indices |= settled(statistics, indices, codes)
        if statistics.origin == "exact" and not statistics.loose:
            matched = match(statistics, indices, codes, self.forbidden, bits)
        if matched is not None:
            indices |= matched.indices
        progress("match", 1.0)
        return _drawn(statistics, rows, indices, bins), matched


def fit_model(
    statistics: Statistics,
    bits: RandomBits,
    preserve: Preserve = "tables",
    rules: Sequence[CompiledRule] = (),
    progress: Progress = silent,
    components: int = COMPONENTS,
) -> Model:
    """Fit the mixture; everything after this is drawing."""
    bound = bound_rules(statistics.marginals, rules)
    targets = targets_of(statistics, bound, preserve)
    rounds = ROUNDS if statistics.origin == "exact" else NOISY_ROUNDS
    offsets = offsets_of(statistics)
    mixture = fit(
        targets,
        offsets,
        bits,
        # Tables of few levels have no use for more, which only take their time.
        components=min(components, max(_A_LEVEL * int(offsets[-1]), _FEWEST)),
        rounds=rounds,
        watch=lambda share: progress("fit", share),
    )
    return Model(statistics, mixture, Forbidden(statistics, bound))


def synthesize(
    statistics: Statistics,
    rows: int,
    bits: RandomBits,
    preserve: Preserve = "tables",
    rules: Sequence[CompiledRule] = (),
    progress: Progress = silent,
) -> Drawn:
    """Fit once and draw once."""
    return fit_model(statistics, bits, preserve, rules, progress).sample(rows, bits, progress)[0]


def _drawn(
    statistics: Statistics, rows: int, indices: dict[str, Floats], bins: dict[str, Ints]
) -> Drawn:
    values = {each.name: indices[each.name] * each.step for each in statistics.numbers}
    codes = {each.name: bins[each.name] for each in statistics.marginals if not each.is_number}
    missing = {each.name: bins[each.name] < 0 for each in statistics.marginals if each.may_miss}
    return Drawn(rows, values, codes, missing)
