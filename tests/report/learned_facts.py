"""Answers made by hand: robust statistics, clusters, components, regressions, shares."""

from __future__ import annotations

from report.releases import AGE, INCOME, LAPLACE
from sudare.facts.release import Answer, Clip

HOURS = Clip("hours", "0.0", "80.0")

MEDIAN = Answer("median(age; method=smooth)", "median", 42, 3.0, 0.1, None, (41, 45), (), (AGE,),
                ("age",), noise=(LAPLACE,),
                details={"method": "smooth", "why": "the smaller forecast error"})  # fmt: skip
LOST_MEDIAN = Answer("median(age)", "median", 60.0, 60.0, 0.1, None, None, ("",), (AGE,), ("age",),
                     noise=(LAPLACE,), details={"method": "exponential"})  # fmt: skip
IQR = Answer("iqr(age)", "iqr", 31.0, 2.0, 0.1, None, None, (), (AGE,), ("age",), noise=(LAPLACE,),
             details={"method": "smooth-laplace"})  # fmt: skip
WIDTH = Answer("iqr(age, 0.1, 0.9; method=smooth)", "iqr", 55.0, 4.0, 0.1, None, None, (), (AGE,),
               ("age",), noise=(LAPLACE,))  # fmt: skip
TRIMMED = Answer("trimmed_mean(income, 0.05)", "trimmed_mean", 4_512_345.0, 12_345.0, 0.1, None,
                 None, (), (INCOME,), ("income",), noise=(LAPLACE,))  # fmt: skip
MEDIANS = Answer("median(age) by sex", "median", {"F": 43, "M": 41}, 2.0, 0.1, {"F": 2.0, "M": 2.0},
                 {"F": (41, 45), "M": (40, 43)}, (), (AGE,), ("age",), ("sex",),
                 noise=(LAPLACE,))  # fmt: skip
TREE = Answer("mst(here, there, minutes)", "mst", 812.0, 14.0, 0.5, None, None, (), (),
              ("here", "there", "minutes"), noise=(LAPLACE,))  # fmt: skip
SHARE = Answer("sq(within=0.01, beta=0.01) where age >= 65", "sq", 0.2134, 0.0076, 0.3,
               noise=(LAPLACE,),
               details={"within": 0.01, "beta": 0.01, "epsilon_needed": 0.0231})  # fmt: skip

_CENTERS = (
    (43.1, 5_213_456.0, 38.2, 9234.0),
    (71.9, 2_123_456.0, 4.1, 5120.0),
    (22.4, 1_812_345.0, 21.7, 3411.0),
    (51.0, 9_812_345.0, 44.3, 1204.0),
    (90.0, 812_345.0, 60.0, 12.0),
)
_SPREADS = (
    (0.9, 52_000.0, 0.7, 31.0),
    (1.4, 91_000.0, 1.2, 31.0),
    (2.1, 131_000.0, 1.7, 31.0),
    (5.9, 412_000.0, 4.6, 31.0),
    (110.0, 20_000_000.0, 80.0, 31.0),
)
_PARTS = ("age", "income", "hours", "size")
BOUNDS = {"age": [0, 110], "income": [0, 20_000_000], "hours": [0.0, 80.0]}
CLUSTERS = Answer(
    "kmeans(age, income, hours; k=5)", "kmeans",
    {str(i): dict(zip(_PARTS, row, strict=True)) for i, row in enumerate(_CENTERS, 1)},
    20_000_000.0, 0.5,
    {str(i): dict(zip(_PARTS, row, strict=True)) for i, row in enumerate(_SPREADS, 1)},
    None, ("5, size",), (AGE, INCOME, HOURS), ("age", "income", "hours"),
    noise=(LAPLACE,) * 3,
    details={"k": 5, "rounds": 3, "shares": [0.3, 0.7], "columns": ["age", "income", "hours"],
             "bounds": BOUNDS, "start": {}},
)  # fmt: skip
STRIP = Answer(
    "kmeans(age; k=2)", "kmeans",
    {"1": {"age": 31.2, "size": 12_000.0}, "2": {"age": 70.1, "size": 8000.0}}, 50.0, 0.5,
    {"1": {"age": 1.2, "size": 40.0}, "2": {"age": 2.2, "size": 50.0}}, None, (), (AGE,), ("age",),
    noise=(LAPLACE,),
    details={"k": 2, "rounds": 2, "columns": ["age"], "bounds": {"age": [0, 110]}},
)  # fmt: skip

_VARIANCES = ((1.71, 1.62, 1.80), (0.81, 0.72, 0.90), (0.03, -0.02, 0.12))
COMPONENTS = Answer(
    "pca(age, income, hours; components=2)", "pca",
    {
        "1": {"variance": 1.71, "share": 0.671, "age": 0.123, "income": 0.701, "hours": 0.702},
        "2": {"variance": 0.81, "share": 0.318, "age": -0.991, "income": 0.081, "hours": 0.104},
    },
    0.09, 0.5,
    {"1": {"variance": 0.09, "share": 0.031}, "2": {"variance": 0.09, "share": 0.029}},
    None, (), (AGE, INCOME, HOURS), ("age", "income", "hours"), noise=(LAPLACE,),
    details={
        "scaled": True, "columns": ["age", "income", "hours"], "angle95": {"1": 3.2, "2": 70.0},
        "means": {"age": 43.0, "income": 4e6, "hours": 30.0},
        "scree": [{"component": i, "variance": v, "low": low, "high": high}
                  for i, (v, low, high) in enumerate(_VARIANCES, 1)],
    },
)  # fmt: skip

_SLOPES = {"(intercept)": (1_012_345.0, 51_234.0), "age": (-12_345.0, 1_234.0),
           "hours": (98_765.0, 2_345.0), "employed": (1_234.0, 45_678.0)}  # fmt: skip


def _regression(query: str, function: str, target: str, details: dict[str, object]) -> Answer:
    names = {name: value for name, (value, _) in _SLOPES.items()}
    errors = {name: error for name, (_, error) in _SLOPES.items()}
    ends = {name: (names[name] - errors[name], names[name] + errors[name]) for name in names}
    return Answer(query, function, names, 51_234.0, 0.5, errors, ends, ("employed",), (AGE, HOURS),
                  ("age", "hours", "employed"), noise=(LAPLACE,),
                  details={"target": target, "noise_only_errors95": errors} | details)  # fmt: skip


LINEAR = _regression("linear(income ~ age, hours, employed)", "linear", "income", {"r2": 0.412})
RIDGE = _regression("ridge(income ~ age, hours, employed)", "ridge", "income", {"r2": 0.401})
LOGISTIC = _regression(
    "logistic(moved ~ age, hours, employed)", "logistic", "moved", {"accuracy": 0.8123}
)
BLOCKS = Answer("slope: winsorized of fit.py over 64 blocks", "aggregate", 1.21, 0.2, 0.5, None,
                None, (), (Clip("slope", "-2", "3"),), ("slope",), noise=(LAPLACE,),
                details={"method": "winsorized", "blocks": 64, "inputs": ["age", "income"],
                         "error_is": "a forecast"})  # fmt: skip
VECTOR = Answer("aggregate(fit)", "aggregate", {"slope": 1.21, "offset": 3.4}, 0.4, 0.5,
                {"slope": 0.2, "offset": 0.4}, columns=("fit",), noise=(LAPLACE,),
                details={"blocks": 64})  # fmt: skip

LEARNED = (MEDIAN, LOST_MEDIAN, IQR, WIDTH, TRIMMED, MEDIANS, TREE, SHARE, CLUSTERS, STRIP,
           COMPONENTS, LINEAR, RIDGE, LOGISTIC, BLOCKS, VECTOR)  # fmt: skip
