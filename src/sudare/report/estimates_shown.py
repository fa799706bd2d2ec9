"""One estimated figure as people read it."""

from __future__ import annotations

from sudare.facts.estimated import Figure
from sudare.report.both import Both, each
from sudare.report.estimates_texts import said
from sudare.report.numbers import format_error, format_number

Row = tuple[Both, ...]


def plain(text: str) -> Both:
    return Both(text, text)


def row(name: Both, figure: Figure, nothing: str) -> Row:
    """Name, estimate, standard error, interval, what one would guess, remark. `nothing` is the
    remark where it cannot be told from that."""
    if figure.value is None:
        return (name, plain("–"), plain("–"), plain("–"), plain("–"), said("untold"))
    return (
        name,
        plain(value(figure)),
        error(figure),
        plain(interval(figure)),
        plain(number(figure.trivial, figure)),
        plain("") if figure.distinguishable else said(nothing),
    )


HEADER = tuple(said(key) for key in ("column", "value", "error", "interval", "without", "remark"))


def header(first: str) -> Row:
    return (said(first), *HEADER[1:])


def value(figure: Figure) -> str:
    return number(figure.value, figure)


def number(found: float | str | None, figure: Figure) -> str:
    """With as many digits as the error allows."""
    if found is None:
        return "–"
    return format_number(found, figure.standard_error or 0.0).replace("-", "−", _is_number(found))


def error(figure: Figure) -> Both:
    if figure.value is None or figure.standard_error is None:
        return plain("–")
    shown = figure.value, figure.standard_error
    return each(lambda language: format_error(*shown, language))


def interval(figure: Figure) -> str:
    low, high = figure.interval95 or ("–", "–")
    return f"{number(low, figure)} – {number(high, figure)}"


def percent(figure: Figure) -> Figure:
    """A share as a percentage."""
    if not isinstance(figure.value, float) or figure.raw is None or figure.standard_error is None:
        return figure
    low, high = figure.interval95 or (0.0, 0.0)
    return Figure(
        100 * figure.value,
        100 * figure.raw,
        100 * figure.standard_error,
        (100 * float(low), 100 * float(high)),
        100 * float(figure.trivial or 0.0),
        figure.distinguishable,
    )


def _is_number(found: float | str) -> int:
    """How many minus signs to set: a date has none."""
    return 0 if isinstance(found, str) else 1
