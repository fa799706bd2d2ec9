"""sudare link: joins between organisations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.cli import options
from sudare.cli.bars import bar
from sudare.cli.options import EngineName, Language

Plan = Annotated[Path, typer.Argument(help="The plan: link.toml, with the schemas beside it.")]
IdentityFolder = Annotated[
    Path, typer.Option("--identity", help="The folder of this party's key and certificate.")
]
Name = Annotated[str, typer.Option("--as", help="This organisation's name in the plan.")]


def _patience(seconds: float) -> float:
    # Written so that nan, which compares with nothing, is refused as well.
    if not seconds >= 1:
        raise typer.BadParameter("wait for a second at least")
    return seconds


Wait = Annotated[
    float,
    typer.Option(
        "--wait",
        help="Seconds without a word of a party before giving up.",
        callback=_patience,
    ),
]
SessionFolder = Annotated[
    Path | None,
    typer.Option("--folder", help="Where this party keeps the session; beside the plan."),
]


def init(
    name: Annotated[str, typer.Argument(help="The name: of an organisation, or of the authority.")],
    folder: Annotated[Path, typer.Option("--output", "-o", help="The folder to make.")],
    authority: Annotated[
        bool, typer.Option("--authority", help="Make the consortium's authority, once.")
    ] = False,
    by: Annotated[
        Path | None,
        typer.Option("--by", help="The authority's folder: key and certificate in one step."),
    ] = None,
    sign: Annotated[
        Path | None,
        typer.Option("--sign", help="The authority signs this request.pem; -o is its folder."),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", help="Put a signed certificate beside the key it is for."),
    ] = None,
    ca: Annotated[
        Path | None, typer.Option("--ca", help="With --certificate: the authority's ca.pem.")
    ] = None,
    host: Annotated[
        list[str] | None, typer.Option("--host", help="A host name for the certificate.")
    ] = None,
    days: Annotated[int, typer.Option("--days", help="How long it is valid.", min=1)] = 365,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Make an organisation's identity: a key pair, and a certificate from the consortium's small
    authority or from one's own.

    Example: sudare link init hospital --by consortium -o hospital
    """
    from sudare.cli.link_output import show_made
    from sudare.publish.link_init import make

    told = make(name, folder, authority, by, sign, certificate, ca, tuple(host or ()), days)
    show_made(told, json, lang.code)


def serve(
    plan: Plan,
    data: Annotated[str, typer.Argument(help="The organisation's own table.")],
    name: Name,
    identity: IdentityFolder,
    ledger: options.LedgerFile = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    folder: SessionFolder = None,
    wait: Wait = 600.0,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Take part in a join on a host that listens at the address in the plan. Started again after a
    crash, it goes on where it was.

    Example: sudare link serve link.toml patients.csv --as hospital --identity hospital
    """
    _take_part(plan, data, name, identity, ledger, engine, master, folder, wait, True, json, lang)


def join(
    plan: Plan,
    data: Annotated[str, typer.Argument(help="The organisation's own table.")],
    name: Name,
    identity: IdentityFolder,
    ledger: options.LedgerFile = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    folder: SessionFolder = None,
    wait: Wait = 600.0,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Take part in a join on a host that nobody can call: it fetches from the organisation before
    it, which must listen. The plan gives it no address.

    Example: sudare link join link.toml customers.csv --as shop --identity shop
    """
    _take_part(plan, data, name, identity, ledger, engine, master, folder, wait, False, json, lang)


def collect(
    plan: Plan,
    identity: IdentityFolder,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The joined Parquet file to write.")
    ] = Path("joined.parquet"),
    folder: SessionFolder = None,
    wait: Wait = 600.0,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Collect everybody's sealed rows, join them, and write the joined file, its certificate and a
    report. `sudare estimate` and `sudare synthesize --from-randomized` read the file.

    Example: sudare link collect link.toml --identity institute -o joined.parquet
    """
    from sudare.cli.link_output import beside_of, show
    from sudare.publish.link_collect import Collection, has_finished
    from sudare.publish.link_collect import collect as publish_collect
    from sudare.publish.link_files import (
        load_identity,
        load_link,
        result_file,
        schema_files,
        session_folder,
    )
    from sudare.publish.outputs import Input

    found = load_link(plan)
    own = load_identity(identity, found, found.collector)
    place = folder or session_folder(found, plan, f"{own.name}.collector")
    result = result_file(found, output)
    inputs = (
        Input("the plan", plan),
        Input("the identity", identity),
        Input("the session", place),
        *(Input("a schema", each) for each in schema_files(plan)),
    )
    written: list[Path] = []
    with _progress(not json) as progress:
        asked = Collection(found, own, place, result, wait, progress)
        again = has_finished(asked)
        told = publish_collect(
            asked, inputs=inputs, force=force, beside=beside_of(output, written, lang.code)
        )
    show(told, written, json, lang.code, again)


def assist(
    plan: Plan,
    identity: IdentityFolder,
    folder: SessionFolder = None,
    wait: Wait = 600.0,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Help a secure computation (job = "secure"): hold the other share of everything, and compute
    with the collector. On a host of its own, or beside an organisation that is not the collector.

    Example: sudare link assist link.toml --identity notary
    """
    from sudare.cli.link_output import show_help
    from sudare.publish.link_assist import Assistance
    from sudare.publish.link_assist import assist as publish_assist
    from sudare.publish.link_files import helper_of, load_identity, load_link, session_folder

    found = load_link(plan)
    own = load_identity(identity, found, helper_of(found))
    place = folder or session_folder(found, plan, f"{own.name}.helper")
    with _progress(not json) as progress:
        told = publish_assist(Assistance(found, own, place, wait, progress))
    show_help(told, json, lang.code)


def simulate(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to work in.")] = Path(
        "link-simulation"
    ),
    parties: Annotated[
        int, typer.Option("--parties", help="How many organisations.", min=2, max=6)
    ] = 2,
    people: Annotated[
        int, typer.Option("--people", help="How many people the town has.", min=10)
    ] = 2000,
    epsilon: Annotated[str, typer.Option("--epsilon", "-e", help="ε of a joined row.")] = "12",
    pseudonyms: Annotated[
        str, typer.Option("--pseudonyms", help="commutative or salt.")
    ] = "commutative",
    job: Annotated[
        str, typer.Option("--job", help="randomize: joined records; secure: statistics alone.")
    ] = "randomize",
    central: Annotated[
        str | None,
        typer.Option("--central", help="ε of every organisation's own central release."),
    ] = None,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Run a whole join on this machine: an authority, organisations that each hold some columns of
    the town, and a collector, as separate processes that speak real TLS over loopback.

    Example: sudare link simulate --parties 3
    """
    from sudare.cli.link_output import companions_of, show, statistics_of
    from sudare.demo.linked import simulate as run
    from sudare.facts.extras import require

    # Here, and not by each of its processes.
    require("link")
    with bar("joining", shown=not json) as move:
        told = run(
            output,
            parties,
            people,
            epsilon,
            pseudonyms,
            lambda text: move(description=text),
            job,
            central,
            lang.code,
        )
    joined = output / "joined.parquet"
    names = (joined, statistics_of(joined), *companions_of(joined))
    show(told, [name for name in names if name.exists()], json, lang.code)


def verify_log(
    log: Annotated[Path, typer.Argument(help="A log.jsonl, as one of the parties kept it.")],
    certificate: Annotated[
        list[Path], typer.Option("--certificate", help="certificate.pem of a party that signed it.")
    ],
    ca: Annotated[
        Path | None, typer.Option("--ca", help="ca.pem: certificates must be from this authority.")
    ] = None,
    unsigned: Annotated[
        bool,
        typer.Option(
            "--unsigned", help="Accept a log that nobody has signed, for its chain alone."
        ),
    ] = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Check a session's log: its chain of hashes, and who signed which head; exit code 4 if
    anything was changed, or if nobody but its owner vouches for it.

    Example: sudare link verify-log log.jsonl --certificate institute/certificate.pem
    """
    from sudare.cli.link_output import show_log
    from sudare.publish.link_log import checked_log

    show_log(checked_log(log, certificate, ca, unsigned), json, lang.code)


def _take_part(
    plan: Path,
    data: str,
    name: str,
    identity: Path,
    ledger: Any,
    engine: EngineName,
    master: str | None,
    folder: Path | None,
    wait: float,
    listens: bool,
    json: bool,
    lang: Language,
) -> None:
    from sudare.cli.link_output import show_part
    from sudare.facts.engine import EngineChoice
    from sudare.publish.files import ledger_path, schema_path
    from sudare.publish.link_files import load_identity, load_link, session_folder
    from sudare.publish.link_party import Part, take_part
    from sudare.publish.link_rows import Rows

    found = load_link(plan)
    found.party(name)
    own = load_identity(identity, found, name)
    place = folder or session_folder(found, plan, name)
    books = ledger if ledger is not None else ledger_path(schema_path(data))
    with _progress(not json) as progress:
        told = take_part(
            Part(found, own, place, wait, listens, progress),
            Rows(data, books, EngineChoice(engine.value, master)),
        )
    show_part(told, json, lang.code)


@contextmanager
def _progress(shown: bool) -> Iterator[Callable[[str, int, int | None], None]]:
    with bar("waiting", shown=shown) as move:

        def progress(step: str, done: int, total: int | None) -> None:
            text = f"{step} {done:,}" if total is None else f"{step} {done:,} of {total:,}"
            move(description=text, completed=done, total=total)

        yield progress
