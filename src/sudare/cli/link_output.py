"""What a join says in a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sudare.cli.options import Code


def show(told: dict[str, Any], output: Path, as_json: bool, language: Code) -> None:
    """Print what was collected; write certificate and report beside the file."""
    import json

    from sudare.cli.output import print_json, say
    from sudare.report.link import lines
    from sudare.report.link_page import page

    if as_json:
        print_json(told)
    else:
        print("\n".join(lines(told, language)))
    promise = output.with_name(output.stem + ".certificate.json")
    report = output.with_name(output.stem + ".report.html")
    text = json.dumps(told, ensure_ascii=False, indent=2, allow_nan=False)
    promise.write_text(text + "\n", encoding="utf-8")
    report.write_text(page(told, language), encoding="utf-8")
    for path in (output, promise, report):
        say(f"Wrote {path}.")


def show_part(told: dict[str, Any], as_json: bool, language: Code) -> None:
    """Print what an organisation did."""
    from sudare.cli.output import print_json
    from sudare.report.link import part_lines

    if as_json:
        print_json(told)
    else:
        print("\n".join(part_lines(told, language)))
