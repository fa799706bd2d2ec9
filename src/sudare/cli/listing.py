"""sudare engines."""

from __future__ import annotations

from sudare.cli import console, options


def engines(json: options.Json = False) -> None:
    """List the engines that can read rows here, and what the others lack.

    Example: sudare engines --json
    """
    from sudare.cli.output import print_json
    from sudare.publish.engines import list_engines

    found = list_engines()
    if json:
        print_json({"engines": found})
        return
    blanks = " " * 12
    for engine in found:
        state = "ready  " if engine["ready"] else "missing"
        console.show(f"{engine['engine']:<11} {state}  {engine['version'] or '-'}")
        console.show(f"{blanks}reads {engine['reads']}")
        if not engine["ready"]:
            console.show(f"{blanks}{engine['missing']} {engine['hint']}")
