"""`cukereuse model`: download the embedding model, or show where it is."""

from pathlib import Path

import click

from cukereuse_engine.embedding_models.table import BUILT_IN, built_in
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.strategies.table import STRATEGIES, VectorUse

_NEEDING, _USING = (
    " and ".join(f"`{name}`" for name, row in STRATEGIES.items() if row.vectors is vectors)
    for vectors in (VectorUse.NEEDED, VectorUse.USED)
)
_BUILT_IN = ", ".join(f"{row.name} ({row.megabytes})" for row in BUILT_IN)


@click.group(
    "model",
    invoke_without_command=True,
    help=f"""Download the embedding model, or show where it is.

    The strategies {_NEEDING} need it, and {_USING} is more accurate with it. Without a subcommand: show.
    """,
)
@click.pass_context
def command(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        ctx.invoke(show)


_name_argument = click.argument("name", required=False)


@command.command()
@_name_argument
def show(name: str | None = None) -> None:
    """Show every place that has the model NAME, and which one is used. Exit code 2: there is none.

    Without NAME: the model of the settings.
    """
    from cukereuse_engine.embedding_models.opening import open_embedder
    from cukereuse_engine.embedding_models.weights import describe, locate, offline, own_folder

    name = name or _in_settings()
    model = built_in(name)
    if model is None:
        open_embedder(name)
        click.echo(f"{name} is on this machine; sentence-transformers opens it.")
        return
    for place in describe(model):
        state = place.problem or "complete, hashes match"
        click.echo(f"{place.folder}  ({place.source}, {place.size / 1e6:.1f} MB on disk): {state}")
    files = locate(model)
    if files is None:
        hint = f"`{model.fetched_by}` puts it into {own_folder(model)}."
        if offline():
            hint = f"CUKEREUSE_OFFLINE prevents the download. Without it, {hint}"
        raise CukereuseError(f"{model.id} is not on this machine", hint)
    click.echo(f"{model.id} is used from {files.folder} ({files.source}).")


@command.command(
    help=f"""Download the model NAME unless it is here already, and check its hashes.

    Without NAME: the model of the settings. Built in: {_BUILT_IN}. sentence-transformers fetches every other model.
    """
)
@_name_argument
def download(name: str | None) -> None:
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.embedding_models.opening import open_embedder
    from cukereuse_engine.embedding_models.weights import ensure, locate, offline

    name = name or _in_settings()
    model = built_in(name)
    if model is None:
        open_embedder(name, allow_download=True)
        click.echo(f"{name} is now on this machine; sentence-transformers opens it.")
        return
    files = locate(model)
    if files is not None:
        click.echo(f"{model.id} is already here: {files.folder} ({files.source}).")
        return
    if not offline():
        click.echo(f"downloading {model.id} ({model.megabytes}) …", err=True)
    files = ensure(model, allow_download=True, progress=progress_for_terminal())
    click.echo(f"{model.id} is now in {files.folder}.")


def _in_settings() -> str:
    """The model that a scan of this folder uses; other settings may be wrong."""
    from cukereuse_engine.settings import load_settings

    return load_settings(Path.cwd()).settings.model
