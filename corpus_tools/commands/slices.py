"""`cukereuse corpus slices`."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from cukereuse_engine.cli.outputs import check_writable, report_option, write_json
from cukereuse_engine.prose import percent
from cukereuse_engine.strategies.table import STRATEGIES

_SHOWN = 10


@click.command("slices")
@click.argument("corpus", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--labels",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with labels.jsonl, the labelled windows to evaluate.",
)
@click.option("--catalogue", "is_catalogue", is_flag=True, help="Also list the blocks that several owners share.")
@click.option(
    "--strategy",
    type=click.Choice([*STRATEGIES]),
    default="hybrid",
    show_default=True,
    help="The strategy whose clusters count as one step each.",
)
@report_option("json", "Every figure, unrounded.")
def command(corpus: Path | None, labels: Path | None, is_catalogue: bool, strategy: str, json_file: str | None) -> None:
    """Find recurring step sequences: windows, patterns by scope, headline rates, evaluation of labelled windows.

    CORPUS is the folder that `analyse` has worked in. Counts follow the definitions of the second paper. The shares of
    scenarios that contain a pattern are also given for pairs of adjacent steps alone, and the savings count no step
    twice.
    With --catalogue, the blocks that several owners have are written to shared_blocks.parquet in CORPUS, and as a page
    to search, shared_blocks.html.
    """
    if corpus is None and labels is None:
        raise click.UsageError("name a corpus, --labels, or both")
    if is_catalogue and corpus is None:
        raise click.UsageError("--catalogue needs a corpus")
    if json_file is not None:
        check_writable(json_file)
    data: dict[str, Any] = {}
    if corpus is not None:
        from corpus_tools.stages.slices.corpus import read
        from corpus_tools.stages.slices.windows import figures

        data["windows"] = asdict(figures(read(corpus, strategy)))
        if is_catalogue:
            data["shared_blocks"] = _catalogue(corpus)
    if labels is not None:
        from corpus_tools.stages.slices.pool import evaluate, read_labels

        data["labels"] = asdict(evaluate(read_labels(labels)))
    if json_file is not None:
        write_json(json_file, data)
    if json_file != "-":
        _print(data)


def _catalogue(corpus: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    from corpus_tools.pages import shared_blocks_page
    from corpus_tools.stages.parse import STEPS
    from corpus_tools.stages.slices.shared import SHARED, shared_blocks, shared_table
    from corpus_tools.support.checkpoint import replace_whole

    blocks = shared_blocks(corpus / STEPS)
    table = shared_table(blocks)
    replace_whole(corpus / SHARED, lambda temporary: pq.write_table(table, temporary, compression="zstd"))
    page = shared_blocks_page.render(blocks)
    replace_whole(corpus / Path(SHARED).with_suffix(".html"), lambda temporary: temporary.write_bytes(page))
    return [asdict(block) for block in blocks]


def _print(data: dict[str, Any]) -> None:
    windows, labels = data.get("windows"), data.get("labels")
    if windows is not None:
        click.echo(f"{windows['scenarios']:,} scenarios, {sum(windows['slices'].values()):,} windows of 2 to 18 steps")
        click.echo(f"{windows['distinct']:,} patterns, {windows['recurring']:,} of them recur")
        click.echo(
            f"{percent(windows['outlier_windows'], 1)} of the windows are in {windows['outlier_files']:,} files that "
            "look generated"
        )
        for scope, count in windows["patterns"].items():
            click.echo(
                f"  {scope}: {count:,} patterns, in {percent(windows['scenario_share'][scope], 1)} of the scenarios "
                f"(pairs of steps alone: {percent(windows['scenario_share_of_pairs'][scope], 1)}); "
                f"worth extracting: {windows['worthy_patterns'][scope]:,}, in "
                f"{percent(windows['worthy_scenario_share'][scope], 1)}; "
                f"{windows['saved'][scope]:,} steps could be saved"
            )
    shared = data.get("shared_blocks")
    if shared is not None:
        click.echo(f"{len(shared):,} blocks of at least three steps that several owners have")
        for block in shared[:_SHOWN]:
            click.echo(
                f"  {len(block['owners'])} owners, {block['scenarios']:,} scenarios: {' / '.join(block['steps'])}"
            )
    if labels is not None:
        click.echo(
            f"{labels['windows']} labelled windows of {labels['repositories']} repositories, {labels['worthy']} worthy"
        )
        for score in labels["scores"]:
            click.echo(
                f"  F1 {score['f1']:.3f}  (P {score['precision']:.3f}, R {score['recall']:.3f})  {score['name']}"
            )
        click.echo(
            "  Two conditions on length, support and outlier share do nearly as well as the model: the labels look "
            "as if they were made by a rule that the model learns."
        )
        click.echo(f"  mechanism predicted from the scope alone: {labels['mechanism_by_scope']:.3f}")
        for name, value in labels["kappa"].items():
            click.echo(f"  Fleiss' kappa, {name}: {value:.3f}")
