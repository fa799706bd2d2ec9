"""What is said about the synthesis paper's tables."""

from __future__ import annotations

from dataclasses import replace

from sudare.facts.synthesis_paper import METHODS, Drawing, Redrawn, SynthesisPaper
from sudare.report.synthesis_paper import findings, lines
from sudare.report.synthesis_paper_texts import TEXTS

PLAIN = Drawing("a", 1.0, 2.0, 0.12, 0.37, 0.0858, 0.1, 0.07, 1e-14, 0.18, 1.0, 2.5)


def found(cross: float) -> SynthesisPaper:
    drawings = tuple(replace(PLAIN, method=each, ave_cross_cells=cross) for each in METHODS)
    adult = Redrawn("adult", 30_162, 6, 9, (), drawings)
    census = Redrawn("census", 95_130, 12, 29, ("year",), drawings)
    return SynthesisPaper(300_000, (adult, census))


def test_a_verdict_is_within_a_tenth() -> None:
    told = [each.en for each in findings(found(0.12))]
    # The paper prints 0.1191, 0.2518 and 0.2331.
    assert (
        "Table 4, Adult, AveCross over all cells: A 0.1200 (paper 0.1191: reproduces), "
        "B 0.1200 (paper 0.2518: does not), P 0.1200 (paper 0.2331: does not)."
    ) in told
    told = [each.en for each in findings(found(0.25))]
    assert (
        "Table 4, Adult, AveCross over all cells: A 0.2500 (paper 0.1191: does not), "
        "B 0.2500 (paper 0.2518: reproduces), P 0.2500 (paper 0.2331: reproduces)."
    ) in told


def test_lines_name_every_method_and_the_constants() -> None:
    english, japanese = ("\n".join(lines(found(0.12), language)) for language in ("en", "ja"))  # type: ignore[arg-type]
    for method in METHODS:
        assert english.count(f": {TEXTS[method].en}\n") == 2
        assert japanese.count(f": {TEXTS[method].ja}\n") == 2
    assert "Constant after rows with a missing value are left out: year." in english
    assert "AveCross %, all cells 0.12 (0.1191)" in english
    assert "上下限の外" in japanese
