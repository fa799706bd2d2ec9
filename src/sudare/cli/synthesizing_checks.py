"""What `sudare synthesize` refuses by its options alone, before anything is read or charged."""

from __future__ import annotations

from pathlib import Path

from sudare.facts.errors import UsageError


def check_places(data: str | None, *others: Path | None) -> None:
    """Rows are made from exactly one place."""
    if sum(place is not None for place in (data, *others)) != 1:
        raise UsageError(
            "Rows are made from one place: data, --from-statistics or --from-randomized.",
            "Name exactly one of them.",
        )


def check_measuring(
    data: str | None, epsilon: str | None, delta: str, dry_run: bool, chooses: bool
) -> None:
    """Options that go with others; `chooses` is whether --columns or --lags is given."""
    if data is None and epsilon is not None:
        raise UsageError(
            "--epsilon measures rows, and here there are none.",
            "What was measured already carries its own guarantee; leave --epsilon out.",
        )
    if data is None and chooses:
        raise UsageError(
            "--columns and --lags choose what is measured, and here nothing is.",
            "Leave them out: statistics that are there already are used as they are.",
        )
    if epsilon is None and delta != "0":
        raise UsageError("--delta goes with --epsilon.", "Give both, or neither.")
    if epsilon is None and dry_run:
        raise UsageError(
            "--dry-run prices --epsilon; without it nothing is charged.", "Leave --dry-run out."
        )


def check_accepting(data: str | None, epsilon: str | None, accepts: bool) -> None:
    """Only exact statistics of rows are tested."""
    if accepts and (data is None or epsilon is not None):
        raise UsageError(
            "--accept-disclosure is for exact statistics of rows.",
            "Leave it out: nothing is tested here.",
        )


def check_folders(targets: list[Path | None]) -> None:
    """Files go where a folder is."""
    for target in targets:
        if target is not None and not target.absolute().parent.is_dir():
            raise UsageError(
                f"There is no folder for {target.name}.",
                "Make the folder first.",
                place=target.name,
            )
