"""Every command: where it is listed, the module that runs it, and what it does in one line.

Help of `sudare` and of its groups comes from here alone. A module is imported when its command
runs, completes or shows its own help.
"""

from __future__ import annotations

from typing import NamedTuple

ASK = "Ask and publish"
RANDOMISE = "Randomise and join"
SYNTHESISE = "Synthesise"
SETS = "Sets"
CHECK = "Check"
SET_UP = "Ledger and set-up"


class Entry(NamedTuple):
    """A command, under the heading it is listed; `module` lacks where it is a group."""

    name: str
    heading: str
    summary: str
    module: str | None = None
    function: str = ""


class Group(NamedTuple):
    """Commands under one name."""

    help: str
    example: str
    entries: tuple[Entry, ...]


ROOT = (
    Entry(
        "ask", ASK, "Ask questions of a table and get noisy answers.", "sudare.cli.asking", "ask"
    ),
    Entry("plan", ASK, "Find the ε for a wanted error, without data.", "sudare.cli.asking", "plan"),
    Entry("run", ASK, "Ask what a TOML plan says.", "sudare.cli.asking", "run"),
    Entry(
        "tabulate",
        ASK,
        "Publish a cross table whose margins agree.",
        "sudare.cli.tabulating",
        "tabulate",
    ),
    Entry(
        "aggregate",
        ASK,
        "Publish what any program computes on blocks.",
        "sudare.cli.aggregating",
        "aggregate",
    ),
    Entry(
        "randomize",
        RANDOMISE,
        "Randomise each person's row before it leaves.",
        "sudare.cli.randomizing",
        "randomize",
    ),
    Entry(
        "estimate",
        RANDOMISE,
        "Estimate statistics from randomised rows.",
        "sudare.cli.estimating",
        "estimate",
    ),
    Entry("link", RANDOMISE, "Join tables of several organisations."),
    Entry(
        "synthesize",
        SYNTHESISE,
        "Make synthetic rows from statistics.",
        "sudare.cli.synthesizing",
        "synthesize",
    ),
    Entry(
        "compare",
        SYNTHESISE,
        "Compare synthetic rows with the real ones.",
        "sudare.cli.comparing",
        "compare",
    ),
    Entry(
        "suppress",
        SETS,
        "Release purchase or browsing histories.",
        "sudare.cli.suppressing",
        "suppress",
    ),
    Entry(
        "verify", CHECK, "Check certificates and their files.", "sudare.cli.certifying", "verify"
    ),
    Entry("check", CHECK, "See what tables, records or sets give away."),
    Entry("anonymize", CHECK, "Make records coarser (k-anonymity)."),
    Entry("explain", CHECK, "Say what an ε means.", "sudare.cli.explaining", "explain"),
    Entry("account", CHECK, "Compute guarantees without data."),
    Entry("reproduce", CHECK, "Make the figures of a paper again."),
    Entry("demo", SET_UP, "Take a tour with a made town.", "sudare.cli.demonstrating", "demo"),
    Entry("init", SET_UP, "Draft a schema for a data file.", "sudare.cli.stewarding", "init"),
    Entry(
        "validate",
        SET_UP,
        "List what a schema does not allow.",
        "sudare.cli.stewarding",
        "validate",
    ),
    Entry("ledger", SET_UP, "See and check what was spent."),
    Entry("key", SET_UP, "See the key that signs certificates."),
    Entry(
        "engines",
        SET_UP,
        "List the engines that can read rows here.",
        "sudare.cli.listing",
        "engines",
    ),
)

# Commands of a group need no further heading.
_LISTED = "Commands"
GROUPS = {
    "link": Group(
        "Join with other organisations, without either learning the other's people.",
        "sudare link simulate --parties 3",
        (
            Entry(
                "init", _LISTED, "Make an organisation's identity.", "sudare.cli.linking", "init"
            ),
            Entry(
                "serve",
                _LISTED,
                "Take part, on a host that listens.",
                "sudare.cli.linking",
                "serve",
            ),
            Entry(
                "join",
                _LISTED,
                "Take part, on a host nobody can call.",
                "sudare.cli.linking",
                "join",
            ),
            Entry(
                "collect",
                _LISTED,
                "Collect and join everybody's rows.",
                "sudare.cli.linking",
                "collect",
            ),
            Entry("assist", _LISTED, "Help a secure computation.", "sudare.cli.linking", "assist"),
            Entry(
                "simulate",
                _LISTED,
                "Run a whole join on this machine.",
                "sudare.cli.linking",
                "simulate",
            ),
            Entry(
                "verify-log", _LISTED, "Check a session's log.", "sudare.cli.linking", "verify_log"
            ),
        ),
    ),
    "ledger": Group(
        "See and check what was spent.",
        "sudare ledger show people",
        (
            Entry(
                "show",
                _LISTED,
                "Show caps, what is left, and releases.",
                "sudare.cli.keeping",
                "show",
            ),
            Entry(
                "verify",
                _LISTED,
                "Recompute the hash chain and all sums.",
                "sudare.cli.keeping",
                "verify",
            ),
            Entry(
                "export-head",
                _LISTED,
                "Print the last link of the chain.",
                "sudare.cli.keeping",
                "export_head",
            ),
            Entry(
                "accept", _LISTED, "Go on after a ledger was lost.", "sudare.cli.keeping", "accept"
            ),
            Entry("move", _LISTED, "Move a ledger into PostgreSQL.", "sudare.cli.keeping", "move"),
            Entry(
                "release",
                _LISTED,
                "Show a release once more, unpaid.",
                "sudare.cli.keeping",
                "release",
            ),
        ),
    ),
    "key": Group(
        "See the key that signs certificates.",
        "sudare key show",
        (
            Entry("show", _LISTED, "Show its fingerprint.", "sudare.cli.certifying", "show_key"),
            Entry(
                "export", _LISTED, "Write the public key.", "sudare.cli.certifying", "export_key"
            ),
        ),
    ),
    "check": Group(
        "See what tables or records give away.",
        "sudare check tables exam/*.csv",
        (
            Entry(
                "tables",
                _LISTED,
                "Find what exact tables make certain.",
                "sudare.cli.checking_tables",
                "tables",
            ),
            Entry(
                "records",
                _LISTED,
                "Say how exposed the records of a file are.",
                "sudare.cli.checking_records",
                "records",
            ),
            Entry(
                "sets",
                _LISTED,
                "Say how exposed people's histories are.",
                "sudare.cli.checking_sets",
                "sets",
            ),
        ),
    ),
    "account": Group(
        "Compute guarantees without data.",
        "sudare account shuffle --n 30162 --epsilon0 2 --mechanism two-point",
        (
            Entry(
                "shuffle",
                _LISTED,
                "Compute the central (ε, δ) of shuffled reports.",
                "sudare.cli.accounting",
                "shuffle",
            ),
        ),
    ),
    "anonymize": Group(
        "Make records coarser until nobody stands alone; no formal guarantee.",
        "sudare anonymize records people.csv --quasi age,sex --k 5 -o out.csv",
        (
            Entry(
                "records",
                _LISTED,
                "Publish records that k − 1 others share.",
                "sudare.cli.anonymizing",
                "records",
            ),
        ),
    ),
    "reproduce": Group(
        "Make a paper's figures again, as printed and as they should be.",
        "sudare reproduce shuffle-paper -o figures",
        (
            Entry(
                "shuffle-paper",
                _LISTED,
                "Figures 1 to 7 on shuffling.",
                "sudare.cli.reproducing",
                "shuffle_paper",
            ),
            Entry(
                "synthesis-paper",
                _LISTED,
                "Tables 3 to 5 on synthesis.",
                "sudare.cli.reproducing_synthesis",
                "synthesis_paper",
            ),
            Entry(
                "sets-paper",
                _LISTED,
                "Figures 3 to 7 on sets.",
                "sudare.cli.reproducing_sets",
                "sets_paper",
            ),
        ),
    ),
}
