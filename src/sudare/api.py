"""The Python API: open a table, see what a question would cost, ask it.

    import sudare
    people = sudare.open("people.csv", schema="people.schema.toml")
    people.forecast("mean(age)", epsilon=0.5)
    release = people.ask("count()", "mean(age)", epsilon=0.5)
    release["mean(age)"].value
    people.tabulate("sex", "region", epsilon=1)["sex,region"]
    people.randomize("reports.parquet", epsilon=4, shuffle=True)
    sudare.estimate("reports.parquet").means

Like the command line, it only hands on to `publish`; in a notebook results show themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sudare.facts.engine import EngineChoice, EngineName
from sudare.facts.errors import UsageError
from sudare.facts.estimated import Estimated, Method
from sudare.facts.local_plan import Budget, LocalPlan, read_statistics, read_wishes
from sudare.facts.plan import Mechanism, Plan, read_delta, read_epsilon
from sudare.facts.release import Answer, Release
from sudare.facts.schema import Schema, make_schema
from sudare.facts.table_plan import TablePlan, read_weights
from sudare.publish.files import ledger_path, load_schema, schema_path

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudare.engines.findings import ValidationReport
    from sudare.publish.pricing import Priced

Amount = float | int | str | Fraction


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
        """What a recipient checks."""
        from sudare.report.certificate import certificate

        return certificate(self.release)

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
        """What a recipient checks."""
        from sudare.report.certificate import certificate

        return certificate(self.release)

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


class Table:
    """A table with its schema and its ledger."""

    def __init__(
        self,
        data: object,
        schema: Schema,
        ledger: str | Path,
        engine: EngineChoice,
        language: Literal["en", "ja"],
    ) -> None:
        self.data = data
        self.schema = schema
        self.ledger = ledger
        self.engine = engine
        self._language: Literal["en", "ja"] = language

    def forecast(
        self,
        *questions: str,
        epsilon: Amount | None = None,
        delta: Amount = 0,
        mechanism: Mechanism = "laplace",
    ) -> Forecasts:
        """Price the questions; reads no data and spends nothing."""
        from sudare.publish.pricing import price

        return Forecasts(price(self.schema, _plan(questions, epsilon, delta, mechanism)))

    def plan(
        self,
        *questions: str,
        error: Amount | None = None,
        relative: Amount | None = None,
        delta: Amount = 0,
        mechanism: Mechanism = "laplace",
    ) -> Forecasts:
        """The least ε for a wanted error: "mean(age) ± 0.5", or one error for all."""
        from sudare.publish.pricing import find_epsilon

        wanted = [None if e is None else Fraction(str(e)) for e in (error, relative)]
        plan = _plan(questions, None, delta, mechanism)
        return Forecasts(find_epsilon(self.schema, plan, *wanted))

    def ask(
        self,
        *questions: str,
        epsilon: Amount | None = None,
        delta: Amount = 0,
        mechanism: Mechanism = "laplace",
        analyst: str | None = None,
        key: str | None = None,
    ) -> Result:
        """Pay, compute, protect, record."""
        from sudare.publish.ask import ask

        release = ask(
            self.data,
            self.schema,
            _plan(questions, epsilon, delta, mechanism),
            ledger=self.ledger,
            analyst=analyst,
            key=key,
            engine=self.engine,
        )
        return Result(release, self._language)

    def tabulate(
        self,
        *by: str,
        epsilon: Amount,
        margins: str = "all",
        weights: Mapping[str, Amount] | None = None,
        delta: Amount = 0,
        mechanism: Mechanism = "laplace",
        analyst: str | None = None,
        key: str | None = None,
    ) -> TableResult:
        """Publish a cross table: `by` are columns or levels, one a dimension."""
        from sudare.publish.tabulate import tabulate

        release = tabulate(
            self.data,
            self.schema,
            _table_plan(by, epsilon, margins, weights, delta, mechanism),
            ledger=self.ledger,
            analyst=analyst,
            key=key,
            engine=self.engine,
        )
        return TableResult(release, self._language)

    def forecast_table(
        self,
        *by: str,
        epsilon: Amount,
        margins: str = "all",
        weights: Mapping[str, Amount] | None = None,
        delta: Amount = 0,
        mechanism: Mechanism = "laplace",
    ) -> dict[str, float]:
        """The 95 % error of every margin; reads no data and spends nothing."""
        from sudare.publish.tabulate import price_table

        plan = _table_plan(by, epsilon, margins, weights, delta, mechanism)
        return {each.name: each.error95 for each in price_table(self.schema, plan).forecasts()}

    def randomize(
        self,
        output: str | Path,
        *,
        epsilon: Amount,
        columns: Sequence[str] = (),
        mechanisms: Sequence[str] = (),
        statistics: Sequence[str] = (),
        budget: Budget = "auto",
        report: int | None = None,
        bins: int = 32,
        shuffle: bool = False,
        delta: Amount = 0,
        paper: bool = False,
        analyst: str | None = None,
        key: str | None = None,
    ) -> Release:
        """Randomise every row into a Parquet file of reports; `epsilon` is local and the total of
        one person. `mechanisms` are written as on the command line: "age=piecewise"."""
        from sudare.publish.randomize import randomize

        plan = LocalPlan(
            epsilon=read_epsilon(epsilon),
            columns=_listed(columns),
            wishes=read_wishes(_listed(mechanisms)),
            statistics=read_statistics(",".join(_listed(statistics))),
            budget=budget,
            report=report,
            bins=bins,
            shuffle=shuffle,
            delta=read_delta(delta),
            paper=paper,
        )
        return randomize(
            self.data,
            self.schema,
            plan,
            output,
            ledger=self.ledger,
            analyst=analyst,
            key=key,
            engine=self.engine,
        )

    def left(self) -> dict[str, float]:
        """What is left of the budget."""
        from sudare.publish.books import left_of

        return left_of(self.ledger, self.schema)

    def validate(self, limit: int = 20) -> ValidationReport:
        """What the schema does not allow, by row and column; for stewards."""
        from sudare.publish.steward import validate

        return validate(self.data, self.schema, limit, self.engine)

    def __repr__(self) -> str:
        return f"<sudare table {self.schema.table.name!r}, {len(self.schema.columns)} columns>"


def open_table(
    data: object,
    *,
    schema: Schema | Mapping[str, Any] | str | Path | None = None,
    ledger: str | Path | None = None,
    engine: EngineName = "auto",
    master: str | None = None,
    session: object = None,
    language: Literal["en", "ja"] = "en",
) -> Table:
    """A table from a file name, a pattern of Parquet files, the address of a table in PostgreSQL,
    a Spark DataFrame, or any dataframe with `__arrow_c_stream__`.

    The schema is a file, a mapping or a Schema; for a file `people.csv` it is people.schema.toml
    beside it by default. The ledger lies beside the schema file unless it is named: another file,
    or the address of a PostgreSQL database. `engine="spark"` reads files with Spark, at `master`
    or in a `session` that is there already.
    """
    found, beside = _schema(data, schema)
    if ledger is None and beside is None:
        raise UsageError(
            "No ledger is named, and there is no schema file to lay it beside.",
            'Give ledger="people.ledger".',
        )
    place = ledger if ledger is not None else ledger_path(beside or "")
    return Table(data, found, place, EngineChoice(engine, master, session), language)


def estimate(
    path: str | Path,
    *,
    statistics: Sequence[str] = (),
    target: str | None = None,
    tables: Sequence[tuple[str, str]] = (),
    histogram_method: Method = "em",
) -> Estimated:
    """What the reports of a randomised file tell, every number with its standard error."""
    from sudare.facts import estimated
    from sudare.publish.estimate import estimate_file

    wanted = estimated.Wanted(
        estimated.read_statistics(",".join(_listed(statistics))),
        target,
        tuple(tables),
        histogram_method,
    )
    return estimate_file(path, wanted)


def _listed(names: Sequence[str]) -> tuple[str, ...]:
    """A single name is a list of one, not of its letters."""
    return (names,) if isinstance(names, str) else tuple(names)


def _schema(
    data: object, schema: Schema | Mapping[str, Any] | str | Path | None
) -> tuple[Schema, Path | None]:
    if isinstance(schema, Schema):
        return schema, None
    if isinstance(schema, Mapping):
        return make_schema(dict(schema)), None
    if schema is None:
        if not isinstance(data, (str, Path)):
            raise UsageError("A dataframe has no schema of its own.", "Give schema=….")
        schema = schema_path(data)
    return load_schema(schema), Path(schema)


def _table_plan(
    by: tuple[str, ...],
    epsilon: Amount,
    margins: str,
    weights: Mapping[str, Amount] | None,
    delta: Amount,
    mechanism: Mechanism,
) -> TablePlan:
    shares = read_weights([f"{name}={weight}" for name, weight in (weights or {}).items()])
    total = read_epsilon(epsilon)
    return TablePlan(by, total, margins, shares, read_delta(delta), mechanism)


def _plan(
    questions: tuple[str, ...], epsilon: Amount | None, delta: Amount, mechanism: Mechanism
) -> Plan:
    total = None if epsilon is None else read_epsilon(epsilon)
    return Plan(questions, total, read_delta(delta), mechanism)
