"""What a join says in a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudare.cli import console
from sudare.cli.options import Code
from sudare.facts.reading import read_json

if TYPE_CHECKING:
    from sudare.publish.outputs import Beside, OutputSet


def companions_of(output: Path) -> tuple[Path, Path]:
    """The certificate and the report beside a joined file."""
    return (
        output.with_name(output.stem + ".certificate.json"),
        output.with_name(output.stem + ".report.html"),
    )


def statistics_of(output: Path) -> Path:
    return output.with_name(output.stem + ".statistics.json")


def beside_of(output: Path, written: list[Path], language: Code) -> Beside[dict[str, Any]]:
    """Certificate and report beside the joined file; `written` is told what was written."""
    from sudare.cli.release_files import begin
    from sudare.publish.certifying import stage_certificate
    from sudare.publish.outputs import Beside
    from sudare.report.link_certificate import statement
    from sudare.report.link_page import page

    stated, report = companions_of(output)

    def stage(told: dict[str, Any], files: OutputSet) -> None:
        found = None
        if "statistics.json" in told["sha256"]:
            found = read_json(files.place(statistics_of(output)).read_text(encoding="utf-8"))
        files.write(report, page(told, language, found))
        stage_certificate(files, stated, statement(told))

    return Beside((stated, report), stage, lambda files: begin(files, language), written.extend)


def show(
    told: dict[str, Any], written: list[Path], as_json: bool, language: Code, again: bool = False
) -> None:
    """Print what was collected, now or by an earlier run, and what was written."""
    from sudare.cli.output import print_json
    from sudare.report.link import again_line, lines, warning_lines, written_lines

    if again:
        console.say(again_line(told, language))
    warnings = warning_lines(told, language)
    if as_json:
        print_json(told)
    else:
        console.show("\n".join(line for line in lines(told, language) if line not in warnings))
    for line in warnings:
        console.say(line)
    for line in written_lines(written, language):
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
