"""sudare verify, key show, key export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sudare.cli import console, options
from sudare.cli.options import Language
from sudare.cli.signing import say_if_new


def verify(
    files: Annotated[
        list[Path],
        typer.Argument(help="Certificates, released files beside theirs, or folders of them."),
    ],
    public_key: Annotated[
        str | None,
        typer.Option(
            "--public-key", help="The steward's key: its fingerprint, or the file of `key export`."
        ),
    ] = None,
    ledger: Annotated[
        str | None,
        typer.Option(
            "--ledger", help="The ledger to compare with; else the release's own, if it is near."
        ),
    ] = None,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Check certificates: form, signature, the files beside them, and the ledger if it is there;
    exit code 4 if anything was changed or is not what it says.

    Example: sudare verify out/certificate.json --public-key steward.pub
    """
    from sudare.cli.output import print_json
    from sudare.publish.books import find_ledger
    from sudare.publish.verifying import verify_files
    from sudare.report.certificate import statement
    from sudare.report.verified import lines, words

    place = None if ledger is None else find_ledger(ledger)
    found = verify_files(files, statement, public_key=public_key, ledger=place)
    if json:
        told = found.to_dict()
        for each, finding in zip(told["findings"], found.findings, strict=True):
            each["text"] = words(finding, lang.code)
        print_json(told)
    else:
        console.show("\n".join(lines(found, lang.code)))
    raise typer.Exit(0 if found.ok else 4)


def show_key(json: options.Json = False, lang: options.Lang = Language.en) -> None:
    """Show the fingerprint of the key that signs certificates here; made at first use.

    Readers compare it with what `sudare verify` says, so give it to them by another way.

    Example: sudare key show
    """
    from sudare.cli.output import print_json
    from sudare.publish.certifying import steward_key

    key = steward_key()
    if json:
        print_json({"fingerprint": key.fingerprint, "place": str(key.place), "new": key.is_new})
        return
    say_if_new(key, lang.code)
    console.show(key.fingerprint)


def export_key(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it to a file, steward.pub.")
    ] = None,
    force: options.Force = False,
    lang: options.Lang = Language.en,
) -> None:
    """Print the public key, or write it to a file that readers name with --public-key.

    Example: sudare key export -o steward.pub
    """
    from sudare.publish.certifying import steward_key
    from sudare.publish.outputs import Input, OutputSet
    from sudare.report.verified import said

    key = steward_key()
    say_if_new(key, lang.code)
    if output is None:
        console.show(key.public_pem().rstrip("\n"))
        return
    with OutputSet((output,), (Input("the key", key.place),), force=force) as files:
        files.write(output, key.public_pem())
        files.finish()
    console.say(said("key_written", lang.code, path=output, fingerprint=key.fingerprint))
