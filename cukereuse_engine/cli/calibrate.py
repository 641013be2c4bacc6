"""`cukereuse calibrate`: how well each strategy agrees with labelled pairs, or with a suite's own step definitions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import print_config_option, setting_options
from cukereuse_engine.cli.outputs import check_writable, report_option, write_json
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import Progress
from cukereuse_engine.prose import listed
from cukereuse_engine.strategies.table import AUTO, STRATEGIES, VectorUse

if TYPE_CHECKING:
    from cukereuse_engine.calibration.calibrate import CalibrationReport
    from cukereuse_engine.calibration.reported import Counts, IntentsReport
    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.embedding_models.embedder import Embedder
    from cukereuse_engine.settings import Settings

DEFAULT_KNOWN = 0.5
"""Share of a suite's own bindings from which `auto` learns."""


@click.command("calibrate")
@click.argument("path", metavar="[PAIRS|PATH]", required=False)
@click.option(
    "--intents", metavar="FOLDER", multiple=True, help="Suites that people have labelled in full, one file each."
)
@click.option("--suites", metavar="FOLDER", help="With --intents: folder with the suites' feature files, by name.")
@click.option(
    "--texts",
    metavar="FILE",
    help="The texts of each suite with the definitions that they bind to, so that auto knows the whole suite.",
)
@click.option(
    "--known",
    type=click.FloatRange(0, 1),
    help="Share of the bindings in --texts that auto adapts to. For a suite: half of them.",
)
@click.option(
    "--by",
    type=click.Choice(["definition", "text"]),
    default="definition",
    show_default=True,
    help="Whether --known is a share of the definitions or of the texts.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=42, show_default=True, help="Seed of the random draw of that share."
)
@report_option("json", "JSON for programs.")
@click.option(
    "--write", is_flag=True, help="For a suite: write the threshold of its strategy to the suite's settings file."
)
@setting_options("strategy", "glue", "include", "exclude", "model", "offline", "jobs")
@print_config_option
def command(path: str | None, **options: Any) -> None:
    """Measure how well each strategy agrees with labelled pairs, or with a suite's own step definitions.

    PAIRS is a .jsonl or .parquet file with text_a, text_b, and label or same_def (1: same, 0: different); optionally
    repo (the suite) and group. Scores in the file are ignored. PATH is a folder or feature file; the default is the
    current folder. Its step definitions are the labels: texts with the same definition belong together, and similar
    texts with different definitions do not.

    The table shows precision (P), recall (R) and F1 of each strategy at three thresholds: its own, the best one for
    these pairs, and a held-out one, which was chosen on other pairs: those of the other groups if the file names
    groups, otherwise those of four of five random folds. --json gives the figures unrounded.

    For a suite, a threshold is proposed for each strategy: the best one if it also holds on other pairs, otherwise the
    strategy's own. --write writes the proposal for the current strategy to the settings file (pyproject.toml or
    cukereuse.toml, which is created if there is none).
    """
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import embedder_for, prepare, print_config

    if options["intents"]:
        _intents(path, options)
        return
    path = "." if path is None else path
    if not path or not Path(path).exists():
        raise CukereuseError(f"{path or 'an empty path'}: no such file")
    of_suite = Path(path).suffix not in (".jsonl", ".parquet") or Path(path).is_dir()
    work = prepare([path if of_suite else str(Path(path).parent)], options)
    if options["print_config"]:
        print_config(work)
        return
    _check(options, of_suite=of_suite)
    destination = options["json_file"]
    if destination is not None:
        check_writable(destination)
    progress = progress_for_terminal()
    embedder, notes = embedder_for(replace(work.settings, strategy=AUTO.name), progress)  # every strategy is measured
    proposed: dict[str, float] = {}
    if of_suite:
        report, proposed = _own(work, options, embedder, progress)
    else:
        report = _of_pairs(Path(path), options, embedder, progress)
    if destination is not None:
        write_json(destination, report.to_json() | ({"proposed": proposed} if of_suite else {}))
    if destination != "-":
        _print(report)
        _print_proposed(proposed, work.settings)
    if options["write"]:
        _write(work, proposed)
    _print_left_out(notes)


def _of_pairs(
    pairs: Path, options: Mapping[str, Any], embedder: "Embedder | None", progress: Progress
) -> "CalibrationReport":
    """Figures for labelled pairs."""
    from cukereuse_engine.calibration.calibrate import calibrate

    return calibrate(
        pairs,
        embedder=embedder,
        texts_path=Path(options["texts"]) if options["texts"] is not None else None,
        known=options["known"],
        by=options["by"],
        seed=options["seed"],
        progress=progress,
    )


def _print_left_out(notes: Sequence[str]) -> None:
    """Print why the strategies that need a model were not measured."""
    left_out = [name for name, row in STRATEGIES.items() if row.vectors is VectorUse.NEEDED]
    for note in notes:
        click.echo(f"note: {note} {listed(left_out)} are left out.", err=True)


def _intents(path: str | None, options: Mapping[str, Any]) -> None:
    """Measure findings against suites that people have labelled."""
    from cukereuse_engine.calibration.intents import read_suites_of_readers
    from cukereuse_engine.calibration.reported import measure, scanning
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import embedder_for, prepare, print_config

    if path is not None:
        raise click.UsageError("--intents measures the suites in its folder; leave out PAIRS and PATH")
    folders = [Path(folder) for folder in options["intents"]]
    for folder in [*folders, *([Path(options["suites"])] if options["suites"] else [])]:
        if not folder.exists():
            raise CukereuseError(f"{folder}: no such file or folder")
    work = prepare([str(folders[0])], options)
    if options["print_config"]:
        print_config(work)
        return
    if options["json_file"] is not None:
        check_writable(options["json_file"])
    suites = read_suites_of_readers(folders)
    progress = progress_for_terminal()
    embedder, notes = embedder_for(work.settings, progress)
    own = Path(options["suites"]) if options["suites"] else None
    model = embedder.model_id if embedder is not None else None
    report = measure(suites, scanning(work.settings, embedder, own), model, progress)
    if options["json_file"] is not None:
        write_json(options["json_file"], report.to_json())
    if options["json_file"] != "-":
        _print_intents(report)
    for note in notes:
        click.echo(f"note: {note}", err=True)


def _print_intents(report: "IntentsReport") -> None:
    from cukereuse_engine.report.tables import Column, console_for, print_table

    console = console_for()
    titles = ("reported", "right", "precision", "groups found", "of", "share", "sure pairs found", "of", "share")
    columns = [Column("suite"), *(Column(title, right=True) for title in titles)]
    for level in report.levels:
        rows = [(name, *_counted(counts)) for name, counts in level.suites.items()]
        rows.append(("all", *_counted(level.total)))
        rows.append(("held-out threshold", *_counted(level.held_out)))
        console.print(f"{level.severity.value} and above" if level.severity != "warning" else "warning")
        print_table(console, columns, rows)
        low = {name: f"{bounds[0]:.2f} to {bounds[1]:.2f}" for name, bounds in level.interval.items()}
        console.print(
            f"95 % of draws of suites: precision {low['precision']}, groups found {low['group_recall']}, "
            f"sure pairs found {low['pair_recall']}",
            soft_wrap=True,
        )
        console.print()


def _counted(counts: "Counts") -> tuple[float | int, ...]:
    return (
        *(counts.reported, counts.right, counts.precision),
        *(counts.groups_found, counts.groups, counts.group_recall),
        *(counts.sure_found, counts.sure, counts.pair_recall),
    )


def _check(options: Mapping[str, Any], *, of_suite: bool) -> None:
    """Raises `click.UsageError` for options that do not go together."""
    if of_suite and options["texts"] is not None:
        raise click.UsageError("--texts needs a file of pairs; a suite's own bindings are known already")
    if not of_suite and options["write"]:
        raise click.UsageError("--write needs a suite, not a file of pairs")
    if not of_suite and options["known"] is not None and options["texts"] is None:
        raise click.UsageError("--known needs --texts, which contains the binding of each text")


def _own(
    work: "Work", options: Mapping[str, Any], embedder: "Embedder | None", progress: Progress
) -> "tuple[CalibrationReport, dict[str, float]]":
    """Figures for the bindings of the given suites, and the threshold proposed for each strategy."""
    from cukereuse_engine.calibration.calibrate import calibrate_pairs
    from cukereuse_engine.calibration.own import own_pairs, proposals
    from cukereuse_engine.cli.unread import say_unread, unread_of
    from cukereuse_engine.cli.work import read
    from cukereuse_engine.glue.sources import ReadSources
    from cukereuse_engine.scanning.bound import bound_functions
    from cukereuse_engine.scanning.loading import load_glue

    bound = {}
    sources = ReadSources()
    suites = list(read(work, use_cache=True))
    say_unread(unread_of(suites), "Steps that cannot be read there are not compared.")
    for suite in suites:
        glue = load_glue(suite, work.settings_of(suite.root), use_cache=True, read=sources, progress=progress)
        bound[suite.root] = (suite.texts, bound_functions(suite.steps, glue))
    pairs, texts = own_pairs(bound, options["seed"], progress)
    if not pairs.same.any() or pairs.same.all():
        hint = "Name the folder with the glue code: --glue FOLDER" if not any(map(len, texts.values())) else ""
        raise CukereuseError("too few steps are bound to step definitions to measure anything", hint)
    known_share = DEFAULT_KNOWN if options["known"] is None else options["known"]
    report = calibrate_pairs(
        pairs,
        embedder=embedder,
        texts=texts,
        known=known_share,
        by=options["by"],
        seed=options["seed"],
        progress=progress,
    )
    return report, proposals(report, pairs, texts)


def _write(work: "Work", proposed: Mapping[str, float]) -> None:
    from cukereuse_engine.settings.layers import CONFIG_NAME
    from cukereuse_engine.settings.write import write_setting

    strategy = work.settings.strategy
    if strategy not in proposed:
        raise CukereuseError(f"the strategy {strategy} has no threshold to set")
    start = work.targets.compared[0]
    path = work.loaded.config_file or (start if start.is_dir() else start.parent) / CONFIG_NAME
    write_setting(path, "threshold", proposed[strategy])
    click.echo(f"threshold = {proposed[strategy]:g} for {strategy} written to {path}", err=True)


def _print_proposed(proposed: Mapping[str, float], settings: "Settings") -> None:
    if proposed:
        each = ", ".join(f"{name} {threshold:.2f}" for name, threshold in proposed.items())
        click.echo(f"proposed values of the setting threshold: {each}; this suite uses {settings.strategy}")
        click.echo(
            "For auto, the table shows how likely one definition serves both steps; the setting is about how likely "
            "both mean the same, and is measured on steps that differ in more than arguments."
        )


def _print(report: "CalibrationReport") -> None:
    from cukereuse_engine.report.tables import Column, console_for, print_table

    console = console_for()
    figures = ("threshold", "P", "R", "F1", "best", "P", "R", "F1", "held out P", "R", "F1")
    columns = [Column("strategy"), *(Column(figure, right=True) for figure in figures)]
    rows = []
    for strategy in report.strategies:
        default, best, held_out = strategy.default, strategy.best, strategy.held_out
        own = (f"{strategy.default_threshold:.2f}", default.precision, default.recall, default.f1)
        chosen = (f"{strategy.best_threshold:.2f}", best.precision, best.recall, best.f1)
        rows.append((strategy.name, *own, *chosen, held_out.precision, held_out.recall, held_out.f1))
    print_table(console, columns, rows)
    shares = [(strategy.name, strategy.known) for strategy in report.strategies if strategy.known is not None]
    for name, share in shares:
        console.print()
        rows_known = [
            (f"{name}, {label}", values["pairs"], values["f1"], values["pairs_differs"], values["f1_differs"])
            for label, values in (("without", share.default.to_json()), ("adapted", share.adapted.to_json()))
        ]
        titles = ("pairs", "F1", "templates differ", "F1")
        print_table(console, [Column("bindings known"), *(Column(title, right=True) for title in titles)], rows_known)
    console.print()
    folds = "the other groups" if report.folds == "group" else "the other four of five folds"
    console.print(
        f"{report.pairs:,} pairs; thresholds: the strategy's own, the best one for these pairs, and (held out) one "
        f"that was chosen on {folds}",
        soft_wrap=True,
    )
