"""How long the secure computation takes, and how much it sends.

    python benchmarks/link_secure.py

Two organisations with five numbers and two categories of five labels each. Split: both shares of
every row; deal: the dealer's corrections; compute: one side's part, masking and multiplying, not
the network. Peak memory is of the whole process, which holds all three roles and the rows.
"""

from __future__ import annotations

import json
import os
import resource
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from sudare.facts.randomized import Domain, LabelDomain, NumberDomain
from sudare.link.secure import Computing, opened
from sudare.link.secure_job import SecureJob, compile_secure
from sudare.link.shares import split
from sudare.link.triples import Dealer
from sudare.randomness.bits import SystemBits

RESULTS = Path(__file__).parent / "results" / "link_secure.json"
ROWS = (65_536, 262_144, 1_048_576)


def job_of() -> SecureJob:
    number, label = NumberDomain("integer", 0, 1000, 1.0, True), LabelDomain(tuple("abcde"))
    parties: list[tuple[str, dict[str, Domain]]] = []
    for party in "AB":
        columns: dict[str, Domain] = {f"{party}{i}": number for i in range(5)}
        columns |= {f"{party} label {i}": label for i in range(2)}
        parties.append((party, columns))
    return compile_secure(parties, Fraction(1))


def measured(job: SecureJob, rows: int) -> dict[str, Any]:
    bits, start = SystemBits(), time.perf_counter()
    # What the numbers are makes no difference to the time.
    values = np.tile(np.arange(rows)[:, np.newaxis] % 5, (1, job.width))
    one, two = split(values, bits)
    split_seconds = time.perf_counter() - start
    dealer = Dealer.of(job, b"benchmark", bits)
    collector = Computing("collector", dealer.collector, one)
    helper = Computing("helper", dealer.helper, two)
    deal, compute, sent = 0.0, 0.0, 0
    for chunk in range(collector.chunks):
        start = time.perf_counter()
        correction = dealer.correction(chunk)
        deal += time.perf_counter() - start
        other = helper.masked(chunk)
        start = time.perf_counter()
        shown = collector.masked(chunk)
        collector.add(chunk, other)
        compute += time.perf_counter() - start
        helper.add(chunk, shown, correction)
        sent += len(shown)
    cells = opened(job, collector.protected(bits), helper.protected(bits))
    # A time of a wrong computation would mean nothing.
    far = 60 * float(max(job.scales))
    assert abs(int(cells[0]) - int(values[:, 0].sum())) < far
    return {
        "rows": rows,
        "width": job.width,
        "cells": len(job.scales),
        "split_seconds": split_seconds,
        "deal_seconds": deal,
        "compute_seconds": compute,
        "bytes_a_row_each_way": sent / rows,
        "bytes_from_dealer": len(correction) * collector.chunks + 32,
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    job, rows = job_of(), []
    for count in ROWS:
        rows.append(measured(job, count))
        print(rows[-1], flush=True)
    out = {"command": "python benchmarks/link_secure.py", "cores": os.cpu_count(), "rows": rows}
    RESULTS.write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
