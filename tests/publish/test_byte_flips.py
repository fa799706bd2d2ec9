"""A thousand changed bytes in each kind of file that is kept: each is found, or it is harmless:
what is read is equal to what was written.

Places and bytes are fixed by a seed, so the same thousand are tried in every run. A file of
statistics carries no digest of its own: there a change that still reads as statistics is found by
the digest in a certificate, and this file shows that reading it never ends in anything but a
refusal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudare.facts.errors import SudareError
from sudare.facts.local_plan import LocalPlan
from sudare.facts.plan import Plan
from sudare.facts.statistics import Statistics
from sudare.ledger.ledger import Ledger
from sudare.publish.ask import ask
from sudare.publish.outputs import digest_of
from sudare.publish.private_statistics import PrivatePlan, private_statistics, statistics_of
from sudare.publish.randomize import randomize
from sudare.wires.entries import read_entries
from sudare.wires.log import Log, countersign, verify_log
from support.bits import CountedBits
from support.corners import BASE, people, schema
from support.wires import PLAN, consortium

pytestmark = pytest.mark.integration
FLIPS = 1000


def flipped(whole: bytes) -> Iterator[bytes]:
    """A thousand copies with one byte changed each."""
    drawn = np.random.default_rng(2022)
    for place, change in zip(
        drawn.integers(0, len(whole), FLIPS), drawn.integers(1, 256, FLIPS), strict=True
    ):
        changed = bytearray(whole)
        changed[place] ^= int(change)
        yield bytes(changed)


def verdicts(whole: bytes, read: Callable[[bytes], Any]) -> dict[str, int]:
    """How many were refused, how many read as before, and how many read as something else."""
    true, found = read(whole), {"found": 0, "harmless": 0, "another": 0}
    for changed in flipped(whole):
        try:
            seen = read(changed)
        except SudareError:
            found["found"] += 1
        else:
            found["harmless" if seen == true else "another"] += 1
    return found


def test_a_ledger(tmp_path: Path) -> None:
    """Pages that hold nothing, and what SQLite writes for itself, may change without harm."""
    path, changed = tmp_path / "l.ledger", tmp_path / "changed.ledger"
    for place in range(20):
        ask(
            people(BASE), schema(), Plan(("count()", "mean(a)"), Fraction(1)), ledger=path,
            key=str(place), bits=CountedBits(str(place)),
        )  # fmt: skip
    with Ledger.open(path) as books:
        head = books.export_head()

    def read(whole: bytes) -> Any:
        for beside in tmp_path.glob("changed.ledger*"):
            beside.unlink()
        changed.write_bytes(whole)
        with Ledger.open(changed) as books:
            found = books.verify(head)
            if not found.ok:
                raise SudareError("The ledger is broken.", "")
            return [*books.entries()], books.balance("corners")

    told = verdicts(path.read_bytes(), read)
    print("ledger", told)
    assert told["another"] == 0
    assert told["found"] > 300


def test_a_log_of_a_session(tmp_path: Path) -> None:
    parties = consortium(tmp_path / "ids", "shop", "bank")
    path = tmp_path / "session" / "log.jsonl"
    log, bank = Log(path, "shop", PLAN), parties["bank"]
    for number in range(20):
        head = log.append("sent", {"stream": "rows", "chunks": number, "sha256": "0" * 64})
    log.add_countersignature(parties["shop"], bank.certificate_pem, head, countersign(bank, head))
    log.append("deleted", {"rows": True})
    known = {name: party.certificate_pem for name, party in parties.items()}
    changed = tmp_path / "changed.jsonl"

    def read(whole: bytes) -> Any:
        changed.write_bytes(whole)
        return verify_log(changed, known), read_entries(changed)

    told = verdicts(path.read_bytes(), read)
    print("log", told)
    assert told["another"] == 0
    assert told["found"] > 900


def test_reports_of_randomised_rows(tmp_path: Path) -> None:
    """The ledger has the digest of the file; the same key looks at it before it says that the
    file is there."""
    path = tmp_path / "reports.parquet"
    plan = LocalPlan(Fraction(1), ("a", "c"))

    def run() -> Any:
        return randomize(
            people(BASE * 50), schema("replace-one"), plan, path, ledger=tmp_path / "l", key="k"
        )

    digest = run().randomized["sha256"]
    whole = path.read_bytes()
    assert digest == digest_of(path) == run().randomized["sha256"]
    assert all(hashlib.sha256(each).hexdigest() != digest for each in flipped(whole))
    path.write_bytes(next(flipped(whole)))
    with pytest.raises(SudareError, match="not drawn again"):
        run()


def test_a_file_of_statistics(tmp_path: Path) -> None:
    plan = PrivatePlan(Fraction(1), columns=("a", "b", "c"))
    release = private_statistics(
        people(BASE * 10), schema(), plan, ledger=tmp_path / "l", bits=CountedBits("statistics")
    )
    text = statistics_of(release).to_json()

    def read(whole: bytes) -> Any:
        try:
            return Statistics.from_json(whole.decode("utf-8")).to_json()
        except UnicodeDecodeError:
            raise SudareError("The file is not UTF-8.", "") from None

    told = verdicts(text.encode(), read)
    print("statistics", told)
    assert told["found"] > 300
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert all(hashlib.sha256(each).hexdigest() != digest for each in flipped(text.encode()))
