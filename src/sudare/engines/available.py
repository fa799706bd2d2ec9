"""Which engines can run here, and why not; nothing is started to find out."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# PySpark 4 runs on Java 17 and 21 (its documentation, "Installation").
_LEAST_JAVA = 17


@dataclass(frozen=True)
class EngineState:
    """`version` of what is there; `missing` and `hint` say what is not and what to do."""

    name: str
    reads: str
    version: str | None
    missing: str | None = None
    hint: str | None = None

    @property
    def ready(self) -> bool:
        return self.missing is None


def available() -> list[EngineState]:
    """Every engine, the default first."""
    return [_duckdb(), _postgresql(), _spark()]


def _duckdb() -> EngineState:
    reads = "CSV, TSV and Parquet files, dataframes"
    found = _version("duckdb")
    if found is None:
        return EngineState(
            "duckdb",
            reads,
            None,
            "DuckDB is not installed, or cannot be loaded.",
            "Run: pip install duckdb.",
        )
    return EngineState("duckdb", reads, f"DuckDB {found}")


def _postgresql() -> EngineState:
    reads = "postgresql://user@host/database#schema.table"
    found = _version("psycopg")
    if found is None:
        return EngineState(
            "postgresql",
            reads,
            None,
            "psycopg is not installed, or cannot be loaded.",
            "Run: pip install 'sudare[postgres]'.",
        )
    return EngineState("postgresql", reads, f"psycopg {found}")


def _spark() -> EngineState:
    reads = "Parquet files anywhere, Spark DataFrames"
    found = _version("pyspark")
    if found is None:
        return EngineState(
            "spark",
            reads,
            None,
            "PySpark is not installed, or cannot be loaded.",
            "Run: pip install 'sudare[spark]'.",
        )
    java = java_version()
    if java is None or java < _LEAST_JAVA:
        what = "Java is not installed." if java is None else f"Java {java} is too old for Spark."
        return EngineState(
            "spark",
            reads,
            f"PySpark {found}",
            what,
            f"Install Java {_LEAST_JAVA} or newer (Debian: openjdk-17-jre-headless), or set "
            "JAVA_HOME.",
        )
    return EngineState("spark", reads, f"PySpark {found}, Java {java}")


def java_version() -> int | None:
    """The major version of the Java that Spark would take; None if there is none that runs."""
    home = os.environ.get("JAVA_HOME")
    command = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if not command:
        return None
    try:
        told = subprocess.run([command, "-version"], capture_output=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    # "1.8.0" is how Java 8 called itself.
    match = re.search(rb'version "(?:1\.)?([0-9]+)', told.stderr + told.stdout)
    return int(match[1]) if match else None


def _version(package: str) -> str | None:
    """What is installed and can be loaded: psycopg, for one, needs a library of the system."""
    try:
        import_module(package)
        return version(package)
    except (ImportError, PackageNotFoundError):
        return None
