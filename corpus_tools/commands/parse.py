"""`cukereuse corpus parse`."""

from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument, engine_options, runner


@click.command("parse")
@corpus_argument
@click.option("--every-file", is_flag=True, help="Dependencies and ignored folders too, as the paper did.")
@engine_options
def command(corpus: Path, every_file: bool, engine: str, jobs: int | None, address: str | None) -> None:
    """Read the clones: steps.parquet and errors.parquet.

    CORPUS holds clones/OWNER__NAME, and what the stages before left: clone_manifest.jsonl, repos.csv.
    """
    from corpus_tools.stages.parse import parse
    from cukereuse_engine.cli.progress import progress_for_terminal

    parsed = parse(
        corpus, every_file=every_file, runner=runner(engine, jobs, address), progress=progress_for_terminal()
    )
    click.echo(f"{parsed.steps:,} steps and {parsed.errors:,} errors of {parsed.repositories:,} repositories")
