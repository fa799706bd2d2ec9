"""Codes of messages of InvalidPlan; see tests/support/error_codes.py."""

from __future__ import annotations

CODES: dict[str, dict[str, str]] = {
    "InvalidPlan": {
        "address-link-toml-so-others": (
            "'…' has an address in link.toml, so the others will call it."
        ),
        "address-not-host-port": "An address is not host:port.",
        "alpha-must-one-number-0": "alpha must be one number from 0 to 1e12.",
        "below-1e-18-ledgers-smallest": "δ is below 1e-18, the ledger's smallest unit.",
        "beta-must-number-1e-12": "beta must be a number from 1e-12 to 0.5.",
        "bins-between-2": "Bins are between 2 and ….",
        "bins-must-one-whole-number": "bins must be one whole number from 1 to 100000.",
        "blocks-memory-must-lie-between": "A block's memory must lie between … and … MiB.",
        "blocks-time-must-lie-between": "A block's time must lie between 0.01 and … seconds.",
        "bounds-column-so-wide-sum": (
            "The bounds of column '…' are so wide that its sum could overflow."
        ),
        "characters-certificates-files-do-not": (
            "… has characters that certificates and files do not take."
        ),
        "collector-address-party-also": (
            "The collector has the address of the party that it also is."
        ),
        "collector-no-address": "The collector has no address.",
        "column-bins-edges-numbers-dates": (
            "Column '…' is …; bins and edges are for numbers and dates."
        ),
        "column-but-compared-something-else": (
            "Column '…' is …, but is compared with something else."
        ),
        "column-cannot-randomised-text-key": (
            "Column '…' cannot be randomised: it is text, a key or the unit."
        ),
        "column-cannot-synthesised": "Column '…' cannot be synthesised.",
        "column-cannot-take-mechanism-named": (
            "Column '…' cannot take the mechanism that was named for it."
        ),
        "column-cannot-used-number-here": "Column '…' is …; it cannot be used as a number here.",
        "column-category-predictors-numbers-booleans": (
            "Column '…' is a category; predictors are numbers or booleans."
        ),
        "column-compared-text": "Column '…' is compared with text.",
        "column-compared-value-outside-declared": (
            "Column '…' is compared with a value outside its declared values."
        ),
        "column-filter-could-single-out": (
            "Column '…' is …; a filter on it could single out a person."
        ),
        "column-level-called-total-cannot": (
            "A column or level called 'total' cannot be a dimension."
        ),
        "column-name-square-product-cell": (
            "A column has the name that a square, a product, a cell or bins of others would have."
        ),
        "column-named-size-cannot-clustered": (
            "A column named 'size' cannot be clustered: each cluster has a size of its own."
        ),
        "column-names-people-free-text": (
            "Column '…' names people or is free text, and is not handed to functions."
        ),
        "column-no-declared-groups": "Column '…' (…) has no declared groups.",
        "column-no-declared-values-filter": (
            "Column '…' is …; it has no declared values to filter by."
        ),
        "column-no-declared-values-group": (
            "Column '…' is …; it has no declared values to group by."
        ),
        "column-no-order-so-says": "Column '…' has no order, so … says nothing.",
        "column-no-short-list-groups": "Column '…' (…) has no short list of groups.",
        "column-not-exactly-two-values": "Column '…' has not exactly two values.",
        "column-not-file-reports": "Column '…' is not in the file of reports.",
        "column-output-named-twice": "A column or an output is named twice.",
        "column-too-many-values-dimension": (
            "Column '…' has too many values to be a dimension of its own."
        ),
        "columns-more-labels-than-secure": (
            "The columns have more labels than a secure computation can take."
        ),
        "cuts-level-another-type-than": (
            "The cuts of level '…' are of another type than its column."
        ),
        "data-no-column": "The data has no column '…'.",
        "data-no-column-could-tell": "The data has no column '…' that could tell people apart.",
        "data-no-column-says-whose": "The data has no column '…', which says whose record each is.",
        "default-output-lies-outside-range": "The default of output '…' lies outside its range.",
        "does-not-listen-cannot-asked": "'…' does not listen, and cannot be asked.",
        "dummies-can-only-added-so": (
            "Dummies can only be added, so that hiding a number by them needs a δ."
        ),
        "dummies-reports-secure-computation-none": (
            "Dummies are reports, and a secure computation has none."
        ),
        "edges-must-ascend-lie-between": "edges must ascend and lie between min and max.",
        "edges-must-numbers": "edges must be numbers.",
        "empty-too-long-nul": "A … is empty, too long or has a NUL in it.",
        "epsilon-above-protects-nobody": "ε above … protects nobody.",
        "epsilon-after-must-above-0": "The ε after @ must be above 0.",
        "epsilon-below-1e-9-ledgers": "ε is below 1e-9, the ledger's smallest unit.",
        "epsilon-must-above-0": "ε must be above 0.",
        "epsilon-too-small-many-columns": "ε is too small for this many columns.",
        "epsilon-too-small-many-margins": "ε is too small for this many margins.",
        "error-after-must-above-0": "The error after ± must be above 0.",
        "every-margin-weight-0": "Every margin has weight 0.",
        "file-cannot-read": "The … file … cannot be read.",
        "filter-nested-too-deeply": "A filter is nested too deeply.",
        "function-answers-between-1-outputs": "A function answers between 1 and … outputs.",
        "function-gets-no-column": "The function gets no column.",
        "gaussian-noise-needs-above-0": "Gaussian noise needs a δ above 0.",
        "gaussian-noise-no-pure-epsilon": "Gaussian noise has no pure ε.",
        "helper-collector-who-would-then": (
            "The helper is the collector, who would then hold both shares."
        ),
        "helper-listens-at-address-another": (
            "The helper listens at an address that another part of the session has."
        ),
        "helper-no-address": "The helper has no address.",
        "hiding-sizes-classes-well-takes": (
            "Hiding the sizes of classes this well takes more than … dummies."
        ),
        "histogram-bin-no-value-can": "histogram(…) has a bin that no value can fall into.",
        "histogram-bins-not-one-width": (
            "histogram(…) has … bins that are not of one width on the column's grid; at most … "
            "can be."
        ),
        "invalid-plan-column-named-twice": "A column is named twice.",
        "invalid-plan-must-finite-number": "… must be a finite number.",
        "invalid-plan-no-mechanism": "There is no mechanism '…'.",
        "invalid-plan-statistic-not-known": "A statistic is not known.",
        "invariant-does-not-give-one": (
            "Invariant '…' does not give one count for each label of its margin."
        ),
        "invariant-more-than-one-dimension": "Invariant '…' has more than one dimension.",
        "join-tells-no-covariances-between": "The join tells no covariances between organisations.",
        "k-joined-rows-go-job": 'k and joined_rows go with job = "pk".',
        "k-lies-above-1-below": "k lies above 1 and below the number of people.",
        "key-column-unknown-rule": "A key column has an unknown rule.",
        "kmeans-takes-no": "kmeans() takes no by.",
        "laplace-noise-scaled-smooth-sensitivity": (
            "Laplace noise scaled by smooth sensitivity is proved for ε below 1 only."
        ),
        "laplace-noise-scaled-smooth-sensitivity-needs": (
            "Laplace noise scaled by smooth sensitivity needs a δ."
        ),
        "laplace-noise-scaled-smooth-sensitivity-no": (
            "Laplace noise scaled by smooth sensitivity has no ρ."
        ),
        "level-group-no-value-can": "Level '…' has a group that no value can fall into.",
        "level-groups-at-most-can": "Level '…' has … groups; at most … can be cut.",
        "level-not-built": "Level '…' is not built on '…'.",
        "level-quantile-at-most-four": "The level of a quantile has at most four decimals.",
        "level-quantile-lies-between-0": "The level of a quantile lies between 0 and 1.",
        "levels-not-nested": "The levels of '…' are not nested.",
        "levels-range-two-numbers-between": (
            "The levels of a range are two numbers between 0 and 1 of at most four decimals, the "
            "lower first."
        ),
        "levels-width-makes-too-many": "A level's width makes too many groups.",
        "lies-0-below-1": "… lies from 0 to below 1.",
        "lies-above-0-at-most": "ρ lies above 0 and is at most 1, with at most nine digits.",
        "lies-above-0-at-most-1000": "… lies above 0 and is at most 1000.",
        "link-toml-at": "link.toml: at …: ….",
        "link-toml-missing": "link.toml: '…' is missing.",
        "link-toml-no-key": "link.toml: '…' is no key.",
        "link-toml-not-a-choice": "link.toml: '…' is none of what it may be: ….",
        "link-toml-not-valid-toml": "link.toml is not valid TOML: ….",
        "link-toml-out-of-range": "link.toml: '…' is out of its range: ….",
        "link-toml-write-number": "link.toml: at …: write a number such as 0.5 or 1e-9.",
        "link-toml-wrong-type": "link.toml: '…' has the wrong type: ….",
        "local-guarantee-needs-no": "A local guarantee needs no δ.",
        "local-mechanism-takes-epsilon-between": (
            "A local mechanism takes an ε between 0.000001 and 16."
        ),
        "local-sensitivity-not-private": "Local sensitivity is not private.",
        "margin-names-beside-another-level": (
            "A margin names '…' beside another level of the same dimension."
        ),
        "margin-weight-but-not-asked": "Margin '…' has a weight but is not asked for.",
        "margins-names-nothing": "--margins names nothing.",
        "mechanism-charged-cells-got": "The mechanism was charged for … cells and got ….",
        "mechanism-must-positive": "The … of a mechanism must be positive.",
        "mechanism-named-column-not-randomised": (
            "A mechanism is named for a column that is not randomised, or twice for one."
        ),
        "mechanism-not-known": "A mechanism is not known.",
        "mechanism-wrong-numbers-behind": "A mechanism has the wrong numbers behind it.",
        "more-than-generalizations-choose": "There are more than … generalizations to choose from.",
        "mst-answers-2-nodes": "mst() answers for 2 to … nodes.",
        "mst-no-such-method": "mst() has no such method.",
        "mst-takes-no-groups-no": "mst() takes no groups and no filter.",
        "must-at-least-0-below": "δ must be at least 0 and below 1.",
        "must-one-whole-number": "… must be one whole number from … to ….",
        "must-one-whole-number-1": "… must be one whole number from 1 to ….",
        "no": "… has no ….",
        "no-address-link-toml-so": "'…' has no address in link.toml, so it cannot listen.",
        "no-column-statistic-asked": "No column has a statistic that was asked for.",
        "no-dimension-level-table": "'…' is no dimension or level of this table.",
        "no-epsilon-parties-name-none": "There is no ε for the parties that name none.",
        "no-epsilon-up-100-reaches": "No ε up to 100 reaches that error for ….",
        "no-epsilon-up-answers-so": "No ε up to … answers … so exactly.",
        "no-function": "There is no function '…'.",
        "no-generalization-meets-demand": "No generalization meets the demand.",
        "no-method-blocks": "There is no method '…' for blocks.",
        "no-number-central-release-could": "'…' has no number that a central release could be of.",
        "no-organisation-class-can-asked": (
            "No organisation of a class can be asked for the secret that they share."
        ),
        "no-plan-file": "There is no … file ….",
        "no-predictor-may-called": "No predictor may be called ….",
        "no-quasi-identifier-level-generalized": (
            "No quasi-identifier has a level to be generalized to."
        ),
        "no-such-method": "…() has no such method.",
        "no-two-organisations-columns-can": (
            "No two organisations have columns that can be multiplied or crossed."
        ),
        "no-wanted-error-given": "No wanted error is given for ….",
        "no-way-can-report-columns": (
            "There is no way in which '…' can report its columns for a join."
        ),
        "no-way-spend-epsilon-plan": "There is no way to spend ε as the plan asks.",
        "nobody-left-deal-masks-secure": (
            "Nobody is left to deal the masks of the secure computation."
        ),
        "nodes-mst-two-columns-type": "The nodes of mst() are two columns of type category.",
        "not-asked-groups": "…() is not asked by groups.",
        "not-more-columns-than-person": "There are not more columns than a person is to report.",
        "not-party-plan": "'…' is not a party of this plan.",
        "not-valid-toml": "… is not valid TOML: ….",
        "nothing-total-epsilon-left-questions": (
            "Nothing of the total ε is left for the questions without @."
        ),
        "number-blocks-must-lie-between": "The number of blocks must lie between … and ….",
        "number-items-report-goes-budget": "A number of items to report goes with --budget sample.",
        "number-question-too-long-too": (
            "A number in the question is too long, too large or too small."
        ),
        "number-synthetic-rows-must-above": (
            "The number of synthetic rows must be above 0 and at most 2147483648."
        ),
        "optimum-small-data-records-hold": (
            "The optimum is for small data: records hold more than … sets of items."
        ),
        "own-release-does-not-answer": (
            "The own release of '…' does not answer all that the hybrid way needs."
        ),
        "paper-mode-needs-more-than": (
            "Paper mode needs more than … rows, one for each coded column."
        ),
        "paper-mode-own-mechanism-budget": "Paper mode has its own mechanism and budget.",
        "papers-way-looks-at-every": (
            "The paper's way looks at every subset of every record; here there are too many."
        ),
        "parties-epsilon-do-not-add": "The parties' ε do not add up to the total.",
        "parties-keys-follow-different-rules": (
            "The parties' keys follow different rules, so that they could never meet."
        ),
        "party-names-column-twice-reports": (
            "Party '…' names a column twice, or reports a column of its key."
        ),
        "partys-own-epsilon-mechanisms-local": (
            "A party's own epsilon and mechanisms are for local randomisation."
        ),
        "pca-answers-under-names-variance": "pca() answers under the names variance and share.",
        "person-reports-at-least-one": "A person reports at least one item.",
        "pk-anonymity-asked-k-epsilon": (
            'Pk-anonymity is asked for by its k, and ε follows from it: job = "pk" needs k and '
            "takes no epsilon."
        ),
        "pk-anonymity-depends-how-many": (
            "Pk-anonymity depends on how many people are joined, which is not declared."
        ),
        "plan-asks-nothing": "The plan asks nothing.",
        "plan-asks-questions-one-plan": "The plan asks … questions; one plan asks at most ….",
        "plan-cannot-read": "The plan … cannot be read.",
        "plan-chooses-value-privately-groups": (
            "The plan chooses a value privately in … groups; one plan does so in at most …."
        ),
        "plan-makes-noisy-numbers-one": "The plan makes … noisy numbers; one plan makes at most ….",
        "plan-no-epsilon": "The plan has no ε.",
        "plan-no-helper": "This plan has no helper.",
        "plan-questions-learn-table-one": (
            "The plan has … questions that learn from the table; one plan has at most …."
        ),
        "plan-randomises-no-column-one": "The plan randomises no column, or one twice.",
        "pram-keeps-epsilon-retention-probability": (
            "PRAM keeps the ε of its retention probability, so it cannot share one with others "
            "from person to person."
        ),
        "question-neither-text-nor-table": (
            "…: a question is neither text nor a table with ask and epsilon."
        ),
        "question-unknown-key": "…: a question has an unknown key '…'.",
        "randomised-rows-show-how-many": (
            "Randomised rows show how many rows there are, which add-remove keeps secret."
        ),
        "randomised-rows-show-how-many-rows": (
            "Randomised rows show how many rows there are, and with that a person's share of them."
        ),
        "range-count-empty-upper-end": (
            "The range of a count is empty: its upper end is not above its lower end."
        ),
        "range-output-empty": "The range of output '…' is empty.",
        "reports-synthesis-choose-their-own": "Reports for synthesis choose their own mechanisms.",
        "reports-synthesis-serve-nothing-else": "Reports for synthesis serve nothing else.",
        "retention-probabilities-cost-more-than": (
            "The retention probabilities cost more than the total ε."
        ),
        "retention-probability-fixes-columns-share": (
            "A retention probability fixes a column's share of ε, so all columns are reported."
        ),
        "retention-probability-lies-between-0": "A retention probability lies between 0 and 1.",
        "rule-tells-values-apart-statistics": (
            "A rule tells values apart that the statistics hold together."
        ),
        "run-would-take-hours-since": (
            "The run would take … hours, since blocks run one after the other; at most 24."
        ),
        "scaled-must-range-true-false": "scaled must be range, true or false.",
        "schema-declares-no-column-can": "The schema declares no column that can be synthesised.",
        "schema-several-keys-people-counted": (
            "The schema has several keys (…), and people are counted by one."
        ),
        "secure-computation-helper-other-jobs": (
            'A secure computation has a helper, other jobs have none: job = "secure" and '
            "[helper] go together."
        ),
        "secure-computation-needs-helper-not": (
            "A secure computation needs a helper that is not the collector."
        ),
        "secure-computation-publishes-no-records": (
            "A secure computation publishes no records, so there are no reports to plan."
        ),
        "secure-statistics-no-epsilon": "The secure statistics have no ε.",
        "several-declared-invariants-margins-table": (
            "Several declared invariants are margins of this table."
        ),
        "several-levels-built": "Several levels are built on '…'.",
        "shares-after-add-up-more": "The shares after @ add up to more than the total ε.",
        "shuffling-saves-depends-number-rows": (
            "What shuffling saves depends on the number of rows, which is not declared."
        ),
        "smooth-sensitivity-groups-needs-units": (
            "Smooth sensitivity in groups needs units of one row."
        ),
        "sq-finds-own-epsilon-so": "sq() finds its own ε, so it takes no @ and no ±.",
        "sq-needs-know-about-how": (
            "sq() needs to know about how many rows there are, and the schema does not say."
        ),
        "sq-takes-condition-after-where": "sq() takes a condition after where, and no groups.",
        "step-output-does-not-fit": "The step of output '…' does not fit its range.",
        "sums-their-noise-could-pass": "The sums or their noise could pass 2^63.",
        "synthetic-data-need-at-least": "Synthetic data need at least one row.",
        "table-cells-ask-answers-at": "The table has … cells; ask answers at most ….",
        "table-cells-tabulate-makes-at": "The table has … cells; tabulate makes at most ….",
        "table-laplace-noise-spends-no": "A table with Laplace noise spends no δ.",
        "table-margins-tabulate-plans-at": "The table has … margins; tabulate plans for at most ….",
        "table-no-dimension": "The table has no dimension.",
        "table-postgresql-spark-needs-schema": "A table of PostgreSQL or Spark needs a schema.",
        "table-takes-laplace-gaussian-noise": "A table takes Laplace or Gaussian noise.",
        "table-too-many-cells-reported": (
            "The table of '…' and '…' has too many cells to be reported at once."
        ),
        "takes": "…() takes ….",
        "target-not-among-columns-compared": (
            "The target is not among the columns that are compared."
        ),
        "too-many-labels-epsilon": "There are too many labels for this ε.",
        "too-many-sets-items-frequent": (
            "Too many sets of items are frequent to keep count of each."
        ),
        "total-epsilon-must-positive": "The total ε must be positive.",
        "trimmed-mean-cuts-off-at": (
            "What a trimmed mean cuts off at each end lies between 0 and 0.5 and has at most "
            "four decimals."
        ),
        "two-columns-nodes-mst-different": (
            "The two columns of nodes of mst() have different values."
        ),
        "two-dimensions-built-one-column": "Two dimensions are built on one column.",
        "two-files-no-declared-column": (
            "The two files have no declared column in common that can be compared."
        ),
        "two-files-no-quasi-identifier": "The two files have no quasi-identifier in common.",
        "two-items-joined-file-would": "Two items of the joined file would have one name.",
        "two-neighbours-ring-do-not": (
            "Two neighbours in the ring do not listen, so that neither can reach the other."
        ),
        "two-parties-same-name": "Two parties have the same name.",
        "two-point-mechanisms-b-ask": (
            "The two-point mechanism's a and b ask for more than ε allows."
        ),
        "unit-names-column-schema-does": "--unit names column '…', which the schema does not have.",
        "unknown-key": "… has an unknown key '…'.",
        "wanted-error-belongs-sudare-plan": (
            "A wanted error (±) belongs to `sudare plan`, which finds the ε for it."
        ),
        "weight-not-margin-number-0": "A weight is not a margin, = and a number from 0 to 1000000.",
        "where-given-twice": "by or where is given twice: …",
        "within-must-number-above-0": "within must be a number above 0 and below 0.5.",
        "wrong-type": "…: '…' has the wrong type.",
    },
}
