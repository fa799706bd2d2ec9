"""Commands that are imported when they are called for."""

from __future__ import annotations

import sys
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from sudare.cli.language import asked_language
from sudare.cli.registry import GROUPS, ROOT, Entry

Sections = list[tuple[str, list[tuple[str, str]]]]
_MOST = 10**15


class Command(TyperCommand):
    """A command whose help fits the terminal, and whose whole numbers count something."""

    def invoke(self, ctx: Any) -> Any:
        check_whole_numbers(self, ctx)
        return super().invoke(ctx)

    def get_help(self, ctx: Any) -> str:
        return _page(self, ctx, _options(self, ctx), "")


class Group(TyperGroup):
    """Commands of the registry, under headings, loaded one by one."""

    entries: tuple[Entry, ...] = ()

    def __init__(self, *, entries: tuple[Entry, ...] = (), **settings: Any) -> None:
        super().__init__(**settings)
        self.entries = entries or self.entries
        self.commands = _Commands(self.entries)

    def list_commands(self, ctx: Any) -> list[str]:
        return [entry.name for entry in self.entries]

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Names and summaries from the registry; no command is imported for them."""
        from typer._click.shell_completion import CompletionItem

        from sudare.cli.help import translator

        translate = translator(asked_language(sys.argv))
        names = [
            CompletionItem(entry.name, help=translate(entry.summary))
            for entry in self.entries
            if entry.name.startswith(incomplete)
        ]
        # The base of the base lists options; TyperGroup itself would load every command.
        return [*names, *super(TyperGroup, self).shell_complete(ctx, incomplete)]

    def get_help(self, ctx: Any) -> str:
        headings = dict.fromkeys(entry.heading for entry in self.entries)
        listed = [
            (each, [(entry.name, entry.summary) for entry in self.entries if entry.heading == each])
            for each in headings
        ]
        return _page(self, ctx, [*listed, *_options(self, ctx)], self.epilog or "")


class Root(Group):
    """The `sudare` command itself."""

    entries = ROOT


class _Commands(MutableMapping[str, Any]):
    """Names that become commands when one is asked for."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self._found: dict[str, Any] = {entry.name: entry for entry in entries}

    def __getitem__(self, name: str) -> Any:
        found = self._found[name]
        if isinstance(found, Entry):
            found = self._found[name] = _load(found)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __setitem__(self, name: str, command: Any) -> None:
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self._found[name]


def _load(entry: Entry) -> Any:
    if entry.module is None:
        group = GROUPS[entry.name]
        return Group(
            name=entry.name,
            entries=group.entries,
            help=f"{group.help}\n\nExample: {group.example}",
            no_args_is_help=True,
            rich_markup_mode=None,
        )
    function = getattr(import_module(f"sudare.cli.{entry.module}"), entry.function)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(entry.name, cls=Command)(function)
    return typer.main.get_command(single)


def check_whole_numbers(command: Any, ctx: Any) -> None:
    """Refuse a whole number that counts nothing there is: what computes with it may overflow."""
    from sudare.facts.errors import UsageError

    for parameter in command.params:
        value = ctx.params.get(parameter.name)
        if isinstance(value, int) and abs(value) > _MOST:
            raise UsageError(
                f"{parameter.opts[0]} is a number beyond ±1e15.", "Give a smaller number."
            )


def _page(command: Any, ctx: Any, sections: Sections, epilog: str) -> str:
    from sudare.cli.help import help_width, written

    usage = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    language = asked_language(sys.argv)
    return written(usage, command.help or "", sections, epilog, help_width(), language)


def _options(command: Any, ctx: Any) -> Sections:
    found: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is not None:
            kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
            found[kind].append(record)
    return [(heading, rows) for heading, rows in found.items() if rows]
