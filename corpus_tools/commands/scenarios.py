"""`cukereuse corpus scenarios`."""

from pathlib import Path

import click

from corpus_tools.commands.options import corpus_argument, engine_options, runner


@click.command("scenarios")
@corpus_argument
@engine_options
def command(corpus: Path, engine: str, jobs: int | None, address: str | None) -> None:
    """Find duplicate scenarios, and list scenarios with their sources.

    Writes scenarios.parquet (each scenario with its step definitions and their files) and scenario_pairs.parquet
    (similar scenarios of one suite). Step definitions need clones with glue code: `materialise --glue`.
    """
    from corpus_tools.stages.scenarios import scenarios
    from cukereuse_engine.cli.progress import progress_for_terminal

    compared, pairs = scenarios(corpus, runner=runner(engine, jobs, address), progress=progress_for_terminal())
    click.echo(f"{compared:,} scenarios, {pairs:,} similar pairs")
