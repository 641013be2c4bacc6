"""`cukereuse corpus discover`."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument


@click.command("discover")
@corpus_argument
@click.option(
    "--min-stars",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="At least.",
)
@click.option("--archived", is_flag=True, help="Archived repositories too.")
@click.option(
    "--until", type=click.DateTime(["%Y-%m-%d"]), help="Created until this day.  [default: the day of the first run]"
)
@click.option("--no-code-search", is_flag=True, help="Only repositories whose main language is Gherkin.")
@click.option("--api", default="https://api.github.com", show_default=True, help="Address of the API.")
def command(
    corpus: Path, min_stars: int, archived: bool, until: datetime | None, no_code_search: bool, api: str
) -> None:
    """Find repositories with feature files by GitHub's search; writes repos.csv.

    A token is read from GITHUB_TOKEN or GH_TOKEN; code search needs one. Answers are kept, so that a run that was
    stopped goes on where it was.
    """
    from corpus_tools.stages.discover.client import GitHub, token_of_environment
    from corpus_tools.stages.discover.run import discover, remembered_day
    from cukereuse_engine.cli.progress import progress_for_terminal

    day = until.date() if until is not None else remembered_day(corpus) or datetime.now(UTC).date()
    found = discover(
        corpus,
        minimum_stars=min_stars,
        archived=archived,
        until=day,
        code=not no_code_search,
        api=api,
        connect=partial(GitHub, api=api, token=token_of_environment(), say=partial(click.echo, err=True)),
        progress=progress_for_terminal(),
    )
    click.echo(f"{found.repositories:,} repositories in {corpus / 'repos.csv'}")
    if found.gone:
        click.echo(f"{found.gone:,} found by code search are not there any more", err=True)
    if found.beyond_cap:
        click.echo(f"{found.beyond_cap:,} results are beyond what GitHub gives of one query", err=True)
