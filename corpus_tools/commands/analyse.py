"""`cukereuse corpus analyse`."""

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corpus_tools.commands.options import corpus_argument, corpus_embedder, engine_options, model_option
from cukereuse_engine.processes import usable_cores
from cukereuse_engine.strategies.table import AUTO, EXACT, STRATEGIES

if TYPE_CHECKING:
    from corpus_tools.stages.analyse.clusters import Find
    from corpus_tools.support.workers import Aside
    from cukereuse_engine.detection.options import EmbedTexts
    from cukereuse_engine.embedding_models.embedder import Embedder
    from cukereuse_engine.progress import Progress


def _size(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    del ctx, parameter
    if not re.fullmatch(r"\d+(\.\d+)? ?[KMGT]i?B", value, re.IGNORECASE):
        raise click.BadParameter(f"{value!r} is not a size, such as 500MB or 2GB")
    return value


@click.command("analyse")
@corpus_argument
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    default=(EXACT.name, AUTO.name),
    show_default=True,
    help=f"Can be repeated: {', '.join(STRATEGIES)}.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    help="Threshold for every strategy except exact, in the strategy's own unit.",
)
@click.option("--guards/--no-guards", default=False, help="Reject pairs that the guards keep apart; auto always does.")
@click.option(
    "--linkage",
    type=click.Choice(["complete", "single"]),
    default="complete",
    show_default=True,
    help="How clusters grow: complete compares all members, single joins chains.",
)
@click.option(
    "--memory",
    default="2GB",
    show_default=True,
    callback=_size,
    help="Memory that the rollups may use before they spill to disk.",
)
@model_option
@click.option("--offline", is_flag=True, help="Do not download a model.")
@engine_options
def command(
    corpus: Path,
    strategies: tuple[str, ...],
    threshold: float | None,
    guards: bool,
    linkage: str,
    memory: str,
    model: str,
    offline: bool,
    engine: str,
    jobs: int | None,
    address: str | None,
) -> None:
    """Make clusters, tables, figures and a report from steps.parquet.

    Writes clusters_STRATEGY.parquet and cluster_members_STRATEGY.parquet, tables/ and figures/.
    """
    import pyarrow.parquet as pq

    from corpus_tools.stages.analyse.clusters import find_members
    from corpus_tools.stages.analyse.report import headline
    from corpus_tools.stages.analyse.run import REPORT, AnalyseOptions, analyse, strategy
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.embedding_models.embedder import coarse
    from cukereuse_engine.scanning.scan import vectors_of

    progress = progress_for_terminal()
    chosen = tuple(
        strategy(
            name,
            threshold=threshold if name in STRATEGIES and STRATEGIES[name].joins else None,
            guards=guards,
            linkage=linkage,
        )
        for name in dict.fromkeys(strategies)
    )
    embedder = corpus_embedder(
        [options.strategy for options in chosen], model, offline=offline, threads=jobs, progress=progress
    )
    if engine == "ray":
        find, vectors, aside = _on_ray(jobs or usable_cores(), address, embedder, progress)
    else:
        finder = vectors_of(coarse(embedder), use_cache=True, progress=progress)
        find, vectors = partial(find_members, coarse=finder), vectors_of(embedder, use_cache=True, progress=progress)
        aside = partial
    models = [model for model in (embedder, coarse(embedder)) if model is not None]
    options = AnalyseOptions(
        strategies=chosen,
        model=" ".join((models[0].model_id, *(model.model_hash for model in models))) if models else None,
        threads=jobs or usable_cores(),
        memory=memory,
    )
    outputs = analyse(corpus, options, vectors=vectors, find=find, aside=aside, progress=progress)
    tables = {name: pq.read_table(corpus / "tables" / f"{name}.parquet") for name in ("overview", "kinds")}
    click.echo(headline(tables, [options.strategy for options in chosen]))
    click.echo(f"{len(outputs)} files in {corpus}, of which {corpus / REPORT} shows the most\n")
    click.echo((corpus / "tables" / "kinds.md").read_text("utf-8"))


def _on_ray(
    workers: int, address: str | None, embedder: "Embedder | None", progress: "Progress"
) -> "tuple[Find, EmbedTexts | None, Aside]":
    """The joins, the vectors, and what is computed beside them, distributed over a cluster."""
    from corpus_tools.on_ray.cluster import connect
    from corpus_tools.on_ray.clusters import finding
    from corpus_tools.on_ray.vectors import embedding
    from cukereuse_engine.embedding_models.embedder import coarse
    from cukereuse_engine.index.vector_cache import VectorCache

    cluster = connect(workers, address)
    if embedder is None:
        return finding(cluster), None, cluster.aside
    vectors = embedding(cluster, embedder, VectorCache(embedder.model_hash, embedder.dim), progress)
    finder = coarse(embedder)
    if finder is None:
        return finding(cluster), vectors, cluster.aside
    cache = VectorCache(finder.model_hash, finder.dim)
    return finding(cluster, embedding(cluster, embedder, cache, progress, coarsely=True)), vectors, cluster.aside
