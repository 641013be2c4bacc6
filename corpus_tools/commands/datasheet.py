"""`cukereuse corpus datasheet`."""

from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument


@click.command("datasheet")
@corpus_argument
def command(corpus: Path) -> None:
    """Write a datasheet with figures from the data: DATASHEET.md. Needs `analyse`."""
    from corpus_tools.stages.datasheet import datasheet

    click.echo(str(datasheet(corpus)))
