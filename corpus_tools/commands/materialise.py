"""`cukereuse corpus materialise`."""

from collections import Counter
from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument


@click.command("materialise")
@corpus_argument
@click.option("--glue", is_flag=True, help="Also clone the sources of step definitions.")
@click.option(
    "--commits",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Use the commits of this clone_manifest.jsonl.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    default=300,
    show_default=True,
    help="Time limit per repository, in seconds.",
)
@click.option(
    "--local",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A local checkout or a folder of checkouts. It is read in place, in addition to the repositories in "
    "repos.csv.",
)
@click.option("--update", is_flag=True, help="Update clones to the current head of their default branches.")
@click.option("--retry", is_flag=True, help="Retry repositories that failed.")
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="How many clones run at once.  [default: 4]")
def command(
    corpus: Path,
    glue: bool,
    commits: Path | None,
    seconds: float,
    local: tuple[Path, ...],
    update: bool,
    retry: bool,
    jobs: int | None,
) -> None:
    """Clone the feature files of the repositories in repos.csv; writes clones/ and clone_manifest.jsonl.

    In repos.csv, full_name and clone_url are enough. Existing clones stay at their commit when rows are added or
    removed. Private repositories are reached with your git credentials: its credential helper or ssh. You are never
    prompted for a password.
    """
    from corpus_tools.stages.materialise import MaterialiseOptions, materialise
    from corpus_tools.support.checkouts import checkouts
    from corpus_tools.support.repositories import MANIFEST, read_manifest
    from cukereuse_engine.cli.progress import progress_for_terminal

    progress = progress_for_terminal()
    pinned = (
        {clone.full_name: clone.commit_sha for clone in read_manifest(commits) if clone.commit_sha} if commits else {}
    )
    options = MaterialiseOptions(glue=glue, seconds=seconds, jobs=jobs or 4)
    manifest = materialise(
        corpus,
        options,
        commits=pinned,
        local=checkouts(local, progress) if local else None,
        retry=retry,
        update=update,
        progress=progress,
    )
    statuses = Counter(clone.status for clone in manifest)
    click.echo(", ".join(f"{count:,} {status}" for status, count in statuses.most_common()) or "nothing to clone")
    behind = sum(clone.status == "ok" and clone.error.startswith("still at") for clone in manifest)
    if behind:
        click.echo(f"{behind:,} could not be updated; {corpus / MANIFEST} gives the reasons.", err=True)
    if statuses["denied"]:
        reason = "git has no credentials for them, or they do not exist. Try `git ls-remote ADDRESS`."
        click.echo(f"{statuses['denied']:,} denied: {reason}", err=True)
    if {"failed", "timeout", "denied"} & set(statuses):
        click.echo(
            f"{corpus / MANIFEST} gives the reasons; `cukereuse corpus materialise --retry` retries them.", err=True
        )
