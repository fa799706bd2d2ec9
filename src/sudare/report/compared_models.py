"""What models made of real and synthetic rows."""

from __future__ import annotations

from collections.abc import Iterator

from sudare.facts.compared import Coefficient, Compared, Discriminator
from sudare.report.both import Both
from sudare.report.compared_section import Section, between, plain
from sudare.report.compared_texts import said


def telling(found: Discriminator) -> Section:
    """How well real and synthetic rows are told apart."""
    about = said(
        "telling_about",
        pmse=found.pmse,
        parameters=found.parameters,
        expected=found.pmse_expected,
        rows=found.rows,
    )
    areas = said(
        "telling_auc", logit=between(found.auc_logistic), trees=between(found.auc_boosting)
    )
    return Section("telling", (about, areas))


def regression(found: Compared) -> Iterator[Section]:
    """The coefficients side by side."""
    fitted = found.regression
    if fitted is None:
        yield Section("regression", (said("regression_none"),))
        return
    rows = " / ".join(f"{each:,}" for each in fitted.rows)
    what = said(fitted.kind, target=fitted.target, event=fitted.event, rows=rows)
    about = said(
        "regression_about",
        overlap=fitted.mean_overlap,
        sign=fitted.same_sign,
        left_out=fitted.left_out,
    )
    header = (said("term"), *_pair("real"), *_pair("synthetic"), said("overlap"))
    yield Section(
        "regression", (*_chosen(found), what, about), header, tuple(map(_row, fitted.coefficients))
    )


def _chosen(found: Compared) -> tuple[Both, ...]:
    return (said("chosen", target=found.target),) if found.target_chosen else ()


def _pair(table: str) -> tuple[Both, Both]:
    one, error = said(table), said("error")
    return one, Both(f"{error.en}, {one.en}", f"{error.ja}（{one.ja}）")


def _row(each: Coefficient) -> tuple[Both, ...]:
    numbers = (each.values[0], each.errors[0], each.values[1], each.errors[1])
    shown = [plain(f"{value:.4g}") for value in numbers]
    return (term_name(each), *shown, plain(f"{each.overlap:.0%}"))


def term_name(each: Coefficient) -> Both:
    """age, sex = F, or income (missing)."""
    if each.label is None:
        return plain(each.column)
    if each.label == "":
        lost = said("missing")
        return Both(f"{each.column} {lost.en}", f"{each.column}{lost.ja}")
    return plain(f"{each.column} = {each.label}")


def learning(found: Compared) -> Iterator[Section]:
    """Scores of models that were trained on either table."""
    learnt = found.learning
    if learnt is None:
        yield Section("learning", (said("learning_none"),))
        return
    about = said(
        "learning_about",
        target=learnt.target,
        rows=learnt.rows[1],
        test=learnt.test_rows,
        aside=said("aside_holdout" if learnt.held_out else "aside_split"),
    )
    header = said("score"), said("trained_real"), said("trained_synthetic"), said("blind")
    rows = tuple(
        (
            said(each.name),
            plain(between(each.real)),
            plain(between(each.synthetic)),
            plain(f"{each.blind:.3f}"),
        )
        for each in learnt.scores
    )
    yield Section("learning", (*_chosen(found), about), header, rows)
