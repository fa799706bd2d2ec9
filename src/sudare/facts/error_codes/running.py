"""Codes of messages of BudgetRefused and others; see tests/support/error_codes.py."""

from __future__ import annotations

CODES: dict[str, dict[str, str]] = {
    "BudgetRefused": {
        "release-costs-only-epsilon-left": (
            'this release costs …; only ε=… is left of the quota of "…" on "…".'
        ),
        "release-costs-only-left": 'this release costs …; only … is left on "…".',
        "rows-table-charged-another-ledger": (
            "The rows of this table are charged in another ledger…, as this machine knows."
        ),
        "rows-table-charged-before-schema": (
            'The rows of this table were charged as "…" before, and the schema calls them "…" now.'
        ),
        "shared-out-among-analysts": '…, and "…" is shared out among analysts.',
        "taking-part-costs-epsilon-only": 'Taking part costs ε=…; only ε=… is left on "…".',
    },
    "RunUnfinished": {
        "run-idempotency-key-not-finished": (
            'The run with the idempotency key "…" has not finished: its cost is spent and '
            "nothing was released."
        ),
    },
    "InvalidLedger": {
        "cannot-read-written": "… cannot be read or written (…).",
        "certificate-does-not-belong-release": (
            "The certificate … does not belong to a release of this ledger."
        ),
        "copy-does-not-verify": "The copy does not verify.",
        "damaged-indexes-do-not-fit": "… is damaged: its indexes do not fit its rows.",
        "damaged-not-sudare-ledger": "… is damaged or not a sudare ledger.",
        "ends-at-entry-machine-knew": "… ends at entry …; this machine knew it with ….",
        "entry-ledger-broken": "Entry … of the ledger is broken: ….",
        "entry-not-one-machine-knew": "Entry … of … is not the one that this machine knew.",
        "gone-but-write-ahead-log": "… is gone but its write-ahead log … is still there.",
        "gone-machine-knew-entries": "… is gone; this machine knew it with … entries.",
        "held-another-process": "… is held by another process.",
        "holds-another-ledger-already": "… holds another ledger already.",
        "ledger-cannot-created": "The ledger … cannot be created (…).",
        "ledger-format-sudare-reads-format": "… has ledger format …; this sudare reads format ….",
        "ledger-moved": "This ledger was moved to ….",
        "ledgers-path-leads-nowhere": "The ledger's path leads nowhere.",
        "lies-where-sqlite-cannot-keep": "… lies where SQLite cannot keep a write-ahead log.",
        "may-not-read-written-made": "… may not be read, written or made by this user.",
        "no-ledger-at": "There is no ledger at ….",
        "not-exported-ledger-head": "This is not an exported ledger head.",
        "not-ledger-machine-knew-had": (
            "… is not the ledger that this machine knew there, which had … entries."
        ),
        "not-sudare-ledger": "… is not a sudare ledger.",
        "protects-unit-ledger-not": '"…" protects the unit "…" in this ledger, not "…".',
        "replace-one-release-cannot-counted": (
            "A replace-one release cannot be counted in an add-remove ledger."
        ),
        "replaced-while-use": "… was replaced while it was in use.",
        "server-may-only-read": "… is on a server that may only be read.",
        "server-runs-fsync-full-page": "The server of … runs with fsync or full_page_writes off.",
        "tables-changed": "The tables in … were changed.",
    },
    "VerificationFailed": {
        "at-least-records-can-told": (
            "At least … records can be told from all others: fewer than … hold some of their items."
        ),
        "at-least-records-release-exposed": (
            "At least … records of the release are exposed: what is known of them tells what "
            "they call sensitive."
        ),
        "attackers-known-items-succeed-more": (
            "Attackers with ℓ = … known items succeed more often than promised."
        ),
        "release-holds-names-not-above": (
            "The release holds names that are not above the items of its original records."
        ),
        "release-names-other-users-than": (
            "The release names other users than the original data, or in another order."
        ),
        "release-original-data-differ-records": (
            "The release and the original data differ in records or in item names."
        ),
        "released-records-hold-items-original": (
            "Of the released records, … hold items that the original ones do not."
        ),
    },
    "EngineUnavailable": {
        "cannot-reached": "… cannot be reached.",
        "connection-broke-before-anything-recorded": (
            "The connection to … broke before anything was recorded."
        ),
        "connection-broke-while-entry-being": (
            "The connection to … broke while an entry was being written, and the server does not "
            "come back to say whether it was."
        ),
        "copy-program-may-see-could": "The copy of what the program may see could not be made.",
        "duckdb-cannot-started": "DuckDB cannot be started.",
        "duckdb-could-not-finish-query": "DuckDB could not finish a query.",
        "folder-cannot-written": "The folder … cannot be written.",
        "function-applied-rows-failed": "A function that was to be applied to the rows has failed.",
        "functions-blocks-run-linux-alone": "Functions of blocks run on Linux alone.",
        "java-home-names-folder-without": "JAVA_HOME names a folder without Java.",
        "kernel-does-not-grant-every": (
            "The kernel does not grant every wall around the blocks (…)."
        ),
        "ledger-cannot-reached": "The ledger … cannot be reached.",
        "log-cannot-written": "The log … cannot be written.",
        "memory-does-not-suffice-copy": (
            "Memory does not suffice for a copy of what the program may see (… MiB)."
        ),
        "nobody-can-listen": "Nobody can listen on ….",
        "older-than-postgresql": "… is older than PostgreSQL ….",
        "postgresql-could-not-finish-query": "PostgreSQL could not finish a query.",
        "spark-cannot-started": "Spark cannot be started.",
        "spark-cluster-gave-no-worker": "The Spark cluster gave no worker in time.",
        "spark-could-not-finish-query": "Spark could not finish a query.",
        "spark-master-cannot-reached": "The Spark master cannot be reached.",
        "spark-needs-java-not-found": "Spark needs Java, which is not found.",
    },
    "Unreachable": {
        "does-not-answer-at": "… does not answer at ….",
        "nothing-heard-too-long": "Nothing was heard of … for too long.",
    },
}
