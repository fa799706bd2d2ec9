"""What `sudare compare` found, as sentences and tables: one source for terminal and page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sudare.facts.compared import Compared, Verdict
from sudare.report.both import Both
from sudare.report.compared_models import learning, regression, telling
from sudare.report.compared_risks import attacks, nearest
from sudare.report.compared_section import Section, plain
from sudare.report.compared_texts import said
from sudare.report.texts import Language
from sudare.report.words import padded

LIKENESS = (
    "single",
    "moments",
    "pairs",
    "ranks",
    "outside",
    "telling",
    "telling_below",
    "regression",
    "learning",
)
ATTACKS = ("membership", "linkage", "inference")
_SHADES = ("red", "amber", "green")
_MOST_PAIRS = 10
# A terminal shows so many rows of a table.
MOST_ROWS = 30


@dataclass(frozen=True)
class Line:
    """One line of the summary: a light, its word, and a sentence."""

    light: str
    word: Both
    sentence: Both


@dataclass(frozen=True)
class Summary:
    """The page that a manager reads: two judgements, and a line a topic."""

    lead: tuple[Both, ...]
    like: Line
    safe: Line
    lines: tuple[Line, ...]
    notes: tuple[Both, ...]


def summary(found: Compared) -> Summary:
    """Everything of the first page."""
    rows = found.measures.rows
    lead = [said("sizes", real=rows[0], synthetic=rows[1], columns=len(found.columns))]
    if found.left_out:
        lead.append(said("left_out", names=", ".join(found.left_out)))
    return Summary(
        tuple(lead),
        _overall("like", [each for each in found.verdicts if each.topic in LIKENESS]),
        _overall("safe", [each for each in found.verdicts if each.topic not in LIKENESS]),
        tuple(map(_line, found.verdicts)),
        (said("sampled"),),
    )


def _overall(kind: str, judged: list[Verdict]) -> Line:
    """The worst light; where nothing turned yellow or red, green only if something was measured,
    and of the attacks at least one."""
    lights = {each.light for each in judged}
    told = lights if kind == "like" else {each.light for each in judged if each.topic in ATTACKS}
    worst = next((each for each in _SHADES if each in lights), "grey")
    shade = "grey" if worst == "green" and "green" not in told else worst
    return Line(shade, said(shade), said(f"{kind}_{shade}"))


def _line(verdict: Verdict) -> Line:
    unknown = any(value is None for value in verdict.figures.values())
    key = f"topic_{verdict.topic}" + ("_none" if unknown else "")
    sentence = said(key, **verdict.figures)
    if verdict.light == "grey" and not unknown:
        few = said("too_few")
        sentence = Both(f"{sentence.en} {few.en}", f"{sentence.ja}{few.ja}")
    return Line(verdict.light, said(verdict.light), sentence)


def sections(found: Compared) -> list[Section]:
    """All that follows the summary."""
    listed = [_measures(found), _numbers(found), _marginals(found), Section("correlations")]
    listed += [_worst(found), telling(found.discriminator), *regression(found), *learning(found)]
    return [*listed, nearest(found.nearest), attacks(found.attacks, found.holdout_rows)]


def _measures(found: Compared) -> Section:
    moments, crosses, ranks = (
        found.measures.moments,
        found.measures.crosses,
        found.measures.ranks,
    )
    values = [
        ("ave_mean", moments.ave_mean),
        ("ave_mean_scaled", moments.ave_mean_scaled),
        ("max_mean_scaled", moments.max_mean_scaled),
        ("ave_cov", moments.ave_cov),
        ("ave_cov_scaled", moments.ave_cov_scaled),
        ("max_cov_scaled", moments.max_cov_scaled),
        ("ave_cross", crosses.ave_cross),
        ("ave_cross_cells", crosses.ave_cross_cells),
        ("ave_spearman", ranks.ave_spearman),
        ("ave_spearman_shared", ranks.ave_spearman_shared),
        ("ave_spearman_printed", ranks.ave_spearman_printed),
        ("one_way_tv", crosses.one_way_tv),
        ("two_way_tv", crosses.two_way_tv),
        ("max_two_way_tv", crosses.max_two_way_tv),
    ]
    rows = tuple((said(name), plain(f"{value:.4g}")) for name, value in values)
    return Section("measures", (), (said("measure"), said("value")), rows)


def _numbers(found: Compared) -> Section:
    beyond = ", ".join(f"{name} {count:,}" for name, count in found.outside.items())
    sentences = (said("outside", names=beyond),) if beyond else ()
    header = [said("column")]
    for what in ("mean", "deviation"):
        header += [_of(what, "real"), _of(what, "synthetic")]
    rows = tuple(
        (
            plain(each.column),
            *(plain(f"{value:.6g}") for value in (*each.means, *each.deviations)),
            plain(f"{each.scaled:.2g}"),
        )
        for each in found.measures.moments.columns
    )
    return Section("numbers", sentences, (*header, said("scaled")), rows)


def _of(what: str, table: str) -> Both:
    one, two = said(what), said(table)
    return Both(f"{one.en}, {two.en}", f"{one.ja}（{two.ja}）")


def _marginals(found: Compared) -> Section:
    ordered = sorted(found.measures.crosses.marginals, key=lambda each: -each.total_variation)
    rows = tuple(
        (plain(each.column), plain(f"{len(each.labels)}"), plain(f"{each.total_variation:.2%}"))
        for each in ordered
    )
    return Section("marginals", (), (said("column"), said("cells"), said("tv")), rows)


def _worst(found: Compared) -> Section:
    rows = tuple(
        (
            plain(" × ".join(each.columns)),
            plain(f"{each.cells:,}"),
            plain(f"{each.mean_percent:.4g}"),
            plain(f"{each.total_variation:.2%}"),
        )
        for each in found.measures.crosses.pairs[:_MOST_PAIRS]
    )
    header = said("pair"), said("cells"), said("cell_error"), said("tv")
    return Section("worst", (said("worst_lead"),), header, rows)


def text_lines(found: Compared, language: Language) -> Iterator[str]:
    """Everything as text for a terminal."""
    front = summary(found)
    yield said("warning")[language]
    yield ""
    yield from (each[language] for each in front.lead)
    for line in (front.like, front.safe):
        yield f"[{line.word[language]}] {line.sentence[language]}"
    yield ""
    yield from (f"  [{line.word[language]}] {line.sentence[language]}" for line in front.lines)
    yield from (each[language] for each in front.notes)
    for section in sections(found):
        if not section.sentences and not section.rows:
            continue
        yield ""
        yield said(section.name)[language]
        yield from (f"  {each[language]}" for each in section.sentences)
        table = [section.header, *section.rows[:MOST_ROWS]] if section.rows else []
        if table:
            cells = [[cell[language] for cell in row] for row in table]
            yield from ("  " + line for line in padded(cells, indent=2))
        if len(section.rows) > MOST_ROWS:
            yield "  " + said("more", count=len(section.rows) - MOST_ROWS)[language]
