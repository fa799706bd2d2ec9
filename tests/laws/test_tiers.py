"""Every test belongs to one tier, and no test to none."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MARKS = ("integration", "slow", "hypothesis")
ALL = [{*some} for number in range(4) for some in itertools.combinations(MARKS, number)]
RULE = re.compile(r"^(test|test-integration|test-all):.*\n((?:\t.*\n)+)", re.M)
CHOICE = re.compile(r'-m "([^"]*)"')
LISTER = """
import pytest, sys

class Lister:
    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session):
        for item in session.items:
            marks = sorted({mark.name for mark in item.iter_markers()} & set(sys.argv[1:]))
            name = item.nodeid.encode("ascii", "backslashreplace").decode()
            print("test", name, *marks, sep="\\t")

words = ["--collect-only", "-qqq", "-n", "0", "-p", "no:cacheprovider"]
sys.exit(pytest.main(words, [Lister()]))
"""


def choices() -> dict[str, str]:
    """What each target of the Makefile gives to pytest's -m; nothing is everything."""
    found = RULE.findall((ROOT / "Makefile").read_text(encoding="utf-8"))
    return {name: "".join(CHOICE.findall(recipe)) for name, recipe in found}


def runs(choice: str, marks: set[str]) -> bool:
    """Whether tests with these marks are chosen: marks, and, or, not and brackets alone."""
    assert set(re.findall(r"[a-z]+", choice)) <= {*MARKS, "and", "or", "not"}
    return not choice or bool(eval(choice, {name: name in marks for name in MARKS}))


def tiers(marks: set[str]) -> list[str]:
    """The targets that run a test with these marks."""
    return [name for name, choice in choices().items() if runs(choice, marks)]


@pytest.mark.parametrize(
    "marks", [{*m} for n in range(4) for m in itertools.combinations(MARKS, n)]
)
def test_every_test_has_one_tier(marks: set[str]) -> None:
    """What is slow runs with all alone; properties run in both other tiers, with more examples in
    the second; any other test runs in one."""
    found = tiers(marks)
    assert found[-1] == "test-all"
    if "slow" in marks:
        assert found == ["test-all"]
    elif "integration" in marks:
        assert found == ["test-integration", "test-all"]
    elif "hypothesis" in marks:
        assert found == ["test", "test-integration", "test-all"]
    else:
        assert found == ["test", "test-all"]


def test_ci_runs_both_tiers() -> None:
    """Also when the first fails, and then it fails too."""
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    loop = script[script.index("failed=()") :]
    assert "for tier in test test-integration; do" in loop
    make = 'make() { echo "ran $1"; [ "$1" != "$BROKEN" ]; }\n'
    for broken, code in (("none", 0), ("test", 1), ("test-integration", 1)):
        words = ["bash", "-euo", "pipefail", "-c", f"BROKEN={broken}\n{make}{loop}"]
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode == code
        assert done.stdout.split("\n")[:2] == ["ran test", "ran test-integration"]
        assert (f"Failed: make {broken}\n" in done.stderr) == bool(code)


@pytest.mark.integration
def test_the_tiers_lists_together_are_all_tests() -> None:
    """Collected once without a choice; no file of tests is left out."""
    done = subprocess.run(
        [sys.executable, "-c", LISTER, *MARKS], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    lines = [line.split("\t") for line in done.stdout.splitlines() if line.startswith("test\t")]
    marked = {name: set(marks) for _, name, *marks in lines}
    assert len(marked) == len(lines), "two tests have one name"
    files = {name.partition("::")[0] for name in marked}
    assert files == {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")}
    lists = {
        target: {name for name, marks in marked.items() if runs(choice, marks)}
        for target, choice in choices().items()
    }
    slow = {name for name, marks in marked.items() if "slow" in marks}
    assert lists["test"] | lists["test-integration"] | slow == lists["test-all"] == set(marked)
    assert all(lists.values())
    assert slow
    assert all("hypothesis" in marked[name] for name in lists["test"] & lists["test-integration"])
