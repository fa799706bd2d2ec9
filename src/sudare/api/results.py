"""What the Python API gives back: releases and forecasts that show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sudare.facts.release import Answer, Release

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudare.publish.pricing import Priced


class Result:
    """A release that shows itself in a notebook; index it by question or position."""

    def __init__(self, release: Release, language: Literal["en", "ja"]) -> None:
        self.release = release
        self._language: Literal["en", "ja"] = language

    def __getitem__(self, key: int | str) -> Answer:
        return self.release[key]

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.release.answers)

    def __len__(self) -> int:
        return len(self.release.answers)

    @property
    def spent(self) -> dict[str, float]:
        return self.release.spent

    @property
    def left(self) -> dict[str, float]:
        return self.release.left

    def sentences(self) -> list[str]:
        """Each answer in a plain sentence."""
        from sudare.report.sentences import sentence

        return [sentence(answer, self._language, self.release.labels) for answer in self]

    def certificate(self) -> dict[str, Any]:
        """What a certificate of this release states, without files and signature."""
        from sudare.report.certificate import statement

        return statement(self.release).to_dict()

    def to_csv(self) -> str:
        from sudare.report.tables import to_csv

        return to_csv(self.release)

    def to_html(self) -> str:
        """The whole report, one file."""
        from sudare.report.html import render

        return render(self.release, self._language)

    def __repr__(self) -> str:
        return "\n".join(
            f"{answer.query}: {text}" for answer, text in zip(self, self.sentences(), strict=True)
        )

    def _repr_html_(self) -> str:
        from sudare.report.notebook import release_html

        return release_html(self.release, self._language)


class TableResult:
    """A released cross table. Index it by the name of a margin ("sex,region", "total") for its
    counts as an array, with one axis for each dimension that the margin does not sum over."""

    def __init__(self, release: Release, language: Literal["en", "ja"]) -> None:
        from sudare.report.tabulation import table_of

        table = table_of(release)
        assert table is not None
        self.release = release
        self._table = table
        self._language: Literal["en", "ja"] = language
        self._margins = {margin.name: margin for margin in table.margins}

    def __getitem__(self, margin: str) -> NDArray[np.int64]:
        levels = self._margins[margin].levels
        counts = self._table.margin(levels)
        return counts.reshape([n for n, level in zip(counts.shape, levels, strict=True) if level])

    def __iter__(self) -> Iterator[str]:
        return iter(self._margins)

    @property
    def errors95(self) -> dict[str, float]:
        """What 95 % of the errors of each margin's cells do not exceed."""
        return {name: margin.error95 for name, margin in self._margins.items()}

    def labels(self, margin: str) -> list[tuple[str, ...]]:
        """The labels along each axis of a margin's array."""
        pairs = zip(self._table.dimensions, self._margins[margin].levels, strict=True)
        return [dimension.labels(level) for dimension, level in pairs if level]

    @property
    def spent(self) -> dict[str, float]:
        return self.release.spent

    @property
    def left(self) -> dict[str, float]:
        return self.release.left

    def certificate(self) -> dict[str, Any]:
        """What a certificate of this release states, without files and signature."""
        from sudare.report.certificate import statement

        return statement(self.release).to_dict()

    def to_csv(self) -> str:
        """Tidy: one cell of one margin a row."""
        from sudare.report.crosstab import tidy_csv

        return "".join(tidy_csv(self._table))

    def to_crosstab(self) -> str:
        """Crossed, the last dimension across; as CSV."""
        from sudare.report.crosstab import crosstab_csv

        return "".join(crosstab_csv(self._table))

    def to_html(self) -> str:
        """The whole report, one file."""
        from sudare.report.html import render

        return render(self.release, self._language)

    def __repr__(self) -> str:
        lines = [f"{m.name}: {m.cells:,} cells, ±{m.error95:g}" for m in self._margins.values()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from sudare.report.notebook import table_html

        return table_html(self.release, self._table, self._language)


@dataclass(frozen=True)
class Forecasts:
    """What a plan would cost and how wrong its answers would be; nothing is spent."""

    priced: Priced

    @property
    def epsilon(self) -> float:
        return self.priced.cost.epsilon

    @property
    def delta(self) -> float:
        return self.priced.cost.delta

    @property
    def rows(self) -> list[dict[str, Any]]:
        parts = zip(
            self.priced.measurements,
            self.priced.forecasts,
            self.priced.allocation.epsilons(),
            strict=True,
        )
        return [
            {
                "query": measurement.query.text,
                "epsilon": epsilon,
                "error95": forecast.error95,
                "relative": forecast.relative,
            }
            for measurement, forecast, epsilon in parts
        ]

    def __repr__(self) -> str:
        lines = [f"{r['query']}: ε={r['epsilon']:.6g} ±{r['error95']:.4g}" for r in self.rows]
        return "\n".join([*lines, f"total ε={self.epsilon:.6g}, nothing was spent"])

    def _repr_html_(self) -> str:
        from sudare.report.notebook import forecast_html

        return forecast_html(self.rows)
