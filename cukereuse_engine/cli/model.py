"""`cukereuse model`: download the embedding model, or show where it is."""

import click

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.strategies import STRATEGIES, VectorUse

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
    from cukereuse_engine.similarity.weights import MODEL_ID, describe, locate, offline, own_folder

    places = describe()
    for place in places:
        state = place.problem or "complete, hashes match"
        click.echo(f"{place.folder}  ({place.source}, {place.size / 1e6:.1f} MB): {state}")
    weights = locate()
    if weights is None:
        hint = f"`cukereuse model download` puts it into {own_folder()}."
        if offline():
            hint = f"CUKEREUSE_OFFLINE prevents the download. Without it, {hint}"
        raise CukereuseError(f"{MODEL_ID} is not on this machine", hint)
    click.echo(f"{MODEL_ID} is used from {weights.folder} ({weights.source}).")


@command.command()
def download() -> None:
    """Download MiniLM (84 MB) unless it is here already, and check its hashes."""
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.similarity.weights import MODEL_ID, ensure, locate

    weights = locate()
    if weights is not None:
        click.echo(f"{MODEL_ID} is already here: {weights.folder} ({weights.source}).")
        return
    click.echo(f"downloading {MODEL_ID} (84 MB) …", err=True)
    weights = ensure(allow_download=True, progress=progress_for_terminal())
    click.echo(f"{MODEL_ID} is now in {weights.folder}.")
