"""What a join says in a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sudare.cli.options import Code


def show(
    told: dict[str, Any], output: Path, as_json: bool, language: Code, again: bool = False
) -> None:
    """Print what was collected, now or by an earlier run; write certificate and report beside the
    file."""
    import json

    from sudare.cli.output import print_json, say
    from sudare.report.link import again_line, lines, warning_lines, written_lines
    from sudare.report.link_page import page

    statistics = output.with_name(output.stem + ".statistics.json")
    has_statistics = "statistics.json" in told["sha256"]
    if again:
        say(again_line(told, language))
    warnings = warning_lines(told, language)
    if as_json:
        print_json(told)
    else:
        print("\n".join(line for line in lines(told, language) if line not in warnings))
    for line in warnings:
        say(line)
    promise = output.with_name(output.stem + ".certificate.json")
    report = output.with_name(output.stem + ".report.html")
    text = json.dumps(told, ensure_ascii=False, indent=2, allow_nan=False)
    promise.write_text(text + "\n", encoding="utf-8")
    found = json.loads(statistics.read_text(encoding="utf-8")) if has_statistics else None
    report.write_text(page(told, language, found), encoding="utf-8")
    results = [output] if told["job"] != "secure" else []
    made = (*results, *([statistics] if has_statistics else []), promise, report)
    for line in written_lines(made, language):
        say(line)


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
        print("\n".join(lines))
