"""`cukereuse corpus catalogue`."""

from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument, engine_options, runner
from cukereuse_engine.prose import counted


@click.command("catalogue")
@corpus_argument
@engine_options
def command(corpus: Path, engine: str, jobs: int | None, address: str | None) -> None:
    """The steps of all repositories, and who has which: catalogue.html, .json and .parquet.

    Step definitions are known where they are on this disk: of checkouts (--local), and of clones made with
    `materialise --glue`. After `analyse`, wordings of one intent are told, with the best of them. The page needs no
    server; the setting `catalogue` takes the JSON file into the editor.
    """
    from corpus_tools.stages.catalogue import PAGE, catalogue
    from cukereuse_engine.cli.progress import progress_for_terminal

    counts = catalogue(corpus, runner=runner(engine, jobs, address), progress=progress_for_terminal())
    click.echo(
        f"{counted(counts.steps, 'step')} of {counted(counts.repositories, 'repository')}; "
        f"{counts.shared:,} in several, {counts.defined:,} defined by several: {corpus / PAGE}"
    )
    if not counts.has_intents:
        click.echo("Wordings of one intent are not told: that needs `cukereuse corpus analyse` first.", err=True)
