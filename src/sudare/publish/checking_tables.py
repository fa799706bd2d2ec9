"""What a set of published tables gives away: read the files, hand them to `risk`.

Nothing is charged: the tables are published already, or about to be, and the check reads no row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sudare.facts.disclosure import Interval, TableCheck
from sudare.facts.errors import InvalidTables, UsageError
from sudare.facts.extras import require
from sudare.facts.numbers import MOST_COUNTED, exact_number
from sudare.facts.reading import Unreadable, read_json, read_toml
from sudare.risk.tables.background import Background, TableFacts, parse_background
from sudare.risk.tables.check import check_tables as check
from sudare.risk.tables.deadline import Deadline, Progress
from sudare.risk.tables.published import Published, parse_table


@dataclass(frozen=True)
class TableOptions:
    """How the tables are to be read, and how long the search may take."""

    population: str | None = None
    count: str | None = None
    noisy: bool = False
    sensitive: tuple[str, ...] = ()
    narrow: int = 1
    time_limit: float = 60.0


def check_tables(
    paths: Sequence[str | Path],
    facts: str | Path | None = None,
    options: TableOptions | None = None,
    progress: Progress | None = None,
) -> TableCheck:
    """Everything that the tables make certain about anyone; `facts` is a TOML file."""
    require("risk")
    chosen = options or TableOptions()
    background = _background(facts, chosen)
    deadline = Deadline(chosen.time_limit, progress)
    files = [Path(path) for path in paths]
    known = {path: _facts_of(background, path) for path in files}
    noisy = [path for path in files if chosen.noisy or known[path].noisy or _certified(path)]
    names = {path: _name(path, files, known[path]) for path in files}
    exact = [path for path in files if path not in noisy]
    tables = [_read(path, names[path], chosen.count) for path in exact]
    left_out = tuple(names[path] for path in noisy)
    if not tables:
        return _nothing(left_out, background, deadline)
    told = {names[path]: known[path] for path in exact}
    found = check(_without(background, exact), tables, told, chosen.narrow, deadline)
    return replace(found, noisy=left_out, absent=_absent(background, files))


def _nothing(noisy: tuple[str, ...], background: Background, deadline: Deadline) -> TableCheck:
    """Noise without bound fits every data set: nothing follows."""
    return TableCheck(
        tables=(),
        noisy=noisy,
        population=background.population,
        sensitive=background.sensitive,
        certain=(),
        excluded=(),
        narrow=(),
        overlapping=(),
        inferred=(),
        absent=(),
        finished=True,
        refined=True,
        seconds=deadline.spent(),
    )


def _absent(background: Background, files: Sequence[Path]) -> tuple[str, ...]:
    """Tables that the facts file tells of and nobody gave: left away, or misspelt."""
    given = {name for path in files for name in (path.name, path.stem)}
    return tuple(name for name in background.tables if name not in given)


def _without(background: Background, exact: Sequence[Path]) -> Background:
    """The facts without what tells of tables that are left out."""
    names = {name for path in exact for name in (path.name, path.stem)}
    kept = {name: each for name, each in background.tables.items() if name in names}
    return replace(background, tables=kept)


def _facts_of(background: Background, path: Path) -> TableFacts:
    return background.tables.get(path.name) or background.tables.get(path.stem) or TableFacts()


def _name(path: Path, paths: Sequence[Path], facts: TableFacts) -> str:
    """What sentences call a table: its title, or its file's name where that is clear."""
    clear = sum(other.name == path.name for other in paths) == 1
    return facts.title or (path.name if clear else str(path))


def _background(facts: str | Path | None, options: TableOptions) -> Background:
    found = Background() if facts is None else parse_background(_toml(Path(facts)), str(facts))
    if options.population is not None:
        found = replace(found, population=_population(options.population))
    if options.sensitive:
        found = replace(found, sensitive=options.sensitive)
    return found


def _population(text: str) -> Interval:
    low, _, high = text.replace("–", "-").partition("-")
    parts = [exact_number(each) for each in (low, high or low)]
    least, most = (
        int(each) if each is not None and each.denominator == 1 else -1 for each in parts
    )
    if not 0 <= least <= most <= MOST_COUNTED:
        raise UsageError("The population is not a number of people.", "Write 20, or 18-22.")
    return Interval(least, most)


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        return read_toml(_text(path))
    except Unreadable as error:
        raise InvalidTables(
            f"{path} is not valid TOML: {error}.", "Mend that line.", place=path
        ) from None


def _read(path: Path, name: str, count: str | None) -> Published:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    return parse_table(name, _text(path), delimiter, count)


def _text(path: Path) -> str:
    """UTF-8, with or without a byte order mark, or else the encoding of Japanese Windows."""
    try:
        content = path.read_bytes()
    except OSError:
        raise InvalidTables(
            f"The file {path} cannot be read.",
            "Check its name, and that you may read it.",
            place=path,
        ) from None
    for encoding in ("utf-8-sig", "cp932"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise InvalidTables(f"{path} is neither UTF-8 nor cp932 text.", "Save it as UTF-8.", place=path)


def _certified(path: Path) -> bool:
    """Whether a certificate of sudare lies beside the table and states a guarantee."""
    beside = [path.with_suffix(".certificate.json")]
    if path.name == "answers.csv":
        beside.append(path.with_name("certificate.json"))
    for place in beside:
        try:
            stated = read_json(place.read_bytes())["guarantee"]["epsilon"]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if isinstance(stated, int | float) and stated > 0:
            return True
    return False
