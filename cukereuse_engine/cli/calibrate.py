"""`cukereuse calibrate`: how well each strategy agrees with labelled pairs."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import print_config_option, setting_options
from cukereuse_engine.cli.outputs import check_writable, report_option, write_json
from cukereuse_engine.errors import CukereuseError

if TYPE_CHECKING:
    from cukereuse_engine.calibration.calibrate import CalibrationReport


@click.command("calibrate")
@click.argument("pairs", metavar="PAIRS")
@click.option("--texts", metavar="FILE", help="Texts of each suite with what they bind to: auto knows the whole suite.")
@click.option(
    "--known", type=click.FloatRange(0, 1), help="Share of the bindings in --texts that auto is given to adapt to."
)
@click.option(
    "--by",
    type=click.Choice(["definition", "text"]),
    default="definition",
    show_default=True,
    help="What --known is a share of.",
)
@click.option("--seed", type=click.IntRange(min=0), default=42, show_default=True, help="For drawing that share.")
@report_option("json", "JSON for programs.")
@setting_options("model", "offline", "jobs")
@print_config_option
def command(pairs: str, **options: Any) -> None:
    """How well each strategy agrees with labelled pairs.

    PAIRS is a .jsonl or .parquet file with text_a, text_b, and label or same_def (1: one, 0: not); optionally repo (the
    suite) and group. Every score is computed anew. Shown are the strategy's own threshold, the best one for these
    pairs, and how thresholds hold that were chosen on other pairs: other groups where the file names groups, else five
    stratified folds. --json gives the same figures unrounded.
    """
    from cukereuse_engine.calibration.calibrate import calibrate
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import embedder_for, prepare, print_config

    if not pairs or not Path(pairs).exists():
        raise CukereuseError(f"{pairs or 'an empty path'}: no such file")
    work = prepare([pairs], options)
    if options["print_config"]:
        print_config(work)
        return
    if options["known"] is not None and options["texts"] is None:
        raise click.UsageError("--known needs --texts, which says what each text binds to.")
    settings = work.settings
    destination = options["json_file"]
    if destination is not None:
        check_writable(destination)
    progress = progress_for_terminal()
    embedder, notes = embedder_for(replace(settings, strategy="auto"), progress)  # every strategy is measured
    report = calibrate(
        Path(pairs),
        embedder=embedder,
        texts_path=Path(options["texts"]) if options["texts"] is not None else None,
        known=options["known"],
        by=options["by"],
        seed=options["seed"],
        progress=progress,
    )
    if destination is not None:
        write_json(destination, report.to_json())
    if destination != "-":
        _print(report)
    for note in notes:
        click.echo(f"note: {note} semantic and hybrid are left out.", err=True)


def _print(report: "CalibrationReport") -> None:
    from cukereuse_engine.report.tables import Column, console_for, print_table

    console = console_for()
    figures = ("threshold", "P", "R", "F1", "best", "P", "R", "F1", "held out P", "R", "F1")
    columns = [Column("strategy"), *(Column(figure, right=True) for figure in figures)]
    rows = []
    for one in report.strategies:
        default, best, held_out = one.default, one.best, one.held_out
        own = (f"{one.default_threshold:.2f}", default.precision, default.recall, default.f1)
        chosen = (f"{one.best_threshold:.2f}", best.precision, best.recall, best.f1)
        rows.append((one.name, *own, *chosen, held_out.precision, held_out.recall, held_out.f1))
    print_table(console, columns, rows)
    known = [(one.name, one.known) for one in report.strategies if one.known is not None]
    for name, share in known:
        console.print()
        rows_known = [
            (f"{name}, {label}", values["pairs"], values["f1"], values["pairs_differs"], values["f1_differs"])
            for label, values in (("without", share.default.to_json()), ("adapted", share.adapted.to_json()))
        ]
        titles = ("pairs", "F1", "templates differ", "F1")
        print_table(console, [Column("bindings known"), *(Column(title, right=True) for title in titles)], rows_known)
    console.print()
    folds = "other groups" if report.folds == "group" else "the other four of five stratified folds"
    console.print(f"{report.pairs:,} pairs; held out: threshold chosen on {folds}", soft_wrap=True)
