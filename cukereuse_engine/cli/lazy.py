"""A group of commands that imports a command's module only when the command is used, so that `cukereuse --help` stays
fast.

Other packages add commands through the entry-point group `cukereuse.commands`; the engine never imports them itself.
"""

import importlib
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.spelling import nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "cukereuse.commands"

BUILT_IN = {
    "scan": "Find steps, definitions and scenarios that do the same thing.",
    "stats": "Count steps, texts and repetition.",
    "similar": "Find steps that are similar to a given text.",
    "why": "Explain why two steps do or do not count as the same.",
    "steps": "List step definitions with their uses; unused, ambiguous, undefined.",
    "rename": "Reword a step everywhere; the change is checked first.",
    "merge": "Merge step definitions that run the same code.",
    "fold": "Turn scenarios into an Outline, and common first steps into a Background.",
    "trend": "Show how a suite has changed over its history.",
    "drift": "Find step definitions that no longer do what they did, or what their copies do.",
    "blocks": "List sequences of steps that recur, and what replacing them saves.",
    "extract": "Replace a block of steps by one step; the change is checked first.",
    "calibrate": "Measure strategies against labelled pairs or step definitions.",
    "model": "Download the embedding model, or show where it is.",
    "completion": "Print the completion script for a shell.",
}
"""Maps a name to its short help, in the order of `--help`. The module of each is `cukereuse_engine.cli.NAME`, which
contains `command`."""


class OutputClosed(Exception):  # noqa: N818 - not an error
    """The reader of standard output has closed the pipe, as `head` does."""


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [*BUILT_IN, *sorted(set(_added()) - set(BUILT_IN))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name in BUILT_IN:
            command: click.Command = importlib.import_module(f"cukereuse_engine.cli.{cmd_name}").command
            return command
        added = _added().get(cmd_name)
        return _load(added) if added is not None else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and name not in BUILT_IN and name not in _added():
            close = nearest(name, self.list_commands(ctx)) or _saying(name)
            ctx.fail(f"No such command {name!r}." + (f" Did you mean {close!r}?" if close else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, BUILT_IN.get(name) or _short_help(_added()[name])) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    # click would exit with 1 when the pipe is closed, and 1 means findings

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except BrokenPipeError:
            raise OutputClosed from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise OutputClosed from None


def _saying(word: str) -> str | None:
    """The command whose help has this word, if there is only one: "explain" for `why`."""
    said = [name for name, text in BUILT_IN.items() if word.lower() in text.lower().split()]
    return said[0] if len(said) == 1 else None


def _added() -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}


def _load(point: "EntryPoint") -> click.Command:
    """The command of an entry point. Raises `CukereuseError` if the other package can't be loaded."""
    try:
        command = point.load()
    except Exception as error:
        package = point.dist.name if point.dist else point.module
        message = f"the command {point.name!r} of {package} can't be loaded: {type(error).__name__}: {error}"
        raise CukereuseError(message, f"Reinstall {package} with the extras that the command needs.") from error
    if not isinstance(command, click.Command):
        raise CukereuseError(f"the entry point {point.name!r} ({point.value}) is not a command")
    return command


def _short_help(point: "EntryPoint") -> str:
    try:
        return _load(point).get_short_help_str(80)
    except CukereuseError:
        return "(can't be loaded)"
