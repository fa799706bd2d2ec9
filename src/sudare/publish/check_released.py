"""Check sets, released: does a file of sets keep its promise against the original?

The independent verifier alone, on any file; it raises where the promise is not kept. Its verdict
is the steward's own: whoever checks needs the original and what people call sensitive.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from sudare.engines.baskets.forms import LINES, Read
from sudare.engines.baskets.hierarchy import read_hierarchy
from sudare.engines.baskets.write import written_form
from sudare.facts.baskets import Baskets
from sudare.facts.engine import AUTO
from sudare.facts.errors import UsageError
from sudare.facts.sets_plan import SetsPlan
from sudare.publish.sets_input import SetsInput, marked_of, read_any, read_given
from sudare.publish.sets_question import check_question
from sudare.publish.sets_verified import check_coarser, check_users, in_codes_of, verified
from sudare.sets.verify.subsets import check_subsets


def check_released(
    given: SetsInput,
    released: object,
    plan: SetsPlan,
    *,
    hierarchy: object | None = None,
    form: str = "auto",
) -> dict[str, Any]:
    """The verdict on a released file; VerificationFailed where an attacker is left."""
    check_question(given, plan, hierarchy)
    read = read_given(given)
    marked = marked_of(given, read)
    other = _read_released(given, released, form, read)
    check_users(read.baskets, other)
    if hierarchy is None:
        again = in_codes_of(read.baskets.names, other)
        check_subsets(read.baskets, again)
    else:
        tree = read_hierarchy(hierarchy, read.baskets.names, encoding=given.encoding)
        again = in_codes_of(tree.names, other)
        check_coarser(read.baskets, again, tree)
    found = verified(read.baskets, again, marked.sensitive, plan, _silent)
    return {**plan.to_dict(), "records": read.baskets.records, "verified": found}


def _read_released(given: SetsInput, released: object, form: str, read: Read) -> Baskets:
    """The released file as `suppress` would have written it, unless a form is named: a release of
    commas in which no comma is left cannot be told from blanks. Its text is UTF-8, whatever the
    original's is."""
    wanted = _form_written(released, read) if form == "auto" else form
    choice = AUTO if wanted in LINES else given.engine
    asked = replace(given, data=released, form=wanted, encoding=None, engine=choice)
    return read_any(asked).baskets


def _form_written(released: object, read: Read) -> str:
    if not isinstance(released, (str, os.PathLike)):
        return "auto"
    try:
        return written_form(Path(os.fsdecode(os.fspath(released))), read)
    except UsageError:
        return "auto"


def _silent(step: str, share: float) -> None:
    """Nobody watches."""
