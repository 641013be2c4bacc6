"""`cukereuse model`: download the embedding model, or show where it is."""

import click

from cukereuse_engine.embedding_models.table import DEFAULT_MODEL
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.strategies.table import STRATEGIES, VectorUse

_NEEDING, _USING = (
    " and ".join(f"`{name}`" for name, row in STRATEGIES.items() if row.vectors is vectors)
    for vectors in (VectorUse.NEEDED, VectorUse.USED)
)


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


@command.command()
def show() -> None:
    """Show every place that has the model, and which one is used. Exit code 2: there is none."""
    from cukereuse_engine.embedding_models.weights import describe, locate, offline, own_folder

    for place in describe():
        state = place.problem or "complete, hashes match"
        click.echo(f"{place.folder}  ({place.source}, {place.size / 1e6:.1f} MB on disk): {state}")
    files = locate()
    if files is None:
        hint = f"`cukereuse model download` puts it into {own_folder()}."
        if offline():
            hint = f"CUKEREUSE_OFFLINE prevents the download. Without it, {hint}"
        raise CukereuseError(f"{DEFAULT_MODEL.id} is not on this machine", hint)
    click.echo(f"{DEFAULT_MODEL.id} is used from {files.folder} ({files.source}).")


@command.command(
    help=f"Download {DEFAULT_MODEL.label} ({DEFAULT_MODEL.megabytes}) unless it is here already, and check its hashes."
)
def download() -> None:
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.embedding_models.weights import ensure, locate, offline

    model, files = DEFAULT_MODEL, locate()
    if files is not None:
        click.echo(f"{model.id} is already here: {files.folder} ({files.source}).")
        return
    if not offline():
        click.echo(f"downloading {model.id} ({model.megabytes}) …", err=True)
    files = ensure(allow_download=True, progress=progress_for_terminal())
    click.echo(f"{model.id} is now in {files.folder}.")
