"""`cukereuse corpus`: the stages of a corpus study. Each command loads its modules when it is used."""

import errno
import importlib
from typing import Any

import click

from corpus_tools.commands.table import RUN_HELP, STAGES
from corpus_tools.support.checkpoint import NO_ROOM
from cukereuse_engine.errors import CukereuseError

COMMANDS = {"run": RUN_HELP, **{row.name: row.help for row in STAGES}}
"""Name to short help, in the order of `--help`."""

_LARGE = ("ray", "sentence_transformers", "torch")
_NO_RIGHT = (errno.EACCES, errno.EPERM, errno.EROFS)


class _Stages(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        """A full disk, one that may not be written to, and a package that is missing are no faults of the program."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            extra = "corpus" if package in _LARGE else "corpus-base"
            hint = f"Install what the corpus tools need with `pip install 'cukereuse[{extra}]'`."
            raise CukereuseError(f"the package {package} is not installed", hint) from error
        except OSError as error:
            if error.errno in NO_ROOM:
                hint = "Finished work is kept. Free some space, and run the same command again."
                raise CukereuseError("the disk is full", hint) from error
            if error.errno in _NO_RIGHT:
                where = f"{error.filename}: " if error.filename else ""
                raise CukereuseError(f"{where}{error.strerror}") from error
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
