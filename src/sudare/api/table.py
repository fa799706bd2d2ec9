"""A table with its schema and its ledger, as Python sees it; it only hands on to `publish`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sudare.api.results import Forecasts, Result, TableResult
from sudare.facts.block_plan import BlockMethod, BlockPlan, Output, read_number
from sudare.facts.engine import EngineChoice, EngineName
from sudare.facts.errors import UsageError
from sudare.facts.estimated import Estimated, Method
from sudare.facts.local_plan import Budget, LocalPlan, read_statistics, read_wishes
from sudare.facts.numbers import exact_share
from sudare.facts.plan import Mechanism, Plan, read_delta, read_epsilon
from sudare.facts.release import Answer, Release
from sudare.facts.schema import Schema, make_schema
from sudare.facts.synthesized import Mode, Preserve
from sudare.facts.table_plan import TablePlan, read_weights
from sudare.publish.files import ledger_path, load_schema, schema_path

if TYPE_CHECKING:
    from sudare.engines.findings import ValidationReport
    from sudare.facts.compared import Compared
    from sudare.facts.statistics import Statistics

Amount = float | int | str | Fraction


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

        wanted = [None if e is None else _wanted(e) for e in (error, relative)]
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

    def sq(
        self,
        condition: str,
        *,
        within: float,
        beta: float = 0.05,
        analyst: str | None = None,
        key: str | None = None,
    ) -> Answer:
        """Which share of the rows satisfies the condition, within `within` with probability
        1 - `beta`. It costs the ε that this needs: `details["epsilon_needed"]`."""
        question = f"sq(within={float(within)}, beta={float(beta)}) where {condition}"
        return self.ask(question, analyst=analyst, key=key)[0]

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

    def aggregate(
        self,
        function: Callable[[dict[str, Any]], Any] | str,
        *,
        columns: Sequence[str],
        outputs: Mapping[str, tuple[Amount, Amount, Amount]],
        epsilon: Amount,
        delta: Amount = 0,
        blocks: int = 64,
        seconds: Amount = 1,
        memory: int = 512,
        default: Mapping[str, Amount] | None = None,
        method: BlockMethod = "auto",
        analyst: str | None = None,
        key: str | None = None,
        trust_program: bool = False,
    ) -> Result:
        """Run a function on disjoint random blocks of rows, each in a process of its own, and
        publish one private number an output. The function gets a dictionary from column to NumPy
        array and gives a number, or a mapping by output; a text is a command, as on the command
        line. `outputs` are low, high and step. `trust_program` is a steward's word for a program
        that runs where the kernel does not grant every wall."""
        from sudare.publish.aggregate import aggregate, of_command, of_function

        program = of_command(function) if isinstance(function, str) else of_function(function)
        defaults = default or {}
        plan = BlockPlan(
            columns=_listed(columns),
            outputs=tuple(_output(name, *outputs[name], defaults.get(name)) for name in outputs),
            epsilon=read_epsilon(epsilon),
            program=program.digest,
            delta=read_delta(delta),
            blocks=blocks,
            seconds=read_number(seconds, "seconds"),
            memory=memory,
            method=method,
        )
        release = aggregate(
            self.data, self.schema, plan, program, ledger=self.ledger, analyst=analyst, key=key,
            engine=self.engine, trust_program=trust_program,
        )  # fmt: skip
        return Result(release, self._language)

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

    def statistics(
        self,
        *,
        epsilon: Amount | None = None,
        delta: Amount = 0,
        preserve: Preserve = "tables",
        columns: Sequence[str] | None = None,
        lags: int | None = None,
        minimum: int = 10,
        with_sums: bool = False,
        mode: Mode = "default",
        accept_disclosure: bool = False,
        analyst: str | None = None,
        key: str | None = None,
    ) -> Statistics:
        """What rows can be made of: exact statistics, which promise nothing, or with `epsilon`
        private ones, which are charged. Exact ones are made as coarse as the people behind them
        need, and refused where rows made of them (by `mode`) lie nearer to these people than to
        people held out, unless `accept_disclosure`. The paper's method needs exact ones `with_sums`
        of numbers within categories."""
        named = None if columns is None else _listed(columns)
        if epsilon is None and read_delta(delta) > 0:
            raise UsageError("delta goes with epsilon.", "Give both, or neither.")
        if epsilon is None:
            from sudare.publish.bearable import exact

            return exact(
                self.data, self.schema, preserve, mode=mode, columns=named, lags=lags,
                minimum=minimum, with_sums=with_sums, accept_disclosure=accept_disclosure,
                engine=self.engine,
            ).statistics  # fmt: skip
        from sudare.publish.private_statistics import (
            PrivatePlan,
            private_statistics,
            statistics_of,
        )

        plan = PrivatePlan(read_epsilon(epsilon), read_delta(delta), named, lags)
        release = private_statistics(
            self.data, self.schema, plan, ledger=self.ledger, analyst=analyst, key=key,
            engine=self.engine,
        )  # fmt: skip
        return statistics_of(release)

    def synthesize(
        self,
        rows: int | None = None,
        *,
        epsilon: Amount | None = None,
        delta: Amount = 0,
        preserve: Preserve = "tables",
        mode: Mode = "default",
        columns: Sequence[str] | None = None,
        lags: int | None = None,
        minimum: int = 10,
        accept_disclosure: bool = False,
        analyst: str | None = None,
        key: str | None = None,
    ) -> Any:
        """Synthetic rows as a dataframe of the type that came in (of a file, an Arrow table).
        `Synthesizer` does the same and keeps the certificate and what was fitted."""
        from sudare.publish.synthesize import Wish, make

        wish = Wish(rows, preserve, mode)
        found = self.statistics(
            epsilon=epsilon, delta=delta, preserve=preserve, columns=columns, lags=lags,
            minimum=minimum, mode=mode, accept_disclosure=accept_disclosure, analyst=analyst,
            key=key,
        )  # fmt: skip
        return make(found, wish).dataframe(self.data)

    def left(self) -> dict[str, float]:
        """What is left of the budget."""
        from sudare.publish.outlook import left_under

        return left_under(self.schema, self.ledger).left

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


def compare(
    real: object,
    synthetic: object,
    *,
    schema: Schema | Mapping[str, Any] | str | Path | None = None,
    target: str | None = None,
    holdout: object | None = None,
) -> Compared:
    """How near synthetic rows come to the real ones, and to whom they come too near. For stewards:
    it reads the real rows, and what it finds is not for publication."""
    from sudare.publish.compare import compare as compare_files

    return compare_files(real, synthetic, _schema(real, schema)[0], target=target, holdout=holdout)


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


def _output(name: str, low: Amount, high: Amount, step: Amount, default: Amount | None) -> Output:
    ends = [read_number(each, f"The range of '{name}'") for each in (low, high, step)]
    known = None if default is None else read_number(default, "A default")
    return Output(name, ends[0], ends[1], ends[2], known)


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


def _wanted(error: Amount) -> Fraction:
    """A wanted error as people write it: 0.5, or "2%" for a relative one."""
    found = exact_share(error)
    if found is None or found <= 0:
        raise UsageError("A wanted error must be a number above 0.", "Example: error=0.5.")
    return found


def _plan(
    questions: tuple[str, ...], epsilon: Amount | None, delta: Amount, mechanism: Mechanism
) -> Plan:
    total = None if epsilon is None else read_epsilon(epsilon)
    return Plan(questions, total, read_delta(delta), mechanism)
