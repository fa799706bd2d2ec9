"""mlxtend's FP-growth and its rules, on a table with one column an item. The table is sparse, which
was the faster of its two forms on these data.

Its "fit" is `fpgrowth`, its "sample" is `association_rules`, where the job names a file for them;
neither the making of the table nor the ranking of the rules is in the seconds.
"""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
from contract import Job, read_job, report, timed
from mlxtend.frequent_patterns import association_rules, fpgrowth
from scipy.sparse import csr_matrix

Rule = tuple[int, int, tuple[int, ...], tuple[int, ...]]


def table(job: Job) -> pd.DataFrame:
    with np.load(job["source"]) as stored:
        starts, items = stored["starts"], stored["items"]
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    shape = len(starts) - 1, int(items.max()) + 1
    held = csr_matrix((np.ones(len(items), bool), (owners, items)), shape)
    return pd.DataFrame.sparse.from_spmatrix(held)


def ranked(found: pd.DataFrame, records: int, top: int) -> list[Rule]:
    """The first rules as (support, support of the antecedent, antecedent, consequent)."""
    sides = [
        [tuple(sorted(side)) for side in found[name]] for name in ("antecedents", "consequents")
    ]
    counts = [
        (found[name] * records).round().astype(int) for name in ("support", "antecedent support")
    ]
    rules = zip(*counts, *sides, strict=True)
    return sorted(rules, key=lambda r: (-r[0], r[1], len(r[2]), len(r[3]), r[2], r[3]))[:top]


def save(path: str, sets: pd.DataFrame, records: int) -> None:
    sizes = [len(one) for one in sets.itemsets]
    items = np.fromiter(chain.from_iterable(map(sorted, sets.itemsets)), np.int32, sum(sizes))
    supports = (sets.support.to_numpy() * records).round().astype(np.int64)
    np.savez(path, starts=np.cumsum([0, *sizes]), items=items, supports=supports)


def main() -> None:
    job = read_job()
    held = table(job)
    # Half a record below the threshold: rounding cannot move it to another whole number.
    share = (job["least"] - 0.5) / len(held)
    sets, mining = timed(lambda: fpgrowth(held, min_support=share))
    save(job["out"], sets, len(held))
    if job["rules"] is None:
        return report(mining, (0.0, 0.0))
    rules, ruling = timed(
        lambda: association_rules(sets, metric="confidence", min_threshold=job["confidence"])
    )
    first = ranked(rules, len(held), job["top"])
    told = [[int(s), int(b), [*map(int, x)], [*map(int, y)]] for s, b, x, y in first]
    Path(job["rules"]).write_text(json.dumps(told), encoding="utf-8")
    return report(mining, ruling)


if __name__ == "__main__":
    main()
