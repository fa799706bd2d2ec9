"""Tables and JSON of the commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sudare.cli import console
from sudare.cli.ahead import say_outlook

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.facts.release import Release
    from sudare.publish.outlook import Outlook
    from sudare.publish.pricing import Priced

MOST_ROWS_SHOWN = 24
# Questions whose answer is many numbers in different units.
_SEVERAL = frozenset({"covariance", "kmeans", "pca", "linear", "ridge", "logistic"})


def print_json(value: Mapping[str, Any]) -> None:
    # A terminal that cannot show every character gets JSON's own escapes.
    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    print(json.dumps(value, ensure_ascii=plain, indent=2, allow_nan=False))


def release_json(release: Release, language: Code) -> dict[str, Any]:
    """The machine-readable result of a release."""
    from sudare.report.sentences import sentence
    from sudare.report.tabulation import shown_answers

    answers = []
    for answer in shown_answers(release):
        shown: dict[str, Any] = {
            "query": answer.query,
            "value": answer.value,
            "error95": answer.error95,
            "epsilon": answer.epsilon,
            "sentence": sentence(answer, language, release.labels),
            "drowned": list(answer.drowned),
        }
        if answer.errors95 is not None:
            shown["errors95"] = answer.errors95
        if answer.interval is not None:
            shown["interval95"] = answer.interval
        if answer.details is not None:
            shown["details"] = answer.details
        answers.append(shown)
    found = {
        "answers": answers,
        "spent": release.spent,
        "left": release.left,
        "release": release.id,
        "table": release.table,
    }
    if release.tabulation is not None:
        found["margins"] = release.tabulation["margins"]
        found["invariant"] = release.tabulation["invariant"]
    return with_cap(found, release)


def with_cap(found: dict[str, Any], release: Release) -> dict[str, Any]:
    """The result, with the cap before and after where this run changed it."""
    return found if release.cap_change is None else found | {"cap": release.cap_change}


def priced_json(priced: Priced, ahead: Outlook | None) -> dict[str, Any]:
    """A dry run in the same manner: nothing is released, nothing is spent."""
    answers = [
        {
            "query": measurement.query.text,
            "value": None,
            "error95": forecast.error95,
            "relative": forecast.relative,
            "epsilon": epsilon,
        }
        for measurement, forecast, epsilon in zip(
            priced.measurements, priced.forecasts, priced.allocation.epsilons(), strict=True
        )
    ]
    return {
        "answers": answers,
        "cost": {"epsilon": priced.cost.epsilon, "delta": priced.cost.delta},
        "spent": {"epsilon": 0.0, "delta": 0.0},
        "release": None,
        **({"fits": None, "left": None} if ahead is None else ahead.to_dict()),
        "expected_rows": priced.rows,
        "expected_rows_declared": priced.rows_are_declared,
    }


def print_release(release: Release, language: Code) -> None:
    """Each answer as a sentence; groups as a short table under it."""
    from sudare.report.sentences import sentence

    for answer in release.answers:
        console.show(answer.query)
        console.show(f"  {sentence(answer, language, release.labels)}")
        if not isinstance(answer.value, dict):
            continue
        # Imported where there are cells: the pictures of clusters are much to load for a count.
        from sudare.report.learned_lines import learned_remarks, learned_table

        table = learned_table(answer, language, release.labels)
        if table:
            console.table(table[: MOST_ROWS_SHOWN + 1], indent=4)
        _say_more(len(table) - 1)
        for remark in learned_remarks(answer, language):
            console.show(f"  {remark}")
        if not table:
            _print_cells(answer.value, answer.errors95 or {}, set(answer.drowned))
    say_spent(release, language)


def say_spent(release: Release, language: Code) -> None:
    """What was paid, or that nothing was."""
    from sudare.report.estimates_texts import said

    if release.again:
        return
    cost = f"ε={release.spent['epsilon']:.6g}{_delta(release.spent['delta'])}"
    left = f"{release.left['epsilon']:.6g}"
    parts = {"cost": cost, "table": release.table, "left": left, "release": release.id}
    console.say(said("spent", **parts)[language])


def say_notes(release: Release, language: Code) -> None:
    """What whoever runs a command has to know of this run, whether or not they read its JSON."""
    from sudare.report.estimates_texts import said

    if release.again:
        console.say(said("again")[language])
    for name, words in release.notes.items():
        console.say(said(name, **words)[language])


def _delta(delta: float) -> str:
    return f", δ={delta:.3g}" if delta else ""


def _print_cells(value: dict[str, Any], errors: dict[str, Any], drowned: set[str]) -> None:
    from sudare.report.numbers import format_error, format_number

    rows: list[tuple[str, Any, Any]] = []
    for label, cell in value.items():
        if isinstance(cell, dict):
            rows.extend(_flat(label, cell, errors.get(label, {})))
        else:
            rows.append((label, cell, errors.get(label, 0.0)))
    table = []
    for label, cell, error in rows[:MOST_ROWS_SHOWN]:
        shown = cell if isinstance(cell, str) else format_number(cell, error)
        table.append([label, shown, f"±{format_error(cell, error)}"])
        table[-1].append("(drowned in noise)" if label in drowned else "")
    console.table(table, indent=4, has_head=False)
    _say_more(len(rows))


def _say_more(count: int) -> None:
    if count > MOST_ROWS_SHOWN:
        console.show(f"    … {count - MOST_ROWS_SHOWN} more; write them with --output answers.csv")


def _flat(label: str, cells: dict[str, Any], errors: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    rows: list[tuple[str, Any, Any]] = []
    for inner, cell in cells.items():
        if isinstance(cell, dict):
            rows.extend(_flat(f"{label}, {inner}", cell, errors.get(inner, {})))
        else:
            rows.append((f"{label}, {inner}", cell, errors.get(inner, 0.0)))
    return rows


def print_priced(priced: Priced, ahead: Outlook | None, language: Code = "en") -> None:
    """What a plan would cost and how wrong its answers would be."""
    from sudare.report.numbers import format_error

    table = []
    for row in priced_json(priced, ahead)["answers"]:
        error = format_error(row["error95"], row["error95"])
        cells = [row["query"], f"ε={row['epsilon']:.6g}", f"±{error}", f"({row['relative']:.2%})"]
        table.append(cells)
    console.table(table, has_head=False)
    rows = f"{priced.rows:,} rows"
    basis = (
        f"{rows}, as declared"
        if priced.rows_are_declared
        else (f"{rows}, which is only assumed: declare expected_rows under [table]")
    )
    cost = f"ε={priced.cost.epsilon:.6g}{_delta(priced.cost.delta)}"
    console.say(f"Would spend {cost}; nothing was spent.")
    console.say(f"Errors (95 %) are forecast from the plan and the schema for {basis}.")
    if any(measurement.query.function in _SEVERAL for measurement in priced.measurements):
        console.say(
            "Of clusters, components and coefficients the largest is given, in its own units."
        )
    if ahead is not None:
        say_outlook(ahead, language)


def show_release(release: Release, as_json: bool, language: Code) -> None:
    """Print a release: what was paid for is shown even if its files cannot be written."""
    if as_json:
        print_json(release_json(release, language))
    elif release.tabulation is not None:
        from sudare.cli.table_output import print_table

        print_table(release, language)
    else:
        print_release(release, language)
    say_notes(release, language)
