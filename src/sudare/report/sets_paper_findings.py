"""What the figures of paper 004 show beside what its text says, in numbers of these runs."""

from __future__ import annotations

from collections.abc import Iterator

from sudare.facts.sets_paper import BASIC, Mode, SetsFigure, SetsPaper, Spot
from sudare.report.both import Both
from sudare.report.sets_paper_texts import joined, name_of, said

_RHO = 0.5
_LOOSE, _TIGHT = 0.1, 0.01
_FEW, _MANY = 0.05, 0.8


def findings(found: SetsPaper) -> list[Both]:
    """The claims of the paper's text one after the other, of paper mode where there is one; then
    the two modes beside each other."""
    told = list(_claims(found, found.modes[0]))
    return [*told, *_beside(found)] if len(found.modes) > 1 else told


def _claims(found: SetsPaper, mode: Mode) -> Iterator[Both]:
    """What the text says about each figure that there is."""
    names = [each.name for each in found.data]
    told = said(mode)
    if figure := found.figure(3):
        yield from _kept(figure, names, mode)
    if figure := found.figure(4):
        pairs = [_pair(figure, name, mode) for name in names]
        yield said("kl", mode=told, pairs=joined(pairs))
    if figure := found.figure(5):
        short = found.figure(3)
        pairs = [_longer(figure, short, name, mode) for name in names]
        yield said("longer", mode=told, pairs=joined(pairs))
    if figure := found.figure(6):
        yield said("plus", mode=told, pairs=joined([_plus(figure, n, mode) for n in names]))
    if figure := found.figure(7):
        yield _rules(figure, names, mode)


def _kept(figure: SetsFigure, names: list[str], mode: Mode) -> Iterator[Both]:
    told = said(mode)
    spots = [spot for name in names for spot in figure.of(name, mode, "util1")]
    kept = [1 - spot.mean for spot in spots]
    yield said(
        "kept",
        mode=told,
        within=sum(each >= 0.7 for each in kept),
        places=len(kept),
        least=min(kept),
        most=max(kept),
    )
    fixed = [spot for spot in spots if spot.setting == "fixed"]
    more = [figure.at(spot.data, mode, "personalized", spot.x) > spot.mean for spot in fixed]
    yield said("more", mode=told, times=sum(more), places=len(more))
    if names == ["bms-webview-1", "bms-webview-2"]:
        first = [spot for spot in spots if spot.data == names[0]]
        worse = [figure.at(names[1], mode, s.setting, s.x) > s.mean for s in first]
        yield said("second", mode=told, times=sum(worse), places=len(worse))


def _pair(figure: SetsFigure, name: str, mode: Mode) -> Both:
    fixed, own = (figure.at(name, mode, setting, _RHO) for setting in BASIC)
    return said("kl_pair", name=name_of(name), fixed=fixed, personalized=own)


def _longer(figure: SetsFigure, short: SetsFigure | None, name: str, mode: Mode) -> Both:
    loose, tight = (figure.at(name, mode, "personalized", eps) for eps in (_LOOSE, _TIGHT))
    beside = Both("", "")
    if short is not None:
        beside = said("longer_short", short=short.at(name, mode, "personalized", _RHO))
    return said("longer_pair", name=name_of(name), loose=loose, tight=tight, short=beside)


def _plus(figure: SetsFigure, name: str, mode: Mode) -> Both:
    few, many = (figure.at(name, mode, "personalized+", x) for x in (_FEW, _MANY))
    fixed = [figure.at(name, mode, "fixed+", x) for x in (_FEW, _MANY)]
    return said(
        "plus_pair",
        name=name_of(name),
        few=few,
        few_fixed=fixed[0],
        many=many,
        many_fixed=fixed[1],
    )


def _rules(figure: SetsFigure, names: list[str], mode: Mode) -> Both:
    spots = [spot for name in names for spot in figure.of(name, mode, "util_mining")]
    fixed = [spot.mean for spot in spots if spot.setting == "fixed+"]
    few = [f"{figure.at(name, mode, 'personalized+', _FEW):.2f}" for name in names]
    return said(
        "rules",
        mode=said(mode),
        times=sum(each >= 0.8 for each in fixed),
        places=len(fixed),
        least=min(fixed),
        few=joined([Both(each, each) for each in few]),
    )


def _beside(found: SetsPaper) -> Iterator[Both]:
    """The default beside paper mode."""
    for data in found.data:
        for key, numbers in (("ratio", (3, 6)), ("kl_ratio", (4,)), ("rules_ratio", (7,))):
            ratios = [each for n in numbers for each in _ratios(found.figure(n), data.name)]
            if ratios:
                yield said(key, name=name_of(data.name), least=min(ratios), most=max(ratios))
        if figure := found.figure(5):
            yield _sampled(figure, data.name)


def _ratios(figure: SetsFigure | None, name: str) -> list[float]:
    """The default's mean in that of paper mode, place by place, where that is not 0."""
    if figure is None:
        return []
    spots: list[Spot] = [s for s in figure.spots if s.data == name and s.mode == "paper"]
    return [
        figure.at(name, "default", spot.setting, spot.x) / spot.mean for spot in spots if spot.mean
    ]


def _sampled(figure: SetsFigure, name: str) -> Both:
    def at(mode: Mode, x: float, *quantity: str) -> float:
        return figure.at(name, mode, "personalized", x, *quantity)  # type: ignore[arg-type]

    return said(
        "sampled",
        name=name_of(name),
        paper=at("paper", _LOOSE),
        left=at("paper", _LOOSE, "exposed"),
        ours=at("default", _LOOSE),
        ours_left=at("default", _LOOSE, "exposed"),
        exact=at("default", 0.0),
    )
