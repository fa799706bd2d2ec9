"""Suppress items of records that are sets, verify what was written, and only then name the file.

The engine reads the records and hands them on in memory; `sets` suppresses; the engine writes; the
independent verifier reads the written file back and raises if one attacker is left. The release is
syntactic: no ε is claimed and nothing is entered in a ledger. What people call sensitive is as
private as the records: it stands in no result, certificate or error.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from sudare.engines.baskets.forms import Read
from sudare.engines.baskets.hierarchy import read_hierarchy
from sudare.engines.baskets.read import read_baskets
from sudare.engines.baskets.sensitive import Marked
from sudare.engines.baskets.write import check_output, write_baskets, written_form
from sudare.facts.baskets import Baskets, Flags, Sensitive
from sudare.facts.extras import require
from sudare.facts.item_tree import Hierarchy
from sudare.facts.sets_plan import SetsPlan
from sudare.publish.outputs import Beside, OutputSet, digest_of
from sudare.publish.sets_figures import figures
from sudare.publish.sets_input import SetsInput, marked_of, notices_of, read_given
from sudare.publish.sets_question import check_question, inputs_of_sets
from sudare.publish.sets_verified import Watch, in_codes_of, verified
from sudare.randomness.bits import SystemBits
from sudare.sets.optimum import optimum
from sudare.sets.pace import at_pace, cost_of
from sudare.sets.paper import suppress_as_paper
from sudare.sets.sampled import suppress_sampled
from sudare.sets.suppress import Suppression, suppress

_NOTHING: Beside[dict[str, Any]] = Beside()


@dataclass(frozen=True, eq=False)
class _Ground:
    """What was read, and how long that took."""

    read: Read
    marked: Marked
    encoding: str | None
    seconds: float


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
    force: bool = False,
    beside: Beside[dict[str, Any]] = _NOTHING,
) -> dict[str, Any]:
    """Write the released file; return what the owner's report shows. It gets its name only after
    it has been verified."""
    path = Path(output)
    if optimum_seconds is not None:
        require("risk", "ortools")
    check_question(given, plan, hierarchy, optimum_seconds)
    inputs = inputs_of_sets(given, hierarchy)
    with OutputSet((path, *beside.names), inputs, force=force) as files:
        beside.begun(files)
        tell, began = watch or _silent, perf_counter()
        tell("reading", 0.0)
        read = read_given(given)
        check_output(path, read, read.baskets.names)
        marked = marked_of(given, read)
        ground = _Ground(read, marked, given.encoding, perf_counter() - began)
        with at_pace(cost_of(read.baskets.lengths), tell, *_drives(plan)):
            place = files.place(path)
            result = _released(ground, plan, place, hierarchy, optimum_seconds, tell)
        beside.stage(result, files)
        beside.wrote(files.finish())
    return result


def _drives(plan: SetsPlan) -> tuple[str, ...]:
    """What is going to be called, should it have to be compiled."""
    if plan.model == "km":
        return ("km", "rules")
    if plan.model == "sampled":
        return ("sampled", "audit", "rules")
    return ("suppress" if plan.mode == "default" else "paper", "verify", "rules")


def _released(
    ground: _Ground,
    plan: SetsPlan,
    path: Path,
    hierarchy: object | None,
    optimum_seconds: float | None,
    tell: Watch,
) -> dict[str, Any]:
    read, marked = ground.read, ground.marked
    times, began = {"read": ground.seconds}, perf_counter()
    tell("suppressing", 0.0)
    tree = None
    if hierarchy is not None:
        tree = read_hierarchy(hierarchy, read.baskets.names, encoding=ground.encoding)
    solved = _solved(read, marked.sensitive, plan, tree, tell)
    check_output(path, read, solved.released.names)
    times["suppress"], began = perf_counter() - began, perf_counter()
    write_baskets(path, read, solved.released)
    tell("verifying", 0.0)
    again = _read_again(path, read, solved.released)
    verdict = verified(read.baskets, again, marked.sensitive, plan, tell)
    digest = digest_of(path)
    times["verify"] = perf_counter() - began
    tell("comparing", 0.0)
    return {
        **plan.to_dict(),
        **figures(read.baskets, solved.released, solved.kept),
        "steps": _steps(solved.made),
        "put_back": 0 if solved.made is None else solved.made.put_back,
        "walks": 0 if solved.made is None else solved.made.walks,
        "loss": None,
        **solved.more,
        "verified": verdict,
        "optimum": _gap(read.baskets, marked.sensitive, plan, solved, optimum_seconds),
        "notices": notices_of(read, marked),
        "sha256": digest,
        "seconds": times,
    }


def _solved(
    read: Read, sensitive: Sensitive, plan: SetsPlan, tree: Hierarchy | None, tell: Watch
) -> _Solved:
    baskets, bits = read.baskets, SystemBits()
    if plan.model == "km":
        return _anonymous(read, plan, tree)
    made = _mended(baskets, sensitive, plan, bits, tell)
    return _Solved(baskets.kept(made.kept), made.kept, made, {})


def _anonymous(read: Read, plan: SetsPlan, tree: Hierarchy | None) -> _Solved:
    """k^m-anonymity, by either method."""
    from sudare.sets.km.generalization import by_generalization
    from sudare.sets.km.suppression import by_suppression

    baskets, k, m = read.baskets, plan.k or 1, plan.max_knowledge or 1
    if tree is None:
        kept = by_suppression(baskets, k, m, SystemBits())
        return _Solved(baskets.kept(kept), kept, None, {})
    found = by_generalization(baskets, tree, k, m)
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


def _read_again(path: Path, read: Read, released: Baskets) -> Baskets:
    """The written file, as a recipient reads it, in the codes of what was to be released."""
    again = read_baskets(
        path, form=written_form(path, read), user=read.user, item=read.item, encoding="utf-8"
    ).baskets
    return in_codes_of(released.names, again)


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
        with_base_rate=plan.base_rate,
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
