"""The first ten minutes of a newcomer, timed: set-up, demo, tests and first commands.

    python benchmarks/first_minutes.py                # all but the tests
    python benchmarks/first_minutes.py --tests        # also make test and make test-integration

Everything happens in a fresh clone of HEAD with an empty HOME and empty caches. Seconds are wall
clock: run it alone. `warm` is the median of three. BMS-WebView-1 is read from ../shared/data if it
is there; 40 % of its items are sensitive to everyone (sets_first.py).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BMS = ROOT.parent / "shared" / "data" / "bms-webview-1.dat.gz"
RELEASES = 10_000
RECORDS = "milk bread test\nmilk bread\nbread beer\nmilk beer test\nbread\n"
SENSITIVE = "user,item\n1,test\n4,test\n"


def main() -> None:
    """Print a line a measurement."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--tests", action="store_true", help="run the test tiers too (long)")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="first-minutes-") as name:
        base = Path(name)
        for label, value, goal in measured(base, asked.tests):
            print(f"{label:<58} {value:>10}   goal {goal}", flush=True)


def measured(base: Path, with_tests: bool) -> Iterator[tuple[str, str, str]]:
    """Label, figure and goal, one after the other."""
    clone = base / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    home = fresh(base)
    setting_up = timed(["make", ".venv/.demo"], clone, home)
    showing = timed(["make", "demo"], clone, home)
    yield "make demo, packages included", f"{setting_up + showing:.1f} s", "150 s"
    yield "  of which the demo's own run", f"{showing:.1f} s", "45 s"
    yield "runtime install without extras", f"{runtime(clone, base):.0f} MB", "450 MB"
    command = str(clone / ".venv" / "bin" / "sudare")
    yield from asked_and_made(command, base)
    yield from suppressed(command, base)
    yield f"ledger open at {RELEASES:,} releases", f"{opened(clone):.1f} ms", "20 ms"
    if with_tests:
        timed(["make", ".venv/.dev"], clone, home)
        yield (
            "make test, environment ready",
            f"{timed(['make', 'test'], clone, home):.0f} s",
            "420 s",
        )
        rest = timed(["make", "test-integration"], clone, home)
        yield "make test-integration", f"{rest:.0f} s", "(both: 2,100 s)"


def asked_and_made(command: str, base: Path) -> Iterator[tuple[str, str, str]]:
    """`ask` and `synthesize` on the example town."""
    folder, home = base / "asked", fresh(base)
    folder.mkdir()
    town = (
        "from sudare.demo.town import people_csv, schema_text\n"
        "open('people.csv', 'w').write(people_csv())\n"
        "schema = schema_text('en').replace('epsilon = 3.0', 'epsilon = 1000.0')\n"
        "open('people.schema.toml', 'w').write(schema)\n"
        "lines = people_csv().splitlines(keepends=True)\n"
        "open('half.csv', 'w').writelines(lines[:10_001])\n"
        "open('half.schema.toml', 'w').write(schema)\n"
    )
    subprocess.run([str(Path(command).parent / "python"), "-c", town], cwd=folder, check=True)
    ask = [command, "ask", "people.csv", "--epsilon", "1", "count()", "mean(age)"]
    yield "ask count() and mean(age), 20,000 rows", f"{median(ask, folder, home):.2f} s", "0.8 s"
    make = [command, "synthesize", "half.csv", "--force", "-o", "made.csv"]
    if "--force" not in helped(command, "synthesize"):
        make.remove("--force")

    def again() -> None:
        for path in folder.glob("made*"):
            path.unlink()

    taken = median(make, folder, home, before=again)
    yield "synthesize 10,000 rows x 9 columns, with report", f"{taken:.2f} s", "4 s"


def suppressed(command: str, base: Path) -> Iterator[tuple[str, str, str]]:
    """`suppress` of five records and of BMS-WebView-1, on a machine that never ran it."""
    folder, home = base / "sets", fresh(base)
    folder.mkdir()
    (folder / "five.dat").write_text(RECORDS)
    (folder / "five.csv").write_text(SENSITIVE)
    five = [command, "suppress", "five.dat", "--sensitive", "five.csv", "--rho", "0.5"]
    five += ["-o", "five.out.dat"]

    def again() -> None:
        for path in folder.glob("*.out*"):
            path.unlink()

    yield "first suppress, 5 records, empty caches", f"{timed(five, folder, home):.2f} s", "3 s"
    yield "warm suppress, 5 records", f"{median(five, folder, home, before=again):.2f} s", "2 s"
    if not BMS.is_file():
        return
    python = str(Path(command).parent / "python")
    extra = ["-m", "pip", "install", "--quiet", "-r", str(ROOT / "requirements" / "sets.txt")]
    subprocess.run([python, *extra], check=True, capture_output=True)
    subprocess.run(
        [python, str(ROOT / "benchmarks" / "sets_first.py"), "--write", str(folder)], check=True
    )
    large = [command, "suppress", "bms.dat", "--sensitive", "bms.csv", "--rho", "0.5"]
    large += ["-o", "bms.out.dat"]
    home = fresh(base)
    yield (
        "first suppress, BMS-WebView-1, empty caches",
        f"{timed(large, folder, home):.1f} s",
        "40 s",
    )
    again()
    yield "warm suppress, BMS-WebView-1", f"{timed(large, folder, home):.1f} s", "1.2 x before"


def runtime(clone: Path, base: Path) -> float:
    """Megabytes of an environment with the package and no extra."""
    place = base / "runtime"
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    lock = str(clone / "requirements" / "runtime.txt")
    subprocess.run([*pip, "--constraint", lock, str(clone)], check=True, capture_output=True)
    size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    shutil.rmtree(place)
    return size / 2**20


def opened(clone: Path) -> float:
    """Milliseconds to open a ledger of many releases, by ledger_growth.py in the clone."""
    script = ROOT / "benchmarks" / "ledger_growth.py"
    python = str(clone / ".venv" / "bin" / "python")
    command = [python, str(script), "--open-only", str(RELEASES)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return float(done.stdout.split()[-1])


def helped(command: str, name: str) -> str:
    return subprocess.run([command, name, "--help"], capture_output=True, text=True).stdout


def fresh(base: Path) -> Path:
    """An empty home; its caches are empty too."""
    return Path(tempfile.mkdtemp(prefix="home-", dir=base))


def median(
    command: list[str], folder: Path, home: Path, before: Callable[[], None] = lambda: None
) -> float:
    """The median of three runs, after one that fills the disk's cache."""
    taken = []
    for _ in range(4):
        before()
        taken.append(timed(command, folder, home))
    return statistics.median(taken[1:])


def timed(command: list[str], folder: Path, home: Path) -> float:
    """Seconds of one run; a run that fails ends the benchmark with what it said."""
    pip = os.environ.get("PIP_CONFIG_FILE") or str(Path.home() / ".config/pip/pip.conf")
    places = {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache"), "PIP_CONFIG_FILE": pip}
    begun = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=os.environ | places, capture_output=True, text=True
    )
    taken = time.perf_counter() - begun
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return taken


if __name__ == "__main__":
    main()
