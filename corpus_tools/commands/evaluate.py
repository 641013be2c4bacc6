"""`cukereuse corpus evaluate`."""

import json
from pathlib import Path

import click

from corpus_tools.commands.options import model_option
from cukereuse_engine.cli.outputs import check_writable, report_option, write_json, write_report


@click.command("evaluate")
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@report_option("json", "Every figure, unrounded.")
@report_option("markdown", "The same tables as Markdown.")
@click.option("--recorded", is_flag=True, help="Use the cosines recorded in the file instead of a model.")
@model_option
@click.option("--offline", is_flag=True, help="Do not download a model.")
def command(
    folder: Path, json_file: str | None, markdown_file: str | None, recorded: bool, model: str, offline: bool
) -> None:
    """Evaluate every strategy and baseline on labelled pairs.

    FOLDER contains labeled_pairs.jsonl (or .parquet as a separate file), and optionally labeled_pairs_overlap.jsonl,
    clusters_exact.parquet, clusters_hybrid.parquet, repos.csv, clone_manifest.jsonl: the paper's release, or your own
    data with the same columns. The output shows the best thresholds with bootstrap intervals, agreement with score-free
    labels, held-out folds, and each figure of the paper next to ours.
    """
    from corpus_tools.stages.evaluate.figures import evaluate
    from corpus_tools.stages.evaluate.tables import as_markdown, document
    from cukereuse_engine.cli.progress import progress_for_terminal

    for destination in (json_file, markdown_file):
        if destination is not None:
            check_writable(destination)
    progress = progress_for_terminal()
    embedder = None
    if not recorded:
        from cukereuse_engine.embedding_models.opening import open_embedder

        embedder = open_embedder(model, allow_download=not offline, progress=progress)
    evaluation = evaluate(folder, embedder=embedder, progress=progress)
    markdown = as_markdown(evaluation)
    if json_file is not None:
        write_json(json_file, json.loads(json.dumps(document(evaluation))))
    if markdown_file is not None:
        write_report(markdown_file, markdown.encode("utf-8"))
    if "-" not in (json_file, markdown_file):
        click.echo(markdown)
