"""The Python API: open a table, see what a question would cost, ask it.

    import sudare
    people = sudare.open("people.csv", schema="people.schema.toml")
    people.forecast("mean(age)", epsilon=0.5)
    release = people.ask("count()", "mean(age)", epsilon=0.5)
    release["mean(age)"].value
    people.tabulate("sex", "region", epsilon=1)["sex,region"]
    people.randomize("reports.parquet", epsilon=4, shuffle=True)
    sudare.estimate("reports.parquet").means

Like the command line, it only hands on to `publish`; in a notebook results show themselves.
"""

from sudare.api.results import Forecasts, Result, TableResult
from sudare.api.table import Table, estimate, open_table

__all__ = ["Forecasts", "Result", "Table", "TableResult", "estimate", "open_table"]
