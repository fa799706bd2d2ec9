"""A thousand changed bytes in each kind of file that is kept: each is found, or it is harmless:
what is read is equal to what was written.

Places and bytes are fixed by a seed, so the same thousand are tried in every run. A file of
statistics has a digest of its own; certificates are read in one form alone; every file beside a
certificate is found by its digest there.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sudare.facts.errors import SudareError
from sudare.facts.local_plan import LocalPlan
from sudare.facts.plan import Plan
from sudare.facts.statistics import Statistics
from sudare.ledger.ledger import Ledger
from sudare.publish.ask import ask
from sudare.publish.certifying import certify
from sudare.publish.outputs import digest_of
from sudare.publish.private_statistics import PrivatePlan, private_statistics, statistics_of
from sudare.publish.randomize import randomize
from sudare.publish.synthesize import Wish, make
from sudare.publish.verifying import verify_files
from sudare.report.certificate import statement
from sudare.report.html import render
from sudare.report.tables import to_csv
from sudare.wires.entries import read_entries
from sudare.wires.log import Log, countersign, verify_log
from support.bits import CountedBits
from support.certificates import flipped
from support.corners import BASE, people, schema
from support.wires import PLAN, consortium

pytestmark = pytest.mark.integration


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


def test_a_file_of_statistics_read_alone() -> None:
    plan = PrivatePlan(Fraction(1), columns=("a", "b", "c"))
    with tempfile.TemporaryDirectory() as folder:
        release = private_statistics(
            people(BASE * 10), schema(), plan, ledger=Path(folder, "l"),
            bits=CountedBits("statistics"),
        )  # fmt: skip
    text = statistics_of(release).to_json()

    def read(whole: bytes) -> Any:
        try:
            return Statistics.from_json(whole.decode("utf-8")).to_json()
        except UnicodeDecodeError:
            raise SudareError("The file is not UTF-8.", "") from None

    told = verdicts(text.encode(), read)
    print("statistics", told)
    assert told["another"] == 0
    assert told["found"] > 900


@pytest.mark.parametrize(
    "name", ["out.csv", "out.report.html", "out.certificate.json", "stats.json", "rows.csv"]
)
def test_what_a_certificate_binds(tmp_path: Path, name: str) -> None:
    """Answers, page and certificate of a release, statistics, synthetic rows: all by `verify`,
    with neither ledger nor key at hand."""
    ledger, place = tmp_path / "books" / "corners.ledger", tmp_path / "far" / "away"
    place.mkdir(parents=True)
    ledger.parent.mkdir()
    release = ask(people(BASE), schema(), Plan(("count()", "count() by c"), Fraction(1)),
                  ledger=ledger)  # fmt: skip
    (place / "out.csv").write_text(to_csv(release), encoding="utf-8", newline="")
    (place / "out.report.html").write_text(render(release), encoding="utf-8")
    certify(
        statement(release),
        place / "out.certificate.json",
        [place / "out.csv", place / "out.report.html"],
        ledger,
    )
    plan = PrivatePlan(Fraction(1), columns=("a", "b", "c"))
    measured = private_statistics(people(BASE * 10), schema(), plan, ledger=ledger)
    found = statistics_of(measured)
    (place / "stats.json").write_text(found.to_json() + "\n", encoding="utf-8")
    made = make(found, Wish(20)).write(place / "rows.csv")
    bound = [place / "stats.json", place / "rows.csv"]
    certify(made.facts.statement(), place / "rows.certificate.json", bound, ledger)
    path = place / name
    whole = path.read_bytes()

    def read(changed: bytes) -> Any:
        path.write_bytes(changed)
        checked = verify_files([path], statement)
        if not checked.ok:
            raise SudareError("Something was changed.", "")
        return changed

    told = verdicts(whole, read)
    print(name, told)
    assert told == {"found": 1000, "harmless": 0, "another": 0}
