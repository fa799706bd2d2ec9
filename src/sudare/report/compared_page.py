"""A comparison as one self-contained HTML file: both languages inside, nothing fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sudare.facts.compared import Compared, CrossTable
from sudare.report.both import Both
from sudare.report.compared import sections, summary
from sudare.report.compared_charts import MOST_BARS, MOST_TERMS, bars, forest, squares
from sudare.report.compared_models import term_name
from sudare.report.compared_texts import said
from sudare.report.templates import render_page
from sudare.report.texts import Language


@dataclass(frozen=True)
class Drawing:
    """A chart with what it shows."""

    svg: str
    caption: Both


def compared_page(found: Compared, language: Language) -> str:
    """The page, first shown in `language`."""
    return render_page(
        "compared",
        styles=("compared",),
        title=said("title", table=found.table),
        warning=said("warning"),
        heading=said("summary"),
        summary=summary(found),
        sections=[
            (each, said(each.name), list(_DRAWN.get(each.name, _nothing)(found)))
            for each in sections(found)
        ],
        language=language,
    )


def _nothing(found: Compared) -> Iterator[Drawing]:
    yield from ()


def _marginals(found: Compared) -> Iterator[Drawing]:
    for each in found.measures.crosses.marginals:
        caption = said("caption_marginal", column=each.column, tv=each.total_variation)
        cells = len(each.labels)
        if cells > MOST_BARS:
            more = said("marginals_more", shown=MOST_BARS, all=cells, column=each.column)
            caption = Both(f"{caption.en}. {more.en}", f"{caption.ja}。{more.ja}")
        yield Drawing(bars(each), caption)


def _correlations(found: Compared) -> Iterator[Drawing]:
    ranks = found.measures.ranks
    for key, values in _both_and_difference(ranks.real, ranks.synthetic):
        yield Drawing(squares(ranks.columns, ranks.columns, values, 1.0, 2), said(key))


Matrix = tuple[tuple[float, ...], ...]


def _both_and_difference(real: Matrix, synthetic: Matrix) -> Iterator[tuple[str, Matrix]]:
    yield "caption_real", real
    yield "caption_synthetic", synthetic
    pairs = zip(real, synthetic, strict=True)
    yield (
        "caption_difference",
        tuple(tuple(b - a for a, b in zip(one, two, strict=True)) for one, two in pairs),
    )


def _worst(found: Compared) -> Iterator[Drawing]:
    for table in found.measures.crosses.worst:
        yield from _table(table)


def _table(table: CrossTable) -> Iterator[Drawing]:
    real, synthetic = (
        tuple(tuple(100 * share for share in line) for line in each)
        for each in (table.real, table.synthetic)
    )
    # One scale for the three, so that a colour means the same number in each.
    full = max(share for each in (real, synthetic) for line in each for share in line)
    for key, values in _both_and_difference(real, synthetic):
        a, b = table.columns
        caption = said("caption_table", which=said(key), a=a, b=b, tv=table.total_variation)
        yield Drawing(squares(*table.labels, values, full, 1), caption)


def _regression(found: Compared) -> Iterator[Drawing]:
    if found.regression is None:
        return
    # The terms that the real rows are surest of; more would be read by nobody.
    surest = sorted(
        found.regression.coefficients,
        key=lambda each: -abs(each.values[0]) / (each.errors[0] or 1.0),
    )[:MOST_TERMS]
    yield Drawing(forest(surest, [term_name(each).en for each in surest]), said("caption_forest"))


_DRAWN: dict[str, Callable[[Compared], Iterator[Drawing]]] = {
    "marginals": _marginals,
    "correlations": _correlations,
    "worst": _worst,
    "regression": _regression,
}
