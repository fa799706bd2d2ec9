"""The pictures and tables that the page shows of clusters, components and regressions."""

from __future__ import annotations

from collections.abc import Mapping

from sudare.facts.release import Answer
from sudare.report.both import Both, each
from sudare.report.card_parts import Matrix, Picture, Shown, same, shown_number
from sudare.report.cells import COEFFICIENTS, Cell
from sudare.report.cluster_charts import MOST_COLUMNS, scatters
from sudare.report.clusters import SIZE, by_row, is_lost
from sudare.report.coefficient_charts import MOST_EFFECTS, effects, forest, reach
from sudare.report.coefficients import INTERCEPT, effect_name
from sudare.report.component_charts import loading_squares, reaches_zero, scree
from sudare.report.components import SHARE, VARIANCE, loading_text, loadings
from sudare.report.learning_words import said, told

# So many components still leave room for a number in each square.
_MOST_COMPONENTS = 8


def learned_pictures(
    answer: Answer, found: list[Cell], about: Both, labels: Mapping[str, str]
) -> tuple[Picture, ...]:
    """None where the answer is not one of these."""
    if not isinstance(answer.value, dict):
        return ()
    if answer.function == "kmeans":
        return _clusters(answer, found, about, labels)
    if answer.function == "pca":
        return _components(answer, found, about, labels)
    if answer.function in COEFFICIENTS:
        return _coefficients(answer, found, about, labels)
    return ()


def _clusters(
    answer: Answer, found: list[Cell], about: Both, labels: Mapping[str, str]
) -> tuple[Picture, ...]:
    clusters = by_row(found)
    if not clusters or all(is_lost(cluster) for cluster in clusters.values()):
        return ()
    bounds = (answer.details or {}).get("bounds", {})
    columns = len(next(iter(clusters.values()))) - 1
    captions = [said("caption_clusters" if columns > 1 else "caption_cluster_strip")]
    if any(is_lost(cluster) for cluster in clusters.values()):
        captions.append(said("caption_lost_clusters"))
    if columns > MOST_COLUMNS:
        captions.append(said("caption_spread", total=columns, shown=MOST_COLUMNS))
    drawn = scatters(clusters, bounds, labels)
    # The same words under each of six pictures would only be read once.
    below = [tuple(captions), *[()] * (len(drawn) - 1)]
    return tuple(
        Picture(svg, same(heading), about, words)
        for (heading, svg), words in zip(drawn, below, strict=True)
    )


def _components(
    answer: Answer, found: list[Cell], about: Both, labels: Mapping[str, str]
) -> tuple[Picture, ...]:
    components = by_row(found)
    steps = (answer.details or {}).get("scree", [])
    pictures = []
    if steps:
        captions = [said("caption_scree")]
        if any(reaches_zero(step) for step in steps):
            captions.append(said("caption_lost_scree"))
        svg = scree(steps, len(components))
        pictures.append(Picture(svg, said("picture_scree"), about, tuple(captions)))
    drawn = {row: components[row] for row in list(components)[:_MOST_COMPONENTS]}
    captions = [said("caption_loadings")]
    if any(cell.drowned for part in drawn.values() for cell in loadings(part).values()):
        captions.append(said("caption_lost_loadings"))
    svg = loading_squares(drawn, labels)
    return (*pictures, Picture(svg, said("picture_loadings"), about, tuple(captions)))


def _coefficients(
    answer: Answer, found: list[Cell], about: Both, labels: Mapping[str, str]
) -> tuple[Picture, ...]:
    drawn = effects(answer, found)[:MOST_EFFECTS]
    if not drawn:
        return ()
    effect = each(lambda language: effect_name(answer, language, labels))
    captions = [each(lambda code: told("caption_effects", code, target=effect[code]))]
    if any(one.drowned for one in drawn):
        captions.append(said("caption_untold"))
    if any(max(abs(one.low), abs(one.high)) > reach(drawn) for one in drawn):
        captions.append(said("caption_outside"))
    heading = said("picture_effects")
    return (Picture(forest(drawn, labels), heading, about, tuple(captions)),)


def learned_matrix(answer: Answer, found: list[Cell], labels: Mapping[str, str]) -> Matrix:
    """Clusters or components as a table of their numbers."""
    rows = by_row(found)
    names = list(next(iter(rows.values()))) if rows else []
    lines = tuple(
        (row_name(answer, row), tuple(_number(answer, cells, name) for name in names))
        for row, cells in rows.items()
    )
    return Matrix("", tuple(number_name(answer, name, labels) for name in names), lines)


def row_name(answer: Answer, row: str) -> Both:
    """Cluster 1, Component 1."""
    return said(f"row_{answer.function}", row=row)


def number_name(answer: Answer, name: str, labels: Mapping[str, str]) -> Both:
    """What a number of a cluster or component is: its size, its variance, or one of the columns."""
    own = {"kmeans": (SIZE,), "pca": (VARIANCE, SHARE)}[answer.function]
    return said(f"head_{name}") if name in own else same(labels.get(name, name))


def _number(answer: Answer, cells: Mapping[str, Cell], name: str) -> Shown:
    cell = cells[name]
    if answer.function == "kmeans" and is_lost(cells):
        cell = cell._replace(drowned=True)
    shown = shown_number(cell)
    if answer.function == "pca" and name not in (VARIANCE, SHARE):
        return Shown(loading_text(cell), shown.error, (), shown.lost)
    return shown


def coefficient_row(cell: Cell, labels: Mapping[str, str]) -> tuple[tuple[Both, ...], Shown]:
    """A coefficient keeps its number and its interval where that holds zero, and says so."""
    is_intercept = cell.group == INTERCEPT
    name = said("intercept") if is_intercept else same(labels.get(cell.group, cell.group))
    shown = shown_number(cell._replace(drowned=False))
    remark = said("holds_zero") if cell.drowned else None
    return (name,), Shown(shown.value, shown.error, shown.interval, False, remark)
