"""Parquet files for Spark, named by path, pattern or the address of a file system.

Footers are read on the driver, Parquet's own way or through Hadoop's file systems, and give Spark
the exact type of every column that is read; Spark guesses nothing and opens no other column. How
many rows a footer claims is how many a reader returns, so their sum bounds every sum (exact.py).
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import parquet

from sudare.engines.inputs.parquet_input import common_names, footer_of
from sudare.engines.spark.border import guarded
from sudare.engines.spark.storage import Storage, from_arrow
from sudare.facts.errors import InvalidFile

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What Hadoop takes for a pattern.
_SIGNS = re.compile(r"[{}\[\]*?\\]")
_LOOKS_ITSELF = "spark.sql.sources.parallelPartitionDiscovery.threshold"
# Files read at a time, where each is far away.
_AT_A_TIME = 16


@dataclass(frozen=True)
class ParquetFiles:
    """Files of one layout: their addresses as Spark takes them, and what their footers say; `near`
    if they lie on this machine."""

    addresses: tuple[str, ...]
    names: tuple[str, ...]
    rows: int
    footer: parquet.FileMetaData
    near: bool

    def storages(self, places: Sequence[int]) -> list[Storage | None]:
        schema = self.footer.schema.to_arrow_schema()
        return [self._storage(schema.field(place)) for place in places]

    def _storage(self, field: pa.Field) -> Storage | None:
        leaves = [self.footer.schema.column(n) for n in range(self.footer.num_columns)]
        if any(leaf.path == field.name and leaf.physical_type == "INT96" for leaf in leaves):
            return Storage("timestamp")
        return from_arrow(field.type)

    def frame(self, session: SparkSession, columns: dict[str, Storage]) -> DataFrame:
        """The named columns, in the order given."""
        from pyspark.sql.types import DataType, StructField, StructType

        # Without a column Spark would guess them all; one that no file has is never read.
        kinds = {name: storage.name for name, storage in columns.items()} or {"": "int"}
        fields = [StructField(name, DataType.fromDDL(_type(kind))) for name, kind in kinds.items()]
        reader = session.read.schema(StructType(fields))
        for name in ("datetimeRebaseMode", "int96RebaseMode"):
            reader = reader.option(name, "CORRECTED")
        if self.near:
            # Spark looks for more than 32 files by a job of one task a file, which takes longer
            # than to sum their rows. Here a look is nothing; far away the job pays.
            session.conf.set(_LOOKS_ITSELF, str(len(self.addresses)))
        return reader.parquet(*self.addresses)


def _type(name: str) -> str:
    return "int" if name == "void" else name


def local_files(paths: Sequence[Path]) -> ParquetFiles:
    """Files of this machine, which every worker has to see under the same path."""
    footers = [footer_of(path, path.name) for path in paths]
    addresses = [f"file://{path.absolute()}" for path in paths]
    return _together([path.name for path in paths], addresses, footers, near=True)


def remote_files(session: SparkSession, address: str) -> ParquetFiles:
    """Files of any file system that Hadoop knows: one file, or a pattern."""
    unreachable = InvalidFile(
        "The files cannot be reached through Spark.",
        "Check the address, and that Spark has the file system's library and credentials.",
    )
    found = guarded(lambda: _listed(session, address), unreachable)
    if not found:
        raise InvalidFile("There is no Parquet file at this address.", "Check the address.")
    names = [each.name for each in found]
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        footers = list(pool.map(lambda each: footer_of(each.opened(), each.name), found))
    return _together(names, [each.address for each in found], footers, near=False)


def _together(
    names: Sequence[str],
    addresses: Sequence[str],
    footers: Sequence[parquet.FileMetaData],
    near: bool,
) -> ParquetFiles:
    escaped = tuple(_SIGNS.sub(r"\\\g<0>", address) for address in addresses)
    rows = sum(footer.num_rows for footer in footers)
    return ParquetFiles(escaped, common_names(names, footers), rows, footers[0], near)


@dataclass(frozen=True)
class _File:
    """A file of Hadoop's; `read` gives bytes from a place on."""

    address: str
    name: str
    size: int
    read: Callable[[int, int], bytes]

    def opened(self) -> pa.PythonFile:
        return pa.PythonFile(_Bytes(self), mode="r")


def _listed(session: SparkSession, address: str) -> list[_File]:
    jvm: Any = session.sparkContext._jvm
    path = jvm.org.apache.hadoop.fs.Path(address)
    system = path.getFileSystem(session._jsparkSession.sessionState().newHadoopConf())
    return [
        _File(
            status.getPath().toString(),
            status.getPath().getName(),
            status.getLen(),
            _reader(jvm, system, status.getPath()),
        )
        for status in system.globStatus(path) or ()
        if status.isFile()
    ]


def _reader(jvm: Any, system: Any, path: Any) -> Callable[[int, int], bytes]:
    def read(start: int, size: int) -> bytes:
        stream = system.open(path)
        try:
            stream.seek(start)
            return bytes(jvm.org.apache.commons.io.IOUtils.toByteArray(stream, size))
        finally:
            stream.close()

    return read


class _Bytes(io.RawIOBase):
    """Enough of a file for pyarrow to read a footer."""

    def __init__(self, file: _File) -> None:
        self._file, self._place = file, 0

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._file.size}[whence]
        self._place = start + offset
        return self._place

    def tell(self) -> int:
        return self._place

    def read(self, size: int = -1) -> bytes:
        left = max(self._file.size - self._place, 0)
        wanted = left if size < 0 else min(size, left)
        found = self._file.read(self._place, wanted) if wanted else b""
        self._place += len(found)
        return found
