"""What a join says in a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sudare.cli import console
from sudare.cli.options import Code
from sudare.facts.reading import read_json


def show(
    told: dict[str, Any], output: Path, as_json: bool, language: Code, again: bool = False
) -> None:
    """Print what was collected, now or by an earlier run; write certificate and report beside the
    file, after an earlier run only those that are not there."""
    import json

    from sudare.cli.output import print_json
    from sudare.report.link import again_line, lines, warning_lines, written_lines
    from sudare.report.link_page import page

    statistics = output.with_name(output.stem + ".statistics.json")
    has_statistics = "statistics.json" in told["sha256"]
    if again:
        console.say(again_line(told, language))
    warnings = warning_lines(told, language)
    if as_json:
        print_json(told)
    else:
        console.show("\n".join(line for line in lines(told, language) if line not in warnings))
    for line in warnings:
        console.say(line)
    promise = output.with_name(output.stem + ".certificate.json")
    report = output.with_name(output.stem + ".report.html")
    made = [] if again or told["job"] == "secure" else [output]
    made += [statistics] if has_statistics and not again else []
    found = read_json(statistics.read_text(encoding="utf-8")) if has_statistics else None
    text = json.dumps(told, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    for path, content in ((promise, text), (report, page(told, language, found))):
        # What an earlier run wrote stays as it is.
        if not (again and path.exists()):
            path.write_text(content, encoding="utf-8")
            made.append(path)
    for line in written_lines(made, language):
        console.say(line)


def show_part(told: dict[str, Any], as_json: bool, language: Code) -> None:
    """Print what an organisation did."""
    from sudare.report.link import part_lines

    _print(told, part_lines(told, language), as_json)


def show_help(told: dict[str, Any], as_json: bool, language: Code) -> None:
    """Print what the helper of a secure computation did."""
    from sudare.report.link_secure import help_lines

    _print(told, help_lines(told, language), as_json)


def show_made(told: dict[str, Any], as_json: bool, language: Code) -> None:
    """Print which identity was made, and what to do with it."""
    from sudare.report.link_hosts import made_lines

    _print(told, made_lines(told, language), as_json)


def show_log(told: dict[str, Any], as_json: bool, language: Code) -> None:
    """Print what a log that holds says."""
    from sudare.report.link_hosts import log_lines

    _print(told, log_lines(told, language), as_json)


def _print(told: dict[str, Any], lines: list[str], as_json: bool) -> None:
    from sudare.cli.output import print_json

    if as_json:
        print_json(told)
    else:
        console.show("\n".join(lines))
