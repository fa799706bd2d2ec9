"""sudare ledger show, verify, export-head, release, move, accept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudare.cli import console, options
from sudare.cli.options import Language

if TYPE_CHECKING:
    from sudare.facts.checked import Checked
    from sudare.publish.books import Verification

# How many releases a person is shown unless more are asked for.
_SHOWN = 20
Name = Annotated[
    str | None,
    typer.Argument(
        help="people, people.ledger, nothing if there is only one, or the address of a ledger in "
        "PostgreSQL."
    ),
]


def show(
    name: Name = None,
    last: Annotated[
        int | None,
        typer.Option("--last", min=0, help="How many releases to show. 20; with --json, all."),
    ] = None,
    whole: Annotated[bool, typer.Option("--all", help="Show every release.")] = False,
    json: options.Json = False,
) -> None:
    """Show caps, what was spent and left, and the last releases.

    Example: sudare ledger show people
    """
    from sudare.cli.output import print_json
    from sudare.facts.errors import UsageError
    from sudare.publish import books

    if whole and last is not None:
        raise UsageError("--all and --last exclude each other.", "Give one of them.")
    # A program reads everything unless it asks for less; a person asks for more.
    count = None if whole or (json and last is None) else _SHOWN if last is None else last
    found = books.show(books.find_ledger(name), count)
    if json:
        print_json(found)
        return
    for dataset, balance in found["datasets"].items():
        console.show(_balance_line(dataset, balance, found["neighbours"]))
        for analyst, share in balance["analysts"].items():
            quota = "no quota" if share["quota"] is None else f"of ε={share['quota']:g}"
            console.show(f"  {analyst}: spent ε={share['spent']:.6g} {quota}")
    if found["earlier_releases"]:
        console.show(_earlier_line(found["earlier_releases"]))
    if found["releases"]:
        rows = [_release_cells(release) for release in found["releases"]]
        console.table(rows, indent=2, has_head=False, to_right=False)
    for signer in found["signers"]:
        console.show(f"Signed by {signer['fingerprint']} (entry {signer['entry']}).")
    if found["moved_to"] is not None:
        console.show(f"This ledger is closed: it was moved to {found['moved_to']}.")
    if found["doubt"] is not None:
        console.say(f"Note: {found['doubt']}")


def _balance_line(dataset: str, balance: dict[str, Any], relation: str) -> str:
    cap, spent, left = balance["cap"], balance["spent"], balance["left"]
    filled = round(20 * min(1.0, spent["epsilon"] / cap["epsilon"])) if cap["epsilon"] else 20
    bar = "█" * filled + "░" * (20 - filled)
    return (
        f'"{dataset}" {bar} spent ε={spent["epsilon"]:.6g} of {cap["epsilon"]:g}, '
        f"left ε={left['epsilon']:.6g}, δ={left['delta']:.3g} "
        f"({relation}, unit {balance['unit']}, {balance['composition']} composition)"
    )


def _earlier_line(count: int) -> str:
    if count == 1:
        return "  1 earlier release is not shown; --all shows it."
    return f"  {count:,} earlier releases are not shown; --all shows them."


def _release_cells(release: dict[str, Any]) -> list[str]:
    spent = release["spent"]
    delta = f", δ={spent['delta']:.3g}" if spent["delta"] else ""
    return [
        release["time"][:19],
        release["release"],
        f"{release['job']} {release['analyst'] or ''}".rstrip(),
        f"ε={spent['epsilon']:.6g}{delta}",
        "" if release["finished"] else "never finished: spent, nothing released",
    ]


def verify(
    name: Name = None,
    head: Annotated[
        Path | None, typer.Option("--head", help="A head exported earlier; must be a prefix.")
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", help="A certificate to compare, as `sudare verify` does."),
    ] = None,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Recompute the hash chain and all sums; exit code 4 if anything was changed.

    Example: sudare ledger verify people --head people.head.json
    """
    from sudare.cli.output import print_json
    from sudare.facts.address import shown
    from sudare.publish import books

    path = books.find_ledger(name)
    found = books.verify(path, head)
    checked = None
    if found.ok and certificate is not None:
        from sudare.publish.verifying import verify_files
        from sudare.report.certificate import statement

        checked = verify_files([certificate], statement, ledger=path)
    if json:
        print_json(_verified(found, checked))
    elif found.ok and found.head is not None:
        console.show(f"{shown(path)}: {found.entries} entries hold; head {found.head.hash[:16]}….")
        if checked is not None:
            from sudare.report.verified import lines

            console.show("\n".join(lines(checked, lang.code)))
    else:
        console.show(f"{shown(path)}: entry {found.broken_seq} does not hold: {found.reason}.")
    raise typer.Exit(0 if found.ok and (checked is None or checked.ok) else 4)


def _verified(found: Verification, checked: Checked | None) -> dict[str, Any]:
    """What was found, for programs."""
    told: dict[str, Any] = {
        "ok": found.ok and (checked is None or checked.ok),
        "entries": found.entries,
        "head": found.head.hash if found.head is not None else None,
        "broken_entry": found.broken_seq,
        "reason": found.reason,
    }
    return told if checked is None else told | {"certificate": checked.to_dict()}


def export_head(
    name: Name = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it to a file.")
    ] = None,
    force: options.Force = False,
    json: options.Json = True,
) -> None:
    """Print the last link of the chain as JSON; keep it where the ledger's keeper cannot reach.

    Example: sudare ledger export-head people > people.head.json
    """
    from sudare.publish import books

    path = books.find_ledger(name)
    _say_doubt(path)
    if output is None:
        return console.show(books.export_head(path))
    from sudare.publish.outputs import OutputSet, inputs_of

    with OutputSet((output,), inputs_of(None, ledger=path), force=force) as files:
        files.write(output, f"{books.export_head(path)}\n")
        files.finish()
    return None


def _say_doubt(path: str | Path) -> None:
    """What is read from the ledger is shown all the same."""
    from sudare.publish import books

    if (doubt := books.doubt(path)) is not None:
        console.say(f"Note: {doubt}")


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
        console.show(
            f"Moved {moved['entries']} entries from {moved['source']} to {moved['target']}; "
            f"both chains hold, head {moved['head'][:16]}…. "
            f"From now on: --ledger {moved['target']}"
        )


def accept(
    name: Annotated[str, typer.Argument(help="people or people.ledger.")],
    json: options.Json = False,
) -> None:
    """Go on with a ledger that was set back or replaced, or without one that is lost for good.

    Restore the latest copy if there is any. What this machine knew of the ledger is recorded in
    it, or in the one that is made in its place, for everyone who verifies it.

    Example: sudare ledger accept people
    """
    from sudare.cli.output import print_json
    from sudare.publish import books

    found = books.accept(name)
    if json:
        print_json(found)
    elif found["is_gone"]:
        console.show(
            f"{found['ledger']} is given up: what its {found['known_entries']} entries charged is "
            "forgotten. The next charge makes a new ledger, which records this."
        )
    else:
        console.show(
            f"{found['ledger']} goes on as it is; it records that this machine knew a history of "
            f"{found['known_entries']} entries."
        )


def release(
    release_id: Annotated[str, typer.Argument(help="The release's id, as `ledger show` lists it.")],
    name: Annotated[
        str | None, typer.Option("--ledger", help="people or people.ledger, if there are several.")
    ] = None,
    output: options.Output = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Show a release once more, exactly as it was released; costs nothing.

    Example: sudare ledger release 64baa2b83dacde97 -o again.csv
    """
    from sudare.cli import output as out
    from sudare.cli.release_files import begin, kind_of, planned, write_release
    from sudare.publish import books
    from sudare.publish.outputs import OutputSet, inputs_of

    path = books.find_ledger(name)
    _say_doubt(path)
    found = books.stored_release(path, release_id)
    if found.randomized is not None:
        from sudare.cli.randomized_output import show_again

        return show_again(found, path, output, force, json, lang.code)
    with OutputSet(
        planned(kind_of(found), output),
        inputs_of(None, ledger=path),
        force=force,
        is_again=lambda: True,
    ) as files:
        begin(files, lang.code)
        out.show_release(found, json, lang.code)
        write_release(found, files, lang.code, path)
    return None
