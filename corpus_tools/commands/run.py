"""`cukereuse corpus run`: every stage with its defaults, one after the other."""

from pathlib import Path
from typing import Any

import click

from corpus_tools.commands.analyse import command as analyse
from corpus_tools.commands.datasheet import command as datasheet
from corpus_tools.commands.discover import command as discover
from corpus_tools.commands.materialise import command as materialise
from corpus_tools.commands.options import corpus_argument
from corpus_tools.commands.parse import command as parse

STAGES = (discover, materialise, parse, analyse, datasheet)


def _shared_options(command: click.Command) -> click.Command:
    """The stages' options, each once: what two stages share is given to both, as `--jobs` is."""
    names = {parameter.name for parameter in command.params}
    for stage in STAGES:
        for parameter in stage.params:
            if parameter.name not in names and parameter.name != "jobs":
                names.add(parameter.name)
                command.params.append(parameter)
    return command


@click.command("run")
@corpus_argument
@click.option("--jobs", type=click.IntRange(min=1), help="Processes, or clones, at once.  [default: as each stage's]")
@click.pass_context
def command(ctx: click.Context, /, corpus: Path, **options: Any) -> None:
    """All stages in one: discover, materialise, parse, analyse, datasheet.

    Stopped at any moment, it goes on where it was. The options are those of the stages.
    """
    for stage in STAGES:
        click.echo(f"== {stage.name}", err=True)
        known = {parameter.name for parameter in stage.params}
        ctx.invoke(stage, corpus=corpus, **{name: value for name, value in options.items() if name in known})


_shared_options(command)
