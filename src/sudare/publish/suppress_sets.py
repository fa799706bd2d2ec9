"""Suppress items of records that are sets, verify what was written, and only then name the file.

The engine reads the records and hands them on in memory; `sets` suppresses; the engine writes; the
independent verifier reads the written file back and raises if one attacker is left. The release is
syntactic: no ε is claimed and nothing is entered in a ledger. What people call sensitive is as
private as the records: it stands in no result, certificate or error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from sudare.engines.baskets.forms import Read
from sudare.engines.baskets.hierarchy import read_hierarchy
from sudare.engines.baskets.read import read_baskets
from sudare.engines.baskets.write import check_output, write_baskets, written_form
from sudare.facts.baskets import Baskets, Flags, Sensitive
from sudare.facts.errors import UsageError
from sudare.facts.sets_plan import SetsPlan
from sudare.publish.sets_figures import figures
from sudare.publish.sets_input import SetsInput, marked_of
from sudare.randomness.bits import SystemBits
from sudare.sets.optimum import optimum
from sudare.sets.paper import suppress_as_paper
from sudare.sets.sampled import suppress_sampled
from sudare.sets.suppress import Suppression, suppress
from sudare.sets.verify.attackers import verify
from sudare.sets.verify.km import verify_km
from sudare.sets.verify.sampled import audit_sampled

Watch = Callable[[str, float], None]


@dataclass(frozen=True, eq=False)
class _Solved:
    """What is to be released, and how it came about; `made` is empty for k^m-anonymity."""

    released: Baskets
    kept: Flags | None
    made: Suppression | None
    more: dict[str, Any]


def suppress_sets(
    given: SetsInput,
    plan: SetsPlan,
    output: str | Path,
    *,
    hierarchy: object | None = None,
    optimum_seconds: float | None = None,
    watch: Watch | None = None,
) -> dict[str, Any]:
    """Write the released file; return what the owner's report shows."""
    tell = watch or _silent
    path = Path(output)
    _check_question(given, plan, path, hierarchy, optimum_seconds)
    times, began = {}, perf_counter()
    tell("reading", 0.0)
    read = read_baskets(
        given.data, form=given.form, user=given.user, item=given.item, encoding=given.encoding
    )
    check_output(path, read, read.baskets.names)
    marked = marked_of(given, read)
    times["read"], began = perf_counter() - began, perf_counter()
    tell("suppressing", 0.0)
    solved = _solved(read, marked.sensitive, plan, hierarchy, tell)
    check_output(path, read, solved.released.names)
    times["suppress"], began = perf_counter() - began, perf_counter()
    partial = path.with_name(f".partial-{path.name}")
    try:
        write_baskets(partial, read, solved.released)
        tell("verifying", 0.0)
        again = _read_again(partial, path, read, solved.released)
        verified = _verified(read.baskets, again, marked.sensitive, plan, tell)
        digest = sha256(partial.read_bytes()).hexdigest()
        times["verify"] = perf_counter() - began
        tell("comparing", 0.0)
        result = {
            **plan.to_dict(),
            **figures(read.baskets, solved.released, solved.kept),
            "steps": _steps(solved.made),
            "put_back": 0 if solved.made is None else solved.made.put_back,
            "walks": 0 if solved.made is None else solved.made.walks,
            "loss": None,
            **solved.more,
            "verified": verified,
            "optimum": _gap(read.baskets, marked.sensitive, plan, solved, optimum_seconds),
            "notices": {
                "duplicates": read.duplicates,
                "unknown_items": marked.unknown_items,
                "unknown_users": marked.unknown_users,
            },
            "sha256": digest,
            "seconds": times,
        }
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return result


def _check_question(
    given: SetsInput,
    plan: SetsPlan,
    path: Path,
    hierarchy: object | None,
    optimum_seconds: float | None,
) -> None:
    """What can be refused before anything is read."""
    if plan.model != "km" and given.sensitive is None:
        raise UsageError(
            "Nothing is called sensitive.",
            "Name the file with --sensitive; a row *,item makes an item sensitive to everyone.",
        )
    if (plan.method == "generalization") != (hierarchy is not None):
        raise UsageError(
            "Generalization needs a hierarchy of items.",
            "Name a file with columns item,parent: --hierarchy items.csv",
        )
    if optimum_seconds is not None and plan.model != "rho":
        raise UsageError("--optimum is for the exact model.", "Leave it out.")
    data = given.data
    there = isinstance(data, (str, Path)) and Path(data).exists() and path.exists()
    if there and path.samefile(str(data)):
        raise UsageError("The output would replace the data.", "Name another file with --output.")


def _solved(
    read: Read, sensitive: Sensitive, plan: SetsPlan, hierarchy: object | None, tell: Watch
) -> _Solved:
    baskets, bits = read.baskets, SystemBits()
    if plan.model == "km":
        return _anonymous(read, plan, hierarchy)
    made = _mended(baskets, sensitive, plan, bits, tell)
    return _Solved(baskets.kept(made.kept), made.kept, made, {})


def _anonymous(read: Read, plan: SetsPlan, hierarchy: object | None) -> _Solved:
    """k^m-anonymity, by either method."""
    from sudare.sets.km.generalization import by_generalization
    from sudare.sets.km.suppression import by_suppression

    baskets, k, m = read.baskets, plan.k or 1, plan.max_knowledge or 1
    if plan.method == "suppression":
        kept = by_suppression(baskets, k, m, SystemBits())
        return _Solved(baskets.kept(kept), kept, None, {})
    found = by_generalization(baskets, read_hierarchy(hierarchy, baskets.names), k, m)
    nodes, counts = np.unique(found.cut, return_counts=True)
    cut = [
        {"item": found.baskets.names[node], "items": int(count)}
        for node, count in zip(nodes, counts, strict=True)
        if count > 1
    ]
    return _Solved(found.baskets, None, None, {"loss": found.loss, "generalized": cut})


def _mended(
    baskets: Baskets, sensitive: Sensitive, plan: SetsPlan, bits: SystemBits, tell: Watch
) -> Suppression:
    rho = plan.rho or Fraction(1)
    if plan.model == "sampled":
        return suppress_sampled(
            baskets,
            sensitive,
            rho,
            bits,
            max_knowledge=plan.max_knowledge or 1,
            eps=plan.eps or 0.0,
            delta=plan.delta or 0.0,
            literal=plan.mode == "paper",
            watch=tell,
        )
    if plan.mode == "paper":
        return suppress_as_paper(
            baskets, sensitive, rho, bits, max_knowledge=plan.max_knowledge, watch=tell
        )
    return suppress(
        baskets,
        sensitive,
        rho,
        bits,
        max_knowledge=plan.max_knowledge,
        with_base_rate=plan.base_rate,
        at_random=plan.at_random,
        watch=tell,
    )


def _read_again(partial: Path, path: Path, read: Read, released: Baskets) -> Baskets:
    """The written file, as a recipient reads it, in the codes of what was to be released."""
    again = read_baskets(
        partial, form=written_form(path, read), user=read.user, item=read.item, encoding="utf-8"
    ).baskets
    code = {name: number for number, name in enumerate(released.names)}
    codes = np.array([code.get(name, -1) for name in again.names], np.int32)
    return replace(again, items=codes[again.items], names=released.names)


def _verified(
    original: Baskets, released: Baskets, sensitive: Sensitive, plan: SetsPlan, tell: Watch
) -> dict[str, Any]:
    """The verdict of the independent verifier; it raises if the promise is not kept."""
    if plan.model == "km":
        return asdict(verify_km(released, plan.k or 1, plan.max_knowledge or 1))
    rho = plan.rho or Fraction(1)
    if plan.model == "sampled":
        found = audit_sampled(
            original,
            released,
            sensitive,
            rho,
            plan.max_knowledge or 1,
            plan.eps or 0.0,
            plan.delta or 0.0,
            SystemBits(),
        )
        return {"shares": [asdict(each) for each in found]}
    return asdict(
        verify(
            original,
            released,
            sensitive,
            rho,
            max_knowledge=plan.max_knowledge,
            with_base_rate=plan.base_rate,
            watch=lambda share: tell("verifying", share),
        )
    )


def _steps(made: Suppression | None) -> list[dict[str, Any]]:
    if made is None:
        return []
    return [
        {
            "known": size,
            # The last walk may have gone through all larger sets at once.
            "or_more": size == len(made.steps) < made.deepest,
            "inferred": inferred,
            "knowing": knowing,
        }
        for size, (inferred, knowing) in enumerate(made.steps, start=1)
        if inferred or knowing
    ]


def _gap(
    original: Baskets,
    sensitive: Sensitive,
    plan: SetsPlan,
    solved: _Solved,
    seconds: float | None,
) -> dict[str, Any] | None:
    """How far the suppressions are above the fewest possible, on data small enough to tell."""
    if seconds is None or plan.rho is None or solved.kept is None:
        return None
    best = optimum(
        original,
        sensitive,
        plan.rho,
        max_knowledge=plan.max_knowledge,
        seconds=seconds,
        known=solved.kept,
    )
    ours = int((~solved.kept).sum())
    return {
        "suppressed": best.suppressed,
        "at_least": best.at_least,
        "proved": best.is_proved,
        "gap": (ours - best.suppressed) / max(best.suppressed, 1),
    }


def _silent(step: str, share: float) -> None:
    """Nobody watches."""
