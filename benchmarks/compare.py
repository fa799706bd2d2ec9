"""How long does a comparison take, and do its attacks agree with anonymeter's?

    .venv/bin/python -m pip install --no-deps --target /tmp/anonymeter anonymeter==1.1.0
    .venv/bin/python benchmarks/compare.py adult.csv adult.schema.toml --anonymeter /tmp/anonymeter

The synthetic table is the worst there is: copies of real rows, drawn at random, ten for each of a
third of them; another part is held out. anonymeter pins other versions of numpy and pyarrow than
sudare has, so it is installed without them into a folder of its own; it attacks the same tables in
the same run. Only people of the two smaller samples are attacked, 500 of each.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from sudare.engines.microdata import read_microdata
from sudare.facts.compared import Attack, Estimate
from sudare.facts.microdata import LabelColumn, Microdata
from sudare.publish.compare import compare_rows
from sudare.publish.files import load_schema
from sudare.randomness.bits import SystemBits
from sudare.randomness.choice import permutation, uniform_below
from sudare.risk.compare.attacks import attacks
from sudare.risk.compare.bounds import comparable
from sudare.risk.compare.measures import compare_measures

ATTACKS = 500


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("data")
    words.add_argument("schema")
    words.add_argument("--anonymeter", help="the folder that anonymeter was installed into")
    words.add_argument("--secret", default="occupation")
    given = words.parse_args()
    schema = load_schema(given.schema)
    real = read_microdata(given.data, comparable(schema, set(schema.columns))[0], schema)
    bits = SystemBits()
    order = permutation(bits, real.rows)
    third = real.rows // 3
    members, holdout = real.taken(order[:third]), real.taken(order[third : 2 * third])
    copies = members.taken(uniform_below(bits, np.full(10 * third, third)))
    found: dict[str, Any] = {"machine": platform.platform(), "rows": [real.rows, copies.rows]}
    found["measures"] = timed(lambda: compare_measures(real, copies))
    found["everything"] = timed(lambda: compare_rows(real, copies, bits=bits))
    few = copies.taken(np.arange(third))
    ours = attacks(members, few, holdout, bits)
    found["sudare"] = {
        "linkage": shown(ours.linkage),
        "inference": shown(next(each for each in ours.inference if each.column == given.secret)),
    }
    if given.anonymeter:
        sys.path.append(given.anonymeter)
        found["anonymeter"] = anonymeter(members, few, holdout, given.secret)
    result = Path(__file__).parent / "results" / "compare.json"
    result.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print_table(found)


def timed(work: Callable[[], object]) -> dict[str, float]:
    clock, processor = perf_counter(), process_time()
    work()
    return {"clock": perf_counter() - clock, "processor": process_time() - processor}


def shown(attack: Attack | None) -> dict[str, float]:
    assert attack is not None
    risk: Estimate = attack.risk
    return {
        "success": attack.success.value,
        "control": attack.control.value,
        "risk": risk.value,
        "low": risk.low,
        "high": risk.high,
    }


def frame(data: Microdata) -> Any:
    """The rows as a pandas frame."""
    import pandas as pd

    return pd.DataFrame(
        {
            column.name: np.array([*column.labels, None], object)[column.codes]
            if isinstance(column, LabelColumn)
            else column.values
            for column in data.columns
        }
    )


def anonymeter(
    members: Microdata, made: Microdata, holdout: Microdata, secret: str
) -> dict[str, dict[str, float]]:
    warnings.simplefilter("ignore")
    from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator

    tables = {"ori": frame(members), "syn": frame(made), "control": frame(holdout)}
    names = list(members.names)
    link = LinkabilityEvaluator(
        **tables, n_attacks=ATTACKS, aux_cols=(names[::2], names[1::2]), n_neighbors=1
    )
    others = [name for name in names if name != secret]
    infer = InferenceEvaluator(**tables, n_attacks=ATTACKS, aux_cols=others, secret=secret)
    found = {}
    for name, evaluator in (("linkage", link), ("inference", infer)):
        results = evaluator.evaluate(n_jobs=1).results()
        risk = results.risk()
        found[name] = {
            "success": float(results.attack_rate.value),
            "control": float(results.control_rate.value),
            "risk": float(risk.value),
            "low": float(risk.ci[0]),
            "high": float(risk.ci[1]),
        }
    return found


def print_table(found: dict[str, Any]) -> None:
    table = Table("what", "figures")
    for name in ("rows", "measures", "everything"):
        table.add_row(name, json.dumps(found[name]))
    for name in ("sudare", "anonymeter"):
        for attack, figures in found.get(name, {}).items():
            listed = ", ".join(f"{key} {value:.3f}" for key, value in figures.items())
            table.add_row(f"{name}, {attack}", listed)
    Console().print(table)


if __name__ == "__main__":
    main()
