"""What `check tables` found, as parts for a terminal and for a page; one source for both."""

from __future__ import annotations

from collections.abc import Sequence

from sudare.facts.disclosure import Certain, Description, Interval, TableCheck, Way
from sudare.facts.disclosure import Part as Held
from sudare.facts.release import Release
from sudare.report.both import Both
from sudare.report.cells import cells
from sudare.report.disclosure_texts import said
from sudare.report.numbers import format_error, format_share
from sudare.report.records_risk import Part

MOST_SHOWN = 40


def parts(found: TableCheck) -> list[Part]:
    """Everything that is said, in order: the verdict, each finding with its ways, counts."""
    listed = [Part(None, tuple(_verdict(found)))]
    listed += [Part(_claim(each), tuple(_ways(each))) for each in found.certain[:MOST_SHOWN]]
    if len(found.certain) > MOST_SHOWN:
        listed.append(Part(None, (said("more", count=len(found.certain) - MOST_SHOWN),)))
    if found.excluded:
        listed.append(_excluded(found.excluded))
    withheld = [each for each in found.narrow if each.table is not None]
    if withheld:
        rows = [(f"{each.table} {each.row}", _count(each.count)) for each in withheld]
        listed.append(_table("withheld", "row", rows))
    worked = [each for each in found.narrow if each.table is None]
    if worked:
        rows = [(", ".join(map(" = ".join, each.who)), _count(each.count)) for each in worked]
        listed.append(_table("worked_out", "group", rows))
    return listed


def sentences(each: Certain) -> tuple[Both, Both]:
    """What is certain, and in one sentence how an attacker gets there."""
    return _claim(each), _ways(each)[0]


def beside(exact: Sequence[TableCheck], release: Release, protected: TableCheck) -> list[Part]:
    """What exact tables disclose, then what was published instead and what that discloses."""
    listed = [Part(None, (said("beside_lead"),))]
    for found in exact:
        tables = _listed([Both(name, name) for name in found.tables])
        told = [line for each in found.certain for line in sentences(each)]
        listed.append(Part(said("beside_exact", tables=tables), tuple(told)))
    rows = tuple(
        (answer.query, cell.group, f"{cell.value} ± {format_error(cell.value, cell.error)}")
        for answer in release.answers
        for cell in cells(answer)
    )
    header = (said("question"), said("group"), said("people"))
    epsilon = format_share(release.spent["epsilon"])
    told = [said("beside_noise", epsilon=epsilon), *_verdict(protected)]
    return [*listed, Part(said("beside_instead"), tuple(told), header, rows)]


def _verdict(found: TableCheck) -> list[Both]:
    said_ = []
    if found.tables:
        tables = _listed([Both(name, name) for name in found.tables])
        key = "some" if found.certain else "nothing" if found.finished else "unknown"
        said_.append(said(key, tables=tables, count=len(found.certain)))
    for key in ("noisy", "overlapping", "absent"):
        names = getattr(found, key)
        if names:
            said_.append(said(key, tables=_listed([Both(name, name) for name in names])))
    if found.inferred:
        said_.append(said("inferred", names=_listed([Both(n, n) for n in found.inferred])))
    if not found.finished:
        said_.append(said("stopped"))
    elif not found.refined:
        said_.append(said("unrefined"))
    return [*said_, said("premise")] if found.tables else said_


def _claim(each: Certain) -> Both:
    facts = {"attribute": each.attribute, "value": each.value}
    if each.person is not None:
        return said("person_not" if each.excluded else "person", person=each.person, **facts)
    if each.excluded:
        who = {"who": _who(each.who)} if each.who else {}
        return said("none" if each.who else "nobody", **facts, **who)
    people = _people(each.people)
    if not each.who:
        return said("everyone", people=people, **facts)
    return said("all", who=_who(each.who), people=people, **facts)


def _people(count: Interval | None) -> Both:
    if count is None:
        return Both("", "")
    if count.low == 0:
        return said("any")
    if count.high is None:
        return said("at_least", low=count.low)
    key = "exactly" if count.low == count.high else "between"
    return said(key, low=count.low, high=count.high)


def _ways(each: Certain) -> list[Both]:
    """One sentence a way; the first says how, the others are marked as further ones."""
    sentences = [_way(each, way) for way in each.ways] or [said("no_way")]
    return [sentences[0], *(said("also", way=way) for way in sentences[1:])]


def _way(each: Certain, way: Way) -> Both:
    values = {
        "against": _against(each),
        "parts": _listed([_held(part) for part in way.parts]),
        "table": Both(way.parts[0].name, way.parts[0].name),
    }
    if each.person is not None:
        person = Both(each.person, each.person)
        return said(f"{way.manner}_person", person=person, **values)
    return said(way.manner, **values)


def _against(each: Certain) -> Both:
    """Who would have to exist for the finding to be wrong."""
    last = (
        Both(f"{each.attribute} = {each.value}", f"{each.attribute} = {each.value}")
        if each.excluded
        else said("other_than", attribute=each.attribute, value=each.value)
    )
    if each.person is not None or not each.who:
        return last
    who, join = _who(each.who), said("who_join")
    return Both(who.en + join.en + last.en, who.ja + join.ja + last.ja)


def _held(part: Held) -> Both:
    if part.kind == "table":
        return Both(part.name, part.name)
    keys = {"population": "population", "known": "known", "person": "presence"}
    return said(keys[part.kind], name=part.name)


def _who(who: Description) -> Both:
    pairs = [f"{name} = {value}" for name, value in who]
    return Both(said("who_join").en.join(pairs), said("who_join").ja.join(pairs))


def _listed(names: Sequence[Both]) -> Both:
    """a, b and c."""
    return Both(
        *(
            said("list_join")[language].join(name[language] for name in names[:-1])
            + (said("list_last")[language] if len(names) > 1 else "")
            + names[-1][language]
            for language in ("en", "ja")
        )
    )


def _excluded(claims: Sequence[Certain]) -> Part:
    sentences = [_claim(each) for each in claims[:MOST_SHOWN]]
    if len(claims) > MOST_SHOWN:
        sentences.append(said("more", count=len(claims) - MOST_SHOWN))
    return Part(said("ruled_out"), tuple(sentences))


def _table(heading: str, first: str, rows: Sequence[tuple[str, str]]) -> Part:
    shown = tuple(rows[:MOST_SHOWN])
    more = (said("more", count=len(rows) - MOST_SHOWN),) if len(rows) > MOST_SHOWN else ()
    return Part(said(heading), more, (said(first), said("people")), shown)


def _count(count: Interval) -> str:
    return str(count.low) if count.low == count.high else f"{count.low}–{count.high}"
