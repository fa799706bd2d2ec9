"""Baskets that stand one a line.

A line ends with LF, CR LF or CR, the last one also with the file; so a last line feed is not a
basket of its own, but an empty line before it is. The bytes are taken apart all at once: a loop
over items would take minutes where this takes seconds. An item that does not decode, or has a NUL
in it, is missing, and its neighbours stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.engines.baskets.forms import Form, Read
from sudare.engines.baskets.gather import gathered
from sudare.engines.baskets.named import Named, coded
from sudare.engines.inputs.text_file import MARK, open_text
from sudare.engines.sql.nodes import BLANKS
from sudare.facts.errors import InvalidFile

Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]
_TAB, _LF, _CR, _BLANK, _QUOTE, _COMMA = b'\t\n\r ",'


@dataclass(frozen=True, eq=False, repr=False)
class Words:
    """The words of a file, encoded, and the record of each."""

    words: pa.DictionaryArray
    owner: NDArray[np.int64]
    records: int


def bytes_of(path: Path, encoding: str | None) -> Bytes:
    """The file in UTF-8, its last line ended; NUL for what does not decode."""
    whole = b"".join(open_text(path, encoding).utf8())
    if not whole:
        raise InvalidFile(
            f"The file {path.name} has no basket.",
            "Check that it is the right one.",
            place=path.name,
        )
    return np.frombuffer(whole if whole[-1] in (_LF, _CR) else whole + b"\n", np.uint8)


def line_ends(text: Bytes) -> Mask:
    """Where a line ends: at LF, and at CR unless LF follows."""
    feeds: Mask = text == _LF
    returns = text == _CR
    if returns.any():
        returns[:-1] &= ~feeds[1:]
        feeds |= returns
    return feeds


def is_text(word: str) -> bool:
    """Whether all of a word's bytes decoded."""
    return MARK not in word


def split(text: Bytes, comma: bool) -> Words:
    """The words between separators; quotes keep a comma or a line end inside a name."""
    ends = line_ends(text)
    apart = ends | (text == _CR)
    for sign in (_COMMA,) if comma else (_BLANK, _TAB):
        apart |= text == sign
    if comma and (quotes := text == _QUOTE).any():
        # One byte is enough to count: of the number of quotes only its last bit is wanted.
        outside = np.cumsum(quotes, dtype=np.uint8) % 2 == 0
        ends, apart = ends & outside, apart & outside
    return _cut(text, ~apart, np.flatnonzero(ends))


def _cut(text: Bytes, inside: Mask, ends: NDArray[np.int64]) -> Words:
    # The last byte ends a line, so every word that begins also ends.
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    edges = np.concatenate([np.flatnonzero(inside[:1]), edges])
    begins, sizes = edges[::2], edges[1::2] - edges[::2]
    offsets = np.zeros(len(begins) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    parts = [None, pa.py_buffer(offsets), pa.py_buffer(text[inside])]
    words = pa.Array.from_buffers(pa.large_string(), len(begins), parts)
    return Words(words.dictionary_encode(), np.searchsorted(ends, begins), len(ends))


def blank_baskets(path: Path, encoding: str | None) -> Read:
    """Blanks or tabs between items; every other sign belongs to a name."""
    found = split(bytes_of(path, encoding), comma=False)
    return read_of("blank", found, found.words.dictionary.to_pylist())


def read_of(form: Form, found: Words, names: Sequence[str]) -> Read:
    """Baskets of words under these names."""
    baskets, duplicates = gathered(found.owner, named_items(found, names), found.records)
    return Read(baskets, form, duplicates, undecodable=_undecodable(found, names))


def _undecodable(found: Words, names: Sequence[str]) -> int:
    broken = np.array([not is_text(name) for name in names], np.bool_)
    return int(broken[np.asarray(found.words.indices)].sum()) if broken.any() else 0


def named_items(found: Words, names: Sequence[str]) -> Named:
    """The words under these names; one that did not decode names nothing."""
    texts = [name if is_text(name) else None for name in names]
    plain = pa.DictionaryArray.from_arrays(found.words.indices, pa.array(texts, pa.large_string()))
    return coded(plain)


def comma_baskets(path: Path, encoding: str | None) -> Read:
    """Commas between items. Blanks around an item do not count, and between two commas with
    nothing between them there is no item."""
    text = bytes_of(path, encoding)
    if np.count_nonzero(text == _QUOTE) % 2:
        raise InvalidFile(
            f"A quote in {path.name} is opened and never closed.",
            'Close it, or write a quote inside a quoted name twice ("").',
            place=path.name,
        )
    found = split(text, comma=True)
    words = found.words.dictionary.to_pylist()
    names = [name for word in words if (name := _unquoted(word)) is not None]
    if len(names) < len(words):
        raise InvalidFile(
            f"A line of {path.name} has a quote in the middle of a name.",
            'Put the whole name in quotes, and write a quote inside it twice ("").',
            place=path.name,
        )
    return read_of("comma", found, names)


def _unquoted(word: str) -> str | None:
    """The name that a word stands for; None where quotes stand in the wrong place."""
    bare = word.strip(BLANKS)
    if '"' not in bare:
        return bare
    inner = bare[1:-1].replace('""', "")
    is_whole = len(bare) > 1 and bare[0] == bare[-1] == '"' and '"' not in inner
    return bare[1:-1].replace('""', '"') if is_whole else None
