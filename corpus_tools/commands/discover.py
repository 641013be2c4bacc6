"""`cukereuse corpus discover`."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument, web_address


@click.command("discover")
@corpus_argument
@click.option(
    "--min-stars",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Minimum number of stars.",
)
@click.option("--archived", is_flag=True, help="Include archived repositories.")
@click.option(
    "--until",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Only repositories created up to this day.  [default: the day of the first run]",
)
@click.option("--no-code-search", is_flag=True, help="Only repositories whose main language is Gherkin.")
@click.option(
    "--addresses",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with git addresses, one per line or as a table; replaces the search.",
)
@click.option(
    "--org",
    "organisations",
    multiple=True,
    metavar="NAME",
    help="All repositories of an organisation or user; replaces the search.",
)
@click.option("--forks", is_flag=True, help="Include the organisation's forks.")
@click.option("--search", is_flag=True, help="Also search, in addition to --addresses and --org.")
@click.option(
    "--api", default="https://api.github.com", show_default=True, callback=web_address, help="Base URL of the API."
)
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
    """Find repositories with feature files through GitHub's search, or use the given ones; writes repos.csv.

    A token is read from GITHUB_TOKEN or GH_TOKEN. Code search and an organisation's private repositories need one.
    Answers are kept, so a stopped run resumes where it stopped; another day (--until) sends new queries.

    The file of --addresses has one git address per line, or a name and an address, or is a table with the columns
    clone_url and full_name. You can extend it at any time; existing clones stay as they are.
    """
    from corpus_tools.stages.discover.client import GitHub, token_of_environment
    from corpus_tools.stages.discover.run import Named, discover, remembered_day
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.prose import counted, first_of, noun_for

    named = Named(organisations, addresses, forks)
    today = datetime.now(UTC).date()
    day = until.date() if until is not None else remembered_day(corpus) or today
    discovered = discover(
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
    click.echo(f"{counted(discovered.repositories, 'repository')} in {corpus / 'repos.csv'}")
    if until is None and day < today and (organisations or search or not named):
        click.echo(f"as GitHub answered for {day}; --until {today} asks again", err=True)
    if discovered.forks:
        click.echo(f"{counted(discovered.forks, 'fork')} left out; --forks includes them", err=True)
    if discovered.archived:
        left_out = f"{discovered.archived:,} archived {noun_for(discovered.archived, 'repository')}"
        click.echo(f"{left_out} left out; --archived includes them", err=True)
    if discovered.dropped:
        dropped = f"{counted(len(discovered.dropped), 'repository')} no longer listed: {first_of(discovered.dropped)}"
        click.echo(f"{dropped}. To keep them, name all lists and organisations at once.", err=True)
    if discovered.gone:
        click.echo(f"{discovered.gone:,} found by code search no longer exist", err=True)
    if discovered.beyond_cap:
        click.echo(f"{discovered.beyond_cap:,} results exceed GitHub's limit for one query", err=True)
