"""Which engine is to read the rows; chosen by the user, never by the data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from sudare.facts.errors import UsageError

EngineName = Literal["auto", "duckdb", "postgresql", "spark"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)


@dataclass(frozen=True)
class EngineChoice:
    """`auto` follows the kind of data. `master` is where Spark runs (local[*] by default), and
    `session` a SparkSession that is there already."""

    name: EngineName = "auto"
    master: str | None = None
    session: object = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.name not in ENGINES:
            raise UsageError(
                f"There is no engine '{self.name}'.", f"Choose one of: {', '.join(ENGINES)}."
            )
        if self.name != "spark" and self.master is not None:
            raise UsageError("A master is named without Spark.", "Add the engine: --engine spark.")
        if self.name != "spark" and self.session is not None:
            raise UsageError("A session is given without Spark.", 'Add the engine: engine="spark".')


AUTO = EngineChoice()
