"""What is refused of a release of sets before anything is read: contradictions."""

from __future__ import annotations

from sudare.facts.errors import UsageError
from sudare.facts.sets_plan import SetsPlan
from sudare.publish.output_guard import Input
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


def inputs_of_sets(given: SetsInput, hierarchy: object | None = None) -> tuple[Input, ...]:
    """What is read, and so never replaced by an output."""
    return (
        Input("the data", given.data),
        Input("the sensitive items", given.sensitive),
        Input("the categories", given.categories),
        Input("the hierarchy", hierarchy),
    )
