"""smartnoise-synth's MST on codes, every column a category; its preprocessing costs nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
from contract import read_codes, read_job, report, timed
from snsynth import Synthesizer


def main() -> None:
    job = read_job()
    rows = pd.DataFrame(read_codes(job))
    maker = Synthesizer.create("mst", epsilon=float(job["epsilon"]), delta=job["delta"])
    columns = list(rows)
    _, fitting = timed(
        lambda: maker.fit(rows, categorical_columns=columns, preprocessor_eps=0.0, nullable=False)
    )
    made, sampling = timed(lambda: maker.sample(job["rows"]))
    np.savez(job["out"], **{name: made[name].to_numpy(dtype=np.int64) for name in columns})
    report(fitting, sampling)


if __name__ == "__main__":
    main()
