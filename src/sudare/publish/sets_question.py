"""What is refused of a release of sets before anything is read: contradictions, and lost files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import glob
from pathlib import Path

from sudare.facts.errors import UsageError
from sudare.facts.sets_plan import SetsPlan, beside
from sudare.publish.sets_input import SetsInput


def check_question(
    given: SetsInput,
    plan: SetsPlan,
    hierarchy: object | None,
    optimum_seconds: float | None = None,
) -> None:
    """The model and its files must fit each other."""
    if plan.model == "km" and given.sensitive is not None:
        raise UsageError(
            "k^m-anonymity does not protect what people call sensitive.",
            "Choose the model rho, or leave the sensitive items out.",
        )
    if plan.model != "km":
        check_sensitive(given)
    if (plan.method == "generalization") != (hierarchy is not None):
        raise UsageError(
            "Generalization needs a hierarchy of items.",
            "Name a file with columns item,parent (--hierarchy, in Python hierarchy=).",
        )
    if optimum_seconds is not None and plan.model != "rho":
        raise UsageError("--optimum is for the exact model.", "Leave it out.")
    if optimum_seconds is not None and not 0 < optimum_seconds < float("inf"):
        raise UsageError(
            "The search for the optimum takes a number of seconds above 0.",
            "Example: --optimum 60, in Python optimum_seconds=60.",
        )


def check_sensitive(given: SetsInput) -> None:
    """Where nothing is called sensitive, every verdict would be that all is well."""
    if given.sensitive is None:
        raise UsageError(
            "Nothing is called sensitive.",
            "Name the file (--sensitive, in Python sensitive=); a row *,item makes an item "
            "sensitive to everyone.",
        )


def check_output_place(output: Path, given: SetsInput, hierarchy: object | None = None) -> None:
    """Neither the release nor its certificate and report may replace what they are made from."""
    _refuse_to_replace(output, "The output", given, hierarchy)
    for path in beside(output):
        _refuse_to_replace(path, "The certificate or report beside the output", given, hierarchy)


def check_page_place(page: Path, given: SetsInput) -> None:
    """The same for a page alone."""
    _refuse_to_replace(page, "The output", given, None)


def _refuse_to_replace(path: Path, what: str, given: SetsInput, hierarchy: object | None) -> None:
    inputs = {
        "the data": given.data,
        "the sensitive items": given.sensitive,
        "the categories": given.categories,
        "the hierarchy": hierarchy,
    }
    for name, source in inputs.items():
        if os.path.exists(path) and any(path.samefile(file) for file in _files(source)):
            raise UsageError(f"{what} would replace {name}.", "Name another file for the output.")


def _files(source: object) -> Iterator[Path]:
    """The files that an input is read from; none for a dataframe or a database."""
    if not isinstance(source, (str, os.PathLike)):
        return
    text = os.fsdecode(os.fspath(source))
    for name in {text, *glob(text, recursive=True)}:
        if os.path.exists(name):
            yield Path(name)
