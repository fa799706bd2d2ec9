"""From a panel's wide statistics to long rows: the same mixture, drawing and exact step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sudare.facts.drawn import Drawn
from sudare.facts.errors import InvalidStatistics
from sudare.facts.panel import PanelFacts
from sudare.facts.rules import CompiledRule
from sudare.facts.statistics import Statistics
from sudare.randomness.bits import RandomBits
from sudare.synthesis.matching.match import Matched
from sudare.synthesis.mixture import COMPONENTS
from sudare.synthesis.panel.gates import PanelForbidden, draw_wide, gates_of
from sudare.synthesis.panel.long import long_rows
from sudare.synthesis.panel.rules import wide_rules
from sudare.synthesis.records import Codes
from sudare.synthesis.synthesize import Model, Preserve, Progress, fit_model, silent
from sudare.synthesis.targets import offsets_of

# A round of the fit costs components × levels²; beyond so many levels fewer components are taken.
_MANY_LEVELS = 1000
_FEWER = 200


@dataclass(frozen=True, eq=False)
class PanelModel(Model):
    """A fitted panel; `sample` counts persons and gives rows."""

    facts: PanelFacts

    def draw(self, rows: int, bits: RandomBits) -> Codes:
        gates = gates_of(self.facts, self.statistics)
        return draw_wide(self.mixture, self.statistics, self.forbidden, gates, rows, bits)

    def wide(
        self, persons: int, bits: RandomBits, progress: Progress = silent
    ) -> tuple[Drawn, Matched | None]:
        """One record a person."""
        return super().sample(persons, bits, progress)

    def sample(
        self, rows: int, bits: RandomBits, progress: Progress = silent
    ) -> tuple[Drawn, Matched | None]:
        """The rows of so many persons, and how well autocovariances were met."""
        drawn, matched = self.wide(rows, bits, progress)
        return long_rows(drawn, self.facts), matched


def fit_panel(
    statistics: Statistics,
    bits: RandomBits,
    preserve: Preserve = "tables",
    rules: Sequence[CompiledRule] = (),
    progress: Progress = silent,
) -> PanelModel:
    """Fit a panel; `rules` are those of its long rows and hold in every period."""
    facts = checked_facts(statistics)
    components = COMPONENTS if offsets_of(statistics)[-1] <= _MANY_LEVELS else _FEWER
    wide = wide_rules(rules, facts)
    model = fit_model(statistics, bits, preserve, wide, progress, components)
    forbidden = PanelForbidden(statistics, model.forbidden.rules, facts)
    return PanelModel(statistics, model.mixture, forbidden, facts)


def checked_facts(statistics: Statistics) -> PanelFacts:
    """A statistics' panel, whose columns it must have."""
    facts = PanelFacts.from_dict(statistics.panel or {})
    needed = {*facts.fixed, *(name for name, (column, _) in facts.places.items() if column)}
    known = needed | {facts.presence(period) for period in range(facts.periods)}
    if not needed <= set(statistics.names) <= known:
        raise InvalidStatistics(
            "The statistics' columns are not those of the panel that they describe.",
            "Write the file again with `sudare synthesize … --statistics-only`.",
        )
    return facts
