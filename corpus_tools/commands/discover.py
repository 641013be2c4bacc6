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
@click.option(
    "--addresses",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of git addresses, one a line or a table; no search.",
)
@click.option(
    "--org", "organisations", multiple=True, metavar="NAME", help="All of an organisation or user; no search."
)
@click.option("--forks", is_flag=True, help="An organisation's forks too.")
@click.option("--search", is_flag=True, help="Search too, beside --addresses and --org.")
@click.option("--api", default="https://api.github.com", show_default=True, help="Address of the API.")
def command(
    corpus: Path,
    min_stars: int,
    archived: bool,
    until: datetime | None,
    no_code_search: bool,
    addresses: tuple[Path, ...],
    organisations: tuple[str, ...],
    forks: bool,
    search: bool,
    api: str,
) -> None:
    """Find repositories with feature files by GitHub's search, or take those that are named; writes repos.csv.

    A token is read from GITHUB_TOKEN or GH_TOKEN; code search needs one, and an organisation's private repositories.
    Answers are kept, so that a run that was stopped goes on where it was; another day (--until) asks anew.

    The file of --addresses holds a git address a line, or a name and an address, or is a table with the columns
    clone_url and full_name. It may be extended at any time: what is cloned already stays as it is.
    """
    from corpus_tools.stages.discover.client import GitHub, token_of_environment
    from corpus_tools.stages.discover.run import Named, discover, remembered_day
    from cukereuse_engine.cli.progress import progress_for_terminal

    named = Named(organisations, addresses, forks)
    day = until.date() if until is not None else remembered_day(corpus) or datetime.now(UTC).date()
    found = discover(
        corpus,
        minimum_stars=min_stars,
        archived=archived,
        until=day,
        code=not no_code_search,
        named=named,
        search=search or not named,
        api=api,
        connect=partial(GitHub, api=api, token=token_of_environment(), say=partial(click.echo, err=True)),
        progress=progress_for_terminal(),
    )
    click.echo(f"{found.repositories:,} repositories in {corpus / 'repos.csv'}")
    if found.forks:
        click.echo(f"{found.forks:,} forks are left out; --forks takes them too", err=True)
    if found.gone:
        click.echo(f"{found.gone:,} found by code search are not there any more", err=True)
    if found.beyond_cap:
        click.echo(f"{found.beyond_cap:,} results are beyond what GitHub gives of one query", err=True)
