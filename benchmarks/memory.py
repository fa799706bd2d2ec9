"""The memory of this process, for benchmarks that measure in children."""

from pathlib import Path


def most_mb() -> float:
    """The most memory that this process has held. Not ru_maxrss, which begins with what the
    process that started this one had held."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024
