"""sudare demo: the guided tour on a made town."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sudare.cli import options
from sudare.cli.options import Language


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")] = Path(
        "sudare-demo"
    ),
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Make a town of 20,000 people and ask it: CSV, certificates and a report in one folder.

    Example: sudare demo --lang ja
    """
    from sudare.cli.output import print_json, print_release, release_json, say, write_outputs
    from sudare.demo.tour import tour

    for stop in tour(output, lang.code):
        if not json:
            say(stop.text[lang.code])
        if stop.release is None:
            continue
        write_outputs(stop.release, stop.target, lang.code)
        if json:
            print_json(release_json(stop.release, lang.code))
        else:
            print_release(stop.release, lang.code)
    page = output / "report.html"
    ending = {"en": f"Open {page} in a browser.", "ja": f"{page} をブラウザーで開いてください。"}
    say(ending[lang.code])
