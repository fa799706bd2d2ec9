"""Releases made by hand, one answer a shape that `report` must show."""

from __future__ import annotations

from sudare.facts.release import Answer, Clip, NoiseFact, Release

HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "=cmd|'/c calc'!A1")
LAPLACE = NoiseFact("discrete Laplace", 1, "s = 10", "L1 = 1")
AGE = Clip("age", "0", "120")
INCOME = Clip("income", "0", "10000000")

COUNT = Answer("count()", "count", 19873, 669.0, 0.1, noise=(LAPLACE,))
OLD = Answer("count() where age >= 65 and sex = 'F'", "count", 2311, 23.0, 0.2, noise=(LAPLACE,))
PUBLIC = Answer("count()", "count", 20000, 0.0, 0.0, public=True)
SUM = Answer("sum(income)", "sum", 78_123_456_789, 231_456_789.0, 0.1, None, None, (), (INCOME,),
             ("income",), noise=(LAPLACE,))  # fmt: skip
LOST = Answer("sum(income) where age > 119", "sum", 12345, 231_456.0, 0.1, None, None, ("",),
              (INCOME,), ("income",), noise=(LAPLACE,))  # fmt: skip
MEAN = Answer("mean(age)", "mean", 43.21456, 0.4987, 0.1, None, None, (), (AGE,), ("age",),
              noise=(LAPLACE,))  # fmt: skip
LOST_MEAN = Answer("mean(age) where age > 119", "mean", 60.0, 60.0, 0.1, None, None, ("",), (AGE,),
                   ("age",), noise=(LAPLACE,))  # fmt: skip
BORN = Answer("mean(born) @ 0.2", "mean", "1981-04-05", 11.3, 0.2, None, None, (),
              (Clip("born", "1900-01-01", "2024-12-31"),), ("born",), noise=(LAPLACE,))  # fmt: skip
MEDIAN = Answer("quantile(age, 0.5)", "quantile", 42, 3.0, 0.1, None, (41, 45), (), (AGE,),
                ("age",), noise=(LAPLACE,))  # fmt: skip
SEX = Answer("histogram(sex)", "histogram", {"F": 10123, "M": 9750}, 67.0, 0.1,
             {"F": 67.0, "M": 67.0}, columns=("sex",), noise=(LAPLACE,))  # fmt: skip

_BANDS = (1510, 1702, 1930, 2466, 2811, 2933, 2702, 2333, 1201, 40, 12, -7)
_BAND_NAMES = tuple(f"[{10 * i}, {10 * i + 10}{')' if i < 11 else ']'}" for i in range(12))
AGES = Answer("histogram(age, bins=12)", "histogram", dict(zip(_BAND_NAMES, _BANDS, strict=True)),
              45.0, 0.1, dict.fromkeys(_BAND_NAMES, 45.0), None, _BAND_NAMES[-3:], (AGE,),
              ("age",), noise=(LAPLACE,))  # fmt: skip

_PLACES = ("F, north", "F, south", "M, north", "M, south", 'other, "east, far"')
INCOMES = Answer("sum(income) by (sex, region)", "sum",
                 dict(zip(_PLACES, (21_503_000_000, 18_220_000_000, 19_900_000_000,
                                    17_100_000_000, 100_000_000), strict=True)),
                 463_000_000.0, 0.1, dict.fromkeys(_PLACES, 463_000_000.0), None, _PLACES[-1:],
                 (INCOME,), ("income",), ("sex", "region"), noise=(LAPLACE,))  # fmt: skip
MEANS = Answer("mean(age) by sex", "mean", {"F": 44.123, "M": 42.001}, 0.52, 0.1,
               {"F": 0.48, "M": 0.52}, None, (), (AGE,), ("age",), ("sex",),
               noise=(LAPLACE,))  # fmt: skip
BIRTHS = Answer("quantile(born, 0.9) by sex", "quantile", {"F": "2001-02-03", "M": "1999-11-30"},
                150.0, 0.1, {"F": 150.0, "M": 120.0},
                {"F": ("2000-12-01", "2001-07-03"), "M": ("1999-08-02", "2000-01-20")}, (),
                (Clip("born", "1900-01-01", "2024-12-31"),), ("born",), ("sex",),
                noise=(LAPLACE,))  # fmt: skip

_MATRIX = {
    "age": {"age": 412.3, "hours": -45.6, "income": 9_100_000.0},
    "hours": {"age": -45.6, "hours": 120.4, "income": 120_000.0},
    "income": {"age": 9_100_000.0, "hours": 120_000.0, "income": 2.1e12},
}
_ERRORS = {
    "age": {"age": 5.1, "hours": 4.4, "income": 400_000.0},
    "hours": {"age": 4.4, "hours": 3.3, "income": 310_000.0},
    "income": {"age": 400_000.0, "hours": 310_000.0, "income": 3e10},
}
_CLIPS = (AGE, Clip("hours", "0", "80"), INCOME)
COVARIANCE = Answer("covariance(age, hours, income)", "covariance", _MATRIX, 3e10, 0.2, _ERRORS,
                    None, ("hours, income", "income, hours"), _CLIPS, ("age", "hours", "income"),
                    noise=(LAPLACE,))  # fmt: skip
COVARIANCES = Answer("covariance(age, hours, income) by sex", "covariance",
                     {"F": _MATRIX, "M": _MATRIX}, 3e10, 0.2, {"F": _ERRORS, "M": _ERRORS}, None,
                     ("F, hours, income", "F, income, hours"), _CLIPS, ("age", "hours", "income"),
                     ("sex",), noise=(LAPLACE,))  # fmt: skip

JAPANESE = Answer('count() by "お住まいの 地域"', "count",
                  {"北海道": 812, "東北": 1203, "関東": 7611, "九州・沖縄": 20}, 23.0, 0.1,
                  dict.fromkeys(("北海道", "東北", "関東", "九州・沖縄"), 23.0), None,
                  ("九州・沖縄",), by=("お住まいの 地域",), noise=(LAPLACE,))  # fmt: skip
NASTY = Answer("histogram(note)", "histogram", dict(zip(HOSTILE, (512, 309, 77), strict=True)),
               12.0, 0.1, dict.fromkeys(HOSTILE, 12.0), columns=("note",),
               noise=(LAPLACE,))  # fmt: skip
_MANY = [str(place) for place in range(242)]
MANY = Answer("count() by code", "count", {name: 300 + int(name) for name in _MANY}, 30.0, 0.1,
              dict.fromkeys(_MANY, 30.0), by=("code",), noise=(LAPLACE,))  # fmt: skip

EVERY = (
    COUNT, OLD, SUM, LOST, MEAN, LOST_MEAN, BORN, MEDIAN, SEX, AGES, INCOMES, MEANS, BIRTHS,
    COVARIANCE, COVARIANCES, JAPANESE, NASTY, MANY,
)  # fmt: skip


def release(*answers: Answer, **changes: object) -> Release:
    """A release of these answers; `changes` go into its guarantee."""
    guarantee = {
        "epsilon": 1.0,
        "delta": 0.0,
        "rho": 0.5,
        "neighbours": "add-remove",
        "unit": "row",
        "max_rows_per_unit": 1,
        "mechanism": "laplace",
    }
    return Release(
        id="r-000017",
        table="people",
        created="2025-04-01T09:30:00+00:00",
        answers=answers or EVERY,
        spent={"epsilon": 1.0, "delta": 0.0},
        left={"epsilon": 2.0, "delta": 1e-9},
        guarantee=guarantee | changes,
        provenance={
            "source": "people.csv",
            "engine": "duckdb",
            "schema_sha256": "5c" * 32,
            "plan_sha256": "a1" * 32,
            "ledger_entry": 17,
            "software": "sudare 0.1.0",
        },
        labels={"income": "年収 (income)"},
    )
