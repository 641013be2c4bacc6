"""`cukereuse corpus`: the stages of a corpus study. Each command loads its modules when it is used."""

import errno
import importlib
from typing import Any

import click

from corpus_tools.support.checkpoint import NO_ROOM
from cukereuse_engine.errors import CukereuseError

COMMANDS = {
    "run": "Run all stages: discover, materialise, parse, analyse, datasheet.",
    "discover": "Find repositories with feature files through GitHub's search.",
    "materialise": "Clone the feature files of the repositories found, at pinned commits.",
    "parse": "Read the clones: steps.parquet and errors.parquet.",
    "analyse": "Make clusters, tables, figures and a report from steps.parquet.",
    "evaluate": "Evaluate every strategy and baseline on labelled pairs, with intervals.",
    "papers": "Compare every table and figure of both papers with ours.",
    "sample": "Draw pairs for labelling, by cosine band.",
    "bindings": "Collect ground truth from repositories with glue code: texts, pairs, synonyms.",
    "slices": "Find recurring step sequences: windows, patterns by scope, evaluation of labelled windows.",
    "scenarios": "Find duplicate scenarios, and list scenarios with their sources.",
    "catalogue": "List the steps of all repositories on a searchable page.",
    "dashboard": "Show every repository at a glance: size, repetition, findings, worst files, trend.",
    "rehydrate": "Fetch the raw feature files again, by pinned commit.",
    "datasheet": "Write a datasheet with figures from the data.",
    "synthesise": "Make a corpus of any size with the counts of another one.",
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
            raise CukereuseError(f"the package {package} is not installed", hint) from error
        except OSError as error:
            if error.errno in NO_ROOM:
                hint = "Finished work is kept. Free some space, and run the same command again."
                raise CukereuseError("the disk is full", hint) from error
            if error.errno in _NO_RIGHT:
                raise CukereuseError(f"{error.filename or 'the folder'}: {error.strerror}") from error
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

    Each stage reads and writes files in one folder. It can be stopped at any time and resumes where it stopped.
    """
