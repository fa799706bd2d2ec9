"""What `sudare synthesize` prints and writes beside its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sudare.cli import console
from sudare.cli.ahead import say_outlook
from sudare.cli.output import print_json

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.facts.schema import Schema
    from sudare.facts.statistics import Statistics
    from sudare.publish.outputs import OutputSet
    from sudare.publish.private_statistics import PrivatePlan
    from sudare.publish.synthesize import Made


def print_price(
    data: str | Path,
    schema: Schema,
    plan: PrivatePlan,
    ledger: str | Path,
    analyst: str | None,
    key: str | None,
    as_json: bool,
    language: Code,
) -> None:
    """A dry run: what the statistics would cost and how noisy they would be."""
    from sudare.publish.outlook import outlook
    from sudare.publish.private_statistics import price_statistics

    priced, plan_hash = price_statistics(schema, plan), plan.digest(schema.digest())
    ahead = outlook(
        data, schema, priced.cost, plan_hash, "synthesize", ledger=ledger, analyst=analyst, key=key
    )
    told = {
        "histograms": priced.columns,
        "two_way_tables": priced.pairs,
        "noise": {"histogram": priced.noise_one, "two_way_table": priced.noise_two},
        "cost": {"epsilon": priced.cost.epsilon, "delta": priced.cost.delta},
        "spent": {"epsilon": 0.0, "delta": 0.0},
        "release": None,
        **ahead.to_dict(),
    }
    if as_json:
        return print_json(told)
    console.show(
        f"histogram of each of {priced.columns} columns: ± {1.96 * priced.noise_one:.3g} a cell"
    )
    console.show(f"each of {priced.pairs} two-way tables: ± {1.96 * priced.noise_two:.3g} a cell")
    console.say(f"Would spend ε={priced.cost.epsilon:.6g}; nothing was spent, no data were read.")
    say_outlook(ahead, language)
    return None


def show_statistics(statistics: Statistics, as_json: bool, language: Code) -> None:
    """Statistics alone: how close they come to a person, where they are exact."""
    from sudare.publish.given_statistics import advice
    from sudare.report.synthesized_texts import statistics_lines

    told = advice(statistics)
    if as_json:
        return print_json(told)
    for line in statistics_lines(told, language):
        console.show(line)
    return None


def stage_and_finish(made: Made, files: OutputSet, language: Code) -> list[Path]:
    """Certificate and report beside the rows, which are staged; what was written."""
    from sudare.cli.release_files import as_json
    from sudare.report.synthesized import render

    _, certificate, report = files.names
    files.write(report, render(made.facts, language))
    files.write(certificate, as_json(made.facts.to_dict()))
    return files.finish()


def show(made: Made, written: list[Path], as_json: bool, language: Code) -> None:
    """Print what was made, and what was written."""
    from sudare.cli.release_files import say_written
    from sudare.report.synthesized_texts import lines

    if as_json:
        print_json(made.facts.to_dict())
    else:
        for line in lines(made.facts, language):
            console.show(line)
    say_written(written)
