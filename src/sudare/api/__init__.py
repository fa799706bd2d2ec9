"""The Python API: open a table, see what a question would cost, ask it.

    import sudare
    people = sudare.open("people.csv", schema="people.schema.toml")
    people.forecast("mean(age)", epsilon=0.5)
    release = people.ask("count()", "mean(age)", epsilon=0.5)
    release["mean(age)"].value
    people.tabulate("sex", "region", epsilon=1)["sex,region"]
    people.randomize("reports.parquet", epsilon=4, shuffle=True)
    sudare.estimate("reports.parquet").means
    sudare.suppress("baskets.dat", "released.dat", sensitive="sensitive.csv", rho="0.5")
    rows = sudare.Synthesizer().fit_data(dataframe, schema=schema).sample(1000)

Like the command line, it only hands on to `publish`; in a notebook results show themselves.
"""

from sudare.api.results import Forecasts, Result, TableResult
from sudare.api.sets import check_sets, suppress
from sudare.api.synthesizer import Synthesizer
from sudare.api.table import Table, compare, estimate, open_table

__all__ = [
    "Forecasts",
    "Result",
    "Synthesizer",
    "Table",
    "TableResult",
    "check_sets",
    "compare",
    "estimate",
    "open_table",
    "suppress",
]
