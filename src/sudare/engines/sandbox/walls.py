"""Which walls a run needs, and what is said where the kernel grants fewer."""

from __future__ import annotations

from collections.abc import Iterable

from sudare.facts.errors import EngineUnavailable

_NEEDED = ("owner", "processes", "network", "memory", "files", "calls")
# A command may write into its own command line, and the machine shows it.
_OF_FUNCTIONS = (*_NEEDED, "names")


def missing(granted: Iterable[str], is_command: bool) -> tuple[str, ...]:
    """Walls that are needed for the guarantee to hold whatever the program does, and not there."""
    needed = _NEEDED if is_command else _OF_FUNCTIONS
    return tuple(name for name in needed if name not in set(granted))


def require(granted: Iterable[str], is_command: bool, is_trusted: bool) -> None:
    """Refuse a program that nobody vouches for where it could get out."""
    lacking = missing(granted, is_command)
    if lacking and not is_trusted:
        raise EngineUnavailable(
            f"The kernel does not grant every wall around the blocks ({', '.join(lacking)}).",
            "Run it where user namespaces and seccomp are allowed; a steward who knows what the"
            " program does may vouch for it (--trust-program), and the certificate says so.",
        )


def described(granted: list[str], is_command: bool) -> str:
    """What a release says of its walls."""
    lacking = missing(granted, is_command)
    said = ", ".join(granted) or "limits alone"
    return f"{said}; missing: {', '.join(lacking)}; trusted program" if lacking else said
