"""Options that several commands share, and what they choose: a runner, an embedding model."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import click

from corpus_tools.support.workers import UnitRunner, local_runner
from cukereuse_engine.embedding_models.table import DEFAULT_MODEL
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.processes import usable_cores
from cukereuse_engine.progress import Progress
from cukereuse_engine.strategies.table import VectorUse, with_vectors

if TYPE_CHECKING:
    from cukereuse_engine.embedding_models.embedder import Embedder

Command = TypeVar("Command", bound=Callable[..., Any])


def corpus_argument(command: Command) -> Command:
    """The folder that all stages share."""
    return click.argument("corpus", type=click.Path(file_okay=False, path_type=Path))(command)


def web_address(_: click.Context, __: click.Parameter, value: str) -> str:
    """Callback of an option. Raises `click.BadParameter` if the value is no web address."""
    try:
        parts = urlsplit(value)
        if parts.scheme in ("http", "https") and parts.hostname:
            return value
    except ValueError:
        pass
    raise click.BadParameter(f"{value!r} is not an address that begins with http:// or https://")


def jobs_option(command: Command) -> Command:
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=None,
        help="How many processes run at once.  [default: one per core]",
    )(command)


def by_suite_option(command: Command) -> Command:
    return click.option(
        "--by-suite", is_flag=True, help="Count each suite of a repository as a repository; for monorepos."
    )(command)


def model_option(command: Command) -> Command:
    """The option for the model that embeds texts."""
    return click.option(
        "--model",
        default=DEFAULT_MODEL.id,
        show_default=True,
        help="The embedding model; any other than this one needs the extra cukereuse[sentence-transformers].",
    )(command)


def engine_options(command: Command) -> Command:
    """The options for where the work runs."""
    engine = click.option(
        "--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True, help="Where the work runs."
    )
    address = click.option("--address", help="Address of a running Ray cluster; without it, a local one is started.")
    return engine(address(jobs_option(command)))


def runner(engine: str, jobs: int | None, address: str | None) -> UnitRunner:
    """The runner of an engine. Raises `CukereuseError` if the Ray cluster can't be reached."""
    if engine == "local":
        return local_runner(jobs or usable_cores())
    from corpus_tools.on_ray import cluster

    return cluster.runner(cluster.connect(jobs or usable_cores(), address))


def corpus_embedder(
    strategies: Sequence[str], model: str, *, offline: bool, threads: int | None, progress: Progress
) -> "Embedder | None":
    """`model`, if a strategy can use it; otherwise None, with a note if `auto` works without it.

    Raises `CukereuseError` if a strategy needs a model and there is none, or if there is none of that name.
    """
    if set(strategies) <= with_vectors(VectorUse.UNUSED):
        return None
    from cukereuse_engine.embedding_models.opening import open_embedder

    try:
        return open_embedder(model, allow_download=not offline, threads=threads, progress=progress)
    except CukereuseError as error:
        if model != DEFAULT_MODEL.id or with_vectors(VectorUse.NEEDED) & set(strategies):
            raise
        click.echo(f"note: only wordings are compared: {error.message}", err=True)
        return None
