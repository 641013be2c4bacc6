"""`cukereuse corpus rehydrate`."""

from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument, web_address


@click.command("rehydrate")
@corpus_argument
@click.option(
    "--raw",
    default="https://raw.githubusercontent.com",
    show_default=True,
    callback=web_address,
    help="Base URL of the raw files.",
)
@click.option("--pause", type=click.FloatRange(min=0), default=0.2, show_default=True, help="Seconds between requests.")
@click.option(
    "--jobs", type=click.IntRange(1, 16), default=4, show_default=True, help="How many connections run at once."
)
def command(corpus: Path, raw: str, pause: float, jobs: int) -> None:
    """Fetch the raw feature files of steps.parquet again, by pinned commit, into clones/.

    Each file is checked against its rows. Writes rehydrated.parquet with the state of every file.
    """
    from corpus_tools.stages.rehydrate import rehydrate
    from cukereuse_engine.cli.progress import progress_for_terminal

    counts = rehydrate(corpus, raw=raw.rstrip("/"), pause=pause, jobs=jobs, progress=progress_for_terminal())
    click.echo(", ".join(f"{count:,} {status}" for status, count in counts.items()) or "no files")
    if counts.get("failed"):
        click.echo(f"{corpus / 'rehydrated.parquet'} gives the reasons; run the same command to retry.", err=True)
