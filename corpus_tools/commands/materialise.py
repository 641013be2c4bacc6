"""`cukereuse corpus materialise`."""

from collections import Counter
from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument


@click.command("materialise")
@corpus_argument
@click.option("--glue", is_flag=True, help="Sources of step definitions too.")
@click.option(
    "--commits",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A clone_manifest.jsonl whose commits are taken.",
)
@click.option("--seconds", type=click.FloatRange(min=1), default=300, show_default=True, help="For one repository.")
@click.option("--retry", is_flag=True, help="Try again what could not be had.")
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="Clones at once.  [default: 4]")
def command(corpus: Path, glue: bool, commits: Path | None, seconds: float, retry: bool, jobs: int | None) -> None:
    """Clone the feature files of the repositories in repos.csv; writes clones/ and clone_manifest.jsonl."""
    from corpus_tools.stages.materialise import MaterialiseOptions, materialise
    from corpus_tools.support.repositories import MANIFEST, read_manifest
    from cukereuse_engine.cli.progress import progress_for_terminal

    pinned = (
        {clone.full_name: clone.commit_sha for clone in read_manifest(commits) if clone.commit_sha} if commits else {}
    )
    options = MaterialiseOptions(glue=glue, seconds=seconds, jobs=jobs or 4)
    manifest = materialise(corpus, options, commits=pinned, retry=retry, progress=progress_for_terminal())
    statuses = Counter(clone.status for clone in manifest)
    click.echo(", ".join(f"{count:,} {status}" for status, count in statuses.most_common()) or "nothing to clone")
    if {"failed", "timeout"} & set(statuses):
        click.echo(f"{corpus / MANIFEST} says why; `cukereuse corpus materialise --retry` tries again.", err=True)
