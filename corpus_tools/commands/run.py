"""`cukereuse corpus run`: every stage with its defaults, one after the other."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from corpus_tools.commands import table
from corpus_tools.commands.options import corpus_argument

STAGES: tuple[click.Command, ...] = tuple(
    import_module(f"corpus_tools.commands.{row.name}").command for row in table.STAGES if row.in_run
)

_NEEDED = ("duckdb", "matplotlib", "pyarrow", "scipy", "sklearn")
"""Packages of the extra `corpus-base`, as they are imported; a test compares them with `pyproject.toml`."""


def _shared_options(command: click.Command) -> click.Command:
    """The stages' options, each once; an option of two stages, such as `--jobs`, applies to both."""
    names = {parameter.name for parameter in command.params}
    for stage in STAGES:
        for parameter in stage.params:
            if parameter.name not in names and parameter.name != "jobs":
                names.add(parameter.name)
                command.params.append(parameter)
    return command


@click.command(
    "run",
    help=f"""{table.RUN_HELP}

    A stopped run resumes where it stopped. It starts with the existing data: with --local or your own repos.csv, it
    does not search; with clones alone, it does not clone. The options are those of the stages.
    """,
)
@corpus_argument
@click.option(
    "--from", "begin", type=click.Choice([str(stage.name) for stage in STAGES]), help="The stage to begin with."
)
@click.option(
    "--jobs", type=click.IntRange(min=1), help="How many processes or clones run at once.  [default: the stage's own]"
)
@click.pass_context
def command(ctx: click.Context, /, corpus: Path, begin: str | None, **options: Any) -> None:
    """Every stage, beginning with the first one that has something to do."""
    for package in _NEEDED:
        if find_spec(package) is None:  # said before the first stage begins, which may take hours
            raise ModuleNotFoundError(name=package)
    names = [stage.name for stage in STAGES]
    first = names.index(begin if begin is not None else _begins_with(corpus, options))
    for stage in STAGES[first:]:
        click.echo(f"== {stage.name}", err=True)
        parameters = {parameter.name for parameter in stage.params}
        ctx.invoke(stage, corpus=corpus, **{name: value for name, value in options.items() if name in parameters})


def _begins_with(corpus: Path, options: Mapping[str, Any]) -> str:
    """The first stage that has something to do."""
    from corpus_tools.stages.discover.run import is_begun, is_of_named, is_own_list
    from corpus_tools.support.repositories import CLONES, MANIFEST, REPOSITORIES
    from cukereuse_engine.errors import CukereuseError

    is_asked = bool(options["addresses"] or options["organisations"] or options["search"])
    if is_of_named(corpus) and not is_asked:
        if not (corpus / REPOSITORIES).is_file():
            raise CukereuseError(f"{corpus} was begun with --addresses or --org, and was stopped", "Give them again.")
        return "materialise"
    if is_asked:
        return "discover"
    is_own = is_own_list(corpus)
    if is_begun(corpus):
        return "materialise" if is_own else "discover"
    if options["local"] or is_own:
        return "materialise"
    clones = corpus / CLONES
    return "parse" if (corpus / MANIFEST).is_file() or (clones.is_dir() and any(clones.iterdir())) else "discover"


_shared_options(command)
