"""sudare check: what published tables and records give away."""

from __future__ import annotations

import typer

from sudare.cli import checking_records, checking_sets, checking_tables

app = typer.Typer(
    help="See what tables or records give away. Example: sudare check tables exam/*.csv",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("tables")(checking_tables.tables)
app.command("records")(checking_records.records)
app.command("sets")(checking_sets.sets)
