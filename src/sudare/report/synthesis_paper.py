"""Paper 002's tables made again: as one self-contained page, and as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sudare.facts.synthesis_paper import (
    METHODS,
    PRINTED,
    QUANTITIES,
    Drawing,
    Quantity,
    Redrawn,
    SynthesisPaper,
)
from sudare.report.both import Both
from sudare.report.synthesis_paper_charts import CHARTED, SIGNS, chart
from sudare.report.synthesis_paper_texts import NAMES, said
from sudare.report.templates import render_page
from sudare.report.texts import Language

# How near a number has to come to the printed one.
_WITHIN = 0.1
_MEASURES = (*QUANTITIES, "outside", "fractions", "seconds")


def about(found: SynthesisPaper) -> list[Both]:
    """Which data, and that this is no release."""
    told = []
    for table in found.tables:
        told.append(
            said(
                "data",
                name=NAMES[table.data],
                rows=table.rows,
                numbers=table.numbers,
                categories=table.categories,
                drawn=found.rows,
            )
        )
        if table.constants:
            told.append(said("constants", names=", ".join(table.constants)))
    return [*told, said("public")]


def findings(found: SynthesisPaper) -> list[Both]:
    """What reproduces and what does not, in numbers of these tables."""
    adult, census = ({each.method: each for each in table.drawings} for table in found.tables)
    exact = [each[method].largest for each in (adult, census) for method in ("b", "paper")]
    a, b, p = (adult[method] for method in ("a", "b", "paper"))
    return [
        said("means", largest=max(exact), mean=a.ave_mean),
        *(_verdicts(table, "ave_cross_cells", "cross") for table in found.tables),
        *(_verdicts(table, "ave_spearman_tied", "spearman") for table in found.tables),
        said("rule", within=_WITHIN),
        said("cells", printed=a.ave_cross, paper=p.ave_cross),
        said("census"),
        said("ranks", a=a.ave_spearman, b=b.ave_spearman, p=p.ave_spearman),
        said("roots", symmetric=p.ave_cross_cells, literal=adult["literal"].ave_cross_cells),
        said("decoding", threshold=p.ave_cross_cells, argmax=adult["argmax"].ave_cross_cells),
        *(_beside(table) for table in found.tables),
        *(_ours(table) for table in found.tables),
    ]


def _verdicts(table: Redrawn, quantity: Quantity, key: str) -> Both:
    """Every number that the paper prints beside what came out here."""
    told = []
    for drawing in table.drawings:
        printed = PRINTED[table.data, quantity].get(drawing.method)
        if printed is None:
            continue
        value = drawing.of(quantity)
        verdict = "same" if abs(value - printed) <= _WITHIN * printed else "other"
        sign = SIGNS[drawing.method]
        told.append(said(verdict, method=sign, value=value, printed=printed))
    together = Both(", ".join(each.en for each in told), "、".join(each.ja for each in told))
    return said(key, name=NAMES[table.data], verdicts=together)


def _beside(table: Redrawn) -> Both:
    paper = table.drawing("paper")
    assert paper is not None
    name = NAMES[table.data]
    return said("bounds", name=name, outside=paper.outside, fractions=paper.fractions)


def _ours(table: Redrawn) -> Both:
    paper, ours = table.drawing("paper"), table.drawing("tables")
    assert paper is not None
    assert ours is not None
    return said(
        "ours",
        name=NAMES[table.data],
        cells=ours.ave_cross_cells,
        paper=paper.ave_cross_cells,
        ranks=ours.ave_spearman,
        paper_ranks=paper.ave_spearman,
        largest=ours.largest,
        outside=ours.outside,
        fractions=ours.fractions,
    )


def lines(found: SynthesisPaper, language: Language) -> Iterator[str]:
    """Tables and findings for a terminal."""
    yield from (each[language] for each in about(found))
    for table in found.tables:
        yield ""
        yield NAMES[table.data]
        for drawing in table.drawings:
            yield f"  {SIGNS[drawing.method]}: {said(drawing.method)[language]}"
            pairs = zip(_MEASURES, _cells(table, drawing), strict=True)
            yield "    " + ", ".join(f"{said(key)[language]} {cell}" for key, cell in pairs)
    yield ""
    yield from (f"- {each[language]}" for each in findings(found))


def page(found: SynthesisPaper, language: Language) -> str:
    """The page, first shown in `language`."""
    return render_page(
        "synthesis_paper",
        title=said("title"),
        lead=said("lead"),
        about=about(found),
        heading=said("findings"),
        findings=findings(found),
        measure=said("measure"),
        methods=[(SIGNS[method], said(method)) for method in METHODS],
        note=said("in_brackets"),
        cards=[_card(table) for table in found.tables],
        language=language,
    )


def _cells(table: Redrawn, drawing: Drawing) -> list[str]:
    """The numbers of one method, the paper's in brackets."""
    found = []
    for quantity in QUANTITIES:
        printed = PRINTED.get((table.data, quantity), {}).get(drawing.method)
        shown = f"{drawing.of(quantity):.3g}"
        found.append(shown if printed is None else f"{shown} ({printed:.4g})")
    shares = [f"{drawing.outside:.1%}", f"{drawing.fractions:.1%}"]
    return [*found, *shares, f"{drawing.seconds:.1f}"]


def _card(table: Redrawn) -> dict[str, Any]:
    name, cells = NAMES[table.data], [_cells(table, each) for each in table.drawings]
    return {
        "name": name,
        "signs": [SIGNS[each.method] for each in table.drawings],
        "rows": list(zip(map(said, _MEASURES), zip(*cells, strict=True), strict=True)),
        "pictures": [
            {
                "heading": said(quantity),
                "label": said("chart", name=name, quantity=said(quantity)),
                "svg": chart(table, quantity),
            }
            for quantity in CHARTED
        ],
    }
