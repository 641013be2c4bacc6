"""`cukereuse corpus catalogue`."""

from pathlib import Path

import click

from corpus_tools.commands.options import by_suite_option, corpus_argument, engine_options, runner
from cukereuse_engine.prose import counted


@click.command("catalogue")
@corpus_argument
@by_suite_option
@engine_options
def command(corpus: Path, by_suite: bool, engine: str, jobs: int | None, address: str | None) -> None:
    """List the steps of all repositories: catalogue.html, .json and .parquet.

    Step definitions are included if they are on this disk: those of checkouts (--local) and of clones made with
    `materialise --glue`. Teams are read from CODEOWNERS, as GitHub and GitLab match it. After `analyse`, wordings with
    the same intent are grouped, and the best one is marked. The page needs no server; the setting `catalogue` makes the
    JSON file available in the editor.
    """
    from corpus_tools.stages.catalogue import PAGE, catalogue
    from cukereuse_engine.cli.progress import progress_for_terminal

    run = runner(engine, jobs, address)
    counts = catalogue(corpus, by_suite=by_suite, runner=run, progress=progress_for_terminal())
    click.echo(
        f"{counted(counts.steps, 'step')} of {counted(counts.repositories, 'repository')}; "
        f"{counts.shared:,} in several, {counts.defined:,} defined by several: {corpus / PAGE}"
    )
    if not counts.has_intents:
        click.echo(
            "Wordings that mean the same are not grouped; run `cukereuse corpus analyse --strategy auto` first.",
            err=True,
        )
