"""sudare ledger show, verify, export-head, release, move."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.cli import options
from sudare.cli.options import Language

app = typer.Typer(
    help="See and check what was spent. Example: sudare ledger show people",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Name = Annotated[
    str | None,
    typer.Argument(
        help="people, people.ledger, nothing if there is only one, or the address of a ledger in "
        "PostgreSQL."
    ),
]


@app.command("show")
def show(name: Name = None, json: options.Json = False) -> None:
    """Show caps, what was spent and left, and every release.

    Example: sudare ledger show people
    """
    from sudare.cli.output import print_json
    from sudare.publish import books

    found = books.show(books.find_ledger(name))
    if json:
        print_json(found)
        return
    for dataset, balance in found["datasets"].items():
        print(_balance_line(dataset, balance, found["neighbours"]))
        for analyst, share in balance["analysts"].items():
            quota = "no quota" if share["quota"] is None else f"of ε={share['quota']:g}"
            print(f"  {analyst}: spent ε={share['spent']:.6g} {quota}")
    for release in found["releases"]:
        print(_release_line(release))
    if found["moved_to"] is not None:
        print(f"This ledger is closed: it was moved to {found['moved_to']}.")


def _balance_line(dataset: str, balance: dict[str, Any], relation: str) -> str:
    cap, spent, left = balance["cap"], balance["spent"], balance["left"]
    filled = round(20 * min(1.0, spent["epsilon"] / cap["epsilon"])) if cap["epsilon"] else 20
    bar = "█" * filled + "░" * (20 - filled)
    return (
        f'"{dataset}" {bar} spent ε={spent["epsilon"]:.6g} of {cap["epsilon"]:g}, '
        f"left ε={left['epsilon']:.6g}, δ={left['delta']:.3g} "
        f"({relation}, unit {balance['unit']}, {balance['composition']} composition)"
    )


def _release_line(release: dict[str, Any]) -> str:
    state = "" if release["finished"] else "   never finished: spent, nothing released"
    spent = release["spent"]
    who = f" {release['analyst']}" if release["analyst"] else ""
    delta = f", δ={spent['delta']:.3g}" if spent["delta"] else ""
    return (
        f"  {release['time'][:19]}  {release['release']}  {release['job']}{who}  "
        f"ε={spent['epsilon']:.6g}{delta}{state}"
    )


@app.command("verify")
def verify(
    name: Name = None,
    head: Annotated[
        Path | None, typer.Option("--head", help="A head exported earlier; must be a prefix.")
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="A certificate to find in the ledger.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Recompute the hash chain and all sums; exit code 4 if anything was changed.

    Example: sudare ledger verify people --head people.head.json
    """
    from sudare.cli.output import print_json
    from sudare.facts.address import shown
    from sudare.publish import books

    path = books.find_ledger(name)
    found = books.verify(path, head, certificate)
    if json:
        last = found.head.hash if found.head is not None else None
        print_json(
            {
                "ok": found.ok,
                "entries": found.entries,
                "head": last,
                "broken_entry": found.broken_seq,
                "reason": found.reason,
            }
        )
    elif found.ok and found.head is not None:
        print(f"{shown(path)}: {found.entries} entries hold; head {found.head.hash[:16]}….")
        if certificate is not None:
            print(f"{certificate} belongs to this ledger.")
    else:
        print(f"{shown(path)}: entry {found.broken_seq} does not hold: {found.reason}.")
    raise typer.Exit(0 if found.ok else 4)


@app.command("export-head")
def export_head(
    name: Name = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it to a file.")
    ] = None,
    json: options.Json = True,
) -> None:
    """Print the last link of the chain as JSON; keep it where the ledger's keeper cannot reach.

    Example: sudare ledger export-head people > people.head.json
    """
    from sudare.publish import books

    text = books.export_head(books.find_ledger(name))
    if output is None:
        print(text)
    else:
        output.write_text(text + "\n", encoding="utf-8")


@app.command("move")
def move(
    source: Annotated[str, typer.Argument(help="people or people.ledger.")],
    target: Annotated[str, typer.Argument(help="The new place: postgresql://user@host/database")],
    json: options.Json = False,
) -> None:
    """Move a ledger into PostgreSQL, verify both chains, and close the old one for good.

    Example: sudare ledger move people.ledger postgresql://steward@db.example/privacy
    """
    from sudare.cli.output import print_json
    from sudare.publish import books

    moved = books.move(books.find_ledger(source), target)
    if json:
        print_json(moved)
    else:
        print(
            f"Moved {moved['entries']} entries from {moved['source']} to {moved['target']}; "
            f"both chains hold, head {moved['head'][:16]}…. "
            f"From now on: --ledger {moved['target']}"
        )


@app.command("release")
def release(
    release_id: Annotated[str, typer.Argument(help="The release's id, as `ledger show` lists it.")],
    name: Annotated[
        str | None, typer.Option("--ledger", help="people or people.ledger, if there are several.")
    ] = None,
    output: options.Output = None,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Show a release once more, exactly as it was released; costs nothing.

    Example: sudare ledger release 64baa2b83dacde97 -o again.csv
    """
    from sudare.cli import output as out
    from sudare.publish import books

    found = books.stored_release(books.find_ledger(name), release_id)
    out.show_release(found, output, json, lang.code)
