"""What was estimated from randomised reports, as parts for a terminal and for a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from sudare.facts.estimated import (
    Component,
    Components,
    Estimated,
    Figure,
    Histogram,
    Matrix,
    Mean,
    Model,
    Score,
    Table,
    Untold,
)
from sudare.report.both import Both
from sudare.report.estimates_shown import Row, error, header, percent, plain, row, value
from sudare.report.estimates_texts import said
from sudare.report.records_risk import Part, lines
from sudare.report.texts import Language

MOST_ROWS = 200


@dataclass(frozen=True)
class Section:
    """A heading, sentences, a table, and what a page draws beside it."""

    heading: Both | None
    sentences: tuple[Both, ...] = ()
    header: Row = ()
    rows: tuple[Row, ...] = ()
    drawn: Matrix | Histogram | tuple[Mean, ...] | None = None


def sections(found: Estimated) -> list[Section]:
    """Everything that is said, in order."""
    if found.rows == 0:
        return [Section(None, (said("nobody"),))]
    lead = said("overview", rows=found.rows, epsilon=found.epsilon)
    listed = [Section(None, (lead, said("errors")))]
    if found.means:
        listed += _means(found.means)
    if found.covariance is not None:
        listed.append(_matrix(found.covariance, "covariance"))
    if found.correlation is not None:
        listed.append(_matrix(found.correlation, "correlation"))
    listed += [_histogram(each) for each in found.histograms]
    listed += [_table(each) for each in found.tables]
    if found.pca is not None:
        listed += _components(found.pca)
    listed += [_model(each) for each in found.models]
    if found.untold:
        why = tuple(_why(each) for each in found.untold)
        listed.append(Section(said("missing"), why))
    return listed


def text_lines(found: Estimated, language: Language) -> Iterator[str]:
    """The sections as text for a terminal."""
    return lines([_part(each, language) for each in sections(found)], language)


def _part(section: Section, language: Language) -> Part:
    rows = tuple(tuple(cell[language] for cell in each) for each in section.rows)
    return Part(section.heading, section.sentences, section.header, rows)


def _means(found: tuple[Mean, ...]) -> list[Section]:
    about = (said("means_about"),) if any(each.missing_as_middle for each in found) else ()
    rows = tuple(row(plain(each.column), each.mean, "no_middle") for each in found)
    told = [each for each in found if each.variance is not None and each.variance.value is not None]
    variances = tuple(
        row(plain(each.column), each.variance, "no_zero") for each in told if each.variance
    )
    sections = [Section(said("means"), about, header("column"), rows, found)]
    if variances:
        about = (said("variances_about"),)
        sections.append(Section(said("variances"), about, header("column"), variances))
    return sections


def _matrix(found: Matrix, kind: str) -> Section:
    pairs = [
        (f"{a} × {b}", found.entries[i][j])
        for (i, a), (j, b) in combinations(enumerate(found.columns), 2)
    ]
    pairs.sort(key=lambda pair: -_strength(pair[1]))
    sentences = [said("matrix_about"), *_scored(found.score, "guess_identity")]
    if kind == "covariance" and found.score is not None:
        sentences.append(said("in_halves"))
    rows = tuple(row(plain(name), figure, "no_zero") for name, figure in pairs[:MOST_ROWS])
    sentences += _first(len(pairs))
    drawn = found if kind == "correlation" else None
    return Section(said(kind), tuple(sentences), header("pair"), rows, drawn)


def _strength(figure: Figure) -> float:
    """How many standard errors from zero; what is not told comes last."""
    if figure.value is None or figure.raw is None:
        return -1.0
    return abs(figure.raw) / (figure.standard_error or 1e-300)


def _scored(score: Score | None, guess: str, *, in_percent: bool = False) -> list[Both]:
    if score is None:
        return []
    scale, unit = (100, " %") if in_percent else (1, "")
    ours, theirs = (
        f"{scale * error:.2g}{unit}" for error in (score.expected_error, score.trivial_error)
    )
    return [said(score.verdict, guess=said(guess), ours=ours, theirs=theirs)]


def _first(total: int) -> list[Both]:
    return [said("first", shown=MOST_ROWS, total=total)] if total > MOST_ROWS else []


def _histogram(found: Histogram) -> Section:
    is_binned = found.method == "em" and found.edges is not None
    sentences = [said(f"by_{found.method}"), *([said("by_bins")] if is_binned else [])]
    sentences += _scored(found.score, "guess_even", in_percent=True)
    if len(found.labels) > MOST_ROWS:
        key = "largest" if found.edges is None else "first"
        sentences.append(said(key, shown=MOST_ROWS, total=len(found.labels)))
    # Nobody is guessed to be without a label.
    rows = tuple(
        row(label_name(label), percent(share), "no_even" if share.trivial else "no_zero")
        for label, share in listed_shares(found)
    )
    heading = said("histogram", column=found.column)
    return Section(heading, tuple(sentences), header("label"), rows, found)


def listed_shares(found: Histogram) -> list[tuple[str | None, Figure]]:
    """Labels with their shares, as many as are shown: of too many labels the largest, of too many
    bins the first, since bins have an order of their own."""
    pairs = list(zip(found.labels, found.shares, strict=True))
    if len(pairs) > MOST_ROWS and found.edges is None:
        pairs.sort(key=lambda pair: -float(pair[1].value or 0.0))
    return pairs[:MOST_ROWS]


def label_name(label: str | None) -> Both:
    return said("no_label_name") if label is None else plain(label)


def _table(found: Table) -> Section:
    a, b = found.columns
    rows = tuple(
        (label_name(label), *(_cell(percent(share)) for share in shares))
        for label, shares in zip(found.labels[0], found.shares, strict=True)
    )
    names = (plain(f"{a} \\ {b}"), *(label_name(label) for label in found.labels[1]))
    sentences = (said("table_about"), *_scored(found.score, "guess_link", in_percent=True))
    return Section(said("table", a=a, b=b), sentences, names, rows)


def _cell(share: Figure) -> Both:
    shown = f"{value(share)} ± {error(share).en}"
    return plain(shown if share.distinguishable else f"({shown})")


def _components(found: Components) -> list[Section]:
    numbers = [plain(str(number)) for number in range(1, len(found.columns) + 1)]
    pairs = list(zip(numbers, found.components, strict=True))
    rows = tuple(row(_named(number, each), each.eigenvalue, "no_ones") for number, each in pairs)
    told = [(n, each) for n, each in pairs if any(f.distinguishable for f in each.loadings)]
    sections = [Section(said("pca"), (said("pca_about"),), header("component"), rows)]
    if told:
        names = (said("column"), *(number for number, _ in told))
        loadings = tuple(
            (plain(column), *(_cell(each.loadings[i]) for _, each in told))
            for i, column in enumerate(found.columns)
        )
        sections.append(Section(said("loadings"), (), names, loadings))
    return sections


def _named(number: Both, found: Component) -> Both:
    """1 (61 % of the variance), where that is told."""
    if not found.eigenvalue.distinguishable:
        return number
    return said("of_variance", number=number, share=value(percent(found.share)))


def _model(found: Model) -> Section:
    sentences = []
    if found.classes is not None:
        first, second = found.classes
        key = "sides" if found.kind == "svm" else "classes"
        sentences.append(said(key, first=first, second=second))
    if found.approximate:
        sentences.append(said(f"approximate_{found.kind}"))
    if found.ridge:
        sentences.append(said("ridge", ridge=found.ridge))
    sentences.append(_score(found))
    figures = [(said("intercept"), found.intercept)]
    figures += [(plain(c), f) for c, f in zip(found.columns, found.coefficients, strict=True)]
    rows = tuple(row(name, figure, "no_zero") for name, figure in figures)
    return Section(said(found.kind, target=found.target), tuple(sentences), header("column"), rows)


def _score(found: Model) -> Both:
    figure = found.score
    if figure.value is None:
        return said("untold")
    shown = {"value": value(figure), "error": error(figure)}
    if found.kind == "regression":
        told, nothing = said("explained", **shown), "no_zero"
    else:
        trivial = f"{float(figure.trivial or 0.0):.3g}"
        told, nothing = said("accuracy", trivial=trivial, **shown), "no_guess"
    if figure.distinguishable:
        return told
    remark = said(nothing)
    return Both(f"{told.en} ({remark.en})", f"{told.ja}（{remark.ja}）")


def _why(found: Untold) -> Both:
    statistic, reason = said(f"{found.statistic}_"), said(f"reason_{found.reason}")
    if not found.columns:
        return said("why_all", statistic=statistic, reason=reason)
    columns = ", ".join(found.columns)
    return said("why", statistic=statistic, columns=columns, reason=reason)
