"""Baskets as the library SPMF writes them: whole numbers, and lines that name them.

Source   SPMF's documentation of transaction databases: items are whole numbers with single blanks
         between; lines that begin with #, % or @ are no transactions, and @ITEM=1=apple names an
         item. -1 and -2 end the parts of sequences, and a colon goes with utilities: both are other
         kinds of file, and reading them as baskets would be wrong without a sign of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from sudare.engines.baskets.forms import Read
from sudare.engines.baskets.lines import Bytes, bytes_of, is_text, line_ends, read_of, split
from sudare.engines.sql.nodes import BLANKS
from sudare.facts.errors import InvalidFile

MARKS = ("@CONVERTED_FROM_TEXT", "@ITEM=")
_NO_BASKET = b"@#%"
# SPMF keeps items in Java's int.
_LARGEST = 2**31 - 1


def spmf_baskets(path: Path, encoding: str | None) -> Read:
    """Items are named as the file's lines say; a number without a name is its own."""
    text = bytes_of(path, encoding)
    spans = _other_lines(text)
    numbers = _item_names(path, text, spans)
    found = split(_blanked(text, spans), comma=False)
    if found.records == 0:
        raise InvalidFile(
            f"The file {path.name} has no basket.",
            "Check that it is the right one.",
            place=path.name,
        )
    words = found.words.dictionary.to_pylist()
    _check_numbers(path, words)
    read = read_of("spmf", found, [numbers.get(word, word) for word in words])
    back = {name: number for number, name in reversed(numbers.items()) if is_text(name)}
    return replace(read, numbers=back)


def _other_lines(text: Bytes) -> list[tuple[int, int]]:
    """From where to where the lines reach that are not baskets, with their ends."""
    stops = np.flatnonzero(line_ends(text)) + 1
    begins = np.concatenate([[0], stops[:-1]])
    other = np.isin(text[begins], list(_NO_BASKET))
    return list(zip(begins[other].tolist(), stops[other].tolist(), strict=True))


def _blanked(text: Bytes, spans: Sequence[tuple[int, int]]) -> Bytes:
    """The text with blanks in these places, so that all other bytes stay where they are."""
    if not spans:
        return text
    copy = text.copy()
    for begin, stop in spans:
        copy[begin:stop] = ord(" ")
    return copy


def _item_names(path: Path, text: Bytes, spans: Sequence[tuple[int, int]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for begin, stop in spans:
        line = text[begin:stop].tobytes().decode().rstrip("\r\n")
        if line.startswith("@ITEM="):
            number, _, name = line.removeprefix("@ITEM=").partition("=")
            name = name.strip(BLANKS)
            if not is_text(number):
                continue
            if not (name and number.isascii() and number.isdigit()) or number in found:
                raise InvalidFile(
                    f"A line @ITEM of {path.name} does not name an item.",
                    "Write @ITEM=number=name, every number once.",
                    place=path.name,
                )
            found[number] = name
    return found


def _check_numbers(path: Path, words: Sequence[str]) -> None:
    texts = [word for word in words if is_text(word)]
    if not {"-1", "-2"}.isdisjoint(texts):
        raise InvalidFile(
            f"{path.name} has sequences in it (-1 or -2).",
            "Baskets have no order: convert the file to SPMF's form of transactions.",
            place=path.name,
        )
    if not all(word.isascii() and word.isdigit() for word in texts):
        raise InvalidFile(
            f"A line of {path.name} has an item that is not a whole number.",
            "SPMF names items in lines @ITEM=number=name; for names themselves add --format blank.",
            place=path.name,
        )


def numbered(names: Sequence[str], numbers: Mapping[str, str]) -> list[str]:
    """A number for every name: its own, itself if it is one, or one that is free."""
    own = {name: numbers[name] for name in names if name in numbers}
    taken = set(own.values())
    own |= {name: name for name in names if name not in own and _is_number(name, taken)}
    free = _free({*taken, *own.values()})
    return [own[name] if name in own else next(free) for name in names]


def _is_number(name: str, taken: set[str]) -> bool:
    is_short = name.isascii() and name.isdigit() and len(name) <= len(str(_LARGEST))
    return is_short and str(int(name)) == name and int(name) <= _LARGEST and name not in taken


def _free(taken: set[str]) -> Iterator[str]:
    candidate = 1
    while True:
        if str(candidate) not in taken:
            yield str(candidate)
        candidate += 1
