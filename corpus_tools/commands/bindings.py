"""`cukereuse corpus bindings`."""

from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument


@click.command("bindings")
@corpus_argument
@click.option(
    "--per-band",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    help="How many pairs to draw per band and suite.",
)
@click.option("--seed", type=click.IntRange(min=0), default=42, show_default=True, help="Seed of the random draw.")
@click.option("--offline", is_flag=True, help="Do not download a model.")
def command(corpus: Path, per_band: int, seed: int, offline: bool) -> None:
    """Collect ground truth from repositories with glue code.

    Writes texts.parquet, pairs.parquet, natural_pairs.parquet and synonyms.parquet into CORPUS/bindings. Needs clones
    with glue code: `materialise --glue`. `cukereuse calibrate` reads the tables.
    """
    from corpus_tools.stages.bindings import bindings
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.embedding_models.opening import open_embedder

    progress = progress_for_terminal()
    embedder = open_embedder(allow_download=not offline, progress=progress)
    counts = bindings(corpus, embedder, per_band=per_band, seed=seed, progress=progress)
    for name, count in counts.items():
        click.echo(f"{count:,} rows in {corpus / 'bindings' / name}")
