"""Column names as a file gives them, checked once: no name is blank, none is given twice."""

from __future__ import annotations

from collections.abc import Sequence

from sudare.facts.errors import InvalidFile


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names, or the refusal that says which column of the header is off."""
    seen: dict[str, int] = {}
    for place, name in enumerate(names, start=1):
        if not name.strip():
            raise InvalidFile(
                f"Column {place} of the data has no name.", "Give every column a name.", place=place
            )
        if name in seen:
            raise InvalidFile(
                f"Columns {seen[name]} and {place} of the data have the same name.",
                "Rename one of them.",
                place=place,
            )
        seen[name] = place
    if not seen:
        raise InvalidFile("The data has no columns.", "Check that this is the right table.")
    return tuple(names)


def places_of(wanted: Sequence[str], names: Sequence[str]) -> list[int]:
    """Where the wanted columns stand, or the refusal for one that is not there."""
    for name in wanted:
        if name not in names:
            raise InvalidFile(
                f"The data has no column '{name}', which the schema declares.",
                "Check the spelling in the header, capitals and blanks included.",
            )
    return [names.index(name) for name in wanted]
