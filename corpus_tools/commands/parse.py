"""`cukereuse corpus parse`."""

from pathlib import Path

import click

from corpus_tools.commands.options import by_suite_option, corpus_argument, engine_options, runner
from cukereuse_engine.prose import counted


@click.command("parse")
@corpus_argument
@click.option("--every-file", is_flag=True, help="Also read dependencies and ignored folders, as in the paper.")
@by_suite_option
@engine_options
def command(corpus: Path, every_file: bool, by_suite: bool, engine: str, jobs: int | None, address: str | None) -> None:
    """Read the clones; writes steps.parquet and errors.parquet.

    CORPUS contains clones/OWNER__NAME and the output of the earlier stages: clone_manifest.jsonl, repos.csv.
    """
    from corpus_tools.stages.parse import ParseOptions, parse
    from cukereuse_engine.cli.progress import progress_for_terminal

    options = ParseOptions(every_file, by_suite)
    parsed = parse(corpus, options, runner=runner(engine, jobs, address), progress=progress_for_terminal())
    found = f"{counted(parsed.steps, 'step')} and {counted(parsed.errors, 'error')}"
    click.echo(f"{found} of {counted(parsed.repositories, 'repository')}")
    if parsed.absent:
        click.echo(f"{counted(parsed.absent, 'clone')} of the manifest left out: not on this disk", err=True)
