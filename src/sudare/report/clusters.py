"""Clusters in words: the largest ones with their size and centre."""

from __future__ import annotations

from collections.abc import Mapping

from sudare.report.cells import Cell
from sudare.report.learning_words import told
from sudare.report.numbers import format_error, format_number
from sudare.report.texts import Language
from sudare.report.words import column_name, listed

SIZE = "size"
# This many clusters are put into words; the table has the others.
_MOST = 3


def by_row(found: list[Cell]) -> dict[str, dict[str, Cell]]:
    """The cells of each cluster or component by what they tell of it."""
    rows: dict[str, dict[str, Cell]] = {}
    for cell in found:
        rows.setdefault(cell.row, {})[cell.column] = cell
    return rows


def is_lost(cluster: Mapping[str, Cell]) -> bool:
    """Whether a cluster cannot be told from an empty one; its centre then says nothing."""
    size = cluster.get(SIZE)
    if size is None or isinstance(size.value, str):
        return all(cell.drowned for cell in cluster.values())
    return size.drowned or size.error >= abs(size.value)


def cluster_clauses(
    found: list[Cell], about: str, language: Language, labels: Mapping[str, str]
) -> list[str]:
    """Cluster by cluster, the largest first, then what is left out and what is lost."""
    rows = by_row(found)
    alive = {row: cluster for row, cluster in rows.items() if not is_lost(cluster)}
    if not alive:
        return [told("say_all_lost_clusters", language, total=len(rows), subject=about)]
    said = [_cluster(row, alive[row], language, labels) for row in list(alive)[:_MOST]]
    first = told("say_clusters", language, count=len(rows), subject=about, first=said[0])
    clauses = [first, *said[1:], told("say_centers", language)]
    if len(alive) > _MOST:
        clauses.append(told("say_more", language, count=len(alive) - _MOST))
    if len(alive) < len(rows):
        lost = len(rows) - len(alive)
        clauses.append(told("say_lost_clusters", language, count=lost, total=len(rows)))
    return clauses


def _cluster(
    row: str, cluster: Mapping[str, Cell], language: Language, labels: Mapping[str, str]
) -> str:
    center = [
        told(
            "coordinate",
            language,
            column=column_name(name, language, labels),
            value=format_number(cell.value, cell.error),
        )
        for name, cell in cluster.items()
        if name != SIZE
    ]
    size = cluster[SIZE]
    return told(
        "cluster",
        language,
        row=row,
        size=format_number(size.value, size.error),
        error=format_error(size.value, size.error, language),
        center=listed(center, language),
    )
