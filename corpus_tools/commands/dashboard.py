"""`cukereuse corpus dashboard`."""

from pathlib import Path

import click

from corpus_tools.commands.options import (
    by_suite_option,
    corpus_argument,
    corpus_embedder,
    engine_options,
    model_option,
    runner,
)
from cukereuse_engine.prose import counted
from cukereuse_engine.strategies.table import AUTO


@click.command("dashboard")
@corpus_argument
@click.option("--no-history", is_flag=True, help="Leave out the trend, which reads the history of checkouts.")
@by_suite_option
@model_option
@click.option("--offline", is_flag=True, help="Do not download a model.")
@engine_options
def command(
    corpus: Path,
    no_history: bool,
    by_suite: bool,
    model: str,
    offline: bool,
    engine: str,
    jobs: int | None,
    address: str | None,
) -> None:
    """Show every repository at a glance; writes dashboard.html and dashboard.parquet.

    The page lists size, repetition, findings, worst files and trend. Each repository is scanned as by `cukereuse scan`,
    suite by suite. Each additional repository costs one more scan.
    """
    from corpus_tools.stages.dashboard import PAGE, DashboardOptions, dashboard
    from cukereuse_engine.cli.progress import progress_for_terminal

    progress = progress_for_terminal()
    embedder = corpus_embedder([AUTO.name], model, offline=offline, threads=1, progress=progress)
    options = DashboardOptions(model if embedder is not None else None, history=not no_history, by_suite=by_suite)
    rows = dashboard(corpus, options, runner=runner(engine, jobs, address), progress=progress)
    findings = sum(row[level] for row in rows for level in ("warnings", "information", "hints"))
    click.echo(f"{counted(len(rows), 'repository')}, {counted(findings, 'finding')}: {corpus / PAGE}")
