"""Shell completion: which shell, and the two options that print or install its script.

Typer would take the nearest shell among the processes above and stop at one that it cannot serve.
Under make, cron or an editor that is `sh`, while the person's own shell is named by $SHELL.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path, PurePath

import typer

from sudare.facts.errors import UsageError

SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
# What a shell sets when it asks for completions.
ASKED = "_SUDARE_COMPLETE"


def prepare() -> None:
    """Teach Typer's shells to a process that a shell has started to complete a line."""
    if ASKED in os.environ:
        from typer._completion_classes import completion_init

        completion_init()


def install(wanted: bool) -> None:
    """`--install-completion`."""
    if not wanted:
        return
    from typer import _completion_shared

    shell = current_shell()
    place = None
    with suppress(OSError):
        _, place = _completion_shared.install(shell, "sudare", ASKED)
    if place is None:
        raise UsageError(
            f"Completion for {shell} could not be installed below {Path.home()}.",
            "`sudare --show-completion` prints the script; put it where your shell reads it.",
        )
    typer.echo(f"{shell} completion installed in {place}; it works in a new terminal.")
    raise typer.Exit


def show(wanted: bool) -> None:
    """`--show-completion`."""
    if wanted:
        from typer import _completion_shared

        script = _completion_shared.get_completion_script(
            prog_name="sudare", complete_var=ASKED, shell=current_shell()
        )
        typer.echo(script)
        raise typer.Exit


def current_shell() -> str:
    """The shell among the processes above, or else the person's own one."""
    import shellingham

    try:
        running = str(shellingham.detect_shell()[0])
    except shellingham.ShellDetectionFailure:
        running = ""
    own = PurePath(os.environ.get("SHELL", "")).name
    found = next((each for each in (running, own) if each in SHELLS), None)
    if found is None:
        raise UsageError(
            "The shell could not be determined.",
            f"Set SHELL to one of {', '.join(SHELLS[:3])}: SHELL=bash sudare --show-completion.",
        )
    return found
