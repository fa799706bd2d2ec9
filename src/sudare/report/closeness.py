"""How close statistics come to a person, as parts for a terminal and for a page."""

from __future__ import annotations

from sudare.facts.closeness import CloseFinding, Closeness, Place
from sudare.report.both import Both
from sudare.report.closeness_texts import said
from sudare.report.records_risk import Part


def parts(found: Closeness) -> list[Part]:
    """The verdict, every finding that is not fine with its places, and the private route."""
    told = [said(f"verdict_{found.verdict}"), said("premise")]
    listed = [Part(said("title"), tuple(told))]
    listed += [Part(None, _sentences(found, each)) for each in found.findings if _is_told(each)]
    if found.verdict != "fine":
        listed.append(Part(None, (said("private", options=found.private),)))
    return listed


def _is_told(finding: CloseFinding) -> bool:
    """The equations are always told, for they have no other place where they are seen."""
    return finding.verdict != "fine" or finding.kind == "equations"


def _sentences(found: Closeness, finding: CloseFinding) -> tuple[Both, ...]:
    equations = found.equations
    sentence = said(
        finding.kind,
        found=finding.found,
        minimum=found.minimum,
        tables=equations.tables,
        unknowns=equations.unknowns,
        rows=equations.rows,
    )
    verdict = said(finding.verdict)
    first = Both(f"[{verdict.en}] {sentence.en}", f"［{verdict.ja}］{sentence.ja}")
    if finding.kind != "equations":
        return first, said("where", places=_places(finding.places))
    if equations.against is None:
        return (first,)
    asked = equations.against_equations
    return first, said("against", column=equations.against, equations=asked, rows=equations.rows)


def _places(places: tuple[Place, ...]) -> Both:
    named = [said("place", columns=" × ".join(p.columns), cells=p.cells) for p in places]
    join = said("list_join")
    return Both(join.en.join(p.en for p in named), join.ja.join(p.ja for p in named))
