"""A plan of sample and aggregate: what a function of blocks may answer, and what it may cost.

The declared range and step of an output are public. Whatever a block's function gives becomes a
whole number on that grid before anything else looks at it: what is no finite number becomes the
default, what lies outside is moved to the nearest end.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sudare.facts.errors import InvalidPlan, UsageError
from sudare.facts.limits import MOST_BLOCK_SECONDS
from sudare.facts.numbers import exact_number

BlockMethod = Literal["auto", "median", "smooth", "winsorized"]
METHODS: tuple[BlockMethod, ...] = ("auto", "median", "smooth", "winsorized")
FEWEST_BLOCKS, MOST_BLOCKS = 4, 4096
MOST_OUTPUTS = 64
MOST_PLACES = 2**40
LONGEST_TICK = 3600
LEAST_MEMORY, MOST_MEMORY = 64, 2**20
_OUTPUT = re.compile(r"\s*(?P<name>[^\W\d]\w*)\s*=(?P<low>.+?)\.\.(?P<high>[^:]+):(?P<step>.+)")


@dataclass(frozen=True)
class Output:
    """One number that the function answers: a name, the range low..high, the step of its grid, and
    what stands for a block that does not answer (None: the middle of the range)."""

    name: str
    low: Fraction
    high: Fraction
    step: Fraction
    default: Fraction | None = None

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise InvalidPlan(
                f"The range of output '{self.name}' is empty.", "Write it as low..high, low first."
            )
        if self.step <= 0 or not 1 <= (self.high - self.low) / self.step <= MOST_PLACES:
            raise InvalidPlan(
                f"The step of output '{self.name}' does not fit its range.",
                "The step is above 0, at most the width of the range and at least 1e-12 of it.",
            )
        if self.default is not None and not self.low <= self.default <= self.high:
            raise InvalidPlan(
                f"The default of output '{self.name}' lies outside its range.",
                "Give one inside, or leave it out: then it is the middle.",
            )

    @property
    def span(self) -> int:
        """Places are 0 ... span."""
        return math.floor((self.high - self.low) / self.step)

    @property
    def width(self) -> float:
        return float(self.span * self.step)

    def place(self, found: float | None) -> int:
        """The place of what a block answered; None stands for no answer."""
        if found is None or not math.isfinite(found):
            middle = (self.low + self.high) / 2
            return self._nearest(self.default if self.default is not None else middle)
        return self._nearest(Fraction(found))

    def value(self, place: float | Fraction) -> float:
        """A place as people read it; between two places where a mean lies there."""
        return float(self.low + Fraction(place) * self.step)

    def _nearest(self, value: Fraction) -> int:
        return min(max(round((value - self.low) / self.step), 0), self.span)


@dataclass(frozen=True)
class BlockPlan:
    """Everything that fixes a run but the program itself, which comes in by its digest.

    `seconds` is the tick: how long each block has, and how long it is waited for, whatever it
    does. `memory` is in mebibytes.
    """

    columns: tuple[str, ...]
    outputs: tuple[Output, ...]
    epsilon: Fraction
    program: str
    delta: Fraction = Fraction(0)
    blocks: int = 64
    seconds: Fraction = Fraction(1)
    memory: int = 512
    method: BlockMethod = "auto"

    def __post_init__(self) -> None:
        self._check_names()
        if self.method not in METHODS:
            raise InvalidPlan(
                f"There is no method '{self.method}' for blocks.", f"Known: {', '.join(METHODS)}."
            )
        if not FEWEST_BLOCKS <= self.blocks <= MOST_BLOCKS:
            raise InvalidPlan(
                f"The number of blocks must lie between {FEWEST_BLOCKS} and {MOST_BLOCKS}.",
                "Around the root of the number of rows is a good start.",
            )
        if not Fraction(1, 100) <= self.seconds <= LONGEST_TICK:
            raise InvalidPlan(
                f"A block's time must lie between 0.01 and {LONGEST_TICK} seconds.",
                "Give about twice what the function needs on made-up rows: --seconds 2.",
            )
        if self.blocks * self.seconds > MOST_BLOCK_SECONDS:
            raise InvalidPlan(
                f"The run would take {float(self.blocks * self.seconds / 3600):,.0f} hours, since "
                "blocks run one after the other; at most 24.",
                "Take fewer --blocks, or fewer --seconds for each.",
            )
        if not LEAST_MEMORY <= self.memory <= MOST_MEMORY:
            raise InvalidPlan(
                f"A block's memory must lie between {LEAST_MEMORY} and {MOST_MEMORY} MiB.",
                "Python with NumPy needs about 200: --memory 512.",
            )

    def _check_names(self) -> None:
        if not self.columns:
            raise InvalidPlan("The function gets no column.", "Name some: --columns age,income.")
        names = [output.name for output in self.outputs]
        if not 1 <= len(names) <= MOST_OUTPUTS:
            raise InvalidPlan(
                f"A function answers between 1 and {MOST_OUTPUTS} outputs.",
                'Declare one as --output "mean_income=0..20000000:1000".',
            )
        if len(set(names)) != len(names) or len(set(self.columns)) != len(self.columns):
            raise InvalidPlan("A column or an output is named twice.", "Name each once.")

    def digest(self, schema_digest: str) -> str:
        """SHA-256 of plan and program under the schema: what an idempotency key stands for."""
        outputs = [
            [o.name, str(o.low), str(o.high), str(o.step), str(o.default)] for o in self.outputs
        ]
        limits = [self.blocks, str(self.seconds), self.memory, self.method]
        cost = [str(self.epsilon), str(self.delta)]
        parts = [list(self.columns), outputs, cost, limits, self.program]
        text = json.dumps(["aggregate", schema_digest, parts], ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def read_number(value: object, name: str) -> Fraction:
    """A finite number as people write it, exact."""
    found = exact_number(value.replace("_", "") if isinstance(value, str) else value)
    if found is None:
        raise UsageError(f"{name} must be a finite number.", "Example: 0.5, 1000 or 2e7.")
    return found


def read_output(text: str, default: Fraction | None = None) -> Output:
    """An output as it is written on the command line: "mean_income=0..20000000:1000"."""
    found = _OUTPUT.fullmatch(text)
    if found is None:
        raise UsageError(
            "An output is not a name, =, low..high and :step.",
            'Example: --output "mean_income=0..20000000:1000".',
        )
    low, high, step = (
        read_number(found[part], f"The {part} of an output") for part in ("low", "high", "step")
    )
    return Output(found["name"], low, high, step, default)


def read_defaults(texts: tuple[str, ...], names: tuple[str, ...]) -> dict[str, Fraction]:
    """Defaults: one number where there is one output, or "name=number" each."""
    found: dict[str, Fraction] = {}
    for text in texts:
        name, sign, amount = text.rpartition("=")
        name = name.strip() if sign else names[0]
        if name not in names or (not sign and len(names) > 1):
            raise UsageError(
                "A default does not say whose it is.",
                'Write --default "mean_income=4000000", with the name of a declared output.',
            )
        found[name] = read_number(amount, "A default")
    return found
