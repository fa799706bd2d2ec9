"""Synthetic rows in scikit-learn's manners: fit on statistics, sample as often as one likes.

    maker = sudare.Synthesizer().fit("people.statistics.json")
    rows = maker.sample(300_000)
    maker.certificate_["after"]

Fitting sees statistics alone. `fit_data` computes them from rows first: exact ones, which promise
nothing, or with `epsilon` private ones, which are charged to the ledger.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sudare.facts.errors import UsageError
from sudare.facts.schema import Schema
from sudare.facts.statistics import Statistics
from sudare.facts.synthesized import MODES, Mode, Preserve

if TYPE_CHECKING:
    from fractions import Fraction

    from sudare.publish.synthesize import Fitted, Made

_PRESERVED = ("tables", "moments")
_PARAMETERS = ("preserve", "mode", "columns", "lags", "minimum", "language")


class Synthesizer:
    """Rows from statistics. Parameters are as on the command line: `preserve` is "tables" or
    "moments", `mode` "default", "paper", "a" or "b"; `columns`, `lags` and `minimum` say which
    statistics `fit_data` computes."""

    def __init__(
        self,
        preserve: Preserve = "tables",
        mode: Mode = "default",
        columns: tuple[str, ...] | None = None,
        lags: int | None = None,
        minimum: int = 10,
        language: Literal["en", "ja"] = "en",
    ) -> None:
        self.preserve = preserve
        self.mode = mode
        self.columns = columns
        self.lags = lags
        self.minimum = minimum
        self.language = language
        self._fitted: Fitted | None = None
        self._made: Made | None = None
        self._like: object = None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in _PARAMETERS}

    def set_params(self, **parameters: Any) -> Synthesizer:
        """Change parameters; they count from the next fit on."""
        for name, value in parameters.items():
            if name not in _PARAMETERS:
                raise UsageError(
                    "A Synthesizer has no such parameter.",
                    f"It has {', '.join(_PARAMETERS)}.",
                )
            setattr(self, name, value)
        return self

    def fit(
        self, statistics: Statistics | Mapping[str, Any] | str | Path, y: object = None
    ) -> Synthesizer:
        """Fit to statistics: a file, what such a file holds, or Statistics. No row is read."""
        from sudare.publish.given_statistics import read_statistics

        self._like = None
        if isinstance(statistics, Statistics):
            return self._fit(statistics)
        if isinstance(statistics, Mapping):
            return self._fit(Statistics.from_json(json.dumps(dict(statistics), default=str)))
        if not isinstance(statistics, (str, Path)):
            raise UsageError(
                "fit takes statistics, and this is not a file or a value of them.",
                "For rows: fit_data(rows, schema=…), which computes their statistics first.",
            )
        return self._fit(read_statistics(statistics))

    def fit_data(
        self,
        data: object,
        *,
        schema: Schema | Mapping[str, Any] | str | Path | None = None,
        epsilon: float | str | Fraction | None = None,
        delta: float | str | Fraction = 0,
        accept_disclosure: bool = False,
        ledger: str | Path | None = None,
        analyst: str | None = None,
        key: str | None = None,
    ) -> Synthesizer:
        """Compute statistics of rows and fit to them. Without `epsilon` they are exact, and nothing
        is promised: they are as coarse as the people behind them need, and refused where rows made
        of them lie too near to these people, unless `accept_disclosure`. With `epsilon` they are
        measured and charged to the ledger."""
        from sudare.api.table import open_table
        from sudare.publish.synthesize import check_ready

        check_ready(self.mode)
        place = ledger if ledger is not None or epsilon is not None else "none"
        table = open_table(data, schema=schema, ledger=place)
        found = table.statistics(
            epsilon=epsilon, delta=delta, preserve=self.preserve, columns=self.columns,
            lags=self.lags, minimum=self.minimum, mode=self.mode,
            accept_disclosure=accept_disclosure, analyst=analyst, key=key,
        )  # fmt: skip
        self._fit(found)
        self._like = data
        return self

    def sample(self, n: int | None = None) -> Any:
        """Fresh rows, `n` of them or as many as the statistics speak of, as a dataframe of the type
        that came in (an Arrow table where none did). Nothing is fitted again."""
        self._made = self._ready().make(n)
        return self._made.dataframe(self._like)

    @property
    def statistics_(self) -> Statistics:
        """The statistics that were fitted to."""
        return self._ready().statistics

    @property
    def certificate_(self) -> dict[str, Any]:
        """What is told of the rows that were sampled last."""
        return self._sampled().facts.to_dict()

    def to_html(self) -> str:
        """The report on the rows that were sampled last, one file."""
        from sudare.report.synthesized import render

        return render(self._sampled().facts, self.language)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"Synthesizer({given})"

    def _fit(self, statistics: Statistics) -> Synthesizer:
        from sudare.publish.synthesize import Wish, fitted

        if self.preserve not in _PRESERVED or self.mode not in MODES:
            raise UsageError(
                "A parameter of the Synthesizer has no such value.",
                'preserve is "tables" or "moments"; mode is "default", "paper", "a" or "b".',
            )
        self._fitted = fitted(statistics, Wish(None, self.preserve, self.mode))
        self._made = None
        return self

    def _ready(self) -> Fitted:
        if self._fitted is None:
            raise UsageError("This Synthesizer is not fitted yet.", "Call fit or fit_data first.")
        return self._fitted

    def _sampled(self) -> Made:
        self._ready()
        if self._made is None:
            raise UsageError("No rows were sampled yet.", "Call sample first.")
        return self._made
