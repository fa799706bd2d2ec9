"""A small comparison with something of everything."""

from __future__ import annotations

from sudare.facts.compared import (
    Attack,
    Attacks,
    Coefficient,
    ColumnMoments,
    Compared,
    CrossErrors,
    CrossTable,
    Discriminator,
    Estimate,
    Learning,
    Marginal,
    Measures,
    MomentErrors,
    Nearest,
    PairError,
    RankErrors,
    Regression,
    Score,
    Verdict,
)

HALF = Estimate(0.5, 0.4, 0.6)
EVIL = "<script>alert(1)</script>"


def compared() -> Compared:
    marginals = (
        Marginal("性別", "category", ("F", EVIL, None), (0.5, 0.3, 0.2), (0.5, 0.4, 0.1), 0.1),
        Marginal("age", "integer", ("0 – 5", "5 – 10"), (0.5, 0.5), (0.5, 0.5), 0.0),
    )
    table = CrossTable(
        ("性別", "age"),
        (("F", EVIL, None), ("0 – 5", "5 – 10")),
        ((0.25, 0.25), (0.3, 0.0), (0.0, 0.2)),
        ((0.25, 0.25), (0.2, 0.2), (0.0, 0.1)),
        0.2,
    )
    crosses = CrossErrors(
        0.3716,
        0.117,
        0.05,
        0.12,
        0.2,
        marginals,
        (PairError(table.columns, 6, 5.0, 0.2),),
        (table,),
    )
    moments = MomentErrors(
        1.0, 2.0, 0.1, 0.2, 0.3, 0.4, (ColumnMoments("age", "integer", (5, 6), (2, 3), 0.5),)
    )
    ranks = RankErrors(0.1, 0.2, 0.3, 0.4, ("性別", "age"), ((1, 0.5), (0.5, 1)), ((1, 0), (0, 1)))
    coefficients = (
        Coefficient("age", None, (0.5, 0.4), (0.1, 0.1), 0.7),
        Coefficient("age", "", (0.5, -0.4), (0.1, 0.1), 0.0),
    )
    attack = Attack("inference", "age", 100, HALF, HALF, 0.4, HALF)
    return Compared(
        table="人々",
        columns=("性別", "age"),
        left_out=(),
        target="性別",
        target_chosen=True,
        holdout_rows=0,
        outside={"age": 4},
        measures=Measures((10, 20), moments, crosses, ranks),
        discriminator=Discriminator(10, 3, 0.01, 0.001, HALF, HALF),
        regression=Regression("logistic", "性別", "F", (10, 20), coefficients, 1, 0.35, 0.5),
        learning=Learning("性別", (6, 6), 4, False, (Score("accuracy", HALF, HALF, 0.5),)),
        nearest=Nearest((10, 5), 5, 0.1, HALF, HALF, (0.1, 0.2), (0.3, 0.4), 0.5),
        attacks=Attacks(
            "other_rows", 5, None, Attack("linkage", None, 9, HALF, HALF, None, HALF), (attack,)
        ),
        verdicts=(
            Verdict("single", "green", {"tv": 0.05}),
            Verdict("pairs", "red", {"tv": 0.12, "worst": 0.2}),
            Verdict("nearest", "amber", {"identical": 0.1, "ratio": None}),
            Verdict("membership", "grey", {"auc": None}),
        ),
    )
