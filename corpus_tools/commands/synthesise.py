"""`cukereuse corpus synthesise`."""

from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument


@click.command("synthesise")
@corpus_argument
@click.argument("clusters", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--steps", type=click.IntRange(min=1), default=1_100_000, show_default=True, help="How many steps to write."
)
@click.option(
    "--distinct", type=click.IntRange(min=1), help="How many distinct texts to use.  [default: all texts of CLUSTERS]"
)
@click.option("--seed", type=click.IntRange(min=0), default=7, show_default=True, help="Seed of the random draw.")
def command(corpus: Path, clusters: Path, steps: int, distinct: int | None, seed: int) -> None:
    """Make a steps.parquet of any size with the texts and counts of CLUSTERS, for measurements."""
    from corpus_tools.stages.synthesise import synthesise
    from cukereuse_engine.cli.progress import progress_for_terminal

    progress = progress_for_terminal()
    click.echo(str(synthesise(corpus, clusters, steps=steps, distinct=distinct, seed=seed, progress=progress)))
