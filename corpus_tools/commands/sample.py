"""`cukereuse corpus sample`."""

from pathlib import Path

import click

from cukereuse_engine.prose import counted


@click.command("sample")
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("output", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--per-band", type=click.IntRange(min=1), default=170, show_default=True, help="How many pairs to draw per band."
)
@click.option(
    "--texts",
    type=click.IntRange(min=2),
    default=20_000,
    show_default=True,
    help="How many texts to draw the pairs from.",
)
@click.option("--seed", type=click.IntRange(min=0), default=42, show_default=True, help="Seed of the random draw.")
@click.option("--offline", is_flag=True, help="Do not download a model.")
def command(source: Path, output: Path, per_band: int, texts: int, seed: int, offline: bool) -> None:
    """Draw pairs for labelling, by cosine band.

    SOURCE is a Parquet file with a column text or canonical_text; OUTPUT gets JSON lines in the columns of the paper's
    unlabeled_pairs.jsonl.
    """
    from corpus_tools.stages.sample import sample
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.embedding_models.opening import open_embedder

    progress = progress_for_terminal()
    embedder = open_embedder(allow_download=not offline, progress=progress)
    drawn = sample(source, output, embedder, per_band=per_band, texts=texts, seed=seed, progress=progress)
    click.echo(f"{drawn.pairs:,} pairs in {output}")
    if drawn.texts < 2:
        click.echo(f"{source} has {counted(drawn.texts, 'distinct text')}: there is nothing to compare.", err=True)
        return
    short = [f"{count:,} of {band}" for band, count in drawn.of_band.items() if count < per_band]
    if short:
        click.echo(
            f"Fewer than {per_band:,} pairs by cosine: {', '.join(short)}. Among {drawn.texts:,} texts there are no "
            "more, as each text is in one pair of a band.",
            err=True,
        )
