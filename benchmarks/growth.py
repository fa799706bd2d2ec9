"""How do time and memory grow with the rows?

    .venv/bin/python benchmarks/growth.py [--rows 1000000 10000000 100000000] [--json out.json]
        [--engines duckdb spark] [--questions "count()" …]

A made town is written as Parquet files (of a million rows each) at every size. Each engine then
answers, in a process of its own, a count, a sum, a histogram of 100 groups, a two-way table and a
sum over people with at most two rows each; engine and noise, without the ledger. A shared machine
is now faster and now slower, by more than is to be found out, and a short run meets a quiet moment
sooner than a long one. So all sizes take turns in one process, in rounds, and in each round a size
is asked as often as it fits into the largest, ten times at most (about people, which takes minutes,
four times): all sizes are exposed to the machine for about as long, and at the same time. A round's
time of a size is the mean of its runs; the median over the rounds is shown. Before the rounds the
sizes are asked once from the smallest to the largest, which tells the most memory that the Python
process (of Spark: the driver's Python, not its Java) had held after each. Shown beside are the
growth of the last step against that of the rows (1.00 is linear; goal: not more than 20 % above),
after the time that a run takes whatever its size (that of 10,000 rows, in the same rounds) is taken
off.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from statistics import mean, median
from time import perf_counter

import duckdb
from pyarrow import parquet
from rich.console import Console
from rich.table import Table

from memory import most_mb
from sudare.engines.open import open_source
from sudare.facts.engine import EngineChoice
from sudare.facts.schema import Schema, make_schema
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from sudare.randomness.bits import SystemBits, run_key

SIZES = (1_000_000, 10_000_000, 100_000_000)
FILE_ROWS = 1_000_000
FEW = 10_000
# Rounds of all sizes: so many at least, for so many seconds at least; but none is begun after the
# limit.
ROUNDS = 5
PATIENCE = 60.0
LIMIT = 240.0
MOST_REPEATS, MOST_OF_PEOPLE = 10, 4
GOAL = 0.20
ENGINES = {"duckdb": EngineChoice("duckdb"), "spark": EngineChoice("spark", "local[2]")}
PEOPLE = "sum(income) of people"
QUESTIONS = ("count()", "sum(income)", "histogram(g)", "count() by (a, b)", PEOPLE)
RESULTS = Path(__file__).parent / "results" / "growth.json"


@dataclass(frozen=True)
class Point:
    """One question at one size: seconds, those of hardly any rows, the most memory that the process
    had held by then, the bytes of the columns in the files, and on Spark what a run wrote for its
    shuffles."""

    engine: str
    question: str
    rows: int
    seconds: float
    fixed_seconds: float
    memory_mb: float
    read_mb: float | None = None
    shuffled_mb: float | None = None


def schema(by_person: bool) -> Schema:
    labels = {name: [f"{name}{i}" for i in range(n)] for name, n in {"g": 100, "a": 12}.items()}
    unit = {"unit": "person", "max_rows_per_unit": 2} if by_person else {}
    return make_schema(
        {
            "table": {"name": "town", **unit},
            "columns": {
                "person": {"type": "key"},
                "income": {"type": "integer", "min": 0, "max": 20_000_000},
                "g": {"type": "category", "values": labels["g"]},
                "a": {"type": "category", "values": labels["a"]},
                "b": {"type": "category", "values": [f"b{i}" for i in range(8)]},
            },
        }
    )


def write(folder: Path, rows: int) -> None:
    """Rows from a hash of their number: no two sizes differ but in length. A person has two rows
    on average, and some have more."""
    with duckdb.connect(":memory:") as db:
        for start in range(0, rows, FILE_ROWS):
            end = min(rows, start + FILE_ROWS)
            db.execute(
                f"""COPY (SELECT (hash(i, 1) % {rows // 2})::BIGINT AS person,
                    (hash(i, 2) % 20000001)::BIGINT AS income,
                    'g' || hash(i, 3) % 100 AS g, 'a' || hash(i, 4) % 12 AS a,
                    'b' || hash(i, 5) % 8 AS b
                    FROM range({start}, {end}) AS r(i))
                    TO '{folder / f"{start:012d}.parquet"}' (FORMAT parquet)"""
            )


def measure(engine: str, question: str, places: dict[int, Path]) -> list[Point]:
    """In this process, which does nothing else: one point a size, the least of which is fixed."""
    facts = schema(question == PEOPLE)
    job = compile_question(question.removesuffix(" of people"), facts)
    bits, share = SystemBits(), Share("laplace", Fraction(1))
    columns = job.request.used_columns()

    def seconds(place: Path) -> float:
        start = perf_counter()
        with open_source(str(place / "*.parquet"), facts, columns, ENGINES[engine]) as source:
            job.answer(source.moments([job.request], run_key(bits))[0], share, 1.0, bits)
        return perf_counter() - start

    fixed, *sizes = sorted(places)
    # The first run starts Spark, whose books are read then.
    seconds(places[fixed])
    memory: dict[int, float] = {}
    shuffled: dict[int, float | None] = {}
    found: dict[int, list[float]] = {rows: [] for rows in places}
    for rows in sizes:
        before = shuffled_mb(engine)
        seconds(places[rows])
        memory[rows] = most_mb()
        shuffled[rows] = None if before is None else (shuffled_mb(engine) or 0.0) - before
    most = MOST_OF_PEOPLE if question == PEOPLE else MOST_REPEATS
    repeats = {rows: min(most, max(places) // rows) for rows in places}
    start = perf_counter()
    while (spent := perf_counter() - start) < LIMIT:
        if len(found[fixed]) >= ROUNDS and spent >= PATIENCE:
            break
        for rows, place in places.items():
            found[rows].append(mean(seconds(place) for _ in range(repeats[rows])))
    usual = {rows: median(rounds) for rows, rounds in found.items()}
    read = frozenset(columns) | ({"person"} if question == PEOPLE else set())
    return [
        Point(
            engine,
            question,
            rows,
            usual[rows],
            usual[fixed],
            memory[rows],
            stored_mb(places[rows], read),
            shuffled[rows],
        )
        for rows in sizes
    ]


def stored_mb(folder: Path, columns: frozenset[str]) -> float:
    """What a question has to read: the compressed bytes of its columns, from the footers."""
    found = 0
    for path in folder.glob("*.parquet"):
        footer = parquet.ParquetFile(path).metadata
        groups = [footer.row_group(number) for number in range(footer.num_row_groups)]
        chunks = [group.column(place) for group in groups for place in range(group.num_columns)]
        found += sum(c.total_compressed_size for c in chunks if c.path_in_schema in columns)
    return found / 1e6


def shuffled_mb(engine: str) -> float | None:
    """Megabytes shuffled so far, as Spark's own books have them."""
    if engine != "spark":
        return None
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession() or SparkSession.builder.getOrCreate()
    executors = session.sparkContext._jsc.sc().statusStore().executorList(True)
    each = [executors.apply(place) for place in range(executors.size())]
    return float(sum(one.totalShuffleWrite() for one in each) / 1e6)


def measure_apart(engine: str, question: str, places: dict[int, Path]) -> list[Point]:
    """The same in a child, so that memory is that of this question alone."""
    given = json.dumps({rows: str(place) for rows, place in places.items()})
    command = [sys.executable, __file__, "--child", engine, question, given]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=3600)
    return [Point(**each) for each in json.loads(done.stdout.decode().splitlines()[-1])]


def growth(points: list[Point]) -> float | None:
    """Time against rows over the last step, without the fixed part; 1.00 is linear."""
    if len(points) < 2:
        return None
    before, last = points[-2:]
    if before.seconds <= before.fixed_seconds:
        return None
    times = [point.seconds - point.fixed_seconds for point in (before, last)]
    return times[1] / times[0] / (last.rows / before.rows)


def shown(points: list[Point]) -> Table:
    table = Table(title="Growth of time and memory with the rows")
    sizes = sorted({point.rows for point in points})
    columns = [f"{size:,} rows" for size in sizes]
    bytes_of = ("MB read", "MB shuffled")
    for column in ("engine", "question", *columns, *bytes_of, "growth", "goal"):
        table.add_column(column)
    for engine in dict.fromkeys(point.engine for point in points):
        for question in QUESTIONS:
            found = [p for p in points if (p.engine, p.question) == (engine, question)]
            cells = [f"{p.seconds:.3f} s, {p.memory_mb:.0f} MB" for p in found]
            cells += [""] * (len(sizes) - len(found))
            rate = growth(found)
            # A count of a file's rows is read off its footer; there is nothing that could grow.
            idle = rate is None or question == "count()"
            missed = rate is not None and not idle and rate > 1 + GOAL
            text = "" if rate is None else (f"[red]{rate:.2f}[/]" if missed else f"{rate:.2f}")
            moved = [
                "" if amount is None else f"{amount:.1f}"
                for amount in ((found[-1].read_mb, found[-1].shuffled_mb) if found else ())
            ]
            cells += moved or ["", ""]
            table.add_row(engine, question, *cells, text, "" if idle else f"≤ {1 + GOAL}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--engines", nargs="+", default=list(ENGINES), choices=list(ENGINES))
    parser.add_argument("--questions", nargs="+", default=list(QUESTIONS), choices=list(QUESTIONS))
    parser.add_argument("--json", type=Path, default=RESULTS)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        engine, question, given = asked.child
        places = {int(rows): Path(place) for rows, place in json.loads(given).items()}
        print(json.dumps([asdict(point) for point in measure(engine, question, places)]))
        return
    points, console = [], Console(width=140)
    with tempfile.TemporaryDirectory() as made:
        places = {rows: Path(made) / str(rows) for rows in (FEW, *sorted(asked.rows))}
        for rows, place in places.items():
            place.mkdir()
            write(place, rows)
        for engine in asked.engines:
            for question in asked.questions:
                points += measure_apart(engine, question, places)
                console.print(f"{engine} {question}: {points[-1].seconds:.3f} s at most")
    console.print(shown(points))
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    facts = {"machine": platform.machine(), "points": [asdict(point) for point in points]}
    asked.json.write_text(json.dumps(facts, indent=2))


if __name__ == "__main__":
    main()
