"""Codes of messages of InvalidSchema and others; see tests/support/error_codes.py."""

from __future__ import annotations

CODES: dict[str, dict[str, str]] = {
    "InvalidSchema": {
        "column-panel-name-another-period": (
            "A column of the panel has the name that another has in a period."
        ),
        "encoding-under-table-names-no-encoding": (
            "encoding under [table] names no encoding that sudare reads."
        ),
        "invalid-schema-file-cannot-read": "The … file … cannot be read.",
        "invalid-schema-not-valid-toml": "… is not valid TOML: ….",
        "levels-cut-column-across-each": "The levels '…' and '…' cut column '…' across each other.",
        "no-schema-file": "There is no … file ….",
        "panel-no-column-varies-over": "The panel has no column that varies over time.",
        "panels-lags-must-lie-between": "The panel's lags must lie between 1 and ….",
        "panels-time-more-than-periods": "The panel's time has more than … periods.",
        "periods-columns-more-than": "… periods of … columns are more than ….",
        "rule": "In rule '…': …",
        "rule-speaks-panels-person-time": "Rule '…' speaks of the panel's person or time.",
        "schema-at": "…: at …: ….",
        "schema-bounds-real-column-lie": (
            "…: at …: the bounds of a real column lie within ±1e100, 1e-100 or more apart."
        ),
        "schema-bounds-wider-than-2": (
            "…: at …: the bounds are wider than 2^62 steps, so a sum could overflow."
        ),
        "schema-column-level": "…: at …: '…' is a column and a level.",
        "schema-column-takes-no-min": "…: at …: a … column takes no min and max.",
        "schema-column-takes-no-values": (
            '…: at …: a … column takes no values; use type = "category".'
        ),
        "schema-complete-belongs-number-date": (
            "…: at …: complete belongs to a number, date or boolean."
        ),
        "schema-composition-zcdp-needs-delta": '…: at …: composition = "zcdp" needs delta > 0.',
        "schema-cuts-lie-within-1e100": "…: at …: cuts lie within ±1e100.",
        "schema-cuts-must-ascend": "…: at …: cuts must ascend.",
        "schema-declares-no-budget": "The schema declares no budget.",
        "schema-declares-no-panel": "The schema declares no panel.",
        "schema-delta-0-at-least": (
            "…: at …: delta is 0 or at least 1e-18, the ledger's smallest unit."
        ),
        "schema-every-number-steps-where": (
            "…: at …: every is a number of steps where the panel's time is an integer."
        ),
        "schema-integer-column-step-1": (
            "…: at …: an integer column has step 1; declare it real for another step."
        ),
        "schema-key-missing": "…: '…' is missing.",
        "schema-level-built-itself": "…: at …: level '…' is built on itself.",
        "schema-level-column-without-min": "…: at …: level '…' is of a column without min and max.",
        "schema-level-either-width-cuts": "…: at …: a level has either width, cuts or groups.",
        "schema-level-empty-group": "…: at …: level '…' has an empty group.",
        "schema-level-group-called-like": (
            "…: at …: level '…' has a group that is called like other."
        ),
        "schema-level-leaves-values-without": (
            "…: at …: level '…' leaves values of '…' without a group."
        ),
        "schema-level-lists-value-does": (
            "…: at …: level '…' lists a value that '…' does not declare."
        ),
        "schema-level-not-declared": "…: at …: level '…' is of '…', which is not declared.",
        "schema-level-numbers-dates-take": (
            "…: at …: level '…': numbers and dates take width or cuts, categories take groups."
        ),
        "schema-level-value-two-groups": "…: at …: level '…' has a value in two groups.",
        "schema-min-max-column-must": "…: at …: min and max of a … column must be of that type.",
        "schema-min-max-go-together": "…: at …: min and max go together.",
        "schema-min-must-below-max": "…: at …: min must be below max.",
        "schema-no-key": "…: '…' is no key.",
        "schema-not-a-choice": "…: '…' is none of what it may be: ….",
        "schema-other-belongs-category-column": "…: at …: other belongs to a category column.",
        "schema-other-must-label-own": (
            "…: at …: other must be a label of its own, not one of values."
        ),
        "schema-out-of-range": "…: '…' is out of its range: ….",
        "schema-panel-names-column-not": "…: at …: panel names column '…', which is not declared.",
        "schema-panel-names-column-twice": "…: at …: panel names a column twice.",
        "schema-panels-time-integer-date": (
            "…: at …: the panel's time is an integer or a date, with min and max."
        ),
        "schema-public-rows-needs-neighbours": (
            '…: at …: public_rows needs neighbours = "replace-one" and unit = "row": under '
            "add-remove the number of rows is what is protected."
        ),
        "schema-rule-either-if-then": "…: at …: a rule has either if and then, or never.",
        "schema-step-wider-than-range": "…: at …: step is wider than the range from min to max.",
        "schema-two-rules-same-same": "…: at …: two rules are the same or have the same name.",
        "schema-unit-column-must-type": '…: at …: the unit column must have type = "key".',
        "schema-unit-column-needs-max": "…: at …: a unit column needs max_rows_per_unit.",
        "schema-unit-names-column-not": "…: at …: unit names column '…', which is not declared.",
        "schema-unit-panel-person-row": "…: at …: the unit of a panel is its person, or row.",
        "schema-unit-row-means-one": (
            '…: at …: unit = "row" means one row a unit; drop max_rows_per_unit.'
        ),
        "schema-values-declared-category-at": (
            "…: at …: … values are declared, a category has at most …."
        ),
        "schema-values-named-twice": "…: at …: values are named twice.",
        "schema-wrong-type": "…: '…' has the wrong type: ….",
        "under-epsilon-panel-protects-persons": (
            "Under ε a panel protects persons, but the schema's unit is another."
        ),
    },
    "InvalidFile": {
        "array-mixes-types": "An array mixes types.",
        "chunk-another-organisations-rows-not": (
            "A chunk of another organisation's rows is not whole."
        ),
        "chunk-secure-computation-came-out": "A chunk of the secure computation came out of turn.",
        "column-data-no-name": "Column … of the data has no name.",
        "column-declared-but-data-stores": (
            "Column '…' is declared …, but the data stores it as another type."
        ),
        "column-does-not-hold-form": "Column '…' does not hold what the form needs.",
        "column-rows-holds-no-numbers": "A column of the rows holds no numbers.",
        "columns-data-same-name": "Columns … and … of the data have the same name.",
        "data-column-damaged-decimals-codes": (
            "The data has a column that is damaged: decimals or codes outside their type, or "
            "lists of text that is not UTF-8."
        ),
        "data-column-type-cannot-read": "The data has a column of a type that cannot be read.",
        "data-no-column-schema-declares": "The data has no column '…', which the schema declares.",
        "data-no-columns": "The data has no columns '…' and '…'.",
        "data-no-rows": "The data has no rows.",
        "data-too-few-short-baskets": (
            "The data … have too few short baskets for the paper's experiments."
        ),
        "dataframe-cannot-read-through-arrow": (
            "The dataframe cannot be read through the Arrow C stream interface."
        ),
        "does-not-hold-csv-csv": "… does not hold ….csv or ….csv.gz.",
        "does-not-hold-dat-dat": "… does not hold ….dat or ….dat.gz.",
        "file-cannot-read-table": "The file … cannot be read as a table.",
        "file-empty": "The file … is empty.",
        "file-ending-sudare-does-not": "The file … has an ending that sudare does not know.",
        "file-ends-within-character": "The file … ends within a character.",
        "file-holds-no-report-so": (
            "The file holds no report, so there is nothing to make rows from."
        ),
        "file-names-do-not-decode": "The file of … has names that do not decode.",
        "file-names-mechanism-version-does": (
            "The file names a mechanism that this version does not know."
        ),
        "file-no-basket": "The file … has no basket.",
        "file-no-columns": "The file of … has no columns ….",
        "file-no-header-line": "The file … has no header line.",
        "file-not-one-randomised-reports": "The file is not one of randomised reports.",
        "file-not-whole-arrow-file": "The file … is not a whole Arrow file.",
        "file-not-whole-parquet-file": "The file … is not a whole Parquet file.",
        "file-reports-contradicts-itself": "The file of reports contradicts itself.",
        "file-reports-damaged": "The file of reports is damaged.",
        "file-reports-not": "The file of reports is not there.",
        "file-says-itself-does-not": "What the file says of itself does not fit together.",
        "file-sensitive-items-no-rows": "The file of sensitive items has no rows.",
        "file-statistics-cannot-read": "The file of statistics cannot be read.",
        "file-statistics-not": "The file of statistics is not there.",
        "file-too-few-complete-rows": (
            "The file has too few complete rows for the paper's experiments."
        ),
        "files-cannot-reached-through-spark": "The files cannot be reached through Spark.",
        "files-different-columns": "The files … and … have different columns.",
        "header-cannot-read": "The header of … cannot be read.",
        "header-line-not-text": "The header line of … is not … text.",
        "header-line-nul-byte": "The header line of … has a NUL byte in it.",
        "hierarchy-below-top": "The hierarchy has * below its top.",
        "hierarchy-items-not-tree": "The hierarchy of items is not a tree.",
        "invalid-file-data-no-columns": "The data has no columns.",
        "invalid-file-file-cannot-read": "The file … cannot be read.",
        "invalid-file-line-item-not-whole-number": (
            "A line of … has an item that is not a whole number."
        ),
        "invalid-file-line-quote-middle-name": "A line of … has a quote in the middle of a name.",
        "invalid-file-no-file": "There is no file ….",
        "invalid-file-row-sensitive-items-names-no": "A row of the sensitive items names no ….",
        "item-file-mechanism-does-not": "An item of the file has a mechanism that does not fit it.",
        "line-item-does-not-name": "A line @ITEM of … does not name an item.",
        "message-secure-computation-wrong-length": (
            "A message of the secure computation has the wrong length."
        ),
        "more-people-common-all-organisations": (
            "More people are common to all organisations than the plan allows."
        ),
        "names-files-not-parquet": "… names files that are not Parquet.",
        "no-parquet-file-at-address": "There is no Parquet file at this address.",
        "no-record-data-holds-item": "No record of the data holds an item that can be read.",
        "no-row-data-names-user": "No row of the data names a user.",
        "no-row-sensitive-items-fits": "No row of the sensitive items fits the data.",
        "no-table": "There is no table ….",
        "not-database-utf-8": "… is not a database in UTF-8.",
        "parquet-file-cannot-read-end": "A Parquet file cannot be read to its end.",
        "party-sent-same-pseudonym-twice": "A party sent the same pseudonym twice.",
        "quote-opened-never-closed": "A quote in … is opened and never closed.",
        "received-pseudonym-not-point-ristretto255": (
            "A received pseudonym is not a point of ristretto255, or is its identity."
        ),
        "reports-do-not-fit-file": "The reports do not fit what the file says of them.",
        "reports-release-written-once-not": (
            "The reports of this release were written once and are not drawn again."
        ),
        "row-categories-lacks-item-category": (
            "Row … of the categories lacks an item or a category."
        ),
        "row-data-names-user-who-basket": (
            "A row of the data names a user who has a basket already."
        ),
        "row-hierarchy-gives-name-another": "Row … of the hierarchy gives a name another parent.",
        "row-hierarchy-item-data-parent": (
            "Row … of the hierarchy has an item of the data as parent."
        ),
        "row-hierarchy-leads-back-itself": "Row … of the hierarchy leads back to itself.",
        "row-hierarchy-names-no-item": "Row … of the hierarchy names no item.",
        "row-sensitive-items-can-read-two": "A row of the sensitive items can be read in two ways.",
        "row-sensitive-items-names-category-not": (
            "A row of the sensitive items names a category that is not declared."
        ),
        "row-sensitive-items-user-who-not": (
            "A row of the sensitive items has a user who is not the number of a record."
        ),
        "sealed-row-message-does-not": (
            "A sealed row or message does not open: it was altered, moved, or sealed for another."
        ),
        "sensitive-items-more-than-pairs": (
            "The sensitive items are more than … pairs of a user and an item."
        ),
        "sequences-1-2": "… has sequences in it (-1 or -2).",
        "table-fewer-rows-than-public": (
            "The table has fewer rows than public_rows declares, so shuffling hides less."
        ),
        "table-fewer-than-rows-cannot": "A table of fewer than … rows cannot be compared.",
        "table-may-not-read-user": "The table may not be read by this user.",
        "users-items-stored-type-names": "Users or items are stored in a type that names nothing.",
    },
    "InvalidTables": {
        "attributes-more-than-combinations": "The attributes have more than … combinations.",
        "count-row-negative": "The count in row … of … is negative.",
        "count-row-neither-whole-number": (
            "The count in row … of … is neither a whole number nor withheld."
        ),
        "invalid-tables-file-cannot-read": "The file … cannot be read.",
        "invalid-tables-not-valid-toml": "… is not valid TOML: ….",
        "invalid-tables-unknown-key": "… has an unknown key '…'.",
        "neither-utf-8-nor-cp932": "… is neither UTF-8 nor cp932 text.",
        "no-column-counts": "… has no column of counts.",
        "no-data-set-fits-contradict": "No data set fits …: they contradict each other.",
        "no-rows": "… has no rows.",
        "row-too-few-too-many": "Row … of … has too few or too many fields.",
        "rows-describe-same-people": "Rows … and … of … describe the same people.",
        "says-neither-nobody-nor-all": "… says neither nobody, nor all, nor count.",
        "sensitive-attribute-no-table-not": (
            "The sensitive attribute '…' is in no table and not declared."
        ),
        "two-columns-one-name-one": "… has two columns of one name, or one without.",
        "value-not-declared": "… has a value of '…' that is not declared.",
        "value-wrong-form": "… has a value of the wrong form.",
    },
    "InvalidStatistics": {
        "exact-statistics-lack-sums-within": (
            "The exact statistics lack the sums of '…' within '…'."
        ),
        "file-does-not-form-statistics": "The file does not have the form of statistics.",
        "file-does-not-say-form": (
            "The file does not say in a form that can be read which panel it describes."
        ),
        "no-table-statistics": "No table has these statistics: …. …",
        "rule-statistics-columns-contradict-each": (
            "The rule '…' and the statistics of its columns contradict each other."
        ),
        "statistics-columns-not-panel-describe": (
            "The statistics' columns are not those of the panel that they describe."
        ),
        "statistics-do-not-tell-how": "The statistics do not tell how '…' and '…' go together.",
        "statistics-not-their-digest-changed": (
            "The statistics are not those that their digest is of: they were changed."
        ),
    },
}
