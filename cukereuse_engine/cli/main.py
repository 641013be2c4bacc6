"""The command `cukereuse`: options that all subcommands share, and exit codes.

Exit codes: 0 no findings, 1 findings, 2 could not run, 130 cancelled, 141 the reader closed the pipe. A traceback is
shown only if `CUKEREUSE_DEBUG` is set.
"""

import errno
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from cukereuse_engine import __version__
from cukereuse_engine.cli.lazy import LazyGroup, OutputClosed
from cukereuse_engine.errors import Cancelled, CukereuseError
from cukereuse_engine.processes import ONE_THREAD

DEBUG_VARIABLE = "CUKEREUSE_DEBUG"
COULD_NOT_RUN = 2
CANCELLED = 130
OUTPUT_CLOSED = 141
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Numbers of errors of the system: the disk is full, the user's share of it is, or a file is as large as it may be."""
COLLECTING = 100_000, 50, 100
"""Thresholds of the garbage collector. A command makes hundreds of thousands of objects and then ends; with Python's
defaults (700, 10, 10), looking for cycles takes a sixth of the time."""


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, is_given: _print_version(context) if is_given else None,
    help="Show the version and exit.",
)
@click.option(
    "--verbose",
    is_flag=True,
    is_eager=True,  # parsed before --version
    help="With --version: also show Python, the vector index and the embedding model.",
)
def cli(verbose: bool) -> None:
    """Find steps that say the same thing in different words in a Gherkin suite."""
    del verbose


def _print_version(context: click.Context) -> None:
    click.echo(f"cukereuse {__version__}")
    if context.params.get("verbose"):
        from cukereuse_engine.embedding_models.table import built_in
        from cukereuse_engine.embedding_models.weights import locate
        from cukereuse_engine.index.graphs import describe
        from cukereuse_engine.settings import load_settings

        name = load_settings(Path.cwd()).settings.model
        row = built_in(name)
        click.echo(f"Python: {sys.version.split()[0]} ({sys.executable})")
        click.echo(f"vector index: {describe()}")
        files = locate(row) if row is not None else None
        found = f"{files.model.id} in {files.folder}" if files else "none; only wording is compared"
        model = found if row is not None else f"{name}, by sentence-transformers"
        click.echo(f"embedding model: {model}")
    context.exit()


def main() -> None:
    """Entry point of the console script."""
    gc.set_threshold(*COLLECTING)
    for variable, value in ONE_THREAD.items():  # before NumPy is loaded
        os.environ.setdefault(variable, value)
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # the terminal's encoding may lack a step's characters
    try:
        code = cli.main(list(arguments), prog_name="cukereuse", standalone_mode=False)
        sys.stdout.flush()
    except (OutputClosed, BrokenPipeError):
        _drop_buffered()
        return OUTPUT_CLOSED
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (KeyboardInterrupt, Cancelled, click.Abort):
        if workers := sys.modules.get("cukereuse_engine.workers"):
            workers.end_workers()
        print("cancelled", file=sys.stderr)
        return CANCELLED
    except Exception as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            _drop_buffered()
        _tell(error)
        return COULD_NOT_RUN
    return code if isinstance(code, int) else 0


def _drop_buffered() -> None:
    """What is still buffered can't be written: let the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell(error: Exception) -> None:
    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exception(error)
    elif isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
    elif isinstance(error, click.ClickException):
        message = error.format_message()
        print(f"error: {message[:1].lower()}{message[1:].removesuffix('.')}", file=sys.stderr)
        if context := getattr(error, "ctx", None):
            print(f"`{context.command_path} --help` shows what it takes.", file=sys.stderr)
    elif isinstance(error, CukereuseError):
        print(f"error: {error.message}", file=sys.stderr)
        if error.hint:
            print(error.hint, file=sys.stderr)
    elif isinstance(error, OSError) and error.errno in NO_ROOM:
        # an error of standard output names no file
        print(f"error: {error.filename or 'the output'} can't be written: {error.strerror}", file=sys.stderr)
    else:
        print(f"error: {type(error).__name__}: {error}", file=sys.stderr)
        print(f"This is a fault in cukereuse. Set {DEBUG_VARIABLE}=1 to see where it happened.", file=sys.stderr)
