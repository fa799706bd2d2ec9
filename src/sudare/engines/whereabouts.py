"""Where a table's rows lie, in one spelling: the same rows are met again under any name.

Rule     a file is its resolved path, so that links and relative names are the same place; a pattern
         is the folder that it looks into; an address is host, port, database and table, without
         user and password. A dataframe lies nowhere.
Gaps     hard links, copies and mounts of a file elsewhere, and servers under two names, are
         different places.
"""

from __future__ import annotations

import glob
import os
import posixpath
import re
from pathlib import PurePosixPath

from sudare.engines.choose import is_remote
from sudare.facts.address import is_address, located

_SIGNS = re.compile(r"[*?\[]")
_PARQUET = (".parquet", ".pq")
# One store under several schemes, and the ports that need not be written.
_SCHEMES = {"s3a": "s3", "s3n": "s3", "abfss": "abfs", "wasbs": "wasb", "swebhdfs": "webhdfs"}
_PORTS = {"hdfs": ":8020"}
_FILES = (*_PARQUET, ".csv", ".tsv", ".gz")


def places_of(data: object) -> tuple[str, ...]:
    """The place of the rows first, then those of rows that they are part of or that are part of
    them; none for what lies nowhere."""
    if not isinstance(data, str | os.PathLike):
        return ()
    name = os.fspath(data)
    if not isinstance(name, str):
        return ()
    if is_address(name):
        place, _, table = located(name).rpartition("#")
        return (f"{place}#{table if '.' in table else f'public.{table}'}",)
    if is_remote(name) and not os.path.exists(name):
        scheme, _, rest = name.partition("://")
        if scheme.lower() != "file":
            return _remote(scheme.lower(), rest)
        name = "/" + rest.lstrip("/")
    return _local(name)


def _local(name: str) -> tuple[str, ...]:
    sign = None if os.path.exists(name) else _SIGNS.search(name)
    if sign is None:
        path = os.path.realpath(name)
        return _around("", path, os.path.isdir(path), is_deep=True)
    folder = os.path.realpath(os.path.dirname(name[: sign.start()]))
    found = [os.path.realpath(each) for each in glob.glob(name, recursive=True)]
    parts = [f"file {each}" for each in found]
    parts += [f"folder {posixpath.dirname(each)}" for each in found]
    return tuple(dict.fromkeys((*_around("", folder, True, is_deep="**" in name), *parts)))


def _remote(scheme: str, rest: str) -> tuple[str, ...]:
    host, _, path = rest.partition("/")
    scheme = _SCHEMES.get(scheme, scheme)
    sign = _SIGNS.search(path)
    is_folder = sign is not None or not path.lower().endswith(_FILES)
    named = path if sign is None else posixpath.dirname(path[: sign.start()])
    start = f"{scheme}://{_server(scheme, host)}"
    place = posixpath.normpath(f"/{named.lstrip('/')}")
    return _around(start, place, is_folder, is_deep="**" in path)


def _server(scheme: str, host: str) -> str:
    """Without a key and a default port; in Azure's addresses the container stands before the @."""
    named = host if scheme in ("abfs", "wasb") else host.rpartition("@")[2]
    return named.lower().removesuffix(_PORTS.get(scheme, "/"))


def _around(start: str, path: str, is_folder: bool, is_deep: bool) -> tuple[str, ...]:
    """The place itself, then whatever it is a part of. Only Parquet is read by the folder."""
    above = [f"tree {start}{folder}" for folder in PurePosixPath(path).parents]
    if is_folder:
        own = f"{'tree' if is_deep or start else 'folder'} {start}{path}"
        return tuple(dict.fromkeys((own, f"tree {start}{path}", *above)))
    if not path.lower().endswith(_PARQUET):
        return (f"file {start}{path}",)
    return (f"file {start}{path}", f"folder {start}{posixpath.dirname(path)}", *above)
