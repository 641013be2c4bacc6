"""`cukereuse corpus`: the stages of a corpus study. Each command loads its modules when it is used."""

import errno
import importlib
from typing import Any

import click

from corpus_tools.support.checkpoint import NO_ROOM
from cukereuse_engine.errors import CukereuseError

COMMANDS = {
    "run": "All stages in one: discover, materialise, parse, analyse, datasheet.",
    "discover": "Find repositories with feature files by GitHub's search.",
    "materialise": "Clone the feature files of the repositories found, at pinned commits.",
    "parse": "Read the clones: steps.parquet and errors.parquet.",
    "analyse": "Clusters, tables, figures and a report from steps.parquet.",
    "evaluate": "Every strategy and baseline against labelled pairs, with intervals.",
    "papers": "Every table and figure of both papers beside ours, and what could not be had.",
    "sample": "Draw pairs by cosine band, to be labelled.",
    "bindings": "Ground truth from repositories with glue: texts, pairs, synonyms.",
    "slices": "Runs of steps that recur: windows, patterns by scope, labelled windows evaluated.",
    "scenarios": "Duplicates above the step, and scenarios with their sources.",
    "catalogue": "The steps of all repositories, and who has which: a page to search.",
    "dashboard": "Every repository at a glance: size, repetition, findings, worst files, trend.",
    "rehydrate": "Fetch the raw feature files again, by pinned commit.",
    "datasheet": "A datasheet whose figures come from the data.",
    "synthesise": "A corpus of any size with the counts of a given one.",
}
"""Name to short help, in the order of `--help`. The module of each is `corpus_tools.commands.NAME`, which holds
`command`."""


_NO_RIGHT = (errno.EACCES, errno.EPERM, errno.EROFS)


class _Stages(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        """A full disk, one that may not be written to, and a package that is missing are no faults of the program."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            hint = "Install what the corpus tools need with `pip install 'cukereuse[corpus]'`."
            raise CukereuseError(f"The package {package} is not installed", hint) from error
        except OSError as error:
            if error.errno in NO_ROOM:
                hint = "What is done is kept: make room, and run the same command again."
                raise CukereuseError("The disk is full", hint) from error
            if error.errno in _NO_RIGHT:
                raise CukereuseError(f"{error.filename or 'The folder'}: {error.strerror}.") from error
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        loaded: click.Command = importlib.import_module(f"corpus_tools.commands.{cmd_name}").command
        return loaded

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group("corpus", cls=_Stages)
def command() -> None:
    """Study hundreds of repositories: from search to tables.

    Each stage reads and writes files in one folder, can be stopped at any moment and goes on where it was.
    """
