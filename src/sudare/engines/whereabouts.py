"""Where a table's rows lie, in one spelling: the same rows are met again under any name.

Rule     a file is its resolved path, so that links and relative names are the same place; on this
         machine it is also its number on its disk, so that a hard link and a new name are. A
         pattern is the folder that it looks into; an address is host, port, database and table,
         without user and password, and what the server says of it (postgres/identity.py). A
         dataframe lies nowhere.
Needs    nothing is opened here but the server's catalogue.
Gaps     copies of a file are other places; so is a hard link to one file of a folder that was
         charged as a whole.
"""

from __future__ import annotations

import glob
import os
import posixpath
import re
import stat
from pathlib import PurePosixPath

from sudare.engines.choose import is_remote
from sudare.facts.address import is_address, located
from sudare.facts.errors import SudareError
from sudare.facts.whereabouts import NOWHERE, Whereabouts

_SIGNS = re.compile(r"[*?\[]")
_PARQUET = (".parquet", ".pq")
# One store under several schemes, and the ports that need not be written.
_SCHEMES = {"s3a": "s3", "s3n": "s3", "abfss": "abfs", "wasbs": "wasb", "swebhdfs": "webhdfs"}
_PORTS = {"hdfs": ":8020"}
_FILES = (*_PARQUET, ".csv", ".tsv", ".gz")


def places_of(data: object) -> Whereabouts:
    """Where the rows lie, as their name says it."""
    if not isinstance(data, str | os.PathLike):
        return NOWHERE
    name = os.fspath(data)
    if not isinstance(name, str):
        return NOWHERE
    if is_address(name):
        place, _, table = located(name).rpartition("#")
        return Whereabouts((f"{place}#{table if '.' in table else f'public.{table}'}",))
    if is_remote(name) and not os.path.exists(name):
        scheme, _, rest = name.partition("://")
        if scheme.lower() != "file":
            return _remote(scheme.lower(), rest)
        name = "/" + rest.lstrip("/")
    return _local(name)


def looked_up(data: object) -> Whereabouts:
    """The same, with what a server says of it, for whoever has not opened the table: nothing where
    it cannot be asked."""
    found = places_of(data)
    if isinstance(data, str) and is_address(data):
        from sudare.engines.postgres.identity import identity_at

        try:
            return found + identity_at(data)
        except SudareError:
            return found
    return found


def _local(name: str) -> Whereabouts:
    sign = None if os.path.exists(name) else _SIGNS.search(name)
    if sign is None:
        path = os.path.realpath(name)
        found = _around("", path, os.path.isdir(path), is_deep=True)
        return found + _on_disk(path)
    folder = os.path.realpath(os.path.dirname(name[: sign.start()]))
    each_file = [os.path.realpath(each) for each in glob.glob(name, recursive=True)]
    parts = [f"file {each}" for each in each_file]
    parts += [f"folder {posixpath.dirname(each)}" for each in each_file]
    parts += [number for each in each_file for number in _on_disk(each).here]
    return Whereabouts(around=tuple(parts)) + _around("", folder, True, is_deep="**" in name)


def _remote(scheme: str, rest: str) -> Whereabouts:
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


def _around(start: str, path: str, is_folder: bool, is_deep: bool) -> Whereabouts:
    """The place itself, and whatever it is a part of. Only Parquet is read by the folder."""
    above = [f"tree {start}{folder}" for folder in PurePosixPath(path).parents]
    if is_folder:
        own = f"{'tree' if is_deep or start else 'folder'} {start}{path}"
        return Whereabouts((own,), (f"tree {start}{path}", *above))
    if not path.lower().endswith(_PARQUET):
        return Whereabouts((f"file {start}{path}",))
    return Whereabouts(
        (f"file {start}{path}",), (f"folder {start}{posixpath.dirname(path)}", *above)
    )


def _on_disk(path: str) -> Whereabouts:
    """A file by its number on its disk. A number is given to another file once this one is gone,
    so alone it is asked for only where the file has several names."""
    try:
        facts = os.stat(path)
    except OSError:
        return NOWHERE
    if not stat.S_ISREG(facts.st_mode):
        return NOWHERE
    number = f"inode {facts.st_dev}:{facts.st_ino}"
    written = f"{number} written {facts.st_mtime_ns}"
    if facts.st_nlink > 1:
        return Whereabouts(here=(number, written))
    return Whereabouts(here=(written,), kept=(number,))
