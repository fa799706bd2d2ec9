"""SDV's Gaussian copula, from exact rows, with its defaults and the declared kinds of columns."""

from __future__ import annotations

import pandas as pd
from contract import Job, read_job, report, timed
from sdv.metadata import Metadata
from sdv.single_table import GaussianCopulaSynthesizer


def fitted(rows: pd.DataFrame, job: Job) -> GaussianCopulaSynthesizer:
    metadata = Metadata.detect_from_dataframes({"rows": rows}, infer_keys=None)
    for name in rows:
        # Detection guesses; a steward would correct what it takes for a code or a place.
        kind = "numerical" if name in job["numbers"] else "categorical"
        metadata.update_column(name, "rows", sdtype=kind)
    maker = GaussianCopulaSynthesizer(metadata)
    maker.fit({"rows": rows})
    return maker


def main() -> None:
    job = read_job()
    rows = pd.read_csv(job["source"], keep_default_na=False)
    kinds = {name: str for name in rows if name not in job["numbers"]}
    rows = rows.astype(kinds)
    maker, fitting = timed(lambda: fitted(rows, job))
    made, sampling = timed(lambda: maker.sample(job["rows"]))
    made["rows"].to_csv(job["out"], index=False)
    report(fitting, sampling)


if __name__ == "__main__":
    main()
