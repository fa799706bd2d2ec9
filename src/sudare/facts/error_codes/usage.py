"""Codes of messages of UsageError; see tests/support/error_codes.py."""

from __future__ import annotations

CODES: dict[str, dict[str, str]] = {
    "UsageError": {
        "address-names-no-table": "The address names no table.",
        "aggregate-no-epsilon": "The aggregate has no ε.",
        "all-groups-empty": "All groups are empty.",
        "all-last-exclude-each-other": "--all and --last exclude each other.",
        "already": "… is there already.",
        "another-process-works-session": "Another process works on the session in ….",
        "array-needs-two-dimensions-name": (
            "An array needs two dimensions and a name for each of its columns."
        ),
        "at-least-one-rule-asked": "At least one rule is asked for.",
        "attacker-knows-at-least-one": (
            "An attacker knows at least one item, and at most 2147483648."
        ),
        "authority-sign-certificate-four-different": (
            "--authority, --by, --sign and --certificate are four different things."
        ),
        "authoritys-certificate-missing": "The authority's certificate is missing.",
        "baskets-cannot-written": "Baskets cannot be written to ….",
        "baskets-form-read-here-not": "Baskets in this form are read here, not by another engine.",
        "budget-epsilon-above-0": "--budget is an ε above 0.",
        "cannot-read": "… cannot be read.",
        "cap-goes-zcdp-composition-only": (
            "A cap on ρ goes with zCDP composition, and only with it."
        ),
        "cap-never-negative": "A cap is never negative.",
        "certificate-valid-1-36-500": "A certificate is valid for 1 to 36,500 days.",
        "column-both-quasi-identifier-sensitive": (
            "Column '…' is both a quasi-identifier and sensitive."
        ),
        "column-named-twice": "A column is named twice.",
        "column-names-people-so-cannot": "Column '…' names people, so it cannot be published.",
        "columns-differ-length": "The columns differ in length.",
        "columns-lags-choose-measured-here": (
            "--columns and --lags choose what is measured, and here nothing is."
        ),
        "command-begins-script-looks-interpreter": (
            "The command begins with a script that looks for an interpreter, which a block cannot."
        ),
        "command-names-script-not": "The command names a script that is not there.",
        "command-names-table-ledger": "The command names the table or its ledger.",
        "command-not": "The command is not there.",
        "compare-no-folder-write": "--compare has no folder to write to.",
        "completion-could-not-installed-below": "Completion for … could not be installed below ….",
        "composition-not-known": "This composition is not known.",
        "cost-not-given-both-epsilon": "The cost is not given in both (ε, δ) and ρ.",
        "data-type-cannot-read": "Data of type … cannot be read.",
        "dataframe-no-schema-own": "A dataframe has no schema of its own.",
        "default-does-not-say-whose": "A default does not say whose it is.",
        "delta-goes-epsilon": "delta goes with epsilon.",
        "delta0-above-delta": "--delta0 is above --delta.",
        "delta0-goes-epsilon0": "--delta0 goes with --epsilon0.",
        "dry-run-prices-epsilon-without": (
            "--dry-run prices --epsilon; without it nothing is charged."
        ),
        "eps-delta-belong-sampled-model": "--eps and --delta belong to the sampled model.",
        "eps-delta-lie-between-0": "--eps and --delta are at least 1e-6 and below 1.",
        "epsilon-measures-rows-here-none": "--epsilon measures rows, and here there are none.",
        "file-would-written-over-made": (
            "A file would be written over what it is made from, or over another result."
        ),
        "files-at-address-read-spark": "Files at an address are read by Spark.",
        "fit-takes-statistics-not-file": (
            "fit takes statistics, and this is not a file or a value of them."
        ),
        "folder-cannot-made-kept-private": "The folder … cannot be made or kept private.",
        "folder-holds": "This folder holds ….",
        "folder-not-file": "… is a folder, not a … file.",
        "frequent-itemsets-too-many-listed": "The frequent itemsets are too many to be listed.",
        "function-cannot-loaded-fresh-process": "The function cannot be loaded in a fresh process.",
        "function-cannot-sent-another-process": "The function cannot be sent to another process.",
        "function-cannot-sent-sparks-workers": "The function cannot be sent to Spark's workers.",
        "generalization-needs-hierarchy-items": "Generalization needs a hierarchy of items.",
        "groups-need-know-who-reports": "The groups need to know who reports how many attributes.",
        "head-file-cannot-read": "The head file … cannot be read.",
        "hierarchy-other-items-than-baskets": "The hierarchy is of other items than the baskets.",
        "how-many-rows-may-one": "How many rows may one '…' count with?",
        "idempotency-key-used-another-plan": (
            'The idempotency key "…" was used for another plan on "…".'
        ),
        "job-cannot-read-tables-postgresql": "This job cannot read tables in PostgreSQL.",
        "joined-rows-not-written-beside": "The joined rows were not written beside ….",
        "k-at-least-1": "k is a whole number from 1 to 2147483648.",
        "k-hierarchy-k-m-anonymity": "--k and --hierarchy are for k^m-anonymity.",
        "k-m-anonymity-does-not": "k^m-anonymity does not protect what people call sensitive.",
        "k-m-anonymity-needs-k": "k^m-anonymity needs k and the most known items.",
        "k-m-anonymity-no-epsilon": "k^m-anonymity has no ρ, ε or δ.",
        "k-must-at-least-2": "k must be at least 2.",
        "k-number-known-items-whole": "k and the number of known items are whole numbers from 1.",
        "lags-panels-schema-declares-none": "--lags is for panels, and the schema declares none.",
        "largest-at-least-1-rows": "--largest is at least 1 and --rows at least 0.",
        "least-support-longest-itemset-whole": (
            "The least support and the longest itemset are whole numbers from 1."
        ),
        "ledger-carried-over-into-forked": "A ledger was carried over into a forked process.",
        "ledger-closed": "This ledger was closed.",
        "ledger-moved-into-postgresql": "A ledger is moved into PostgreSQL.",
        "ledger-spent-something-else": "The ledger in … was spent by something else.",
        "master-named-without-spark": "A master is named without Spark.",
        "max-rows-at-least-1": "--max-rows is at least 1.",
        "max-rows-belongs-unit-several": "--max-rows belongs to a unit with several rows.",
        "mechanism-categories-say-how-many": (
            "Mechanism '…' is for categories: say how many values there are."
        ),
        "method-b-compared-papers-own": (
            "--method a or b is compared with the paper's own method; --mode paper is that."
        ),
        "mode-paper-base-rate-random": (
            "--mode paper, --base-rate and --random are for ρ-uncertainty."
        ),
        "model-needs-confidence-no-attacker": (
            "The model needs the confidence ρ that no attacker may pass."
        ),
        "models-base-rate-released-form": (
            "Models, the base rate and the released form are for the check of a release."
        ),
        "models-base-rate-released-format": (
            "Models, --base-rate and --released-format are for the check of a release."
        ),
        "more-than-quasi-identifiers-named": "More than … quasi-identifiers are named.",
        "must-at-least-1": "ℓ must be at least 1.",
        "must-finite-number": "… must be a finite number.",
        "must-number-above-0": "… must be a number above 0.",
        "n-groups-people-both-given": "--n and groups of people are both given.",
        "name-certificate-1-64-printable": (
            "A name in a certificate has 1 to 64 printable characters."
        ),
        "name-dataset-unit-analyst-job": (
            "A name (dataset, unit, analyst, job or key) is empty, too long or has control signs."
        ),
        "name-ledger-postgresql-signs-may": (
            "The name of a ledger in PostgreSQL has signs that it may not have."
        ),
        "name-one-epsilon0-epsilon": "Name one of --epsilon0 and --epsilon.",
        "name-sign-cannot-hold": "A name has a sign in it that … cannot hold.",
        "neither-file-nor-address-postgresql": (
            "This is neither a file nor an address of PostgreSQL."
        ),
        "new-ledger-needs-neighbour-relation": "A new ledger needs a neighbour relation.",
        "no-engine": "There is no engine '…'.",
        "no-finished-release": "There is no finished release … in ….",
        "no-folder": "There is no folder for ….",
        "no-ledger": "There is no ledger ….",
        "no-ledger-named-no-schema": (
            "No ledger is named, and there is no schema file to lay it beside."
        ),
        "no-mechanism": "There is no mechanism '…'.",
        "no-method": "There is no method '…'.",
        "no-paper-mode": "… has no paper mode.",
        "no-part": "There is no part ….",
        "no-quasi-identifiers": "There are no quasi-identifiers.",
        "no-rows-sampled-yet": "No rows were sampled yet.",
        "no-schema-named": "No schema is named.",
        "no-such-encoding-shifts-not": (
            "There is no such encoding, or it has shifts, which are not read."
        ),
        "no-such-form-baskets": "There is no such form of baskets.",
        "no-such-model-mode-sets": "There is no such model or mode for sets.",
        "nobody-shuffles-number-people-missing": (
            "Nobody shuffles: the number of people is missing."
        ),
        "not-empty": "… is not empty.",
        "not-session-classic-spark": "This is not a session of classic Spark.",
        "not-spark-master": "This is not a Spark master.",
        "not-sudare-certificate": "… is not a sudare certificate.",
        "nothing-accept": "There is nothing to accept of ….",
        "nothing-called-sensitive": "Nothing is called sensitive.",
        "nothing-can-written": "Nothing can be written to ….",
        "nothing-ever-charged-here": 'Nothing was ever charged on "…" here.',
        "nothing-explain": "There is nothing to explain.",
        "number-beyond-1e15": "… is a number beyond ±1e15.",
        "only-file-holds-basket-line": "Only a file holds a basket a line.",
        "optimum-exact-model": "--optimum is for the exact model.",
        "output-not-name-low-high": "An output is not a name, =, low..high and :step.",
        "output-would-replace-data": "The output would replace the data.",
        "page-not-html-file": "The page is not an HTML file.",
        "papers-figures-3-7": "The paper's figures are 3 to 7.",
        "papers-way-knows-no-base": (
            "The paper's way knows no base rate and always draws records by lot."
        ),
        "parameter-synthesizer-no-such-value": "A parameter of the Synthesizer has no such value.",
        "pk-needs-records-lies-between": "--pk needs --records and lies between 1 and that number.",
        "plans-hash-not-sha-256": "The plan's hash is not a SHA-256.",
        "population-not-number-people": "The population is not a number of people.",
        "postgresql-address-cannot-read": "This PostgreSQL address cannot be read.",
        "postgresql-reads-own-tables-only": "PostgreSQL reads its own tables only.",
        "pram-explained-epsilon-retention-pk": (
            "PRAM is explained from an ε, from --retention or from --pk: name one of them."
        ),
        "quota-never-negative": "A quota is never negative.",
        "records-cannot-written": "Records cannot be written to ….",
        "records-compared-file-table": "Records are compared with a file or a table.",
        "records-must-at-least-2": "--records must be at least 2 and at most 1e12.",
        "regression-logistic-regression-svm-needs": (
            "A regression, logistic regression or SVM needs a target."
        ),
        "regression-needs-target": "A regression needs a target.",
        "release-committed-before": "Release … was committed before.",
        "repetitions-between-1": "Repetitions are between 1 and ….",
        "report-at-most-attributes": "A report has at most … attributes.",
        "reports-no-epsilon": "The reports have no ε.",
        "reports-written-parquet-name-file": (
            "Reports are written as Parquet, and the name of the file says otherwise."
        ),
        "request-name-not": "The request is for the name '…', not for '…'.",
        "reservation-not-ledger": "This reservation is not in this ledger.",
        "retention-probability-lies-above-0": "A retention probability lies above 0 and below 1.",
        "retention-values-name-different-numbers": (
            "--retention and --values name different numbers of attributes."
        ),
        "row-lacks-number": "A row lacks a number.",
        "rows-between": "Rows are between … and ….",
        "rows-made-one-place-data": (
            "Rows are made from one place: data, --from-statistics or --from-randomized."
        ),
        "rows-need-numbers-each-one": "Rows need … numbers each, one a column that was fitted.",
        "rows-no-array-numbers": "The rows are no array of numbers.",
        "sampled-model-knows-no-base": "The sampled model knows no base rate and no random order.",
        "sampled-model-needs-most-known": (
            "The sampled model needs ρ, the most known items, ε and δ."
        ),
        "sampling-fraction-lies-above-0": "The sampling fraction is at least 1e-9 and at most 1.",
        "search-optimum-takes-number-seconds": (
            "The search for the optimum takes a number of seconds above 0."
        ),
        "session-given-without-spark": "A session is given without Spark.",
        "session-spark-master-already": "A session of Spark has its master already.",
        "session-spark-stopped": "This session of Spark was stopped.",
        "share-suppressed-records-at-least": (
            "The share of suppressed records is at least 0 and below 1."
        ),
        "shell-could-not-determined": "The shell could not be determined.",
        "spark-runs-process-already-another": (
            "Spark runs in this process already, with another master."
        ),
        "spark-use-process-another-master": "Spark is in use in this process, with another master.",
        "statistic-not-known": "A statistic is not known.",
        "support-confidence-lie-above-0": (
            "Support and confidence lie above 0 and are at most 1, with at most nine digits."
        ),
        "suppress-takes-share-records": "--suppress takes a share of the records.",
        "synthesizer-no-such-parameter": "A Synthesizer has no such parameter.",
        "synthesizer-not-fitted-yet": "This Synthesizer is not fitted yet.",
        "synthetic-rows-cannot-written-schemas": (
            "The synthetic rows cannot be written in the schema's encoding."
        ),
        "t-lies-between-0-1": "t lies between 0 and 1.",
        "t-need-sensitive-column": "ℓ and t need a sensitive column.",
        "table-names-two-columns": "A table names two columns.",
        "table-needs-two-columns": "A table needs two columns.",
        "table-no-epsilon": "The table has no ε.",
        "takes-numbers-commas-between": "… takes numbers with commas between.",
        "trials-between-2": "Trials are between 2 and ….",
        "usage-error-delta-goes-epsilon": "--delta goes with --epsilon.",
        "users-items-one-column": "Users and items are in one column.",
        "values-says-how-many-values": (
            "--values says how many values each attribute has, at least 2 and at most 1e12."
        ),
        "verdict-release-no-page": "The verdict on a release has no page.",
        "wanted-error-must-number-above": "A wanted error must be a number above 0.",
        "would-replace": "… would replace ….",
        "y-array-but-x-no": "y is an array, but X is no array and no dataframe.",
        "y-array-no-name": "y is an array and has no name.",
    },
}
