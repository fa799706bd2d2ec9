"""Rows in disjoint random blocks.

Claim    one unit changes the rows of at most one block, for both neighbour relations: there is a
         coupling of the keys of two neighbouring tables under which all other blocks are equal.
Symbols  K -> key, n -> number of blocks, h -> a function keyed by K that cannot be told from a
         random one (BLAKE2b for units, SHAKE-256 for places and orders).
Derivation
         A unit called u goes to block h(u) mod n with all its rows (at most k of them, chosen from
         its own rows alone: engines/sql/bounding.py). Add or remove u: nobody else's h changes.
         Replace u by u': compare the run of h with the run of h' that swaps the values at u and
         u'. Both are equally likely, as neither table holds both; under the pair u and u' fall
         into one block and nobody else moves.
         Where the unit is the row, the row at place j of the stream draws the j-th of independent
         words. Rows are streamed in an order that does not depend on K, so every row has a word of
         its own, independent of all values. Removing a row removes its word from the sequence,
         which stays as it was in law; replacing it leaves all words where they are. If the engine
         streams the neighbouring table in another order, words are permuted with the rows: still
         independent words of one law.
         What a block's function sees is a function of K and of the *set* of the block's rows: they
         are sorted by value and then permuted by words of (K, block). So the order of the stream,
         which other rows might have changed, reaches no block.
Needs    a fresh secret key for one run, apart from the key that chooses a unit's rows.
Gaps     the claim is about whoever cannot tell h from a random function.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
from numpy.typing import NDArray

from sudare.engines.mapped import indices_of
from sudare.engines.sandbox.columns import Kind, Sent, packed
from sudare.engines.source import Source
from sudare.facts.schema import NUMERIC, Schema

_MISSING = np.iinfo(np.int64).min
Places = NDArray[np.int64]


class Blocks:
    """The rows of the chosen columns as grid indices and codes, block by block, in memory."""

    def __init__(self, schema: Schema, names: Sequence[str], count: int, key: bytes) -> None:
        self._schema, self._names, self._count, self._key = schema, tuple(names), count, key
        self._columns: list[list[Places]] = [[] for _ in names]
        self._blocks: list[Places] = []

    def read(self, source: Source, run_key: bytes) -> None:
        """Stream the rows in and give each its block."""
        unit = self._schema.table.unit
        extra = [] if unit == "row" else [unit]
        for number, batch in enumerate(source.batches([*self._names, *extra], run_key)):
            for found, array in zip(self._columns, batch.columns, strict=False):
                found.append(indices_of(array))
            self._blocks.append(
                self._by_place(number, batch.num_rows) if not extra else self._by_unit(batch[unit])
            )

    def contents(self, as_csv: bool) -> Iterator[bytes]:
        """What each block's process is handed, empty blocks too."""
        blocks = _joined(self._blocks)
        columns = [_joined(parts) for parts in self._columns]
        order = np.argsort(blocks, kind="stable")
        ends = np.searchsorted(blocks[order], np.arange(self._count + 1))
        for block in range(self._count):
            own = order[ends[block] : ends[block + 1]]
            rows = self._ordered([column[own] for column in columns], block)
            yield self._csv(rows) if as_csv else packed(self._sent(rows))

    def _by_place(self, batch: int, rows: int) -> Places:
        words = self._words(f"place {batch}", rows)
        found: Places = (words % np.uint64(self._count)).astype(np.int64)
        return found

    def _by_unit(self, names: pa.Array) -> Places:
        encoded = pc.fill_null(pc.cast(names, pa.string()), "").dictionary_encode()
        drawn = [self._block_of(name) for name in encoded.dictionary.to_pylist()]
        codes = encoded.indices.to_numpy(zero_copy_only=False)
        found: Places = np.array(drawn, dtype=np.int64)[codes]
        return found

    def _block_of(self, name: str) -> int:
        drawn = hashlib.blake2b(name.encode(), key=self._key, digest_size=8).digest()
        return int.from_bytes(drawn, "little") % self._count

    def _words(self, label: str, count: int) -> NDArray[np.uint64]:
        drawn = hashlib.shake_256(self._key + label.encode()).digest(8 * count)
        return np.frombuffer(drawn, dtype="<u8")

    def _ordered(self, columns: list[Places], block: int) -> list[Places]:
        """Equal rows are interchangeable, so sorting by all columns leaves no trace of an order."""
        order = np.lexsort(columns)
        mixed = order[np.argsort(self._words(f"order {block}", len(order)), kind="stable")]
        return [column[mixed] for column in columns]

    def _sent(self, rows: list[Places]) -> list[Sent]:
        return [self._column(name, places) for name, places in zip(self._names, rows, strict=True)]

    def _column(self, name: str, places: Places) -> Sent:
        kind, missing = kind_of(self._schema, name), places == _MISSING
        if kind == "text":
            return Sent(name, kind, np.where(missing, -1, places), self._schema.members(name))
        if kind == "date":
            # Both have the least integer for what is missing.
            return Sent(name, kind, places.view("<M8[D]"))
        values = places * float(self._schema.grid(name).step)
        values[missing] = np.nan
        return Sent(name, kind, values)

    def _csv(self, rows: list[Places]) -> bytes:
        arrays = [self._arrow(*each) for each in zip(self._names, rows, strict=True)]
        out = io.BytesIO()
        pa_csv.write_csv(pa.Table.from_arrays(arrays, list(self._names)), out)
        return out.getvalue()

    def _arrow(self, name: str, places: Places) -> Any:
        sent, missing = self._column(name, places), places == _MISSING
        if sent.kind == "text":
            labels = pa.array([*sent.texts], pa.string())
            return labels.take(pa.array(np.where(missing, 0, places), mask=missing))
        if sent.kind == "date":
            return pa.array(sent.values).cast(pa.date32())
        whole = self._schema.grid(name).is_exact
        return pa.array(places if whole else sent.values, mask=missing)


def unit_as_name(schema: Schema) -> Schema:
    """The schema under which the unit's column is read as `bounding` reads units: as a name, not as
    a number within bounds, so that the rows of one unit go to one block."""
    unit = schema.table.unit
    if unit == "row":
        return schema
    named = schema.columns[unit].model_copy(
        update={"type": "key", "min": None, "max": None, "step": None, "complete": False}
    )
    columns = {**schema.columns, unit: named}
    return schema.model_copy(update={"columns": columns, "panel": None})


def kind_of(schema: Schema, name: str) -> Kind:
    """How a column is handed to a function."""
    column = schema.columns[name]
    if column.type == "date":
        return "date"
    return "number" if column.type in NUMERIC else "text"


def _joined(parts: list[Places]) -> Places:
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
